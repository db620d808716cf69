import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { type Block, History, type Structure, structureOf } from './history.ts';
import { Relation } from './relation.ts';

/** What the definitions say about a trace. Blocks are known by the number of their begin event. */
export interface Judgement {
  /** Null where forks and joins make families, for which no verdict on the whole trace is defined. */
  serializable: boolean | null;
  firstEvent: number | null;
  /** The outermost among `violatedBlocks`. */
  violatedTransactions: number[];
  /** In ascending order. With `family`, the blocks whose family is violated. */
  violatedBlocks: number[];
}

/** The blocks of a trace, or their pieces where forks and joins are boundaries. */
export function blocksOf(events: readonly NamedEvent[], forkJoin: ForkJoin): Block[] {
  return structureOf(new History(events), forkJoin === 'boundary').blocks;
}

/** A trace and the order of its events, which is the same whatever forks and joins mean. */
export class OrderedTrace {
  readonly history: History;
  readonly before: Relation;

  constructor(events: readonly NamedEvent[]) {
    this.history = new History(events);
    this.before = happensBefore(this.history);
  }
}

/** The blocks that are not serializable by themselves, told apart also where several start at one fork or join. */
export function violatedBlocksOf(events: readonly NamedEvent[], forkJoin: ForkJoin): Block[] {
  return violatedIn(new OrderedTrace(events), forkJoin).violated;
}

/**
 * Judges a well-formed trace by the definitions. They are spelled out in `definitions.ts`; here they are
 * computed event by event, so that hundreds of thousands of short traces can be judged in a test.
 */
export function judge(
  trace: MemoryTrace | readonly NamedEvent[],
  options: { forkJoin?: ForkJoin } = {},
): Judgement {
  const events = trace instanceof MemoryTrace ? [...trace.events()] : trace;
  return judgeOrdered(new OrderedTrace(events), options.forkJoin ?? 'edge').judgement;
}

/** The same, and the blocks themselves. */
export function judgeOrdered(
  trace: OrderedTrace,
  forkJoin: ForkJoin,
): { judgement: Judgement; blocks: readonly Block[]; violated: readonly Block[] } {
  const { structure, violated } = violatedIn(trace, forkJoin);
  const first = forkJoin === 'family' ? null : firstEvent(trace.history, trace.before, structure);
  const judgement: Judgement = {
    serializable: forkJoin === 'family' ? null : first === null,
    firstEvent: first,
    violatedTransactions: beginsOf(violated.filter((block) => block.outermost)),
    violatedBlocks: beginsOf(violated),
  };
  return { judgement, blocks: structure.blocks, violated };
}

function violatedIn(
  { history, before }: OrderedTrace,
  forkJoin: ForkJoin,
): { structure: Structure; violated: Block[] } {
  const structure = structureOf(history, forkJoin === 'boundary');
  const isIt = forkJoin === 'family' ? isFamilyViolated : isViolated;
  return { structure, violated: structure.blocks.filter((block) => isIt(history, before, block)) };
}

/** Several pieces of nested blocks may start at one fork or join, and share its number. */
function beginsOf(blocks: readonly Block[]): number[] {
  return [...new Set(blocks.map((block) => block.begin))].sort((a, b) => a - b);
}

/** Row j holds the events that happen before event j: those it conflicts with, and those before them. */
function happensBefore(history: History): Relation {
  const before = new Relation(history.length);
  for (let j = 0; j < history.length; j++) {
    if (history.counts[j] === 0) continue;
    for (let i = j - 1; i >= 0; i--) {
      if (history.counts[i] === 0 || before.has(j, i) || !history.conflict(i, j)) continue;
      before.addAll(j, i);
      before.add(j, i);
    }
  }
  return before;
}

/**
 * An event adds edges only into its own transaction, so the first cycle is closed by the first event whose
 * transaction can then be reached from itself.
 */
function firstEvent(history: History, before: Relation, structure: Structure): number | null {
  const { transactionOf, transactions } = structure;
  /** Row B holds the transactions that precede B, not counting those that precede it through others. */
  const predecessors = new Relation(transactions);
  for (let j = 0; j < history.length; j++) {
    const own = transactionOf[j];
    let grew = false;
    for (let i = 0; i < j; i++) {
      if (!before.has(j, i)) continue;
      const other = transactionOf[i];
      if (other === own || predecessors.has(own, other)) continue;
      predecessors.add(own, other);
      grew = true;
    }
    if (grew && isOnCycle(own, predecessors, transactions)) return j + 1;
  }
  return null;
}

function isOnCycle(transaction: number, predecessors: Relation, transactions: number): boolean {
  const reached = new Uint8Array(transactions);
  const pending = [transaction];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (let other = 0; other < transactions; other++) {
      if (reached[other] === 1 || !predecessors.has(next, other)) continue;
      if (other === transaction) return true;
      reached[other] = 1;
      pending.push(other);
    }
  }
  return false;
}

/** Later events of a block are ordered by program order, so what happens before any of them is before its last. */
function isViolated(history: History, before: Relation, block: Block): boolean {
  for (let e = block.first + 1; e < block.last; e++)
    if (history.thread[e] !== block.thread && before.has(e, block.first) && before.has(block.last, e))
      return true;
  return false;
}

/** A family spans threads, so every one of its events may be the later one. */
function isFamilyViolated(history: History, before: Relation, block: Block): boolean {
  const children = forkedWithin(history, block);
  const inFamily = (e: number) =>
    (children.has(history.thread[e]) && e <= block.end) ||
    (history.thread[e] === block.thread && block.first <= e && e <= block.last);
  for (let e = block.first + 1; e < history.length; e++) {
    if (!before.has(e, block.first) || inFamily(e)) continue;
    for (let f = e + 1; f < history.length; f++) if (before.has(f, e) && inFamily(f)) return true;
  }
  return false;
}

/** The threads forked, directly or through others, while the block is open. A fork precedes its child's events. */
function forkedWithin(history: History, block: Block): Set<number> {
  const children = new Set<number>();
  for (let e = block.first; e <= block.end; e++)
    if (history.op[e] === Op.fork && (history.thread[e] === block.thread || children.has(history.thread[e])))
      children.add(history.operand[e]);
  return children;
}
