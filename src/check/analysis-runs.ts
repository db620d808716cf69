import type {
  Analysis,
  AnalysisDescription,
  ForkJoin,
  Outcome,
  ViolationFact,
} from '../analyses/analysis.ts';
import { dispatch } from '../analyses/dispatch.ts';
import type { ClosingOperation } from '../explain/index.ts';
import { BoundaryAtForkAndJoin } from '../spec/boundary.ts';
import type { EventBatch } from '../trace/batch.ts';
import { now } from '../trace/clock.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { OPERAND_KINDS } from '../trace/operation.ts';

export interface RunOptions {
  analyses: readonly AnalysisDescription[];
  forkJoin: ForkJoin;
  /** Keep no more than the first violation of each. */
  first: boolean;
  /** How many violations of each are kept at most. */
  most?: number;
}

/** One analysis after a pass: facts, no text. */
export interface AnalysisRun {
  description: AnalysisDescription;
  /** It may have run in another thread: what is left of it is what it found out. */
  analysis: { outcome(): Outcome };
  violations: ViolationFact[];
  /** How many more it has reported than are kept. */
  leftOut: number;
  /** Time spent in its handlers. */
  milliseconds: number;
  /** Bytes of typed arrays it asked for, those it gave back included; only measured beside other analyses. */
  allocated: number | null;
  /** What was thrown in it; it was shown nothing after that, and what it had found stands. */
  failure: unknown;
}

/** What was done at the events at which violations were noticed. */
export type Noticed = ReadonlyMap<ViolationFact, ClosingOperation>;

/** Of so many violations it is noted what was done where they were noticed; no more than that are explained. */
const MOST_NOTICED = 10_000;

/**
 * So many violations are kept of all analyses together, each of which gets its share, and further ones counted: a trace may have one
 * for every few events, and the verdict must not be lost for want of memory.
 */
const MOST_VIOLATIONS = 1_000_000;

/** Sees what is done at the events at which violations are reported. */
class Noticing {
  readonly operations = new Map<ViolationFact, ClosingOperation>();
  batch: EventBatch | null = null;
  /* Whose numbers are used again; null for none. Who reads the trace again knows them by others. */
  variables: NameTable | null = null;
  threads: NameTable | null = null;
  locks: NameTable | null = null;

  note(violation: ViolationFact): void {
    const { batch, operations } = this;
    if (batch === null || operations.size >= MOST_NOTICED) return;
    const i = violation.event - batch.firstEvent;
    if (i < 0 || i >= batch.length) return;
    const op = batch.op[i];
    operations.set(violation, {
      op,
      operand: this.#table(op)?.ordinal(batch.operand[i]) ?? batch.operand[i],
    });
  }

  #table(op: number): NameTable | null {
    switch (OPERAND_KINDS[op]) {
      case 'variable':
        return this.variables;
      case 'thread':
        return this.threads;
      case 'label':
        return null;
      default:
        return this.locks;
    }
  }
}

/** Analyses that are shown a trace, batch by batch. */
export class AnalysisRuns {
  readonly runs: AnalysisRun[] = [];
  readonly #analyses: Analysis[] = [];
  readonly #noticing = new Noticing();
  readonly #first: boolean;
  readonly #most: number;

  constructor(options: RunOptions) {
    this.#first = options.first;
    this.#most = options.most ?? Math.ceil(MOST_VIOLATIONS / options.analyses.length);
    for (const description of options.analyses) this.#start(description, options);
  }

  get noticed(): Noticed {
    return this.#noticing.operations;
  }

  /** Whether nothing that is still to come can change what is found. */
  get areOver(): boolean {
    return this.runs.every((run) => run.failure !== null || (this.#first && run.violations.length > 0));
  }

  /** Whether all of them can forget a variable. */
  get canForget(): boolean {
    return this.#analyses.every((analysis) => analysis.forgetVariable !== undefined);
  }

  get canForgetLocks(): boolean {
    return this.#analyses.every((analysis) => analysis.forgetLock !== undefined);
  }

  get canForgetThreads(): boolean {
    return this.#analyses.every((analysis) => analysis.canForgetThreads === true);
  }

  /** From now on, numbers of variables are used again and, if these can be forgotten, those of threads and of locks. */
  useAgain({ variables, threads, locks }: TraceNames): void {
    variables.useAgain();
    this.#noticing.variables = variables;
    if (this.canForgetLocks) {
      locks.useAgain();
      this.#noticing.locks = locks;
    }
    if (!this.canForgetThreads) return;
    threads.useAgain();
    this.#noticing.threads = threads;
  }

  /** Whether one of them may still find something in which the thread, which does nothing more, has a part. */
  needsThread(thread: number): boolean {
    return this.#analyses.some(
      (analysis, i) => this.runs[i].failure === null && analysis.needsThread!(thread),
    );
  }

  forgetThreads(threads: readonly number[]): void {
    this.runs.forEach((run, i) => {
      measured(run, () => this.#analyses[i].forgetThreads!(threads));
    });
  }

  /** Nobody accesses these variables any more; their numbers are going to be those of others. */
  forget(variables: readonly number[]): void {
    this.runs.forEach((run, i) => {
      measured(run, () => {
        for (const variable of variables) this.#analyses[i].forgetVariable!(variable);
      });
    });
  }

  forgetLocks(locks: readonly number[]): void {
    this.runs.forEach((run, i) => {
      measured(run, () => {
        for (const lock of locks) this.#analyses[i].forgetLock!(lock);
      });
    });
  }

  show(batch: EventBatch): void {
    this.#noticing.batch = batch;
    this.runs.forEach((run, i) => {
      measured(run, () => dispatch(batch, this.#analyses[i]));
    });
    this.#noticing.batch = null;
  }

  finish(events: number): void {
    this.runs.forEach((run, i) => {
      measured(run, () => this.#analyses[i].finish(events));
    });
  }

  #start(description: AnalysisDescription, options: RunOptions): void {
    const violations: ViolationFact[] = [];
    const report = (found: ViolationFact) => {
      if (violations.length > 0 && options.first) return;
      if (violations.length === this.#most) {
        run.leftOut++;
        return;
      }
      const { threads } = this.#noticing;
      const violation = threads === null ? found : { ...found, thread: threads.ordinal(found.thread) };
      violations.push(violation);
      this.#noticing.note(violation);
    };
    const created = description.create({ forkJoin: options.forkJoin, report });
    const analysis = options.forkJoin === 'boundary' ? new BoundaryAtForkAndJoin(created) : created;
    const allocated = options.analyses.length > 1 ? 0 : null;
    const run = { description, analysis, violations, leftOut: 0, milliseconds: 0, allocated, failure: null };
    this.#analyses.push(analysis);
    this.runs.push(run);
  }
}

/**
 * Adds what `work` costs to the run. Memory is asked for in big steps and rarely, so a look a batch suffices. An analysis
 * that fails does not take the others along.
 */
function measured(run: AnalysisRun, work: () => void): void {
  if (run.failure !== null) return;
  const allocatedBefore = run.allocated === null ? 0 : process.memoryUsage().arrayBuffers;
  const start = now();
  try {
    work();
  } catch (error) {
    run.failure = error ?? new Error('nothing was thrown');
  }
  run.milliseconds += now() - start;
  if (run.allocated === null) return;
  // Less than before means that garbage, perhaps of another analysis, was collected meanwhile.
  run.allocated += Math.max(0, process.memoryUsage().arrayBuffers - allocatedBefore);
}
