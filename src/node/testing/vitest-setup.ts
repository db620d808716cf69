import { getFn, setFn } from '@vitest/runner';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { tell } from './failure.ts';
import { PROVIDED } from './provided.ts';
import type { WatchedTest } from './test-watch.ts';
import { testWatch } from './watched-process.ts';

/* Vitest runs this before each test file, and before any other setup file. */

if (process.env.VITEST_VM_POOL !== undefined)
  throw new Error('trackside: tests in vmThreads or vmForks cannot be watched; set pool to forks or threads');

const { warn } = console;
const watch = testWatch(inject(PROVIDED as never));

type VitestTest = Parameters<typeof setFn>[0];

const watched = new WeakMap<VitestTest, WatchedTest>();
const functions = new WeakSet<() => unknown>();

beforeEach(({ task }) => {
  const test = task as VitestTest;
  watched.set(test, watch.begin(test.name));
  const run = getFn(test);
  // A test that is tried again has got one from us already.
  if (functions.has(run)) return;
  const inOwnTask = () => watch.run(watched.get(test) as WatchedTest, run) as Promise<void>;
  functions.add(inOwnTask);
  setFn(test, inOwnTask);
});

// Hooks after a test run in reverse order: those of the test file come first, and are part of the test.
afterEach(({ task }) => {
  const test = watched.get(task as VitestTest);
  if (test !== undefined) tell(watch.end(test), 'What this test ran was not atomic.', watch.options, warn);
});

afterAll(() => {
  tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
});
