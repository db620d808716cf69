import type { BlockFact, ForkJoin } from '../analyses/analysis.ts';
import { BarrierRounds } from '../trace/barrier-rounds.ts';
import type { EventBatch } from '../trace/batch.ts';
import { isAccess, isBoundary, Op } from '../trace/operation.ts';
import type { Explanation, SeenEvent, Witness } from './witness.ts';

/** Events that belong together, such as a begin and its end: they are in a sub-trace, or not, together. */
interface Group {
  events: SeenEvent[];
  isWanted: boolean;
}

export interface Unit {
  events: readonly SeenEvent[];
  /** Whether nothing can be shown without it. */
  isNeeded: boolean;
}

/**
 * Collects, in one more pass over the trace, what the witnesses of violations need around them to be traces of
 * their own: the begin and the end of blocks, the other end of a lock's section, everybody in the same round of a
 * barrier, what sent a message and, for families, the forks.
 */
export class Neighbourhoods {
  readonly #forkJoin: ForkJoin;
  /** The numbers of the events of all witnesses, ascending. */
  readonly #wanted: Float64Array;
  #next = 0;
  /** How many groups that are wanted are not yet complete. */
  #pending = 0;
  /** What is wanted, with what belongs to it. */
  readonly #groups = new Map<number, Group>();
  /** The begins of the blocks that are open at an event after which a piece of a block starts. */
  readonly #around = new Map<number, readonly number[]>();
  readonly #forks = new Map<number, SeenEvent>();
  readonly #blocks = new Map<number, Group[]>();
  readonly #sections = new Map<number, Group>();
  readonly #barriers = new BarrierRounds();
  readonly #rounds = new Map<number, Group>();
  /** The first send of each message: nothing is received that was not sent. */
  readonly #sends = new Map<number, SeenEvent>();

  constructor(explanations: Iterable<Explanation>, forkJoin: ForkJoin) {
    this.#forkJoin = forkJoin;
    const wanted = new Set<number>();
    for (const { witness } of explanations) {
      if (witness === null) continue;
      for (const event of essentialEvents(witness)) wanted.add(event.event);
      for (const block of essentialBlocks(witness)) wanted.add(block.begin);
    }
    this.#wanted = Float64Array.from(wanted).sort();
  }

  /** Looks at the next events; false when no more have to be seen. */
  look(batch: EventBatch): boolean {
    const { op, thread, operand, location, length, firstEvent } = batch;
    for (let i = 0; i < length; i++) {
      const event = firstEvent + i;
      while (this.#wanted[this.#next] < event) this.#next++;
      const isWanted = this.#wanted[this.#next] === event;
      const kind = op[i];
      if (kind === Op.skip || (isAccess(kind) && !isWanted)) continue;
      const seen = {
        event,
        thread: thread[i],
        op: kind as SeenEvent['op'],
        operand: operand[i],
        location: location[i],
      };
      this.#follow(seen, isWanted);
    }
    return this.#pending > 0 || this.#next < this.#wanted.length;
  }

  #follow(seen: SeenEvent, isWanted: boolean): void {
    if (isWanted && this.#forkJoin === 'boundary' && isBoundary(seen.op)) this.#noteBlocksAround(seen);
    switch (seen.op) {
      case Op.begin: {
        const open = this.#blocks.get(seen.thread);
        const group = this.#open(seen, isWanted);
        if (open === undefined) this.#blocks.set(seen.thread, [group]);
        else open.push(group);
        break;
      }
      case Op.end: {
        const open = this.#blocks.get(seen.thread);
        this.#close(open?.pop(), seen, isWanted);
        if (open?.length === 0) this.#blocks.delete(seen.thread);
        break;
      }
      case Op.acquire:
        this.#sections.set(seen.operand, this.#open(seen, isWanted));
        break;
      case Op.release:
        this.#close(this.#sections.get(seen.operand), seen, isWanted);
        this.#sections.delete(seen.operand);
        break;
      case Op.arrive:
        this.#arrive(seen, isWanted);
        break;
      case Op.leave:
        this.#leave(seen, isWanted);
        break;
      case Op.send:
        if (!this.#sends.has(seen.operand)) this.#sends.set(seen.operand, seen);
        if (isWanted) this.#groups.set(seen.event, { events: [seen], isWanted });
        break;
      case Op.receive:
        if (isWanted)
          this.#groups.set(seen.event, { events: [this.#sends.get(seen.operand)!, seen], isWanted });
        break;
      default:
        if (seen.op === Op.fork && this.#forkJoin === 'family') this.#forks.set(seen.operand, seen);
        if (isWanted) this.#groups.set(seen.event, { events: [seen], isWanted });
    }
  }

  #open(seen: SeenEvent, isWanted: boolean): Group {
    const group = { events: [seen], isWanted: false };
    if (isWanted) this.#want(group);
    return group;
  }

  #close(group: Group | undefined, seen: SeenEvent, isWanted: boolean): void {
    if (group === undefined) return;
    this.#add(seen, group, isWanted);
    if (group.isWanted) this.#pending--;
  }

  #add(seen: SeenEvent, group: Group, isWanted: boolean): void {
    group.events.push(seen);
    if (group.isWanted) this.#groups.set(seen.event, group);
    else if (isWanted) this.#want(group);
  }

  #want(group: Group): void {
    if (group.isWanted) return;
    group.isWanted = true;
    for (const { event } of group.events) this.#groups.set(event, group);
    this.#pending++;
  }

  /** A round is whole or not there: without those who close it, who comes later would seem to be in it. */
  #arrive(seen: SeenEvent, isWanted: boolean): void {
    const round = this.#barriers.arrive(seen.thread, seen.operand);
    const group = this.#rounds.get(round);
    if (group === undefined) this.#rounds.set(round, this.#open(seen, isWanted));
    else this.#add(seen, group, isWanted);
  }

  #leave(seen: SeenEvent, isWanted: boolean): void {
    const round = this.#barriers.leave(seen.thread, seen.operand);
    const group = this.#rounds.get(round);
    if (group === undefined) return;
    if (!this.#barriers.isOver(round)) {
      this.#add(seen, group, isWanted);
      return;
    }
    this.#close(group, seen, isWanted);
    this.#rounds.delete(round);
    this.#barriers.giveBack(round);
  }

  #noteBlocksAround(seen: SeenEvent): void {
    const open = this.#blocks.get(seen.thread) ?? [];
    for (const group of open) this.#want(group);
    this.#around.set(
      seen.event,
      open.map(({ events: [begin] }) => begin.event),
    );
  }

  /** What is needed to show a witness, and what belongs to it, in the order of the trace. */
  unitsOf(witness: Witness): Unit[] {
    const units = new Map<Group, Unit>();
    const add = (event: number, isNeeded: boolean) => {
      const group = this.#groups.get(event);
      if (group === undefined) return;
      const { events } = group;
      // Where events cut blocks, what is between two of them must stay apart.
      const isCut = this.#forkJoin === 'boundary' && isBoundary(events[0].op);
      units.set(group, { events, isNeeded: isNeeded || isCut || units.get(group)?.isNeeded === true });
    };
    for (const { event } of essentialEvents(witness)) add(event, false);
    for (const block of essentialBlocks(witness)) {
      const isBlamed = witness.increasing;
      add(block.begin, isBlamed);
      const begin = this.#around.get(block.begin)?.[block.depth];
      if (begin !== undefined) add(begin, isBlamed);
    }
    return [...units.values()].sort((a, b) => a.events[0].event - b.events[0].event);
  }

  /** These events, and in families the forks that say which threads belong together. */
  closed(events: readonly SeenEvent[]): SeenEvent[] {
    const all = new Map(events.map((seen) => [seen.event, seen]));
    // A map is walked in the order of its entries, those that are added on the way included.
    for (const { thread } of all.values()) {
      const fork = this.#forks.get(thread);
      if (fork !== undefined) all.set(fork.event, fork);
    }
    return [...all.values()].sort((a, b) => a.event - b.event);
  }
}

/** The events that show the violation: the three that name its pattern, or else those along the cycle. */
function essentialEvents({ increasing, interference, cycle }: Witness): readonly SeenEvent[] {
  if (increasing && interference !== null)
    return [interference.first, interference.between, interference.last];
  return cycle.flatMap(({ from, to }) => [from, to]);
}

/** The blocks that have to be blocks: the violated one, or the transactions along the cycle. */
function essentialBlocks({ increasing, block, cycle }: Witness): readonly BlockFact[] {
  return increasing ? [block] : cycle.flatMap(({ from, to }) => [from.block ?? [], to.block ?? []].flat());
}
