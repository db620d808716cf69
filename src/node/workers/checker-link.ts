import { writeSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { cacheEnvironment } from '../../startup/code-cache.ts';
import { CHECKER, CheckerState, ENDING, PROGRESS, type Region } from '../isolates/region.ts';
import { secretly } from '../support/quietly.ts';
import type { CheckerData } from './checker.ts';

/** The program's own are replaced. */
const { load, store, wait } = Atomics;

/** The checker thread is waited for as long as it gets on, but no longer than this without. */
const LONGEST_WAIT_MS = 20_000;
const LOOK_MS = 250;

/** Starts the thread that reads what all isolates write. It keeps nothing alive. */
export function startChecker(MakeWorker: typeof Worker, region: Region, data: CheckerData): void {
  const checker = secretly(
    () =>
      new MakeWorker(new URL('../loader/checker-boot.cjs', import.meta.url), {
        workerData: { ...data, region: region.buffer },
        execArgv: [],
        env: cacheEnvironment(),
      }),
  );
  checker.unref();
  checker.on('error', (error) => {
    store(region.header, CHECKER, CheckerState.failed);
    region.tellAll();
    writeSync(2, `trackside: the trace ends here, as the thread that writes it has died: ${error.message}\n`);
  });
}

/** Waits until all that was written to the rings is in the trace. */
export function finishChecker(region: Region): void {
  const { header } = region;
  region.end(0);
  store(header, ENDING, 1);
  region.ringBell();
  let progress = load(header, PROGRESS);
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += LOOK_MS) {
    const state = load(header, CHECKER);
    if (state === CheckerState.finished || state === CheckerState.failed) return;
    wait(header, CHECKER, state, LOOK_MS);
    const now = load(header, PROGRESS);
    if (now !== progress) waited = 0;
    progress = now;
  }
  store(header, CHECKER, CheckerState.failed);
  writeSync(
    2,
    `trackside: the trace is not complete: the thread that writes it has done nothing for ${LONGEST_WAIT_MS / 1000} seconds\n`,
  );
}
