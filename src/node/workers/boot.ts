import Module from 'node:module';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { installHooks } from '../loader/install.ts';
import { declaredFormat } from '../loader/module-kind.ts';
import { startWorker } from '../loader/program.ts';
import { loadSchedule } from '../schedule/load.ts';
import { CachedTransformer } from './cached-transformer.ts';
import { START_KEY, type WorkerStart } from './worker-start.ts';

/** What is done in a worker of the program before its own file, which follows as if it had been the first. */
export function bootWorker(): void {
  const start = getEnvironmentData(START_KEY) as unknown as WorkerStart;
  setEnvironmentData(START_KEY, undefined as never);
  process.argv[1] = start.file;
  const given = { options: start.program, isWorker: true } as const;
  const commonJs = declaredFormat(start.file) === 'commonjs' ? start.file : null;
  installHooks(new CachedTransformer(start.program), given, commonJs);
  const { recorder } = startWorker(start, loadSchedule(start.program.schedule));
  // As for the program itself: not in the middle of the queue of microtasks.
  setImmediate(() => {
    recorder.enterMain();
    (Module as unknown as { runMain(file: string): void }).runMain(start.file);
  });
}
