import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { scriptsIn } from '../../startup/scripts.ts';
import { hideOwnArguments } from '../loader/own-arguments.ts';
import type * as Main from './main-thread.ts';

/*
 * Loaded before the program's first line, in the program's process: `trackside run` and `trackside record` start it with
 * `node --require`. Unlike with `--import`, Node then loads the program as ever, and not in the middle of the queue of
 * microtasks.
 */
const require = createRequire(import.meta.filename);
delete require.cache[import.meta.filename];
hideOwnArguments();
// A worker that is followed gets its hooks by other means.
if (isMainThread) {
  const scripts = scriptsIn(import.meta.dirname, require);
  const { startMainThread } = scripts.require('./main-thread.cjs') as typeof Main;
  startMainThread(
    () => scripts.keep(),
    (url) => import(url),
  );
}
