import { type Access, isChange } from './access.ts';
import type { History, WatchedBlock } from './history.ts';
import { CERTAIN, type Relation, type SiteKnowledge } from './sites.ts';

/** What blocks hand on in things of their own. */
export class CarriedValues {
  readonly #sites: SiteKnowledge;
  readonly #history: History;
  readonly #private = new WeakMap<WatchedBlock, readonly (readonly Access[])[]>();

  constructor(sites: SiteKnowledge, history: History) {
    this.#sites = sites;
    this.#history = history;
  }

  /**
   * What was read may be carried on in something that only this block and those that it has led to can get at, as middleware does in
   * a request: `req.cart = carts.get(id)`. Then it is as if it were read there.
   */
  relation(block: WatchedBlock, read: Access, last: Access): Relation | null {
    const isOver = last.event > block.end || block.isHandler;
    if (!isOver) return null;
    const location = block.violation.block?.location ?? null;
    const isBetween = ({ event }: Access) => event > read.event && event < last.event;
    for (const all of this.#privateTo(block)) {
      const put = all.find(
        (access) =>
          isChange(access) && isBetween(access) && this.#sites.relation(access, read, location) === 'data',
      );
      if (put === undefined) continue;
      for (const access of all) {
        if (access.letter !== 'r' || access.event < put.event || !isBetween(access)) continue;
        const relation = this.#sites.relation(last, access, location);
        if (CERTAIN.has(relation)) return relation;
      }
    }
    return null;
  }

  /** The accesses to each variable that only the block and those that it has led to have accessed, and have changed and read. */
  #privateTo(block: WatchedBlock): readonly (readonly Access[])[] {
    let found = this.#private.get(block);
    if (found === undefined) {
      const isOfBlock = ({ families }: Access) => families.includes(block.begin);
      found = [...block.variables]
        .map((variable) => this.#history.accesses(variable))
        .filter(
          (all) => all.some(isChange) && all.some(({ letter }) => letter === 'r') && all.every(isOfBlock),
        );
      this.#private.set(block, found);
    }
    return found;
  }
}
