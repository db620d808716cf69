import type { Worker } from 'node:worker_threads';
import type { ForkJoin, Outcome, ViolationFact } from '../analyses/analysis.ts';
import type { AnalysisRun, Noticed, RunOptions } from '../check/analysis-runs.ts';
import type { AnalysisThread, FoundByThread } from '../check/check.ts';
import { OutgoingBatches, sharedBatches } from '../check/shared-batches.ts';
import { SentNames } from '../formats/sent-names.ts';
import type { EventBatch } from '../trace/batch.ts';
import type { NameSegments } from '../trace/name-bytes.ts';
import { NameTable } from '../trace/name-table.ts';
import { isThreadWorthIt, takeThread } from './early-thread.ts';

/** What the thread is told. */
export interface ThreadTask {
  batches: SharedArrayBuffer;
  /** By name. */
  analyses: readonly string[];
  forkJoin: ForkJoin;
}

/** What it tells, unless it fails. */
export interface FoundThere {
  runs: {
    outcome: Outcome;
    violations: ViolationFact[];
    leftOut: number;
    milliseconds: number;
    allocated: number | null;
  }[];
  noticed: Noticed;
  /** The names of variables, if they were sent. */
  variables: NameSegments | null;
}

/** A thread for the analyses, if that is worth it, and the trace is going to be read to its end. */
export async function analysisThread(path: string, options: RunOptions): Promise<AnalysisThread | null> {
  return options.first || path === '-' || !isThreadWorthIt(path) ? null : new AnalysisWorker(options);
}

class AnalysisWorker implements AnalysisThread {
  readonly sentNames = new SentNames();
  readonly #options: RunOptions;
  readonly #outgoing: OutgoingBatches;
  readonly #worker: Worker;
  readonly #found: Promise<FoundThere | null>;
  #isDead = false;

  constructor(options: RunOptions) {
    const batches = sharedBatches();
    const task: ThreadTask = {
      batches,
      analyses: options.analyses.map(({ name }) => name),
      forkJoin: options.forkJoin,
    };
    this.#options = options;
    this.#outgoing = new OutgoingBatches(batches, this.sentNames);
    this.#worker = takeThread();
    this.#worker.postMessage(task);
    this.#found = new Promise((resolve) => {
      const giveUp = () => {
        this.#isDead = true;
        resolve(null);
      };
      this.#worker.once('message', resolve);
      this.#worker.once('error', giveUp);
      this.#worker.once('exit', giveUp);
    });
  }

  async show(batch: EventBatch): Promise<boolean> {
    return this.#outgoing.put(batch) || this.#putLater(batch);
  }

  async finish(): Promise<FoundByThread | null> {
    await this.#putLater(null);
    const found = await this.#found;
    if (found === null) return null;
    const runs = found.runs.map(
      ({ outcome, ...rest }, i): AnalysisRun => ({
        ...rest,
        description: this.#options.analyses[i],
        analysis: { outcome: () => outcome },
        failure: null,
      }),
    );
    return { runs, noticed: found.noticed, variables: found.variables && NameTable.of(found.variables) };
  }

  async #putLater(batch: EventBatch | null): Promise<boolean> {
    while (!this.#outgoing.put(batch)) {
      if (this.#isDead || this.#outgoing.isAbandoned) return false;
      // A thread that dies is heard of here.
      await new Promise(setImmediate);
    }
    return true;
  }

  stop(): void {
    void this.#worker.terminate();
  }
}
