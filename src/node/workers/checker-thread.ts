import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { CHECKER, CheckerState, Region } from '../isolates/region.ts';
import { runChecker } from './checker.ts';

/** Reads what all isolates of a program write, and makes one trace of it; `keep` is called before that is told. */
export async function runCheckerThread(keep: () => void): Promise<void> {
  const region = new Region(workerData.region);
  try {
    await runChecker(region, workerData);
    keep();
    Atomics.store(region.header, CHECKER, CheckerState.finished);
  } catch (error) {
    Atomics.store(region.header, CHECKER, CheckerState.failed);
    writeSync(
      2,
      `trackside: the trace ends here, as the thread that writes it has failed: ${(error as Error).stack}\n`,
    );
  }
  region.tellAll();
}
