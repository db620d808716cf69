import type { EventBatch } from '../trace/batch.ts';
import { internLocation, NO_LOCATION } from '../trace/location.ts';
import { MOST_PENDING, type NameTable, PendingNames } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { MOST_DIGITS } from '../trace/number-index.ts';
import { MNEMONICS, Op } from '../trace/operation.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const ZERO = 0x30;
const PIPE = 0x7c;

/** Thread names of up to this many bytes are compared as one integer. */
const SHORT = 4;
const THREAD_SLOTS = 256;

/** The operations that are one letter, by that letter; all others are `skip`. */
const ACCESS = new Uint8Array(256).fill(Op.skip);
ACCESS[0x72] = Op.read;
ACCESS[0x77] = Op.write;
ACCESS[0x75] = Op.update;

/**
 * The fast way through STD. It stops at the first line that is out of the ordinary, which the plain decoder then
 * reads; whatever it does read, it reads as that one would.
 */
export class CommonLines {
  readonly #names: TraceNames;
  readonly #variables: NameTable;
  readonly #pending = new PendingNames();
  /* Short thread names by their bytes as an integer. */
  readonly #threadKeys = new Int32Array(THREAD_SLOTS);
  readonly #threadIds = new Int32Array(THREAD_SLOTS);

  constructor(names: TraceNames) {
    this.#names = names;
    this.#variables = names.variables;
  }

  /**
   * Reads from `from`, at most to `limit`, which is behind a newline; returns where it stopped. Most lines are
   * accesses such as `T3|r(V12345)|678`, made of names that are known. The loop has room for nothing else: the
   * smaller it is, the sooner it is compiled, and a short trace is over before a large loop would be.
   */
  run(bytes: Uint8Array, from: number, limit: number, batch: EventBatch): number {
    const { op: ops, thread: threads, operand: operands, location: locations, offset: offsets } = batch;
    const capacity = batch.capacity;
    const threadKeys = this.#threadKeys;
    const threadIds = this.#threadIds;
    let { prefix, ids } = this.#variables.numbered;
    let i = batch.length;
    let at = from;
    while (at < limit && i < capacity) {
      let p = at;
      let key = 0;
      let c = bytes[p];
      while (c > NEWLINE && c !== PIPE) {
        key = (key << 8) | c;
        c = bytes[++p];
      }
      const nameLength = p - at;
      const slot = slotOf(key);
      const op = ACCESS[bytes[p + 1]];
      if (
        c === PIPE &&
        nameLength > 0 &&
        nameLength <= SHORT &&
        threadKeys[slot] === key &&
        op !== Op.skip &&
        bytes[p + 2] === OPEN &&
        bytes[p + 3] === prefix
      ) {
        const operationAt = p + 1;
        let start = p + 4;
        p = start;
        let number = 0;
        let digit = bytes[p] - ZERO;
        while (digit >= 0 && digit <= 9) {
          number = (number * 10 + digit) | 0;
          digit = bytes[++p] - ZERO;
        }
        const isKnown = number < ids.length && isNumber(bytes, start, p) && ids[number] > 0;
        if (isKnown && bytes[p] === CLOSE && bytes[p + 1] === PIPE) {
          const operand = ids[number] - 1;
          p += 2;
          start = p;
          number = 0;
          digit = bytes[p] - ZERO;
          while (digit >= 0 && digit <= 9) {
            number = (number * 10 + digit) | 0;
            digit = bytes[++p] - ZERO;
          }
          if (bytes[p] === NEWLINE && isNumber(bytes, start, p)) {
            ops[i] = op;
            threads[i] = threadIds[slot];
            operands[i] = operand;
            locations[i] = number * 2 + 1;
            offsets[i] = operationAt;
            i++;
            at = p + 1;
            continue;
          }
        }
      }
      batch.length = i;
      let next = op === Op.skip ? at : this.#namedAccesses(bytes, at, limit, batch);
      if (next === at) next = this.#line(bytes, at, batch);
      if (next === at) return at;
      at = next;
      i = batch.length;
      ({ prefix, ids } = this.#variables.numbered);
    }
    batch.length = i;
    return at;
  }

  /**
   * Reads accesses of variables whose names are not numbers, up to the first other line; returns where that starts. The
   * names are looked up in groups, which is why this is a loop of its own.
   */
  #namedAccesses(bytes: Uint8Array, from: number, limit: number, batch: EventBatch): number {
    const { op: ops, thread: threads, location: locations, offset: offsets } = batch;
    const { start: starts, end: ends } = this.#pending;
    const threadKeys = this.#threadKeys;
    const threadIds = this.#threadIds;
    const { prefix } = this.#variables.numbered;
    let at = from;
    for (;;) {
      const first = batch.length;
      const most = Math.min(MOST_PENDING, batch.capacity - first);
      let count = 0;
      while (count < most && at < limit) {
        let p = at;
        let key = 0;
        let c = bytes[p];
        while (c > NEWLINE && c !== PIPE) {
          key = (key << 8) | c;
          c = bytes[++p];
        }
        const slot = slotOf(key);
        const op = ACCESS[bytes[p + 1]];
        const nameLength = p - at;
        if (c !== PIPE || nameLength === 0 || nameLength > SHORT || threadKeys[slot] !== key) break;
        if (op === Op.skip || bytes[p + 2] !== OPEN) break;
        const operationAt = p + 1;
        const operandAt = p + 3;
        if (bytes[operandAt] === prefix && isClosedNumber(bytes, operandAt + 1)) break;
        p = operandAt;
        c = bytes[p];
        while (c > NEWLINE && (c !== CLOSE || !endsField(bytes[p + 1]))) c = bytes[++p];
        const operandEnd = p;
        if (c !== CLOSE || operandEnd === operandAt || bytes[p + 1] !== PIPE) break;
        p += 2;
        const locationAt = p;
        let number = 0;
        let digit = bytes[p] - ZERO;
        while (digit >= 0 && digit <= 9) {
          number = (number * 10 + digit) | 0;
          digit = bytes[++p] - ZERO;
        }
        if (bytes[p] !== NEWLINE || !isNumber(bytes, locationAt, p)) break;
        const i = first + count;
        ops[i] = op;
        threads[i] = threadIds[slot];
        locations[i] = number * 2 + 1;
        offsets[i] = operationAt;
        starts[count] = operandAt;
        ends[count] = operandEnd;
        count++;
        at = p + 1;
      }
      this.#variables.internAll(bytes, this.#pending, count, batch.operand, first);
      batch.length = first + count;
      if (count < MOST_PENDING) return at;
    }
  }

  /** Reads one line that is not blank and ends in a newline alone; returns where it ends, or `from` if it is none. */
  #line(bytes: Uint8Array, from: number, batch: EventBatch): number {
    let p = from;
    let key = 0;
    let c = bytes[p];
    while (c !== PIPE) {
      if (c <= NEWLINE) return from;
      key = (key << 8) | c;
      c = bytes[++p];
    }
    if (p === from) return from;
    const threadEnd = p;

    const operationAt = p + 1;
    let op: Op = bytes[p + 2] === OPEN ? (ACCESS[bytes[operationAt]] as Op) : Op.skip;
    p += 3;
    if (op === Op.skip) {
      op = longOperation(bytes, operationAt);
      if (op === Op.skip) return from;
      p = operationAt + MNEMONICS[op].length + 1;
    }

    const operandAt = p;
    c = bytes[p];
    while (c !== CLOSE || !endsField(bytes[p + 1])) {
      if (c <= NEWLINE) return from;
      c = bytes[++p];
    }
    const operandEnd = p++;
    if (operandEnd === operandAt) return from;

    let location = NO_LOCATION;
    if (bytes[p] === PIPE) {
      const start = ++p;
      for (c = bytes[p]; c !== NEWLINE; c = bytes[++p]) if (c === RETURN || c === 0) return from;
      location = internLocation(this.#names.locations, bytes, start, p);
    } else if (bytes[p] !== NEWLINE) {
      return from;
    }

    // Only now is it an event: a line that is refused must not leave names behind.
    const thread = this.#names.threads.intern(bytes, from, threadEnd);
    if (threadEnd - from <= SHORT) {
      this.#threadKeys[slotOf(key)] = key;
      this.#threadIds[slotOf(key)] = thread;
    }
    const operand = this.#names.operandTable(op).intern(bytes, operandAt, operandEnd);
    batch.push(thread, op, operand, location, operationAt);
    return p + 1;
  }
}

function slotOf(key: number): number {
  return (key ^ (key >>> 8)) & (THREAD_SLOTS - 1);
}

/** Whether the digits in `bytes[start … end)` are a number that no other digits spell, and one that is not too large. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const digits = end - start;
  return digits > 0 && digits <= MOST_DIGITS && (digits === 1 || bytes[start] !== ZERO);
}

/** Whether there are digits at `at` and then the end of the operand. */
function isClosedNumber(bytes: Uint8Array, at: number): boolean {
  let p = at;
  while (bytes[p] >= ZERO && bytes[p] <= ZERO + 9) p++;
  return p > at && bytes[p] === CLOSE;
}

function endsField(byte: number): boolean {
  return byte === PIPE || byte === NEWLINE || byte === RETURN;
}

/** The operation with a name of several letters and an operand that starts at `at`; `skip` for none. */
function longOperation(bytes: Uint8Array, at: number): Op {
  switch (bytes[at]) {
    case 0x61:
      return bytes[at + 1] === 0x63 && bytes[at + 2] === 0x71 && bytes[at + 3] === OPEN
        ? Op.acquire
        : Op.skip;
    case 0x72:
      return bytes[at + 1] === 0x65 && bytes[at + 2] === 0x6c && bytes[at + 3] === OPEN
        ? Op.release
        : Op.skip;
    case 0x62:
      return bytes[at + 1] === 0x65 &&
        bytes[at + 2] === 0x67 &&
        bytes[at + 3] === 0x69 &&
        bytes[at + 4] === 0x6e &&
        bytes[at + 5] === OPEN
        ? Op.begin
        : Op.skip;
    case 0x66:
      return bytes[at + 1] === 0x6f &&
        bytes[at + 2] === 0x72 &&
        bytes[at + 3] === 0x6b &&
        bytes[at + 4] === OPEN
        ? Op.fork
        : Op.skip;
    case 0x6a:
      return bytes[at + 1] === 0x6f &&
        bytes[at + 2] === 0x69 &&
        bytes[at + 3] === 0x6e &&
        bytes[at + 4] === OPEN
        ? Op.join
        : Op.skip;
    case 0x65:
      return bytes[at + 1] === 0x6e && bytes[at + 2] === 0x64 && bytes[at + 3] === OPEN ? Op.end : Op.skip;
    default:
      return Op.skip;
  }
}
