import { describe, expect, it } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import { explain } from '../../src/explain/index.ts';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { shrink } from '../support/shrink.ts';
import { complaint, Defined, fewestHops, fewestTransactions } from './definitions.ts';

const RUNS = Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 1500);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

type Violations = (defined: Defined) => ViolationFact[];

/** What is wrong with the witnesses of a trace's violations, or null. */
function problem(events: readonly NamedEvent[], forkJoin: ForkJoin, violations: Violations): string | null {
  const defined = new Defined(events, forkJoin);
  const wellFormedness = new WellFormedness(defined.trace.names, { lenient: false });
  const batches = [...defined.trace.copies()];
  for (const batch of batches) wellFormedness.check(batch);
  for (const { violation, witness, blockEnd } of explain(violations(defined), () => batches, { forkJoin })) {
    const about = `${JSON.stringify(violation)}\n${JSON.stringify(witness, null, 1)}`;
    if (witness === null) return `no witness of ${about}`;
    const wrong = complaint(defined, violation, witness);
    if (wrong !== null) return `${wrong}: ${about}`;
    if (witness.increasing) {
      const shortest = fewestHops(defined, defined.blockOf(witness.block), violation.event);
      if (witness.cycle.length !== shortest) return `there is a path of ${shortest} conflicts: ${about}`;
    } else {
      const { transactionOf } = defined.structure;
      const used = new Set(witness.cycle.map(({ from }) => transactionOf[from.event - 1]));
      const start = witness.cycle[0].from.event - 1;
      const shortest = fewestTransactions(defined, start, violation.event, (other) => used.has(other));
      if (witness.cycle.length !== shortest) return `${shortest} of the transactions are enough: ${about}`;
    }
    void blockEnd;
  }
  return null;
}

function holdsOnRandomTraces(forkJoin: ForkJoin, violations: Violations): void {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const events = randomTrace(seed);
    if (problem(events, forkJoin, violations) === null) continue;
    const smallest = shrink(events, (candidate) => problem(candidate, forkJoin, violations) !== null);
    throw new Error(`seed ${seed}: ${printEvents(smallest)}\n${problem(smallest, forkJoin, violations)}`);
  }
}

describe.each(['edge', 'boundary', 'family'] as const)('with --fork-join %s', (forkJoin) => {
  it('shows a shortest happens-before path for every violated block', { timeout: 60_000 + 10 * RUNS }, () => {
    holdsOnRandomTraces(forkJoin, (defined) => defined.violatedBlocks());
  });
});

describe.each(['edge', 'boundary'] as const)('with --fork-join %s', (forkJoin) => {
  it.each([
    ['whose block is known', true],
    ['whose block is not known', false],
  ])(
    'shows a cycle of transactions for the first violation, %s',
    { timeout: 60_000 + 10 * RUNS },
    (_, known) => {
      holdsOnRandomTraces(forkJoin, (defined) => defined.firstCycle(known));
    },
  );
});

it('has enough violations to be a test', () => {
  let [blocks, traces] = [0, 0];
  for (let seed = SEED; seed < SEED + 300; seed++) {
    const defined = new Defined(randomTrace(seed), 'edge');
    blocks += defined.violatedBlocks().length;
    traces += defined.firstCycle(true).length;
  }
  expect(blocks).toBeGreaterThan(150);
  expect(traces).toBeGreaterThan(75);
});
