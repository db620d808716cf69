import { SiteBit } from '../../trace/site-facts.ts';
import { type Access, isChange } from './access.ts';
import { isForeign, isRealChange } from './case.ts';
import type { History, WatchedBlock } from './history.ts';
import { CERTAIN, type SiteKnowledge } from './sites.ts';

/** What a block has done to other variables than the one that a case is about; `Case` says what is asked. */
export class Elsewhere {
  readonly #sites: SiteKnowledge;
  readonly #history: History;

  constructor(sites: SiteKnowledge, history: History) {
    this.#sites = sites;
    this.#history = history;
  }

  isReserved(block: WatchedBlock, variable: number, first: Access, last: Access): boolean {
    const { thread, run } = first;
    for (const other of block.variables) {
      if (other === variable) continue;
      const own = this.#history.accesses(other).filter((access) => access.thread === thread);
      const at = own.findIndex((access) => access.run === run && access.letter === 'r');
      if (at < 0 || !this.#sites.isCompared(last, first, own[at], block.violation.block?.location ?? null))
        continue;
      const changes = own.slice(at).filter(isChange);
      if (changes[0]?.run === run && changes.some((access) => access.run >= last.run)) return true;
    }
    return false;
  }

  /**
   * Whether the block had found its own value at the same place before, and comes there again by a flag that the other task has set
   * with the change or after it: `do { again = false; await save(value) } while (again)`.
   */
  isTold(
    block: WatchedBlock,
    variable: number,
    own: readonly Access[],
    { first, between }: { first: Access; between: Access },
    last: Access,
  ): boolean {
    const isBefore = ({ letter, location, event }: Access) =>
      letter === 'r' && location === last.location && event > first.event && event < between.event;
    if (!own.some(isBefore)) return false;
    for (const other of block.variables) {
      if (other === variable) continue;
      const all = this.#history.accesses(other);
      const isFlag = (access: Access) => !isChange(access) || this.#sites.has(access, SiteBit.flag);
      if (!all.every(isFlag)) continue;
      const set = all.find(
        (access) => isRealChange(access) && access.thread === between.thread && access.run >= between.run,
      );
      const isLook = ({ letter, event, run, families }: Access) =>
        letter === 'r' && run === last.run && event < last.event && families.includes(block.begin);
      if (set !== undefined && all.some((access) => access.event > set.event && isLook(access))) return true;
    }
    return false;
  }

  isActedUpon(
    block: WatchedBlock,
    variable: number,
    own: readonly Access[],
    first: Access,
    between: Access,
  ): boolean {
    const location = block.violation.block?.location ?? null;
    const isSince = (access: Access) => access.event > between.event;
    for (const other of block.variables) {
      if (other === variable || this.#history.isOwn(other, block)) continue;
      const all = this.#history.accesses(other);
      if (!all.some((access) => isForeign({ block: block.begin, thread: block.thread }, access))) continue;
      // To take away what is not there any more changes nothing, but was meant to.
      const isAct = (access: Access) =>
        (isRealChange(access) || this.#sites.has(access, SiteBit.removal)) &&
        isSince(access) &&
        access.families.includes(block.begin);
      for (const act of all.filter(isAct)) {
        if (this.#sites.relation(act, first, location) !== 'data') continue;
        const isFresh = (read: Access) =>
          read.letter === 'r' &&
          isSince(read) &&
          read.event < act.event &&
          CERTAIN.has(this.#sites.relation(act, read, location));
        if (!own.some(isFresh)) return true;
      }
    }
    return false;
  }
}
