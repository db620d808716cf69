import type { History } from './history.ts';
import type { ObjectRecord } from './object-record.ts';
import type { Stretch } from './stretch.ts';

/*
 * What is known of an object whose accesses are put off: bits, as there are many such objects.
 */
/** It is an array, and no proxy of one. */
export const LIST = 1;
/** It has no entries or elements, and is no regular expression; and no methods of its own that get and set entries. */
export const PLAIN = 2;
export const NO_STORE = 4;
/** A property more would be nothing that anybody has looked for. */
export const TAKES_KEYS = 8;
/** As in `ObjectRecord.wasGoneThrough`. */
export const GONE_THROUGH = 16;

/** What one epoch has done to an object that nobody but its task has touched so far. */
export class OwnRecord {
  /** Itself, so that it is found where it stands in the place of an `ObjectRecord` as where it is kept by one. */
  readonly own: OwnRecord;
  history: History;
  readonly stretch: Stretch;
  /** What was known before; null if nobody had touched it. */
  readonly before: ObjectRecord | null;
  /** Of an array, or of memory: the elements that were accessed, by place. */
  elements: OwnElements | null = null;
  is: number;

  constructor(stretch: Stretch, before: ObjectRecord | null) {
    this.own = this;
    this.history = stretch.start;
    this.stretch = stretch;
    this.before = before;
    this.is = before === null ? TAKES_KEYS : 0;
  }
}

/** Elements that were accessed in one way at one place: those from one on and before another, or some of those. */
export class OwnElements {
  readonly site: number;
  readonly kind: number;
  /** Of memory: how many bytes each has. */
  readonly size: number;
  readonly next: OwnElements | null;
  /** How many of these there are, the next ones included. */
  readonly count: number;
  from: number;
  to: number;
  /** Whether what was put off is in a record by now, and this of no use any more. */
  isGone = false;
  #some: Uint32Array | null = null;

  constructor(site: number, kind: number, size: number, index: number, next: OwnElements | null) {
    this.site = site;
    this.kind = kind;
    this.size = size;
    this.from = index;
    this.to = index + 1;
    this.next = next;
    this.count = next === null ? 1 : next.count + 1;
  }

  /** Whether it is all from the first to the last. */
  get isWhole(): boolean {
    return this.#some === null;
  }

  add(index: number): void {
    if (this.#some !== null) this.#addToSome(index);
    else if (index === this.to) this.to++;
    else if (index === this.from - 1) this.from--;
    else if (index < this.from || index > this.to) this.#addApart(index);
  }

  #addToSome(index: number): void {
    const word = index >>> 5;
    let some = this.#some as Uint32Array;
    if (word >= some.length) {
      some = new Uint32Array(2 * word + 1);
      some.set(this.#some as Uint32Array);
      this.#some = some;
    }
    some[word] |= 1 << (index & 31);
    if (index >= this.to) this.to = index + 1;
    else if (index < this.from) this.from = index;
  }

  /** There is a gap. */
  #addApart(index: number): void {
    this.#some = new Uint32Array((Math.max(index, this.to) >>> 5) + 1);
    for (let i = this.from; i < this.to; i++) this.#some[i >>> 5] |= 1 << (i & 31);
    this.#addToSome(index);
  }

  has(index: number): boolean {
    if (index < this.from || index >= this.to) return false;
    return this.#some === null || (this.#some[index >>> 5] & (1 << (index & 31))) !== 0;
  }
}
