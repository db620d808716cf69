import Module from 'node:module';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { installHooks } from '../loader/install.ts';
import { startWorker } from '../loader/program.ts';
import { loadSchedule } from '../schedule/load.ts';
import { CachedTransformer } from './cached-transformer.ts';
import { START_KEY, type WorkerStart } from './worker-start.ts';

/* The first thing that runs in a worker of the program. The worker's own file follows as if it had been the first. */

const start = getEnvironmentData(START_KEY) as unknown as WorkerStart;
setEnvironmentData(START_KEY, undefined as never);
process.argv[1] = start.file;
const { schedule } = start.program;
const { recorder } = startWorker(start, schedule && (await loadSchedule(schedule)));
installHooks(new CachedTransformer(start.program), {
  url: new URL('../loader/worker-hooks.js', import.meta.url),
  data: start.program,
});
// As for the program itself: not in the middle of the queue of microtasks.
setImmediate(() => {
  recorder.enterMain();
  (Module as unknown as { runMain(file: string): void }).runMain(start.file);
});
