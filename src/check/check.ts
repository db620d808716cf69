import { NamedElsewhere, type SentNames } from '../formats/sent-names.ts';
import type { EventBatch } from '../trace/batch.ts';
import type { NameTable } from '../trace/name-table.ts';
import { InputProblem } from '../trace/problem.ts';
import { type AnalysisRun, AnalysisRuns, type Noticed, type RunOptions } from './analysis-runs.ts';
import { PreparedTrace, type PrepareOptions, type Repair } from './prepared-trace.ts';

export type { AnalysisRun } from './analysis-runs.ts';

export interface CheckOptions extends PrepareOptions, RunOptions {
  /** Stop reading once every analysis has found a violation, and keep no more than that one of each. */
  first: boolean;
  /** Called after every batch with the number of events so far. */
  onProgress?: (events: number, trace: PreparedTrace) => void;
  /** A thread of its own for the analyses of the trace at `path`; null if they had better run in this one. */
  thread?: (path: string, options: RunOptions) => Promise<AnalysisThread | null>;
}

/** What another thread has found out. */
export interface FoundByThread {
  runs: AnalysisRun[];
  noticed: Noticed;
  /** The names of variables, if it was that thread that gave them ids. */
  variables: NameTable | null;
}

/** Analyses that run in another thread while this one reads. */
export interface AnalysisThread {
  /** Where names may be put of variables that get their ids there: with the batch shown next. */
  readonly sentNames?: SentNames;
  /** False if the thread has given up. */
  show(batch: EventBatch): Promise<boolean>;
  /** What they found; null if something failed there, so that the trace has to be checked in this thread. */
  finish(): Promise<FoundByThread | null>;
  /** Ends the thread, whatever it is doing. */
  stop(): void;
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
  noticed: Noticed;
}

/** It is not worth it to look for fewer threads than this whether they are still needed. */
const FEW_THREADS = 512;

/** Shows one trace to all analyses in one pass. */
export async function checkTrace(path: string, options: CheckOptions): Promise<TraceCheck> {
  const thread = (await options.thread?.(path, options)) ?? null;
  if (thread === null) return checkHere(path, options);
  const check = emptyCheck();
  const sections = new SectionsOnce(options);
  try {
    const { sentNames } = thread;
    await read(path, { ...sections.ofPass(options), sentNames }, check, (batch) => thread.show(batch));
  } catch (error) {
    thread.stop();
    // A problem with an access, whose variable is to be named.
    if (error instanceof NamedElsewhere) return checkHere(path, sections.ofPass(options));
    throw error;
  }
  const found = await thread.finish();
  if (found === null) return checkHere(path, sections.ofPass(options));
  const { variables, ...rest } = found;
  if (check.trace !== null && variables !== null) check.trace.names.variables = variables;
  return { ...check, ...rest };
}

/** Shows each section of a trace once, however often the trace is read. */
class SectionsOnce {
  readonly #onSection: CheckOptions['onSection'];
  #shown = 0;

  constructor({ onSection }: CheckOptions) {
    this.#onSection = onSection;
  }

  /** The options for one more reading. */
  ofPass(options: CheckOptions): CheckOptions {
    let seen = 0;
    const onSection: CheckOptions['onSection'] = (section) => {
      if (++seen <= this.#shown) return;
      this.#shown = seen;
      this.#onSection?.(section);
    };
    return { ...options, onSection };
  }
}

/** In this thread, one batch after the other: what any other way must agree with. */
async function checkHere(path: string, options: CheckOptions): Promise<TraceCheck> {
  const analyses = new AnalysisRuns(options);
  const { runs } = analyses;
  const check: TraceCheck = { ...emptyCheck(), runs, noticed: analyses.noticed };
  const show = (batch: EventBatch) => {
    analyses.show(batch);
    return !analyses.areOver;
  };
  await read(path, options, check, show, analyses.canForget ? analyses : undefined);
  analyses.finish(check.events);
  // Events come in batches, but the last one that mattered does not depend on where a batch ends.
  if (!check.complete && check.problem === null)
    check.events = Math.max(...runs.map((run) => run.violations[0]?.event ?? check.events));
  return check;
}

/**
 * Reads the trace, until `show` says that this is enough, and notes in `check` what there is to say about it. With `forgetting`,
 * the numbers of variables, locks and threads that the trace has retired are used again, so that memory does not grow as long as a
 * server runs.
 */
async function read(
  path: string,
  options: CheckOptions,
  check: TraceCheck,
  show: (batch: EventBatch) => boolean | Promise<boolean>,
  forgetting?: AnalysisRuns,
): Promise<void> {
  try {
    const trace = await PreparedTrace.open(path, options);
    const { variables, threads, locks } = trace.names;
    forgetting?.useAgain(trace.names);
    let manyThreads = FEW_THREADS;
    check.trace = trace;
    check.complete = true;
    for await (const batch of trace.batches()) {
      const shown = show(batch);
      const goesOn = typeof shown === 'boolean' ? shown : await shown;
      check.events += batch.length;
      options.onProgress?.(check.events, trace);
      const gone = variables.freed();
      if (gone.length > 0) forgetting?.forget(gone);
      const goneLocks = locks.freed();
      if (goneLocks.length > 0) {
        forgetting?.forgetLocks(goneLocks);
        trace.forgetLocks(goneLocks);
      }
      if (forgetting !== undefined && threads.goneCount >= manyThreads) {
        const over = threads.freed((thread) => forgetting.needsThread(thread));
        forgetting.forgetThreads(over);
        trace.forgetThreads(over);
        manyThreads = Math.max(FEW_THREADS, 2 * threads.goneCount);
      }
      if (goesOn) continue;
      check.complete = false;
      break;
    }
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    check.complete = false;
    check.problem = error;
  }
  check.repairs = check.trace?.repairs() ?? [];
}

/** The outcome for a trace that could not even be found. */
export function failedCheck(options: CheckOptions, problem: InputProblem): TraceCheck {
  const analyses = new AnalysisRuns(options);
  analyses.finish(0);
  return { ...emptyCheck(), runs: analyses.runs, problem };
}

function emptyCheck(): TraceCheck {
  return {
    trace: null,
    events: 0,
    complete: false,
    runs: [],
    repairs: [],
    problem: null,
    noticed: new Map(),
  };
}
