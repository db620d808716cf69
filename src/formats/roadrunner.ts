import type { EventBatch } from '../trace/batch.ts';
import { internLocation, NO_LOCATION } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { Op } from '../trace/operation.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import type { DecodeOptions, Decoder, Format } from './format.ts';
import { nextNul, skipByteOrderMark } from './text-guards.ts';
import { excerpt, LINE_PIECE, TextPosition } from './text-position.ts';

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;
const AT = 0x40;

/**
 * RoadRunner's log, as RAPID's printing tool writes it: `@    Wr(2,name)  Final  File.java:50:7` among lines of
 * other text. Only lines that start with `@`, white space, one of the names below and `(` are events; the rest
 * of the log is passed over.
 */
export const roadrunner: Format = {
  name: 'rr',
  title: 'RoadRunner log, as RAPID’s printing tool writes it',
  extensions: ['rr'],
  detect: looksLikeRoadRunner,
  decoder: (options) => new RoadRunnerDecoder(options),
};

interface EventName {
  readonly word: string;
  readonly bytes: Uint8Array;
  readonly op: Op;
  /** Whether the last field behind the operand says where in the source the event happened. */
  readonly located: boolean;
}

/** The most frequent first: they are tried in this order. Array accesses are accesses. */
const EVENT_NAMES: readonly EventName[] = [
  eventName('Rd', Op.read, true),
  eventName('Wr', Op.write, true),
  eventName('ARd', Op.read, true),
  eventName('AWr', Op.write, true),
  eventName('VRd', Op.volatileRead, false),
  eventName('VWr', Op.volatileWrite, false),
  eventName('Enter', Op.begin, false),
  eventName('Exit', Op.end, false),
  eventName('Acquire', Op.acquire, false),
  eventName('Release', Op.release, false),
  eventName('Start', Op.fork, false),
  eventName('Join', Op.join, false),
];

function eventName(word: string, op: Op, located: boolean): EventName {
  return { word, bytes: new TextEncoder().encode(word), op, located };
}

/** Some line of the head is a whole event; what a program prints before its first event may be long. */
function looksLikeRoadRunner(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  return /^(?:\xef\xbb\xbf)?@[ \t]+(?:[AV]?Rd|[AV]?Wr|Enter|Exit|Acquire|Release|Start|Join)\([^\s,]+,\S+\)/m.test(
    text,
  );
}

class RoadRunnerDecoder implements Decoder {
  readonly piece = LINE_PIECE;
  repaired = 0;
  readonly #names: TraceNames;
  readonly #lenient: boolean;
  readonly #position = new TextPosition();
  /** Lines used up so far, in all windows. */
  #lines = 0;

  constructor(options: DecodeOptions) {
    this.#names = options.names;
    this.#lenient = options.lenient;
  }

  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    let at = from;
    let nul = nextNul(bytes, from, to);
    while (at < to && batch.length < batch.capacity) {
      let end = bytes.indexOf(NEWLINE, at);
      const ended = end >= 0 && end < to;
      if (!ended) {
        if (!last) break;
        end = to;
      }
      if (nul < end) {
        if (!this.#lenient) throw this.#nulProblem(bytes, nul);
        this.repaired++;
        nul = nextNul(bytes, end, to);
      } else {
        this.#line(bytes, at, end > at && bytes[end - 1] === RETURN ? end - 1 : end, ended, batch);
      }
      this.#lines++;
      at = ended ? end + 1 : to;
    }
    return at;
  }

  windowMoved(): void {
    this.#position.windowStartsAfter(this.#lines);
  }

  locate(bytes: Uint8Array, offset: number): Position {
    return this.#position.locate(bytes, offset);
  }

  #line(bytes: Uint8Array, start: number, end: number, ended: boolean, batch: EventBatch): void {
    let at = this.#lines === 0 ? skipByteOrderMark(bytes, start, end) : start;
    if (at === end || bytes[at] !== AT) return;
    at = skipBlanks(bytes, at + 1, end);
    if (bytes[at - 1] === AT && at < end) return;
    const name = eventNameAt(bytes, at, end);
    if (name === null) {
      // A log whose writer was stopped ends anywhere, perhaps in the middle of a name.
      if (ended || !startsEventName(bytes, at, end)) return;
      if (!this.#lenient) throw this.#cutProblem(bytes, start, end);
      this.repaired++;
    } else if (!this.#event(bytes, at, end, name, ended, batch)) {
      if (!this.#lenient) throw this.#eventProblem(bytes, at, end, name, ended);
      this.repaired++;
    }
  }

  /** Reads the event whose name stands at `start`. False when it is not whole. */
  #event(
    bytes: Uint8Array,
    start: number,
    end: number,
    name: EventName,
    ended: boolean,
    batch: EventBatch,
  ): boolean {
    const threadAt = start + name.bytes.length + 1;
    let at = threadAt;
    for (; at < end && bytes[at] !== COMMA; at++) if (isBlank(bytes[at])) return false;
    const threadEnd = at;
    if (at >= end || threadEnd === threadAt) return false;

    // Method descriptors hold parentheses, so the operand ends at the last byte before white space, a `)`.
    const operandAt = ++at;
    while (at < end && !isBlank(bytes[at])) at++;
    const operandEnd = at - 1;
    if (operandEnd <= operandAt || bytes[operandEnd] !== CLOSE) return false;
    if (!ended && isCutDescriptor(bytes, operandAt, operandEnd)) return false;

    const i = batch.length++;
    batch.op[i] = name.op;
    batch.thread[i] = this.#names.threads.intern(bytes, threadAt, threadEnd);
    const table = this.#names.operandTable(name.op);
    batch.operand[i] = table.intern(bytes, operandAt, operandEnd);
    batch.location[i] = name.located ? this.#lastField(bytes, at, end) : NO_LOCATION;
    batch.offset[i] = start;
    return true;
  }

  #lastField(bytes: Uint8Array, from: number, lineEnd: number): number {
    let end = lineEnd;
    while (end > from && isBlank(bytes[end - 1])) end--;
    if (end === from) return NO_LOCATION;
    let start = end;
    while (!isBlank(bytes[start - 1])) start--;
    return internLocation(this.#names.locations, bytes, start, end);
  }

  #nulProblem(bytes: Uint8Array, at: number): InputProblem {
    return new InputProblem('a text trace holds no NUL bytes', {
      position: this.locate(bytes, at),
      found: 'a NUL byte',
      expected: 'a line of text',
    });
  }

  #cutProblem(bytes: Uint8Array, start: number, end: number): InputProblem {
    return new InputProblem('the last line is cut', {
      position: this.locate(bytes, end),
      found: quoted(excerpt(bytes, start, end), 60),
      expected: `'@', white space and ${EVENT_NAMES[0].word}(thread,operand) or another event`,
    });
  }

  /** Says why `#event` could not read the event whose name stands at `start`. */
  #eventProblem(
    bytes: Uint8Array,
    start: number,
    end: number,
    { word, bytes: { length } }: EventName,
    ended: boolean,
  ): InputProblem {
    const threadAt = start + length + 1;
    let at = threadAt;
    while (at < end && bytes[at] !== COMMA && !isBlank(bytes[at])) at++;
    const operandAt = at + 1;
    const describe = (offset: number, summary: string) =>
      new InputProblem(ended ? summary : `${summary}, and the log ends there`, {
        position: this.locate(bytes, offset),
        found: quoted(excerpt(bytes, start, end), 60),
        expected: `${word}(thread,operand)`,
      });

    if (at === threadAt) return describe(at, `${word} lacks its thread`);
    if (bytes[at] !== COMMA || at >= end) {
      return describe(bytes[at - 1] === CLOSE ? at - 1 : at, `${word} lacks its operand`);
    }
    while (at < end && !isBlank(bytes[at])) at++;
    if (at === operandAt || (at === operandAt + 1 && bytes[operandAt] === CLOSE)) {
      return describe(operandAt, `the operand of ${word} is empty`);
    }
    return describe(at, `the operand of ${word} does not end in ')'`);
  }
}

/** The event whose name and `(` stand at `at`, or null. */
function eventNameAt(bytes: Uint8Array, at: number, end: number): EventName | null {
  for (let n = 0; n < EVENT_NAMES.length; n++) {
    const name = EVENT_NAMES[n].bytes;
    if (name[0] !== bytes[at] || at + name.length >= end || bytes[at + name.length] !== OPEN) continue;
    if (startsWith(bytes, at, name, name.length)) return EVENT_NAMES[n];
  }
  return null;
}

/** Whether `bytes[at … end)` is the beginning of the name of an event, and nothing else. */
function startsEventName(bytes: Uint8Array, at: number, end: number): boolean {
  const length = end - at;
  return EVENT_NAMES.some(({ bytes: name }) => length <= name.length && startsWith(bytes, at, name, length));
}

function startsWith(bytes: Uint8Array, at: number, name: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

/** `Test.main([Ljava/lang/String;` — the `)` that seemed to end the operand was the descriptor's own. */
function isCutDescriptor(bytes: Uint8Array, start: number, end: number): boolean {
  let open = 0;
  for (let i = start; i < end; i++) {
    if (bytes[i] === OPEN) open++;
    else if (bytes[i] === CLOSE) open--;
  }
  return open > 0;
}

function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(bytes[at])) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}
