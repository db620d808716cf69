import { IntList } from './int-list.ts';
import { TupleTable } from './tuple-table.ts';

/** Nothing is held. */
export const NO_LOCKS = 0;
export const NO_COMMON_LOCK = -1;

/** Lists of locks in the order in which they were acquired, the outermost first, each kept once. */
export class LockChains {
  /** A chain is another one, numbered one lower, and the lock acquired last. */
  readonly #links = new TupleTable(2);
  readonly #length = new IntList();
  /** For pairs of chains that were asked for: the lock, or NO_COMMON_LOCK. */
  readonly #pairs = new TupleTable(2);
  readonly #common = new IntList();

  constructor() {
    this.#length.push(0);
  }

  extended(chain: number, lock: number): number {
    const link = this.#links.number(chain, lock);
    if (this.#links.wasNew) this.#length.push(this.#length.items[chain] + 1);
    return link + 1;
  }

  /**
   * The outermost lock that is in both chains. Where each has another one outermost, which needs locks that are
   * acquired in different orders, it is the same for both all the same.
   */
  common(one: number, other: number): number {
    if (one === NO_LOCKS || other === NO_LOCKS) return NO_COMMON_LOCK;
    const pair = this.#pairs.number(one, other);
    if (this.#pairs.wasNew) {
      const lock = this.#outermostIn(one, other);
      this.#common.push(lock === NO_COMMON_LOCK ? lock : Math.min(lock, this.#outermostIn(other, one)));
    }
    return this.#common.items[pair];
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
