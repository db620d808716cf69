import type { ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import { type Explanation, explainStream } from '../explain/index.ts';
import type { EventBatch } from '../trace/batch.ts';
import { InputProblem } from '../trace/problem.ts';
import type { TraceCheck } from './check.ts';
import { PreparedTrace, type PrepareOptions } from './prepared-trace.ts';

export interface SecondLookOptions extends PrepareOptions {
  forkJoin: ForkJoin;
  onProgress?: (events: number, trace: PreparedTrace) => void;
}

/** What explains each violation of a check. */
export type Explanations = ReadonlyMap<ViolationFact, Explanation>;

/**
 * Finds out what the violations of a check consist of, by reading the trace at `path` again, as far as the
 * check did and no further.
 */
export async function explainViolations(
  path: string,
  check: TraceCheck,
  options: SecondLookOptions,
): Promise<Explanations> {
  const violations = check.runs.flatMap((run) => run.violations);
  if (check.trace === null || violations.length === 0) return new Map();
  // A copy of standard input has a size, which the stream had not: detection could decide otherwise.
  const again = { ...options, format: check.trace.reader.format.name };
  const explanations = await explainStream(violations, () => batchesAgain(path, check.events, again), {
    forkJoin: options.forkJoin,
  });
  return new Map(explanations.map((explanation) => [explanation.violation, explanation]));
}

/** The first events of the trace at `path`, as the analyses were shown them. */
export async function* batchesAgain(
  path: string,
  events: number,
  options: SecondLookOptions,
): AsyncGenerator<EventBatch> {
  const trace = await PreparedTrace.open(path, options);
  let seen = 0;
  try {
    for await (const batch of trace.batches()) {
      batch.length = Math.min(batch.length, events - seen);
      seen += batch.length;
      options.onProgress?.(seen, trace);
      yield batch;
      if (seen === events) return;
    }
  } catch (error) {
    // The check has met this problem before, and has told of it.
    if (!(error instanceof InputProblem)) throw error;
  }
}
