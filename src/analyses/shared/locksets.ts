import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import { PairTable } from './pair-table.ts';

/** The set without locks. */
export const EMPTY = 0;

/**
 * Sets of locks, each known by a number and kept once, so that equal sets have equal numbers (Eraser §4:
 * lockset indexes). What two sets have in common is worked out once for each pair that is asked for.
 *
 * A set is its largest lock and the set of the others: the sets form a tree with the empty one as its root.
 */
export class Locksets {
  #largest = new Int32Array(16).fill(-1);
  #smallest = new Int32Array(16).fill(-1);
  #others = new Int32Array(16);
  #size = new Int32Array(16);
  #count = 1;
  /** The set of a set of smaller locks and one more; of any set and one more; of what two sets share. */
  readonly #grown = new PairTable();
  readonly #with = new PairTable();
  readonly #common = new PairTable();
  readonly #pending: number[] = [];
  /** The largest lock of all. */
  #greatest = -1;
  /** The set that others are compared with, and the number of that comparison. */
  #compared = EMPTY;
  #stamp = 0;
  /** Per lock: the comparison in which it is in that set. Per set: the one in which it is known if they share a lock. */
  #marks = new Int32Array(16);
  #answered = new Int32Array(16);
  #shares = new Uint8Array(16);

  /** How many sets there are. */
  get count(): number {
    return this.#count;
  }

  /** How many locks are in a set. */
  sizeOf(set: number): number {
    return this.#size[set];
  }

  /** The set with one lock more, or itself if that is in it. */
  with(set: number, lock: number): number {
    const largest = this.#largest[set];
    if (largest === lock) return set;
    if (largest < lock) return this.#grow(set, lock);
    let result = this.#with.get(set, lock);
    if (result >= 0) return result;
    let rest = set;
    for (; this.#largest[rest] > lock; rest = this.#others[rest]) this.#pending.push(this.#largest[rest]);
    result = this.#largest[rest] === lock ? rest : this.#grow(rest, lock);
    result = this.#growByPending(result);
    this.#with.set(set, lock, result);
    return result;
  }

  intersection(a: number, b: number): number {
    if (a === b) return a;
    if (a === EMPTY || b === EMPTY) return EMPTY;
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    let result = this.#common.get(low, high);
    if (result >= 0) return result;
    let restA = a;
    let restB = b;
    while (restA !== restB) {
      const largestA = this.#largest[restA];
      const largestB = this.#largest[restB];
      if (largestA === largestB) this.#pending.push(largestA);
      if (largestA >= largestB) restA = this.#others[restA];
      if (largestA <= largestB) restB = this.#others[restB];
    }
    result = this.#growByPending(restA);
    this.#common.set(low, high, result);
    return result;
  }

  /**
   * Whether two sets have no lock in common. Cheap while `a` stays the same: what was found out about a set holds for
   * all that are made of it. Cheap, too, where the smallest lock tells, as it often does where sections nest deeply.
   */
  areDisjoint(a: number, b: number): boolean {
    if (a === EMPTY || b === EMPTY) return true;
    if (this.#smallest[a] === this.#smallest[b]) return false;
    if (this.#largest[a] < this.#smallest[b] || this.#largest[b] < this.#smallest[a]) return true;
    if (a !== this.#compared) this.#compareWith(a);
    let rest = b;
    let shares = false;
    for (; rest !== EMPTY && !shares && this.#answered[rest] !== this.#stamp; rest = this.#others[rest]) {
      this.#pending.push(rest);
      shares = this.#marks[this.#largest[rest]] === this.#stamp;
    }
    if (!shares && rest !== EMPTY) shares = this.#shares[rest] === 1;
    // All on the way have the lock that was found, as each is in the one before it; or none has.
    for (let set = this.#pending.pop(); set !== undefined; set = this.#pending.pop()) {
      this.#answered[set] = this.#stamp;
      this.#shares[set] = shares ? 1 : 0;
    }
    return !shares;
  }

  /** Sets are compared with this one from now on. */
  #compareWith(set: number): void {
    this.#compared = set;
    this.#stamp++;
    this.#answered = grownInt32(this.#answered, this.#largest.length);
    this.#shares = grownUint8(this.#shares, this.#largest.length);
    this.#marks = grownInt32(this.#marks, this.#greatest + 1);
    for (let rest = set; rest !== EMPTY; rest = this.#others[rest])
      this.#marks[this.#largest[rest]] = this.#stamp;
  }

  /** The locks of a set, the largest first. */
  locksOf(set: number): number[] {
    const locks: number[] = [];
    for (let rest = set; rest !== EMPTY; rest = this.#others[rest]) locks.push(this.#largest[rest]);
    return locks;
  }

  /** The set with the locks in `pending`, the smallest of which is last; empties the list. */
  #growByPending(set: number): number {
    let result = set;
    for (let lock = this.#pending.pop(); lock !== undefined; lock = this.#pending.pop())
      result = this.#grow(result, lock);
    return result;
  }

  /** The set of `others` and a lock larger than any of them. */
  #grow(others: number, lock: number): number {
    let set = this.#grown.get(others, lock);
    if (set >= 0) return set;
    set = this.#count++;
    if (lock > this.#greatest) this.#greatest = lock;
    this.#largest = grownInt32(this.#largest, set + 1);
    this.#others = grownInt32(this.#others, set + 1);
    this.#smallest = grownInt32(this.#smallest, set + 1);
    this.#largest[set] = lock;
    this.#smallest[set] = others === EMPTY ? lock : this.#smallest[others];
    this.#others[set] = others;
    this.#size = grownInt32(this.#size, set + 1);
    this.#size[set] = this.#size[others] + 1;
    this.#grown.set(others, lock, set);
    return set;
  }
}
