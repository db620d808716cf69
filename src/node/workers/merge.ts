import {
  FLAG_MASK,
  FLAG_SHIFT,
  KIND_SHIFT,
  LAST,
  NUMBERED,
  OP_MASK,
  RecordKind,
  TABLE_MASK,
} from '../isolates/records.ts';
import {
  COUNTER,
  IsolateState,
  MOST_ISOLATES,
  PENDING,
  READ,
  type Region,
  STATE,
  WRITTEN,
} from '../isolates/region.ts';
import { readRing } from '../isolates/ring.ts';
import { isBefore } from '../isolates/sequence-clock.ts';
import { WordQueue } from '../isolates/word-queue.ts';

const { load, store } = Atomics;

/** What comes out of the rings, in the one order of all isolates. Ids are those of the isolate. */
export interface MergeTarget {
  event(isolate: number, op: number, thread: number, operand: number, location: number, flags: number): void;
  name(isolate: number, table: number, id: number, bytes: Uint8Array): void;
  forget(isolate: number, table: number, id: number): void;
  /** Nothing more comes from this isolate; its place may become that of another. */
  ended(isolate: number): void;
}

/** Reads all rings and puts the events of all isolates in one order. */
export class Merge {
  readonly #region: Region;
  readonly #streams: Stream[] = [];

  constructor(region: Region, target: MergeTarget) {
    this.#region = region;
    for (let index = 0; index < MOST_ISOLATES; index++) this.#streams.push(new Stream(index, target));
    this.#target = target;
  }
  readonly #target: MergeTarget;

  /**
   * Takes what there is in the rings and passes on what is certain to come next. Returns how many words there were, and
   * how many isolates are gone, or how much else was passed on: 0 if there is nothing to do.
   *
   * The order of the steps matters. A number up to the bound was given before the counter was read. Its isolate then had
   * said that something is pending, and has either not taken that back, so that the bound is lower; or it has taken it
   * back after it had written everything to its ring, which is read after that.
   */
  round(): number {
    const region = this.#region;
    let bound = load(region.header, COUNTER);
    const present: Stream[] = [];
    const ended: Stream[] = [];
    for (const stream of this.#streams) {
      const isolate = region.isolate(stream.index);
      const state = load(isolate, STATE);
      if (state === IsolateState.free) continue;
      present.push(stream);
      if (state === IsolateState.ended) {
        ended.push(stream);
        continue;
      }
      const pending = load(isolate, PENDING);
      if (pending !== 0 && isBefore(pending, bound)) bound = pending;
    }
    let found = 0;
    for (const stream of present) found += readRing(region, stream.index, stream.queue);
    found += mergeUpTo(bound, present);
    for (const stream of ended) found += this.#release(stream);
    return found;
  }

  /** Lets another isolate have the place of one that has ended, when all of it has been passed on. */
  #release(stream: Stream): number {
    if (!stream.queue.isEmpty) return 0;
    this.#target.ended(stream.index);
    const isolate = this.#region.isolate(stream.index);
    store(isolate, PENDING, 0);
    store(isolate, WRITTEN, 0);
    store(isolate, READ, 0);
    store(isolate, STATE, IsolateState.free);
    return 1;
  }
}

/** Passes on what has a number up to `bound`, in the order of the numbers, each with what follows it without one. */
function mergeUpTo(bound: number, streams: readonly Stream[]): number {
  let waiting = streams.filter((stream) => stream.advance());
  let found = 0;
  for (;;) {
    let first: Stream | null = null;
    let limit = bound;
    for (const stream of waiting) {
      if (isBefore(bound, stream.head)) continue;
      if (first === null) {
        first = stream;
      } else if (isBefore(stream.head, first.head)) {
        limit = first.head;
        first = stream;
      } else if (isBefore(stream.head, limit)) {
        limit = stream.head;
      }
    }
    if (first === null) return found;
    found++;
    // The next numbers are often from the same isolate.
    do first.passHead();
    while (first.advance() && !isBefore(limit, first.head));
    if (first.queue.isEmpty) waiting = waiting.filter((stream) => stream !== first);
  }
}

/** What has come from one isolate. */
class Stream {
  readonly index: number;
  readonly queue = new WordQueue();
  /** The number of the record at the head of the queue, after `advance`. */
  head = 0;
  readonly #target: MergeTarget;
  /** The beginning of a name whose end has not come. */
  #parts: Uint8Array[] = [];

  constructor(index: number, target: MergeTarget) {
    this.index = index;
    this.#target = target;
  }

  /** Passes on everything up to the next record with a number; whether there is one. */
  advance(): boolean {
    const { queue } = this;
    const { words } = queue;
    while (queue.start < queue.end) {
      const at = queue.start;
      const word = words[at];
      switch (word >> KIND_SHIFT) {
        case RecordKind.event:
          if ((word & NUMBERED) !== 0) {
            this.head = words[at + 4];
            return true;
          }
          queue.start += 4;
          this.#pass(word, at);
          break;
        case RecordKind.name: {
          const bytes = words[at + 2];
          queue.start += 3 + ((bytes + 3) >> 2);
          this.#name(word, words[at + 1], new Uint8Array(words.buffer, 4 * (at + 3), bytes));
          break;
        }
        case RecordKind.forget:
          queue.start += 2;
          this.#target.forget(this.index, word & TABLE_MASK, words[at + 1]);
          break;
        default:
          this.head = words[at + 1];
          return true;
      }
    }
    return false;
  }

  /** Passes on the record with a number that is at the head. */
  passHead(): void {
    const { queue } = this;
    const { words, start } = queue;
    const word = words[start];
    if (word >> KIND_SHIFT === RecordKind.mark) {
      queue.start += 2;
      return;
    }
    queue.start += 5;
    this.#pass(word, start);
  }

  #pass(word: number, at: number): void {
    const { words } = this.queue;
    const flags = (word >> FLAG_SHIFT) & FLAG_MASK;
    this.#target.event(this.index, word & OP_MASK, words[at + 1], words[at + 2], words[at + 3], flags);
  }

  #name(word: number, id: number, part: Uint8Array): void {
    if ((word & LAST) !== 0 && this.#parts.length === 0) {
      this.#target.name(this.index, word & TABLE_MASK, id, part);
      return;
    }
    this.#parts.push(part.slice());
    if ((word & LAST) === 0) return;
    this.#target.name(this.index, word & TABLE_MASK, id, Buffer.concat(this.#parts));
    this.#parts = [];
  }
}
