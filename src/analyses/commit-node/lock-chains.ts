import { IntList } from '../shared/int-list.ts';
import { TupleTable } from '../shared/tuple-table.ts';

/** Nothing is held. */
export const NO_LOCKS = 0;
export const NO_COMMON_LOCK = -1;
const UNKNOWN = -2;
/** Answers are kept as long as there are no more chains than these. */
const MOST_REMEMBERED = 4096;

/** Lists of locks in the order in which they were acquired, the outermost first, each kept once. */
export class LockChains {
  /** A chain is another one, numbered one lower, and the lock acquired last. */
  readonly #links = new TupleTable(2);
  readonly #length = new IntList();
  readonly #outermost = new IntList();
  /** For each chain that was asked for, its common lock with each other one; UNKNOWN until it is needed. */
  readonly #common: (Int32Array | undefined)[] = [];

  constructor() {
    this.#length.push(0);
    this.#outermost.push(NO_COMMON_LOCK);
  }

  extended(chain: number, lock: number): number {
    const link = this.#links.number(chain, lock);
    if (this.#links.wasNew) {
      this.#length.push(this.#length.items[chain] + 1);
      this.#outermost.push(chain === NO_LOCKS ? lock : this.#outermost.items[chain]);
    }
    return link + 1;
  }

  /**
   * The outermost lock that is in both chains. Where each has another one outermost, which needs locks that are
   * acquired in different orders, it is the same for both all the same.
   */
  common(one: number, other: number): number {
    if (one === NO_LOCKS || other === NO_LOCKS) return NO_COMMON_LOCK;
    const row = this.#common[one] ?? this.#newRow(one);
    if (row === null) return this.#findCommon(one, other);
    if (row[other] === UNKNOWN) row[other] = this.#findCommon(one, other);
    return row[other];
  }

  /** Chains are all known before the first question. */
  #newRow(chain: number): Int32Array | null {
    const chains = this.#length.length;
    if (chains > MOST_REMEMBERED) return null;
    const row = new Int32Array(chains).fill(UNKNOWN);
    this.#common[chain] = row;
    return row;
  }

  #findCommon(one: number, other: number): number {
    const lock = this.#outermostIn(one, other);
    return lock === NO_COMMON_LOCK ? lock : Math.min(lock, this.#outermostIn(other, one));
  }

  /** The lock acquired first; NO_COMMON_LOCK if there is none. */
  outermost(chain: number): number {
    return this.#outermost.items[chain];
  }

  /** How many locks of the chain are outside the outermost that is in the other too; all if none is. */
  outsideCommon(chain: number, other: number): number {
    let outside = this.#length.items[chain];
    for (let at = chain; at !== NO_LOCKS; at = this.#links.part(at - 1, 0))
      if (this.#has(other, this.#links.part(at - 1, 1))) outside = this.#length.items[at] - 1;
    return outside;
  }

  #outermostIn(chain: number, other: number): number {
    let outermost = NO_COMMON_LOCK;
    for (let at = chain; at !== NO_LOCKS; at = this.#links.part(at - 1, 0)) {
      const lock = this.#links.part(at - 1, 1);
      if (this.#has(other, lock)) outermost = lock;
    }
    return outermost;
  }

  #has(chain: number, lock: number): boolean {
    for (let at = chain; at !== NO_LOCKS; at = this.#links.part(at - 1, 0))
      if (this.#links.part(at - 1, 1) === lock) return true;
    return false;
  }
}
