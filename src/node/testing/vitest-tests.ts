import type { TestWatch, WatchedTest } from './test-watch.ts';
import { startedWatch } from './watched-process.ts';

/*
 * The tests of this process that are running. Vitest loads the setup file and the runner as modules of the project, and
 * this one is loaded by Node, once for both.
 */

const watched = new WeakMap<object, WatchedTest>();

export function beginTest(watch: TestWatch, test: { name: string }): void {
  watched.set(test, watch.begin(test.name));
}

export function watchedTest(test: object): WatchedTest | undefined {
  return watched.get(test);
}

/** Runs the function of a test in a task of its own. */
export function runTest<T>(test: object, run: () => T): T {
  const watch = startedWatch();
  const known = watched.get(test);
  return watch === undefined || known === undefined ? run() : watch.run(known, run);
}
