import type { Analysis, AnalysisDescription, ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import { dispatch } from '../analyses/dispatch.ts';
import type { ClosingOperation } from '../explain/index.ts';
import { BoundaryAtForkAndJoin } from '../spec/boundary.ts';
import type { EventBatch } from '../trace/batch.ts';
import { InputProblem } from '../trace/problem.ts';
import { PreparedTrace, type PrepareOptions, type Repair } from './prepared-trace.ts';

export interface CheckOptions extends PrepareOptions {
  analyses: readonly AnalysisDescription[];
  forkJoin: ForkJoin;
  /** Stop reading once every analysis has found a violation, and keep no more than that one of each. */
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
  /** Bytes of typed arrays it asked for, those it gave back included; only measured beside other analyses. */
  allocated: number | null;
  /** What was thrown in it; it was shown nothing after that, and what it had found stands. */
  failure: unknown;
}

/** What one pass over a trace gave. */
export interface TraceCheck {
  /** Null when the trace could not even be opened. */
  trace: PreparedTrace | null;
  /** How many events were looked at, and whether those are all. */
  events: number;
  complete: boolean;
  runs: AnalysisRun[];
  repairs: Repair[];
  /** Why reading ended early, if it did; what was found before is still there. */
  problem: InputProblem | null;
  /** What was done at the events at which violations were noticed, of the first ones. */
  noticed: ReadonlyMap<ViolationFact, ClosingOperation>;
}

/** Of so many violations it is noted what was done where they were noticed; no more than that are explained. */
const MOST_NOTICED = 10_000;

/** Sees what is done at the events at which violations are reported. */
class Noticing {
  readonly operations = new Map<ViolationFact, ClosingOperation>();
  batch: EventBatch | null = null;

  note(violation: ViolationFact): void {
    const { batch, operations } = this;
    if (batch === null || operations.size >= MOST_NOTICED) return;
    const i = violation.event - batch.firstEvent;
    if (i >= 0 && i < batch.length) operations.set(violation, { op: batch.op[i], operand: batch.operand[i] });
  }
}

/** Shows one trace to all analyses in one pass. */
export async function checkTrace(path: string, options: CheckOptions): Promise<TraceCheck> {
  const noticing = new Noticing();
  const runs = options.analyses.map((description) => startRun(description, options, noticing));
  const check: TraceCheck = {
    trace: null,
    events: 0,
    complete: false,
    runs,
    repairs: [],
    problem: null,
    noticed: noticing.operations,
  };
  let stopped = false;
  try {
    const trace = await PreparedTrace.open(path, options);
    check.trace = trace;
    for await (const batch of trace.batches()) {
      noticing.batch = batch;
      for (const run of runs) measured(run, () => dispatch(batch, run.analysis));
      noticing.batch = null;
      check.events += batch.length;
      options.onProgress?.(check.events, trace);
      if (runs.every((run) => run.failure !== null || (options.first && run.violations.length > 0))) {
        stopped = true;
        break;
      }
    }
    check.complete = !stopped;
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    check.problem = error;
  }
  for (const run of runs) measured(run, () => run.analysis.finish(check.events));
  // Events come in batches, but the last one that mattered does not depend on where a batch ends.
  if (stopped) check.events = Math.max(...runs.map((run) => run.violations[0]?.event ?? check.events));
  check.repairs = check.trace?.repairs() ?? [];
  return check;
}

/**
 * Adds what `work` costs to the run. Memory is asked for in big steps and rarely, so a look a batch suffices. An analysis
 * that fails does not take the others along.
 */
function measured(run: AnalysisRun, work: () => void): void {
  if (run.failure !== null) return;
  const allocatedBefore = run.allocated === null ? 0 : process.memoryUsage().arrayBuffers;
  const start = performance.now();
  try {
    work();
  } catch (error) {
    run.failure = error ?? new Error('nothing was thrown');
  }
  run.milliseconds += performance.now() - start;
  if (run.allocated === null) return;
  // Less than before means that garbage, perhaps of another analysis, was collected meanwhile.
  run.allocated += Math.max(0, process.memoryUsage().arrayBuffers - allocatedBefore);
}

/** The outcome for a trace that could not even be found. */
export function failedCheck(options: CheckOptions, problem: InputProblem): TraceCheck {
  const runs = options.analyses.map((description) => startRun(description, options, new Noticing()));
  for (const run of runs) run.analysis.finish(0);
  return { trace: null, events: 0, complete: false, runs, repairs: [], problem, noticed: new Map() };
}

function startRun(description: AnalysisDescription, options: CheckOptions, noticing: Noticing): AnalysisRun {
  const violations: ViolationFact[] = [];
  const report = (violation: ViolationFact) => {
    if (violations.length > 0 && options.first) return;
    violations.push(violation);
    noticing.note(violation);
  };
  const created = description.create({ forkJoin: options.forkJoin, report });
  const analysis = options.forkJoin === 'boundary' ? new BoundaryAtForkAndJoin(created) : created;
  const allocated = options.analyses.length > 1 ? 0 : null;
  return { description, analysis, violations, milliseconds: 0, allocated, failure: null };
}
