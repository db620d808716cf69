/*
 * From a violation to its witness: the cycle of conflicting operations, its pattern and its severity.
 *
 * Analyses are fast because they keep little: they say that there is a cycle and where it was closed. The witness
 * is found by a second look at the same trace, which the caller shows again, batch by batch: with the same
 * numbering, well-formed, and with the same events skipped as when it was analysed. `explain` and
 * `explainStream` do that for a trace in memory and for one that has to be read again; a caller with a loop of
 * its own uses `WitnessFinder`. What comes out are ids and event numbers; `message` makes a sentence of them.
 * docs/explanation/explain.md says how it works and what is guaranteed.
 */
import type { ViolationFact } from '../analyses/analysis.ts';
import type { EventBatch } from '../trace/batch.ts';
import { type ExplainOptions, WitnessFinder } from './finder.ts';
import type { Explanation } from './witness.ts';

export { type ExplainOptions, WitnessFinder } from './finder.ts';
export { message } from './message.ts';
export { Neighbourhoods } from './neighbourhood.ts';
export { type PatternName, patternOf, type Severity, severityOf } from './pattern.ts';
export { smallestSubtrace } from './subtrace.ts';
export type {
  Conflict,
  EventFact,
  Explanation,
  Interference,
  SeenEvent,
  StoryEvent,
  Subtrace,
  Unexplained,
  Witness,
} from './witness.ts';
export type { ClosingOperation } from './witness-cycle-search.ts';

/** `batches` is called for every pass. */
export function explain(
  violations: readonly ViolationFact[],
  batches: () => Iterable<EventBatch>,
  options: ExplainOptions,
): Explanation[] {
  const finder = new WitnessFinder(violations, options);
  while (finder.startPass()) for (const batch of batches()) if (!finder.look(batch)) break;
  return finder.explanations();
}

/** As `explain`, for a trace that is read as it goes. */
export async function explainStream(
  violations: readonly ViolationFact[],
  batches: () => AsyncIterable<EventBatch> | Promise<AsyncIterable<EventBatch>>,
  options: ExplainOptions,
): Promise<Explanation[]> {
  const finder = new WitnessFinder(violations, options);
  while (finder.startPass()) for await (const batch of await batches()) if (!finder.look(batch)) break;
  return finder.explanations();
}
