import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData } from 'node:worker_threads';
import { START_KEY } from './worker-start.ts';

/*
 * The first thing that runs in a worker of the program, by `--require`: what the worker is made of follows as without us.
 * Threads that Node itself starts for a worker, such as that of hooks, inherit the option and have nothing to do here.
 */
const require = createRequire(import.meta.url);
const own = fileURLToPath(new URL('./', import.meta.url));
const before = new Set(Object.keys(require.cache).filter((file) => !file.startsWith(own)));
if (getEnvironmentData(START_KEY) !== undefined) require('../loader/worker-program.cjs');
// What is only ours is nothing that the program has loaded.
for (const file of Object.keys(require.cache)) if (!before.has(file)) delete require.cache[file];
