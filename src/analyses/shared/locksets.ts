import { grownInt32 } from '../../trace/growable.ts';
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
  #others = new Int32Array(16);
  #count = 1;
  /** The set of a set of smaller locks and one more; of any set and one more; of what two sets share. */
  readonly #grown = new PairTable();
  readonly #with = new PairTable();
  readonly #common = new PairTable();
  readonly #pending: number[] = [];

  /** How many sets there are. */
  get count(): number {
    return this.#count;
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

  /** Whether two sets have no lock in common, for questions that are not asked again. */
  areDisjoint(a: number, b: number): boolean {
    let restA = a;
    let restB = b;
    while (restA !== EMPTY && restB !== EMPTY) {
      const largestA = this.#largest[restA];
      const largestB = this.#largest[restB];
      if (largestA === largestB) return false;
      if (largestA > largestB) restA = this.#others[restA];
      else restB = this.#others[restB];
    }
    return true;
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
    this.#largest = grownInt32(this.#largest, set + 1);
    this.#others = grownInt32(this.#others, set + 1);
    this.#largest[set] = lock;
    this.#others[set] = others;
    this.#grown.set(others, lock, set);
    return set;
  }
}
