import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { hideOwnArguments } from '../loader/own-arguments.ts';
import { hasProgramOptions } from '../loader/program-options.ts';
import { isForTests } from '../testing/node-test-process.ts';

const require = createRequire(import.meta.url);
require('../../startup/supported-node.cjs');

/* `node --import trackside/register app.js`: loaded before the program's first line, in the program's process. */
if (isMainThread && !hasProgramOptions() && isForTests()) {
  hideOwnArguments();
  const { watchNodeTests } = await import('../testing/node-test.ts');
  await watchNodeTests();
} else {
  require('../loader/start.cjs');
}
