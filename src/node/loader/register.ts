import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { isForTests } from '../testing/node-test-process.ts';
import { hideOwnArguments } from './own-arguments.ts';
import { hasProgramOptions } from './program-options.ts';

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
