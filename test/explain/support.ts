import { expect } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import {
  type Conflict,
  type EventFact,
  type ExplainOptions,
  type Explanation,
  explain,
  type Witness,
} from '../../src/explain/index.ts';
import type { EventBatch } from '../../src/trace/batch.ts';
import type { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { TraceNames } from '../../src/trace/names.ts';
import { MNEMONICS } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { Defined } from './definitions.ts';

/** Explains violations of a trace that is held in memory, as the stages before the analyses leave it. */
export function explainIn(
  trace: MemoryTrace,
  violations: readonly ViolationFact[],
  options: Partial<ExplainOptions> = {},
): Explanation[] {
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  const batches = [...trace.copies()];
  for (const batch of batches) wellFormedness.check(batch);
  const without = explain(violations, () => batches, { forkJoin: 'edge', ...options });
  const noticed = new Map(
    violations.flatMap((violation) => {
      const operation = operationAt(batches, violation.event);
      return operation === null ? [] : [[violation, operation] as const];
    }),
  );
  const explanations = explain(violations, () => batches, { forkJoin: 'edge', noticed, ...options });
  // To know what was done where a violation was noticed saves work, and nothing else.
  expect(explanations.map(summary)).toEqual(without.map(summary));
  return explanations;
}

function operationAt(batches: readonly EventBatch[], event: number): { op: number; operand: number } | null {
  const batch = batches.find(({ firstEvent, length }) => event >= firstEvent && event < firstEvent + length);
  if (batch === undefined) return null;
  const i = event - batch.firstEvent;
  return { op: batch.op[i], operand: batch.operand[i] };
}

function summary({ witness, unexplained }: Explanation) {
  return { unexplained, pattern: witness?.pattern, conflicts: witness?.cycle.length };
}

export interface Explained {
  names: TraceNames;
  explanations: Explanation[];
}

/** What explains the blocks of the trace that are violated by the definitions. */
export function explainBlocks(trace: MemoryTrace, forkJoin: ForkJoin = 'edge'): Explained {
  const violations = new Defined([...trace.events()], forkJoin).violatedBlocks();
  violations.sort((a, b) => a.block!.begin - b.block!.begin);
  return { names: trace.names, explanations: explainIn(trace, violations, { forkJoin }) };
}

/** What explains the first cycle of transactions of the trace, with no block given. */
export function explainCycle(trace: MemoryTrace, forkJoin: ForkJoin = 'edge'): Explained {
  const violations = new Defined([...trace.events()], forkJoin).firstCycle(false);
  return { names: trace.names, explanations: explainIn(trace, violations, { forkJoin }) };
}

/** The witness of the only violation. */
export function onlyWitness({ names, explanations }: Explained): { names: TraceNames; witness: Witness } {
  if (explanations.length !== 1 || explanations[0].witness === null)
    throw new Error(`not one witness: ${JSON.stringify(explanations)}`);
  return { names, witness: explanations[0].witness };
}

/** The cycle of the only violation as text: `t1 r x (2) > t2 w x (3)` for each conflict. */
export function onlyCycle(explained: Explained): string[] {
  const { names, witness } = onlyWitness(explained);
  return witness.cycle.map((conflict) => print(conflict, names));
}

function print({ from, to }: Conflict, names: TraceNames): string {
  return `${printEvent(from, names)} > ${printEvent(to, names)}`;
}

function printEvent({ event, thread, op, operand }: EventFact, names: TraceNames): string {
  const what = names.operandTable(op).text(operand);
  return `${names.threads.text(thread)} ${MNEMONICS[op]} ${what} (${event})`;
}
