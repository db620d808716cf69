import { stat } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ForkJoin, Outcome, ViolationFact } from '../analyses/analysis.ts';
import type { AnalysisRun, Noticed, RunOptions } from '../check/analysis-runs.ts';
import type { AnalysisThread } from '../check/check.ts';
import { OutgoingBatches, sharedBatches } from '../check/shared-batches.ts';
import type { EventBatch } from '../trace/batch.ts';

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
    milliseconds: number;
    allocated: number | null;
  }[];
  noticed: Noticed;
}

/* Smaller files are checked before a thread has started; a binary or packed trace has more events for its bytes. */
const FEWEST_BYTES = 6 << 20;
const FEWEST_PACKED_BYTES = 3 << 19;
/** Programs for each core, by the load of the last minute. */
const BUSY = 1.5;

/**
 * A thread for the analyses, if that is worth it: a second core is free, the trace is a long file, and it is going to be
 * read to its end. TRACKSIDE_THREADS says otherwise: 1 for none, 2 for one even if the trace is short.
 */
export async function analysisThread(path: string, options: RunOptions): Promise<AnalysisThread | null> {
  const wanted = process.env.TRACKSIDE_THREADS;
  if (options.first || path === '-' || wanted === '1') return null;
  return wanted === '2' || (await isWorthIt(path)) ? new AnalysisWorker(options) : null;
}

async function isWorthIt(path: string): Promise<boolean> {
  const cores = availableParallelism();
  // Where others use all cores, there is none for a second thread, and starting it is lost.
  if (cores < 2 || loadavg()[0] > BUSY * cores) return false;
  const file = await stat(path).catch(() => null);
  const fewest = /\.(trk|gz)$/.test(path) ? FEWEST_PACKED_BYTES : FEWEST_BYTES;
  return file?.isFile() === true && file.size >= fewest;
}

class AnalysisWorker implements AnalysisThread {
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
    this.#outgoing = new OutgoingBatches(batches);
    // The same file starts the command line and, in a thread, what runs there.
    this.#worker = new Worker(join(import.meta.dirname, 'main.js'), { workerData: task });
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

  async finish(): Promise<{ runs: AnalysisRun[]; noticed: Noticed } | null> {
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
    return { runs, noticed: found.noticed };
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
