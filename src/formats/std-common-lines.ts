import type { EventBatch } from '../trace/batch.ts';
import { grownInt32 } from '../trace/growable.ts';
import { NO_LOCATION, namedLocation } from '../trace/location.ts';
import { HASH_SEED, type NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { Op } from '../trace/operation.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const ZERO = 0x30;
const PIPE = 0x7c;
const HASH_PRIME = 0x01000193;

/** Thread names of up to this many bytes are compared as one integer. */
const SHORT = 4;
const THREAD_SLOTS = 256;
/** More digits than this would not fit an integer that is multiplied by ten. */
const MOST_DIGITS = 8;

/**
 * The fast way through STD: lines that look like those before them, `T3|r(V12345)|678`, made only of names that
 * are already known. It stops at the first line that is anything else, which the plain decoder then reads;
 * whatever it does read, it reads as that one would.
 */
export class CommonLines {
  readonly #names: TraceNames;
  /* Short thread names by their bytes as an integer. */
  readonly #threadKeys = new Int32Array(THREAD_SLOTS);
  readonly #threadIds = new Int32Array(THREAD_SLOTS);
  readonly #variables: NumberedNames;
  readonly #locks: NumberedNames;

  constructor(names: TraceNames) {
    this.#names = names;
    this.#variables = new NumberedNames(names.variables);
    this.#locks = new NumberedNames(names.locks);
  }

  /** Reads from `from`, at most to `limit`, which is behind a newline; returns where it stopped. */
  run(bytes: Uint8Array, from: number, limit: number, batch: EventBatch): number {
    const { op: ops, thread: threads, operand: operands, location: locations, offset: offsets } = batch;
    const capacity = batch.capacity;
    const threadKeys = this.#threadKeys;
    const threadIds = this.#threadIds;
    let i = batch.length;
    let at = from;

    lines: while (at < limit && i < capacity) {
      let p = at;
      let key = 0;
      let hash = HASH_SEED;
      let c = bytes[p];
      while (c !== PIPE) {
        if (c <= NEWLINE) break lines;
        key = (key << 8) | c;
        hash = Math.imul(hash ^ c, HASH_PRIME);
        c = bytes[++p];
      }
      let thread: number;
      if (p - at <= SHORT) {
        const slot = (key ^ (key >>> 8)) & (THREAD_SLOTS - 1);
        if (threadKeys[slot] !== key || key === 0) {
          if (!this.#learnThread(bytes, at, p, slot, key)) break;
        }
        thread = threadIds[slot];
      } else {
        thread = this.#names.threads.findHashed(bytes, at, p, hash);
        if (thread < 0) break;
      }

      const operationAt = p + 1;
      let op: Op;
      if (bytes[p + 2] === OPEN) {
        c = bytes[operationAt];
        if (c === 0x72) op = Op.read;
        else if (c === 0x77) op = Op.write;
        else if (c === 0x75) op = Op.update;
        else break;
        p += 3;
      } else {
        op = longOperation(bytes, operationAt);
        if (op === Op.skip) break;
        p = operationAt + (op === Op.begin ? 6 : op === Op.fork || op === Op.join ? 5 : 4);
      }

      let operand = -1;
      let end = p;
      if (op <= Op.release) {
        const numbered = op <= Op.update ? this.#variables : this.#locks;
        if (bytes[p] === numbered.prefix) {
          let number = 0;
          let digit = bytes[++end] - ZERO;
          while (digit >= 0 && digit <= 9) {
            number = (number * 10 + digit) | 0;
            digit = bytes[++end] - ZERO;
          }
          if (bytes[end] === CLOSE && end - p - 1 <= MOST_DIGITS && number < numbered.ids.length) {
            // A leading zero gives the same number as another name; such names are never entered here.
            operand = bytes[p + 1] === ZERO && end > p + 2 ? -1 : numbered.ids[number] - 1;
          }
        }
      }
      if (operand < 0) {
        hash = HASH_SEED;
        end = p;
        c = bytes[end];
        while (c !== CLOSE || !endsField(bytes[end + 1])) {
          if (c <= NEWLINE) break lines;
          hash = Math.imul(hash ^ c, HASH_PRIME);
          c = bytes[++end];
        }
        operand = this.#names.operandTable(op).findHashed(bytes, p, end, hash);
        if (operand < 0 || end === p) break;
        if (op <= Op.update) this.#variables.learn(bytes, p, end, operand);
        else if (op <= Op.release) this.#locks.learn(bytes, p, end, operand);
      }

      p = end + 1;
      let location = NO_LOCATION;
      if (bytes[p] === PIPE) {
        const start = ++p;
        let number = 0;
        let digit = bytes[p] - ZERO;
        while (digit >= 0 && digit <= 9) {
          number = (number * 10 + digit) | 0;
          digit = bytes[++p] - ZERO;
        }
        if (
          bytes[p] === NEWLINE &&
          p > start &&
          p - start <= MOST_DIGITS &&
          (bytes[start] !== ZERO || p === start + 1)
        ) {
          location = number * 2 + 1;
        } else {
          hash = HASH_SEED;
          p = start;
          for (c = bytes[p]; c !== NEWLINE; c = bytes[++p]) {
            if (c === RETURN || c === 0) break lines;
            hash = Math.imul(hash ^ c, HASH_PRIME);
          }
          const id = this.#names.locations.findHashed(bytes, start, p, hash);
          if (id < 0) break;
          location = namedLocation(id);
        }
      } else if (bytes[p] !== NEWLINE) {
        break;
      }

      ops[i] = op;
      threads[i] = thread;
      operands[i] = operand;
      locations[i] = location;
      offsets[i] = operationAt;
      i++;
      at = p + 1;
    }
    batch.length = i;
    return at;
  }

  #learnThread(bytes: Uint8Array, start: number, end: number, slot: number, key: number): boolean {
    if (end === start) return false;
    const id = this.#names.threads.find(bytes.subarray(start, end));
    if (id < 0) return false;
    this.#threadKeys[slot] = key;
    this.#threadIds[slot] = id;
    return true;
  }
}

/** The ids of names such as `V12`: one letter and a number, looked up by the number. */
class NumberedNames {
  /** The letter, set by the first such name. */
  prefix = -1;
  /** Id + 1 by number, 0 where none is known. */
  ids = new Int32Array(1024);
  readonly #table: NameTable;

  constructor(table: NameTable) {
    this.#table = table;
  }

  learn(bytes: Uint8Array, start: number, end: number, id: number): void {
    const digits = end - start - 1;
    if (digits < 1 || digits > MOST_DIGITS || (digits > 1 && bytes[start + 1] === ZERO)) return;
    let number = 0;
    for (let i = start + 1; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) return;
      number = number * 10 + digit;
    }
    if (this.prefix < 0) this.prefix = bytes[start];
    // The table follows how many names there are, not how large a number one of them holds.
    if (bytes[start] !== this.prefix || number > 4 * this.#table.size + 1024) return;
    this.ids = grownInt32(this.ids, number + 1);
    this.ids[number] = id + 1;
  }
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
