import type { EventBatch } from '../trace/batch.ts';
import { internLocation, NO_LOCATION } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERATION_COUNT, Op } from '../trace/operation.ts';
import type { Position } from '../trace/problem.ts';
import type { DecodeOptions, Decoder, Format } from './format.ts';
import type { SentNames } from './sent-names.ts';
import { diagnoseStdLine } from './std-diagnosis.ts';
import { type LinesSettings, StdLines } from './std-lines.ts';
import { skipByteOrderMark } from './text-guards.ts';
import { LINE_PIECE, TextPosition } from './text-position.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const PIPE = 0x7c;

/**
 * STD, the text format of RAPID: `thread|op(operand)|location`, one event a line. The operand ends at the first
 * `)` that a `|` or the end of the line follows, so that it may hold parentheses; the location is optional.
 * Blank lines are passed over.
 */
export const std: Format = {
  name: 'std',
  title: 'STD text, as RAPID writes it',
  extensions: ['std'],
  detect: looksLikeStd,
  decoder: (options) => new StdDecoder(options),
};

/** So many bytes of lines are worth the fast way. */
const FAST_FROM = 32 * 1024;

/** Other values for tests: how many bytes are worth it, and those of the fast way itself. */
export interface FastSettings extends LinesSettings {
  from?: number;
}

/** A thread and a known operation. */
const FIRST_LINE = new RegExp(
  `^\\s*[^|\\r\\n]+\\|(?:(?:${MNEMONICS.join('|')})\\(|(?:begin|end)(?:[|\\r\\n]|$))`,
);

/** The first line that is not blank starts like an event. */
function looksLikeStd(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 4096)).toString('latin1');
  return FIRST_LINE.test(text);
}

export class StdDecoder implements Decoder {
  readonly piece = LINE_PIECE;
  repaired = 0;
  readonly #names: TraceNames;
  readonly #lenient: boolean;
  readonly #sent: SentNames | undefined;
  readonly #position = new TextPosition();
  /** The fast way; null as long as there is little to read, for it takes a moment to make. */
  #fast: StdLines | null = null;
  readonly #settings: FastSettings;
  /** Lines used up so far, in all windows. */
  #lines = 0;
  /* Where the line scanner stands and what it found; fields instead of a result object per line. */
  #at = 0;
  #op = 0;
  #operationAt = 0;
  #threadId = 0;
  #operandId = 0;
  #location = 0;

  constructor(options: DecodeOptions, settings: FastSettings = {}) {
    this.#names = options.names;
    this.#lenient = options.lenient;
    this.#sent = options.sentNames;
    this.#settings = settings;
  }

  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    const start = this.#lines === 0 && from === 0 ? skipByteOrderMark(bytes, 0, to) : from;
    let at = start;
    // Before an empty window there is no newline: -1 would make the search start at the other end.
    const limit = to > 0 ? bytes.lastIndexOf(NEWLINE, to - 1) + 1 : 0;
    if (this.#fast === null && limit - at >= (this.#settings.from ?? FAST_FROM))
      this.#fast = StdLines.for(this.#names, this.#sent, this.#settings);
    while (at < limit && batch.length < batch.capacity) {
      const before = batch.length;
      at = this.#fast?.run(bytes, at, limit, batch) ?? at;
      this.#lines += batch.length - before;
      if (at < limit && batch.length < batch.capacity) at = this.#line(bytes, at, batch);
    }
    if (last && at >= limit && at < to && batch.length < batch.capacity) {
      return this.#unendedLine(bytes, at, to, batch);
    }
    // The byte order mark is used up with its line, so that columns count from the same byte in every window.
    return at > start || last ? at : from;
  }

  windowMoved(): void {
    this.#position.windowStartsAfter(this.#lines);
  }

  locate(bytes: Uint8Array, offset: number): Position {
    return this.#position.locate(bytes, offset);
  }

  /** The plain way: reads the line at `start`, which ends in a newline inside the window; returns where the next one starts. */
  #line(bytes: Uint8Array, start: number, batch: EventBatch): number {
    if (this.#scan(bytes, start)) {
      const i = batch.length++;
      batch.op[i] = this.#op;
      batch.thread[i] = this.#threadId;
      batch.operand[i] = this.#operandId;
      batch.location[i] = this.#location;
      batch.offset[i] = this.#operationAt;
      this.#lines++;
      return this.#at;
    }
    const end = bytes.indexOf(NEWLINE, start);
    if (!isBlank(bytes, start, end)) this.#refuse(bytes, start, end);
    this.#lines++;
    return end + 1;
  }

  /** The last line of the input, when no newline ends it. */
  #unendedLine(bytes: Uint8Array, start: number, to: number, batch: EventBatch): number {
    const line = new Uint8Array(to - start + 1);
    line.set(bytes.subarray(start, to));
    line[to - start] = NEWLINE;
    if (this.#scan(line, 0))
      batch.push(this.#threadId, this.#op, this.#operandId, this.#location, start + this.#operationAt);
    else if (!isBlank(line, 0, to - start)) {
      this.#refuse(bytes, start, to);
    }
    this.#lines++;
    return to;
  }

  #refuse(bytes: Uint8Array, start: number, end: number): void {
    if (!this.#lenient) throw diagnoseStdLine(bytes, start, end, this.locate(bytes, start).line as number);
    this.repaired++;
  }

  /** Takes one line apart. False when it is not an event; then nothing is said about why. */
  #scan(bytes: Uint8Array, start: number): boolean {
    let at = start;
    let c = bytes[at];
    while (c !== PIPE) {
      // One comparison for both bytes that no name holds: the newline and NUL.
      if (c <= NEWLINE && (c === NEWLINE || c === 0)) return false;
      c = bytes[++at];
    }
    if (at === start) return false;
    const threadEnd = at;
    at = this.#operation(bytes, at + 1);
    if (at === 0) return false;

    const op = this.#op;
    const table = this.#names.operandTable(op as Op);
    const operandStart = at;
    let operandEnd = at;
    if (bytes[at - 1] === OPEN) {
      for (;;) {
        c = bytes[at];
        if (c === CLOSE && endsOperand(bytes, at + 1)) break;
        if (c <= NEWLINE && (c === NEWLINE || c === 0)) return false;
        at++;
      }
      if (at === operandStart && op !== Op.begin && op !== Op.end) return false;
      operandEnd = at++;
    } else if (!endsOperand(bytes, at)) {
      // Only `begin` and `end` may lack a label, as RAPID itself writes them; `at` is where a `(` would be.
      return false;
    }
    if (!this.#rest(bytes, at)) return false;
    // Only now is it an event: a line that is refused must not leave names behind.
    this.#threadId = this.#names.threads.intern(bytes, start, threadEnd);
    this.#operandId = table.intern(bytes, operandStart, operandEnd);
    this.#operationAt = threadEnd + 1;
    return true;
  }

  /** Reads the operation; returns where its operand starts, or where it would, or 0 if there is none such. */
  #operation(bytes: Uint8Array, at: number): number {
    switch (bytes[at]) {
      case 0x72: // r, rel
        if (bytes[at + 1] === OPEN) return this.#found(Op.read, at + 2);
        return bytes[at + 1] === 0x65 && bytes[at + 2] === 0x6c && bytes[at + 3] === OPEN
          ? this.#found(Op.release, at + 4)
          : this.#rareOperation(bytes, at);
      case 0x77: // w
        return bytes[at + 1] === OPEN ? this.#found(Op.write, at + 2) : this.#rareOperation(bytes, at);
      case 0x75: // u
        return bytes[at + 1] === OPEN ? this.#found(Op.update, at + 2) : 0;
      case 0x61: // acq
        return bytes[at + 1] === 0x63 && bytes[at + 2] === 0x71 && bytes[at + 3] === OPEN
          ? this.#found(Op.acquire, at + 4)
          : this.#rareOperation(bytes, at);
      case 0x62: // begin
        if (bytes[at + 1] !== 0x65 || bytes[at + 2] !== 0x67 || bytes[at + 3] !== 0x69) return 0;
        if (bytes[at + 4] !== 0x6e) return 0;
        return this.#found(Op.begin, bytes[at + 5] === OPEN ? at + 6 : at + 5);
      case 0x65: // end
        if (bytes[at + 1] !== 0x6e || bytes[at + 2] !== 0x64) return 0;
        return this.#found(Op.end, bytes[at + 3] === OPEN ? at + 4 : at + 3);
      case 0x66: // fork
        if (bytes[at + 1] !== 0x6f || bytes[at + 2] !== 0x72 || bytes[at + 3] !== 0x6b) return 0;
        return bytes[at + 4] === OPEN ? this.#found(Op.fork, at + 5) : 0;
      case 0x6a: // join
        if (bytes[at + 1] !== 0x6f || bytes[at + 2] !== 0x69 || bytes[at + 3] !== 0x6e) return 0;
        return bytes[at + 4] === OPEN ? this.#found(Op.join, at + 5) : 0;
      default:
        return this.#rareOperation(bytes, at);
    }
  }

  #rareOperation(bytes: Uint8Array, at: number): number {
    for (let op: number = Op.arrive; op < OPERATION_COUNT; op++) {
      const end = at + MNEMONICS[op].length;
      if (bytes[end] === OPEN && isAt(bytes, at, MNEMONICS[op])) return this.#found(op as Op, end + 1);
    }
    return 0;
  }

  #found(op: Op, operandAt: number): number {
    this.#op = op;
    return operandAt;
  }

  /** From behind the operand to the start of the next line. */
  #rest(bytes: Uint8Array, from: number): boolean {
    let at = from;
    if (bytes[at] !== PIPE) {
      this.#location = NO_LOCATION;
      this.#at = bytes[at] === RETURN ? at + 2 : at + 1;
      return true;
    }
    const start = ++at;
    let value = 0;
    let c = bytes[at];
    while (c >= 0x30 && c <= 0x39) {
      value = (value * 10 + (c - 0x30)) | 0;
      c = bytes[++at];
    }
    const digits = at - start;
    if (c === NEWLINE && digits > 0 && digits < 10 && (bytes[start] !== 0x30 || digits === 1)) {
      this.#location = value * 2 + 1;
      this.#at = at + 1;
      return true;
    }
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    if (bytes.subarray(start, end).includes(0)) return false;
    this.#location = internLocation(this.#names.locations, bytes, start, end);
    this.#at = newline + 1;
    return true;
  }
}

function endsOperand(bytes: Uint8Array, at: number): boolean {
  const c = bytes[at];
  return c === PIPE || c === NEWLINE || (c === RETURN && bytes[at + 1] === NEWLINE);
}

function isAt(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i];
    if (c !== 0x20 && c !== 0x09 && c !== RETURN) return false;
  }
  return true;
}
