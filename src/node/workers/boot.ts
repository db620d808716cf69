import { createRequire } from 'node:module';
import { getEnvironmentData } from 'node:worker_threads';
import { START_KEY } from './worker-start.ts';

/*
 * The first thing that runs in a worker of the program, by `--require`: what the worker is made of follows as without us.
 * Threads that Node itself starts for a worker, such as that of hooks, inherit the option and have nothing to do here.
 */
if (getEnvironmentData(START_KEY) !== undefined)
  createRequire(import.meta.url)('../loader/worker-program.cjs');
