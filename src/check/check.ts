import type { Analysis, AnalysisDescription, ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import { dispatch } from '../analyses/dispatch.ts';
import { BoundaryAtForkAndJoin } from '../spec/boundary.ts';
import { InputProblem } from '../trace/problem.ts';
import { PreparedTrace, type PrepareOptions, type Repair } from './prepared-trace.ts';

export interface CheckOptions extends PrepareOptions {
  analyses: readonly AnalysisDescription[];
  forkJoin: ForkJoin;
  /** Stop reading at the first violation. */
  first: boolean;
  /** Called after every batch with the number of events so far. */
  onProgress?: (events: number, trace: PreparedTrace) => void;
}

/** One analysis after a pass: facts, no text. */
export interface AnalysisRun {
  description: AnalysisDescription;
  analysis: Analysis;
  violations: ViolationFact[];
  /** Time spent in its handlers. */
  milliseconds: number;
}

/** What one pass over a trace gave. */
export interface TraceCheck {
  trace: PreparedTrace;
  events: number;
  runs: AnalysisRun[];
  repairs: Repair[];
  /** Why reading ended early, if it did; what was found before is still there. */
  problem: InputProblem | null;
}

/** Shows one trace to all analyses in one pass. */
export async function checkTrace(path: string, options: CheckOptions): Promise<TraceCheck> {
  const trace = await PreparedTrace.open(path, options);
  const runs = options.analyses.map((description) => startRun(description, options.forkJoin));
  const check: TraceCheck = { trace, events: 0, runs, repairs: [], problem: null };
  try {
    for await (const batch of trace.batches()) {
      for (const run of runs) {
        const start = performance.now();
        dispatch(batch, run.analysis);
        run.milliseconds += performance.now() - start;
      }
      check.events += batch.length;
      options.onProgress?.(check.events, trace);
      if (options.first && stopAtFirst(check)) break;
    }
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    check.problem = error;
  }
  for (const run of runs) {
    const start = performance.now();
    run.analysis.finish(check.events);
    run.milliseconds += performance.now() - start;
  }
  if (options.first) stopAtFirst(check);
  check.repairs = trace.repairs();
  return check;
}

function startRun(description: AnalysisDescription, forkJoin: ForkJoin): AnalysisRun {
  const violations: ViolationFact[] = [];
  const created = description.create({ forkJoin, report: (violation) => violations.push(violation) });
  const analysis = forkJoin === 'boundary' ? new BoundaryAtForkAndJoin(created) : created;
  return { description, analysis, violations, milliseconds: 0 };
}

/** Keeps only the earliest violation of each analysis; true if any has one. */
function stopAtFirst(check: TraceCheck): boolean {
  let found = false;
  for (const { violations } of check.runs) {
    if (violations.length > 0) {
      found = true;
      violations.length = 1;
    }
  }
  return found;
}
