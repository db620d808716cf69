import { createRequire } from 'node:module';
import { getEnvironmentData } from 'node:worker_threads';
import { scriptsIn } from '../../startup/scripts.ts';
import { hideOwnArguments } from '../loader/own-arguments.ts';
import type * as Program from './program.ts';
import { START_KEY } from './worker-start.ts';

/*
 * The first thing that runs in a worker of the program, by `--require`: what the worker is made of follows as without us.
 * Threads that Node itself starts for a worker, such as that of hooks, inherit the option and have nothing to do here.
 */
const require = createRequire(import.meta.filename);
delete require.cache[import.meta.filename];
hideOwnArguments();
if (getEnvironmentData(START_KEY) !== undefined) {
  const scripts = scriptsIn(import.meta.dirname, require);
  const { startWorkerProgram } = scripts.require('./worker-program.cjs') as typeof Program;
  startWorkerProgram((url) => import(url));
}
