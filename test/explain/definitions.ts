import type { BlockFact, ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import type { Witness } from '../../src/explain/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { happensBefore } from '../oracle/definitions.ts';
import { type Block, History, type Structure, structureOf } from '../oracle/history.ts';
import { judge } from '../oracle/oracle.ts';

/*
 * What a witness is, by the definitions: the violations that a trace has, whether a cycle shows one of them, and
 * how short a cycle can be. Nothing here comes from `src/explain`. Events are indices, as in the oracle.
 */

/** A trace with everything that the definitions need. */
export class Defined {
  readonly events: readonly NamedEvent[];
  readonly trace: MemoryTrace;
  readonly forkJoin: ForkJoin;
  readonly history: History;
  readonly structure: Structure;
  readonly before: boolean[][];

  constructor(events: readonly NamedEvent[], forkJoin: ForkJoin) {
    this.events = events;
    this.trace = MemoryTrace.of(events);
    this.forkJoin = forkJoin;
    this.history = new History(events);
    this.structure = structureOf(this.history, forkJoin === 'boundary');
    this.before = happensBefore(this.history);
  }

  /** The block's own events, or those of its family. */
  inside(block: Block): (event: number) => boolean {
    const { history } = this;
    const children = new Set<number>();
    if (this.forkJoin === 'family')
      for (let e = block.first; e <= block.end; e++)
        if (
          history.op[e] === Op.fork &&
          (history.thread[e] === block.thread || children.has(history.thread[e]))
        )
          children.add(history.operand[e]);
    return (e) =>
      (children.has(history.thread[e]) && e <= block.end) ||
      (history.thread[e] === block.thread && block.first <= e && e <= block.last);
  }

  /** The first event at which the block is violated, or -1. */
  violatedAt(block: Block): number {
    const inside = this.inside(block);
    for (let f = block.first; f < this.history.length; f++) {
      if (!inside(f)) continue;
      for (let e = block.first; e < f; e++)
        if (!inside(e) && this.before[block.first][e] && this.before[e][f]) return f;
    }
    return -1;
  }

  /** Every violated block, as an exact analysis reports it. */
  violatedBlocks(): ViolationFact[] {
    return this.structure.blocks.flatMap((block): ViolationFact[] => {
      const event = this.violatedAt(block);
      if (event < 0) return [];
      return [
        { kind: 'transaction', event: event + 1, thread: this.#thread(event), block: this.fact(block) },
      ];
    });
  }

  /** The first cycle of transactions, as an exact analysis reports it. */
  firstCycle(withBlock: boolean): ViolationFact[] {
    const event = judge(this.events, { forkJoin: this.forkJoin }).firstEvent;
    if (event === null) return [];
    const thread = this.history.thread[event - 1];
    const block = this.structure.blocks.find(
      (candidate) =>
        candidate.outermost &&
        candidate.thread === thread &&
        candidate.first < event &&
        event <= candidate.last + 1,
    )!;
    return [
      { kind: 'trace', event, thread: this.#thread(event - 1), block: withBlock ? this.fact(block) : null },
    ];
  }

  /** The block that a fact names, which must exist. */
  blockOf(named: BlockFact): Block {
    const block = this.structure.blocks.find((candidate) => {
      const { begin, depth, label } = this.fact(candidate);
      return begin === named.begin && depth === named.depth && label === named.label;
    });
    if (block === undefined) throw new Error(`there is no block ${JSON.stringify(named)}`);
    return block;
  }

  /** Pieces of several blocks may start at one fork or join; an inner one is over no later than an outer one. */
  fact(block: Block): BlockFact {
    const open: string[] = [];
    for (let e = 0; e < block.begin; e++) {
      if (this.history.thread[e] !== block.thread) continue;
      if (this.history.op[e] === Op.begin) open.push(this.events[e].operand);
      if (this.history.op[e] === Op.end) open.pop();
    }
    const pieces = this.structure.blocks.filter(
      ({ begin, thread }) => begin === block.begin && thread === block.thread,
    );
    const outermostFirst = pieces.sort((a, b) => b.last - a.last);
    const isPiece = this.history.op[block.begin - 1] !== Op.begin;
    const depth = isPiece ? outermostFirst.indexOf(block) : open.length - 1;
    return { label: this.trace.names.labels.findText(open[depth]), begin: block.begin, depth };
  }

  #thread(event: number): number {
    return this.trace.names.threads.findText(this.events[event].thread);
  }
}

/** What is wrong with a witness of a violation, or null. */
export function complaint(defined: Defined, violation: ViolationFact, witness: Witness): string | null {
  return (
    complaintAboutConflicts(defined, violation, witness) ??
    (witness.increasing ? complaintAboutPath(defined, witness) : complaintAboutCycle(defined, witness)) ??
    complaintAboutInterference(defined, witness)
  );
}

function complaintAboutConflicts(
  { events, history, trace }: Defined,
  violation: ViolationFact,
  { cycle }: Witness,
): string | null {
  if (cycle.length < 2) return 'a cycle has two conflicts or more';
  for (const fact of cycle.flatMap(({ from, to }) => [from, to])) {
    const event = events[fact.event - 1];
    if (
      trace.names.threads.text(fact.thread) !== event.thread ||
      fact.op !== event.op ||
      trace.names.operandTable(fact.op).text(fact.operand) !== event.operand
    )
      return `event ${fact.event} is not what the witness says`;
    if (history.counts[fact.event - 1] === 0) return `event ${fact.event} does not count`;
    if (fact.event > violation.event) return `event ${fact.event} comes after the violation was noticed`;
  }
  const wrong = cycle.find(
    ({ from, to }) => from.event >= to.event || !history.conflict(from.event - 1, to.event - 1),
  );
  return wrong === undefined
    ? null
    : `${wrong.from.event} and ${wrong.to.event} are no conflict in this order`;
}

function complaintAboutPath(defined: Defined, { cycle, block }: Witness): string | null {
  const inside = defined.inside(defined.blockOf(block));
  if (!inside(cycle[0].from.event - 1)) return 'the path does not start in the block';
  if (!inside(cycle[cycle.length - 1].to.event - 1)) return 'the path does not come back to the block';
  for (let i = 1; i < cycle.length; i++) {
    const arrived = cycle[i - 1].to;
    const left = cycle[i].from;
    if (inside(arrived.event - 1) || inside(left.event - 1))
      return 'the path comes back to the block too early';
    if (arrived.thread !== left.thread || arrived.event > left.event)
      return `${arrived.event} and ${left.event} are not in program order`;
  }
  return null;
}

function complaintAboutCycle({ structure }: Defined, { cycle }: Witness): string | null {
  const { transactionOf } = structure;
  const visited = cycle.map(({ from }) => transactionOf[from.event - 1]);
  if (new Set(visited).size !== visited.length) return 'the cycle comes to a transaction twice';
  for (let i = 0; i < cycle.length; i++) {
    const arrived = transactionOf[cycle[i].to.event - 1];
    if (arrived !== visited[(i + 1) % cycle.length]) return `conflict ${i} does not lead on`;
    if (arrived === visited[i]) return `conflict ${i} is within a transaction`;
  }
  return null;
}

function complaintAboutInterference(
  defined: Defined,
  { interference, block, pattern }: Witness,
): string | null {
  if (interference === null) return pattern === 'multi-variable-cycle' ? null : `${pattern} without accesses`;
  const { history } = defined;
  const inside = defined.inside(defined.blockOf(block));
  const [first, between, last] = [interference.first, interference.between, interference.last].map(
    (fact) => fact.event - 1,
  );
  if (!inside(first) || inside(between) || !inside(last)) return 'the interference is not one with the block';
  if (first > between || between > last) return 'the interference is out of order';
  if (new Set([history.operand[first], history.operand[between], history.operand[last]]).size > 1)
    return 'the interference is about several variables';
  if (!history.conflict(first, between) || !history.conflict(between, last))
    return 'the interference is none';
  return null;
}

/** The fewest conflicts between threads on a happens-before path that leaves the block and comes back at `event`. */
export function fewestHops(defined: Defined, block: Block, event: number): number {
  const { history } = defined;
  const inside = defined.inside(block);
  const hops = new Array<number>(history.length).fill(Number.POSITIVE_INFINITY);
  for (let j = block.first; j < event; j++) {
    if (history.counts[j] === 0) continue;
    const isLast = j === event - 1;
    if (inside(j) && !isLast) {
      hops[j] = 0;
      continue;
    }
    for (let i = block.first; i < j; i++) {
      if (history.counts[i] === 0 || !history.conflict(i, j) || (isLast && inside(i))) continue;
      const isStep = history.thread[i] !== history.thread[j] || inside(i);
      hops[j] = Math.min(hops[j], hops[i] + (isStep ? 1 : 0));
    }
  }
  return hops[event - 1];
}

/** The fewest transactions on a cycle through that of `start`, up to `event`, going only through `allowed`. */
export function fewestTransactions(
  { history, structure: { transactionOf } }: Defined,
  start: number,
  event: number,
  allowed: (transaction: number) => boolean,
): number {
  const home = transactionOf[start];
  const distance = new Map([[home, 0]]);
  const queue = [home];
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    for (let i = 0; i < event; i++) {
      if (transactionOf[i] !== from) continue;
      for (let j = i + 1; j < event; j++) {
        const to = transactionOf[j];
        if (to < 0 || to === from || !allowed(to) || !history.conflict(i, j)) continue;
        if (to === home) return distance.get(from)! + 1;
        if (distance.has(to)) continue;
        distance.set(to, distance.get(from)! + 1);
        queue.push(to);
      }
    }
  }
  return Number.POSITIVE_INFINITY;
}
