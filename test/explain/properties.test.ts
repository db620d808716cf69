import { describe, expect, it } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import { ANALYSES } from '../../src/analyses/registry.ts';
import type { Explanation } from '../../src/explain/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { complaint, Defined, fewestHops, fewestTransactions } from './definitions.ts';
import { explainIn } from './support.ts';

const RUNS = Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0), 150);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);
const timeout = 180_000 + 20 * RUNS;

/** Finds the violations that are to be explained. */
type Reporter = (defined: Defined) => ViolationFact[];
/** What is wrong with an explanation, or null. */
type Judge = (defined: Defined, explanation: Explanation) => string | null;

/** A witness must be there, and show what it says. */
const isValid: Judge = (defined, { violation, witness }) =>
  witness === null ? 'there is no witness' : complaint(defined, violation, witness);

/** There is no shorter path; and no transaction of a cycle of transactions can be left out. */
const isShortest: Judge = (defined, { violation, witness }) => {
  if (witness === null) return 'there is no witness';
  const { cycle, increasing, block } = witness;
  const { transactionOf } = defined.structure;
  const used = new Set(cycle.map(({ from }) => transactionOf[from.event - 1]));
  const shortest = increasing
    ? fewestHops(defined, defined.blockOf(block), violation.event)
    : fewestTransactions(defined, cycle[0].from.event - 1, violation.event, (other) => used.has(other));
  return cycle.length === shortest ? null : `${shortest} conflicts are enough`;
};

/** The end of a block is the end that follows with as many blocks open. */
const endsRight: Judge = (defined, { violation, blockEnd }) => {
  if (violation.block === null || defined.forkJoin === 'boundary') return null;
  const { thread, op, length } = defined.history;
  let open = 0;
  for (let e = violation.block.begin - 1; e < length; e++) {
    if (thread[e] !== thread[violation.block.begin - 1]) continue;
    if (op[e] === Op.begin) open++;
    if (op[e] === Op.end && --open === 0) return blockEnd === e + 1 ? null : `the block ends at ${e + 1}`;
  }
  return blockEnd === null ? null : 'the block does not end';
};

function problem(
  events: readonly NamedEvent[],
  forkJoin: ForkJoin,
  report: Reporter,
  judges: readonly Judge[],
): string | null {
  const defined = new Defined(events, forkJoin);
  let explanations: readonly Explanation[];
  try {
    explanations = explainIn(defined.trace, report(defined), { forkJoin });
  } catch (error) {
    return String(error);
  }
  for (const explanation of explanations) {
    for (const judge of judges) {
      const wrong = judge(defined, explanation);
      if (wrong !== null) return `${wrong}: ${JSON.stringify(explanation, null, 1)}`;
    }
  }
  return null;
}

function holdsOn(
  traces: Iterable<readonly NamedEvent[]>,
  forkJoin: ForkJoin,
  report: Reporter,
  judges: readonly Judge[],
): void {
  for (const events of traces) {
    if (problem(events, forkJoin, report, judges) === null) continue;
    const smallest = shrink(
      [...events],
      (candidate) => problem(candidate, forkJoin, report, judges) !== null,
    );
    throw new Error(`${printEvents(smallest)}\n${problem(smallest, forkJoin, report, judges)}`);
  }
}

/** Traces as they come, and traces of many threads and variables, whose cycles are longer. */
function* randomTraces(runs: number): Generator<NamedEvent[]> {
  for (let seed = SEED; seed < SEED + runs; seed++)
    yield seed % 2 === 0
      ? randomTrace(seed)
      : randomTrace(seed, { threads: 8, variables: 12, maxEvents: 60 });
}

const SMALL: Readonly<Record<ForkJoin, Scope>> = {
  edge: { events: 5, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  boundary: { events: 5, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  family: { events: 5, threads: 3, variables: 1, accesses: [Op.write], forkJoin: true },
};

describe.each(['edge', 'boundary', 'family'] as const)(
  'every violated block, --fork-join %s,',
  (forkJoin) => {
    const judges = [isValid, isShortest, endsRight];

    it('is shown by a shortest path, on random traces', { timeout }, () => {
      holdsOn(randomTraces(RUNS), forkJoin, (defined) => defined.violatedBlocks(), judges);
    });

    it('is shown by a shortest path, on every small trace', { timeout }, () => {
      holdsOn(allTraces(SMALL[forkJoin]), forkJoin, (defined) => defined.violatedBlocks(), judges);
    });
  },
);

describe.each(['edge', 'boundary'] as const)(
  'the first cycle of transactions, --fork-join %s,',
  (forkJoin) => {
    it.each([
      ['is', true],
      ['is not', false],
    ])('is shown when its block %s known', { timeout }, (_, isKnown) => {
      const report: Reporter = (defined) => defined.firstCycle(isKnown);
      holdsOn(randomTraces(RUNS), forkJoin, report, [isValid, isShortest]);
    });
  },
);

/** Some notice late, some blame a transaction for being on a cycle, some blame nobody. */
describe('whatever an analysis reports', () => {
  // The two without a source find nothing; what did not happen, but might have, has no cycle in the trace.
  const finding = ANALYSES.filter(({ source, predictive }) => source !== null && predictive !== true);

  it.each(finding)('is shown: $name', { timeout }, (description) => {
    const report: Reporter = ({ events, forkJoin }) =>
      run(description, MemoryTrace.of(events), { forkJoin }).violations;
    for (const forkJoin of ['edge', 'boundary'] as const)
      holdsOn(randomTraces(RUNS / 2), forkJoin, report, [isValid, endsRight]);
  });
});

it('is tested on enough violations', () => {
  let [blocks, cycles] = [0, 0];
  for (const events of randomTraces(300)) {
    const defined = new Defined(events, 'edge');
    blocks += defined.violatedBlocks().length;
    cycles += defined.firstCycle(true).length;
  }
  expect(blocks).toBeGreaterThan(140);
  expect(cycles).toBeGreaterThan(75);
});
