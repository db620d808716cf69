import { grownInt32 } from '../../trace/growable.ts';
import { IntList } from '../shared/int-list.ts';
import { TupleTable } from '../shared/tuple-table.ts';

/** Nothing is held. */
export const NO_LOCKS = 0;
export const NO_COMMON_LOCK = -1;

/**
 * Lists of locks in the order in which they were acquired, the outermost first, each kept once. What a chain has in
 * common with another is cheap to ask while the first stays the same: what was found out about a chain holds for all that
 * begin with it.
 */
export class LockChains {
  /** How many locks were looked at to compare chains. */
  work = 0;
  /** A chain is another one, numbered one lower, and the lock acquired last. */
  readonly #links = new TupleTable(2);
  readonly #length = new IntList();
  readonly #outermost = new IntList();
  /** The chain that others are compared with, and the number of that comparison. */
  #compared = NO_LOCKS;
  #stamp = 0;
  /** Per lock: the comparison in which it is in that chain, and where. */
  #marks = new Int32Array(16);
  #place = new Int32Array(16);
  /** Per chain, if it was compared: its outermost lock that is in both; that chain's, and where it is there. */
  #answered = new Int32Array(16);
  #shared = new Int32Array(16);
  #least = new Int32Array(16);
  #leastLock = new Int32Array(16);
  readonly #pending: number[] = [];

  constructor() {
    this.#length.push(0);
    this.#outermost.push(NO_COMMON_LOCK);
  }

  /** How many chains there are. */
  get size(): number {
    return this.#length.length;
  }

  extended(chain: number, lock: number): number {
    const link = this.#links.number(chain, lock);
    if (this.#links.wasNew) {
      this.#length.push(this.#length.items[chain] + 1);
      this.#outermost.push(chain === NO_LOCKS ? lock : this.#outermost.items[chain]);
      this.#marks = grownInt32(this.#marks, lock + 1);
    }
    return link + 1;
  }

  lengthOf(chain: number): number {
    return this.#length.items[chain];
  }

  /** The lock acquired last, and the chain of the others. */
  lastOf(chain: number): number {
    return this.#links.part(chain - 1, 1);
  }

  outerOf(chain: number): number {
    return this.#links.part(chain - 1, 0);
  }

  /** The lock acquired first; NO_COMMON_LOCK if there is none. */
  outermost(chain: number): number {
    return this.#outermost.items[chain];
  }

  /** The locks of a chain, the outermost first. */
  locksOf(chain: number): number[] {
    const locks: number[] = [];
    for (let at = chain; at !== NO_LOCKS; at = this.outerOf(at)) locks.push(this.lastOf(at));
    return locks.reverse();
  }

  /**
   * The outermost lock that is in both chains. Where each has another one outermost, which needs locks that are
   * acquired in different orders, it is the same for both all the same.
   */
  common(one: number, other: number): number {
    this.work++;
    if (one === NO_LOCKS || other === NO_LOCKS) return NO_COMMON_LOCK;
    const outermost = this.#outermost.items[one];
    if (outermost === this.#outermost.items[other]) return outermost;
    this.#compare(one, other);
    if (this.#shared[other] === NO_COMMON_LOCK) return NO_COMMON_LOCK;
    return Math.min(this.#shared[other], this.#leastLock[other]);
  }

  /** How many locks of the chain are outside the outermost that is in the other too; all if none is. */
  outsideCommon(chain: number, other: number): number {
    this.work++;
    if (chain === NO_LOCKS || other === NO_LOCKS) return this.#length.items[chain];
    if (this.#outermost.items[chain] === this.#outermost.items[other]) return 0;
    this.#compare(chain, other);
    return this.#least[other];
  }

  #compare(one: number, other: number): void {
    if (one !== this.#compared) this.#compareWith(one);
    let known = other;
    for (; known !== NO_LOCKS && this.#answered[known] !== this.#stamp; known = this.outerOf(known))
      this.#pending.push(known);
    this.work += this.#pending.length;
    let shared = known === NO_LOCKS ? NO_COMMON_LOCK : this.#shared[known];
    let least = known === NO_LOCKS ? this.#length.items[one] : this.#least[known];
    let leastLock = known === NO_LOCKS ? NO_COMMON_LOCK : this.#leastLock[known];
    for (let chain = this.#pending.pop(); chain !== undefined; chain = this.#pending.pop()) {
      const lock = this.lastOf(chain);
      if (this.#marks[lock] === this.#stamp) {
        if (shared === NO_COMMON_LOCK) shared = lock;
        if (this.#place[lock] < least) {
          least = this.#place[lock];
          leastLock = lock;
        }
      }
      this.#answered[chain] = this.#stamp;
      this.#shared[chain] = shared;
      this.#least[chain] = least;
      this.#leastLock[chain] = leastLock;
    }
  }

  /** Chains are compared with this one from now on. */
  #compareWith(one: number): void {
    this.#compared = one;
    this.#stamp++;
    this.#place = grownInt32(this.#place, this.#marks.length);
    this.#answered = grownInt32(this.#answered, this.size);
    this.#shared = grownInt32(this.#shared, this.size);
    this.#least = grownInt32(this.#least, this.size);
    this.#leastLock = grownInt32(this.#leastLock, this.size);
    for (let at = one; at !== NO_LOCKS; at = this.outerOf(at)) {
      this.#marks[this.lastOf(at)] = this.#stamp;
      this.#place[this.lastOf(at)] = this.#length.items[at] - 1;
    }
    this.work += this.#length.items[one];
  }
}
