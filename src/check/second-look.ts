import type { ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import type { Explanation, Subtrace, Witness } from '../explain/index.ts';
import type { EventBatch } from '../trace/batch.ts';
import { InputProblem } from '../trace/problem.ts';
import type { TraceCheck } from './check.ts';
import { PreparedTrace, type PrepareOptions } from './prepared-trace.ts';

/**
 * So many blocks of one label are looked at in the run of a program; the others look the same. Where functions wait for each other
 * thousands deep, all of them are violated by what violates one, and each lasts as long as those inside of it together.
 */
export const BLOCKS_PER_LABEL = 25;

export interface SecondLookOptions extends PrepareOptions {
  forkJoin: ForkJoin;
  /** How many violated blocks of one label are explained; without it, all. */
  perLabel?: number;
  /** Whether to find the smallest sub-trace of each violation too, which takes one more look. */
  subtraces?: boolean;
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
  // Most traces have nothing to explain: what it takes is loaded when there is.
  const { explainStream } = await import('../explain/index.ts');
  // A copy of standard input has a size, which the stream had not: detection could decide otherwise.
  const again = { ...options, format: check.trace.reader.format.name };
  const explanations = await explainStream(violations, () => batchesAgain(path, check, again), {
    forkJoin: options.forkJoin,
    noticed: check.noticed,
    ...(options.perLabel === undefined ? {} : { perLabel: options.perLabel }),
  });
  if (options.subtraces) await addSubtraces(explanations, path, check, again);
  return new Map(explanations.map((explanation) => [explanation.violation, explanation]));
}

/** The violations by themselves, when nobody is to look for what they consist of. */
export async function unexplained(
  path: string,
  check: TraceCheck,
  options: SecondLookOptions,
): Promise<Explanations> {
  // Where numbers were used again, only another reading tells what they stood for.
  if (check.trace?.names.threads.hasUsedAgain && check.runs.some(({ violations }) => violations.length > 0))
    for await (const _ of batchesAgain(path, check, { ...options, format: check.trace.reader.format.name }));
  return new Map(
    check.runs.flatMap(({ violations }) =>
      violations.map((violation): [ViolationFact, Explanation] => [
        violation,
        {
          violation,
          witness: null,
          unexplained: 'not-asked',
          story: [],
          pairs: [],
          severity: 'warning',
          blockBegin: null,
          blockEnd: null,
          subtrace: null,
        },
      ]),
    ),
  );
}

async function addSubtraces(
  explanations: readonly Explanation[],
  path: string,
  check: TraceCheck,
  options: SecondLookOptions,
): Promise<void> {
  const { Neighbourhoods, smallestSubtrace } = await import('../explain/index.ts');
  const { forkJoin } = options;
  const neighbourhoods = new Neighbourhoods(explanations, forkJoin);
  for await (const batch of batchesAgain(path, check, options)) if (!neighbourhoods.look(batch)) break;
  const names = (check.trace as PreparedTrace).names;
  // Several analyses may report the same, and share the witness.
  const known = new Map<Witness, Subtrace | null>();
  for (const explanation of explanations) {
    const { witness } = explanation;
    if (witness === null) continue;
    if (!known.has(witness)) known.set(witness, smallestSubtrace(witness, neighbourhoods, names, forkJoin));
    explanation.subtrace = known.get(witness) ?? null;
  }
}

/** The events that the check has seen of the trace at `path`, as the analyses were shown them. */
export async function* batchesAgain(
  path: string,
  { trace: first, events }: TraceCheck,
  options: SecondLookOptions,
): AsyncGenerator<EventBatch> {
  const trace = await PreparedTrace.open(path, options);
  // Now each variable, each lock and each thread has a number of its own, by which it is named from here on.
  for (const table of ['variables', 'threads', 'locks'] as const)
    if (first?.names[table].hasUsedAgain) first.names[table] = trace.names[table];
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
