import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { tell } from './failure.ts';
import { PROVIDED } from './provided.ts';
import { beginTest, watchedTest } from './vitest-tests.ts';
import { testWatch } from './watched-process.ts';

/* Vitest runs this before each test file, and before any other setup file. */

if (process.env.VITEST_VM_POOL !== undefined)
  throw new Error('trackside: tests in vmThreads or vmForks cannot be watched; set pool to forks or threads');

const { warn } = console;
const watch = testWatch(inject(PROVIDED as never));

beforeEach(({ task }) => beginTest(watch, task));

// Hooks after a test run in reverse order: those of the test file come first, and are part of the test.
afterEach(({ task }) => {
  const test = watchedTest(task);
  if (test !== undefined) tell(watch.end(test), 'What this test ran was not atomic.', watch.options, warn);
});

afterAll(() => {
  tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
});
