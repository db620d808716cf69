import type { EventBatch } from '../trace/batch.ts';
import { numericLocation } from '../trace/location.ts';
import { OPERAND_KINDS, Op, type OperandKind } from '../trace/operation.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import type { DecodeOptions, Decoder, Format } from './format.ts';
import { NumberedNames } from './numbered-names.ts';

const HEADER_BYTES = 18;
const EVENT_BYTES = 8;

/** Thread numbers have ten bits. */
const MAX_THREADS = 1024;

/** RAPID's numbers for operations, in its order; the ninth is a lock request, which orders nothing. */
const OPERATIONS = [
  Op.acquire,
  Op.release,
  Op.read,
  Op.write,
  Op.fork,
  Op.join,
  Op.begin,
  Op.end,
  Op.skip,
] as const;

/**
 * RAPID's binary format: a header of four counts, then eight bytes an event, everything big-endian. There are
 * no names, only numbers; they become `T3`, `L3` and `V3`, and `3` for a block.
 */
export const rapidbin: Format = {
  name: 'bin',
  title: 'RapidBin, RAPID’s binary format',
  extensions: ['bin', 'data'],
  detect: looksLikeRapidBin,
  decoder: (options) => new RapidBinDecoder(options),
};

class RapidBinDecoder implements Decoder {
  readonly piece = { name: 'event', limit: 1 << 20 };
  repaired = 0;
  readonly #lenient: boolean;
  readonly #numbered: Record<OperandKind, NumberedNames>;
  /** By RAPID's operation number: whose numbers its operand belongs to. */
  readonly #operands: readonly NumberedNames[];
  /** How many events the header announces, -1 until it has been read. */
  #announced = -1;
  /** How many of them have been passed. */
  #events = 0;
  /** Bytes before the current window. */
  #bytesBefore = 0;
  /** Whether what is wrong with the end has been counted. */
  #ended = false;

  constructor({ names, lenient }: DecodeOptions) {
    this.#lenient = lenient;
    const locks = new NumberedNames(names.locks, 'L');
    this.#numbered = {
      thread: new NumberedNames(names.threads, 'T'),
      lock: locks,
      barrier: locks,
      message: locks,
      condition: locks,
      variable: new NumberedNames(names.variables, 'V'),
      label: new NumberedNames(names.labels, ''),
    };
    this.#operands = OPERATIONS.map((op) => this.#numbered[OPERAND_KINDS[op] ?? 'lock']);
  }

  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    if (this.#ended) return to;
    let at = from;
    if (this.#announced < 0) {
      if (to - from < HEADER_BYTES) return last ? this.#cutHeader(bytes, from, to) : from;
      this.#announced = announcedEvents(bytes, from);
      at += HEADER_BYTES;
    }
    at = this.#decodeEvents(bytes, at, to, batch);
    if (batch.length === batch.capacity) return at;
    if (this.#events === this.#announced) return at < to ? this.#overlong(bytes, at, to) : at;
    return last ? this.#cut(bytes, at, to) : at;
  }

  windowMoved(_bytes: Uint8Array, consumed: number): void {
    this.#bytesBefore += consumed;
  }

  locate(_bytes: Uint8Array, offset: number): Position {
    return { byte: this.#bytesBefore + offset };
  }

  #decodeEvents(bytes: Uint8Array, from: number, to: number, batch: EventBatch): number {
    const room = Math.min(to - from, (this.#announced - this.#events) * EVENT_BYTES);
    const limit = from + room - EVENT_BYTES;
    let at = from;
    for (; at <= limit && batch.length < batch.capacity; at += EVENT_BYTES, this.#events++) {
      const high = uint32(bytes, at);
      const low = uint32(bytes, at + 4);
      const code = (low >>> 10) & 0xf;
      if (code >= OPERATIONS.length) {
        this.#unknownOperation(bytes, at, code);
        continue;
      }
      const op = OPERATIONS[code];
      if (op === Op.skip) continue;
      const i = batch.length++;
      batch.op[i] = op;
      batch.thread[i] = this.#numbered.thread.id(low & 0x3ff);
      // 34 bits do not fit into the integers of bit operators.
      batch.operand[i] = this.#operands[code].id((high & 0xffff) * 0x40000 + (low >>> 14));
      batch.location[i] = numericLocation((high >>> 16) & 0x7fff);
      batch.offset[i] = at;
    }
    return at;
  }

  #unknownOperation(bytes: Uint8Array, at: number, code: number): void {
    if (!this.#lenient) {
      throw new InputProblem('unknown operation', {
        position: this.locate(bytes, at),
        found: `operation number ${code} in event ${this.#events + 1} of the file`,
        expected: `a number from 0 to ${OPERATIONS.length - 1}`,
      });
    }
    this.repaired++;
  }

  #cutHeader(bytes: Uint8Array, from: number, to: number): number {
    // A file of no bytes is a trace of no events, in every format.
    if (to === from) return to;
    return this.#end(
      to,
      new InputProblem('the file is cut in its header', {
        position: this.locate(bytes, to),
        found: `${to - from} bytes`,
        expected: `a header of ${HEADER_BYTES} bytes`,
      }),
    );
  }

  #cut(bytes: Uint8Array, at: number, to: number): number {
    return this.#end(
      to,
      new InputProblem('the file is cut: it ends before its last event', {
        position: this.locate(bytes, to),
        found: `${this.#events} whole events${to > at ? ` and ${to - at} bytes of the next` : ''}`,
        expected: `${this.#announced} events, as its header says`,
      }),
    );
  }

  #overlong(bytes: Uint8Array, at: number, to: number): number {
    return this.#end(
      to,
      new InputProblem('the file goes on after its last event', {
        position: this.locate(bytes, at),
        found: 'more bytes',
        expected: `the end after ${this.#announced} events, as its header says`,
      }),
    );
  }

  #end(to: number, problem: InputProblem): number {
    if (!this.#lenient) throw problem;
    this.#ended = true;
    this.repaired++;
    return to;
  }
}

/** RAPID masks the sign bit of every number. */
function announcedEvents(bytes: Uint8Array, at: number): number {
  return (uint32(bytes, at + 10) & 0x7fffffff) * 0x100000000 + uint32(bytes, at + 14);
}

function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}

/**
 * There is no magic number. The counts must be possible ones, every event in the head must have an operation,
 * and the size must be what the header says; where it is unknown or different (a packed or a cut file), the
 * header must at least make sense: every lock and variable needs an event.
 */
function looksLikeRapidBin(head: Uint8Array, size: number | null): boolean {
  if (head.length < HEADER_BYTES) return false;
  const threads = ((head[0] & 0x7f) << 8) | head[1];
  const named = (uint32(head, 2) & 0x7fffffff) + (uint32(head, 6) & 0x7fffffff);
  const events = announcedEvents(head, 0);
  if (threads > MAX_THREADS) return false;
  const shown = Math.min(Math.floor((head.length - HEADER_BYTES) / EVENT_BYTES), events);
  for (let n = 0; n < shown; n++) {
    const code = (uint32(head, HEADER_BYTES + n * EVENT_BYTES + 4) >>> 10) & 0xf;
    if (code >= OPERATIONS.length) return false;
  }
  if (size === HEADER_BYTES + EVENT_BYTES * events) return true;
  return shown > 0 && threads > 0 && named > 0 && named <= events && events < 2 ** 40;
}
