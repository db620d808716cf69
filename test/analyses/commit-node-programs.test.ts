import { describe, it } from 'vitest';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { isBoundary, Op } from '../../src/trace/operation.ts';
import { History, structureOf } from '../oracle/history.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import {
  type Complaint,
  FUZZ_SEED,
  fuzzRuns,
  hasNoComplaint,
  seeded,
  TAKES_LARGER_SCOPES,
} from '../support/comparing.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { type ProgramShape, randomProgram } from '../support/random-programs.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

type Reading = 'edge' | 'boundary';

function isPassed(analysis: AnalysisDescription, events: readonly NamedEvent[], forkJoin: Reading): boolean {
  const { violations, outcome } = run(analysis, MemoryTrace.of(events), { forkJoin });
  if (outcome.statistics.undecided !== 0) throw new Error(`${analysis.name} leaves something undecided`);
  return violations.length === 0;
}

/** Nothing may be passed that some interleaving tears apart; nor, if it is to be exact, may anything else fail. */
function complaintAgainstInterleavings(
  isExact: (events: readonly NamedEvent[]) => boolean,
  forkJoin: Reading = 'edge',
): Complaint {
  return (events) => {
    // Commit nodes take a barrier inside a block for a boundary.
    const truth = tryInterleavings(events, { forkJoin, barriers: 'boundary' });
    for (const [analysis, isAtomic] of [
      [commitNodeConflict, truth.conflictAtomic],
      [commitNodeView, truth.viewAtomic],
    ] as const) {
      const passed = isPassed(analysis, events, forkJoin);
      if (passed && !isAtomic) return `${analysis.name} misses a violation`;
      if (!passed && isAtomic && isExact(events)) return `${analysis.name} cries wolf`;
    }
    return null;
  };
}

const always = () => true;
const never = () => false;

const READS_AND_WRITES = [Op.read, Op.write];
const ALL_ACCESSES = [Op.read, Op.write, Op.update];

/** Shapes vary with the seed, each in its own way. */
type Shapes = (random: Random) => ProgramShape;

const twoTransactions: Shapes = (random) => ({
  threads: 2,
  variables: random.between(1, 3),
  locks: random.below(4),
  units: 1,
  steps: random.between(2, 8),
  accesses: random.oneIn(2) ? READS_AND_WRITES : ALL_ACCESSES,
  onlyBlocks: true,
  orderedLocks: true,
  nestedLocks: true,
  locksWithinUnits: true,
  forkJoin: false,
});

const anyLocking: Shapes = (random) => ({
  ...twoTransactions(random),
  orderedLocks: false,
  nestedLocks: random.oneIn(2),
  forkJoin: random.oneIn(4),
});

const loops: Shapes = (random) => ({ ...anyLocking(random), steps: random.between(1, 3), repeats: 3 });

const threeTransactions: Shapes = (random) => ({
  ...twoTransactions(random),
  threads: 3,
  locks: random.below(3),
  steps: random.between(1, 4),
});

const manyUnits: Shapes = (random) => ({
  threads: random.between(2, 3),
  variables: random.between(1, 3),
  locks: random.below(3),
  units: random.between(1, 2),
  steps: random.between(1, 3),
  accesses: random.oneIn(2) ? READS_AND_WRITES : ALL_ACCESSES,
  onlyBlocks: random.oneIn(3),
  orderedLocks: random.oneIn(2),
  nestedLocks: random.oneIn(2),
  locksWithinUnits: random.oneIn(2),
  forkJoin: random.oneIn(2),
});

const meetings: Shapes = (random) => ({
  ...manyUnits(random),
  locks: random.below(2),
  steps: random.between(1, 2),
  meetings: random.between(1, 2),
});

const messages: Shapes = (random) => ({
  ...manyUnits(random),
  locks: random.below(2),
  steps: random.between(1, 2),
  messages: random.between(1, 2),
  volatiles: random.below(2),
});

const largePrograms: Shapes = (random) => ({
  threads: random.between(2, 6),
  variables: random.between(1, 8),
  locks: random.below(4),
  units: random.between(1, 4),
  steps: random.between(1, 6),
  accesses: random.oneIn(2) ? READS_AND_WRITES : [Op.read, Op.read, Op.read, Op.write, Op.update],
  onlyBlocks: random.oneIn(3),
  orderedLocks: true,
  nestedLocks: random.oneIn(2),
  locksWithinUnits: random.oneIn(2),
  forkJoin: random.oneIn(2),
});

const programs = (runs: number, shapes: Shapes) =>
  seeded(runs, (seed) => randomProgram(seed, shapes(new Random(7 * seed))));

/** Whether each thread has one block and nothing outside it, and leaves no lock behind. */
function isTwoTransactions(events: readonly NamedEvent[]): boolean {
  const threads = new Map<string, { depth: number; blocks: number; held: number; isOutside: boolean }>();
  for (const { thread, op } of events) {
    const state = threads.get(thread) ?? { depth: 0, blocks: 0, held: 0, isOutside: false };
    threads.set(thread, state);
    if (op === Op.begin && state.depth++ === 0) state.blocks++;
    if (state.depth === 0 || isBoundary(op)) state.isOutside = true;
    if (op === Op.end) state.depth--;
    if (op === Op.acquire) state.held++;
    if (op === Op.release) state.held--;
  }
  return (
    threads.size === 2 &&
    [...threads.values()].every(({ blocks, held, isOutside }) => blocks === 1 && held === 0 && !isOutside)
  );
}

const SMALL_SCOPES: readonly Scope[] = [
  { events: 5, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 4, threads: 2, variables: 1, accesses: [Op.write, Op.update] },
  { events: 4, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 4, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  { events: 4, threads: 2, variables: 1, accesses: [Op.write], locks: 1 },
];

/** For long runs. */
const LARGER_SCOPES: readonly Scope[] = [
  { events: 7, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 6, threads: 2, variables: 2, accesses: [Op.write] },
  { events: 6, threads: 2, variables: 1, accesses: [Op.write, Op.update] },
  { events: 6, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 6, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  { events: 6, threads: 2, variables: 1, accesses: [Op.write], locks: 1 },
];

const timeout = 3_600_000;

describe('commit nodes and all interleavings', () => {
  const runs = fuzzRuns(300);
  const from = `from seed ${FUZZ_SEED}`;

  it.each([
    ['two transactions', twoTransactions],
    ['two transactions with locks in any order', anyLocking],
    ['two transactions with repetitions', loops],
  ])(`say the same of ${runs} times %s, ${from}`, { timeout }, (_, shapes) => {
    hasNoComplaint(programs(runs, shapes), complaintAgainstInterleavings(always));
  });

  it.each([
    ['three transactions', threeTransactions],
    ['many units, in and outside blocks', manyUnits],
    ['units and barriers', meetings],
    ['units and messages', messages],
  ])(`agree that there is nothing in ${runs} times %s, ${from}`, { timeout }, (_, shapes) => {
    hasNoComplaint(programs(runs, shapes), complaintAgainstInterleavings(never));
  });

  it.each(['edge', 'boundary'] as const)(
    `agree that there is nothing in ${runs} random traces, --fork-join %s, ${from}`,
    { timeout },
    (forkJoin) => {
      const traces = seeded(runs, (seed) =>
        randomTrace(seed, {
          maxEvents: 11,
          threads: 2 + (seed % 2),
          variables: 1 + (seed % 3),
          locks: seed % 3,
        }),
      );
      hasNoComplaint(traces, complaintAgainstInterleavings(isTwoTransactions, forkJoin));
    },
  );

  it('agree on every small trace', { timeout }, () => {
    for (const scope of TAKES_LARGER_SCOPES ? LARGER_SCOPES : SMALL_SCOPES)
      hasNoComplaint(allTraces(scope), complaintAgainstInterleavings(isTwoTransactions));
  });
});

/** Whether the order of transactions has a cycle, not counting that locks are acquired in some order. */
function isTorn(events: readonly NamedEvent[]): boolean {
  const history = new History(events);
  const { transactionOf, transactions } = structureOf(history, false);
  const next = Array.from({ length: transactions }, () => new Set<number>());
  const isLocking = (i: number) => history.op[i] === Op.acquire || history.op[i] === Op.release;
  for (let j = 0; j < history.length; j++)
    for (let i = 0; i < j; i++) {
      if (history.counts[i] === 0 || history.counts[j] === 0 || !history.conflict(i, j)) continue;
      if (history.thread[i] !== history.thread[j] && isLocking(i) && isLocking(j)) continue;
      if (transactionOf[i] !== transactionOf[j]) next[transactionOf[i]].add(transactionOf[j]);
    }
  const isOpen = new Uint8Array(transactions);
  const isDone = new Uint8Array(transactions);
  const isOnCycle = (transaction: number): boolean => {
    isOpen[transaction] = 1;
    for (const after of next[transaction])
      if (isOpen[after] === 1 || (isDone[after] === 0 && isOnCycle(after))) return true;
    isOpen[transaction] = 0;
    isDone[transaction] = 1;
    return false;
  };
  return next.some((_, transaction) => isDone[transaction] === 0 && isOnCycle(transaction));
}

describe('what happened', () => {
  const runs = fuzzRuns(600);

  it(`is seen as possible in ${runs} larger programs from seed ${FUZZ_SEED}`, { timeout }, () => {
    hasNoComplaint(programs(runs, largePrograms), (events) =>
      isTorn(events) && isPassed(commitNodeConflict, events, 'edge') ? 'it misses what it was shown' : null,
    );
  });
});
