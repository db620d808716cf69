import { statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';

/*
 * A thread takes as long to start as the command line, so the one for the analyses is started before that is loaded, if the
 * arguments look as if it were needed. This file is part of main.js and of the rest, which find each other by a symbol.
 */

/*
 * Smaller files, of about a million events, are checked sooner without another thread, whose start and end take as long; a binary or
 * compressed trace has more events for its bytes.
 */
const FEWEST_BYTES = 20 << 20;
const FEWEST_BINARY_BYTES = 3 << 20;
/** Programs for each core, by the load of the last minute. */
const BUSY = 1.5;

interface EarlyThread {
  worker: Worker;
  /** Whether it has ended, for whatever reason. */
  isOver: boolean;
}

const EARLY = Symbol.for('trackside.early-thread');

const shared = globalThis as { [EARLY]?: EarlyThread | undefined };

/**
 * Whether a thread for the analyses of this trace is worth it: a second core is free, and the trace is a long file.
 * TRACKSIDE_THREADS says otherwise: 1 for none, 2 for one even if the trace is short.
 */
export function isThreadWorthIt(path: string): boolean {
  const wanted = process.env.TRACKSIDE_THREADS;
  if (wanted === '1' || wanted === '2') return wanted === '2';
  const cores = availableParallelism();
  // Where others use all cores, there is none for a second thread, and starting it is lost.
  if (cores < 2 || loadavg()[0] > BUSY * cores) return false;
  const file = statSync(path, { throwIfNoEntry: false });
  const fewest = /\.(trk|gz)$/.test(path) ? FEWEST_BINARY_BYTES : FEWEST_BYTES;
  return file?.isFile() === true && file.size >= fewest;
}

/** Starts the thread if a trace is going to be checked for which it is worth it. */
export function startEarly(args: readonly string[]): void {
  if (args[0] !== 'check' || args.includes('--first')) return;
  try {
    if (isThreadWorthIt(args.at(-1) as string)) shared[EARLY] = startedThread();
  } catch {
    // What is wrong with the arguments is said by who reads them.
  }
}

function startedThread(): EarlyThread {
  const worker = newThread();
  const thread = { worker, isOver: false };
  const end = () => {
    thread.isOver = true;
  };
  worker.once('error', end);
  worker.once('exit', end);
  // Nobody has to wait for it if it turns out not to be needed.
  worker.unref();
  return thread;
}

/** The thread that was started early, if there is one and nobody has taken it; else a new one. */
export function takeThread(): Worker {
  const early = shared[EARLY];
  shared[EARLY] = undefined;
  if (early === undefined || early.isOver) return newThread();
  early.worker.ref();
  return early.worker;
}

/** Node loads forty modules for threads, most of them for streams, so only those who need one ask for that. */
function newThread(): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  return new Worker(join(import.meta.dirname, 'thread.js'));
}
