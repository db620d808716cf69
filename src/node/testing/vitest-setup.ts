import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { tell } from './failure.ts';
import { PROVIDED } from './provided.ts';
import { beginTest, watchedTest } from './vitest-tests.ts';
import { testWatch } from './watched-process.ts';

/* Vitest runs this before each test file, and before any other setup file. */

if (process.env.VITEST_VM_POOL !== undefined)
  throw new Error('trackside: tests in vmThreads or vmForks cannot be watched; set pool to forks or threads');

/** Milliseconds that a hook may take. */
const LONGEST_PROOF_MS = 300_000;

const { warn } = console;
const watch = testWatch(inject(PROVIDED as never));

/** What is proved takes as many runs of the test as that needs. */
const patience = watch.options.prove ? LONGEST_PROOF_MS : undefined;

beforeEach(({ task }) => beginTest(watch, task));

// Hooks after a test run in reverse order: those of the test file come first, and are part of the test.
afterEach(({ task }) => {
  const test = watchedTest(task);
  if (test === undefined) return;
  const place = { file: task.file.filepath, name: fullName(task) };
  tell(watch.end(test, place), 'What this test ran was not atomic.', watch.options, warn);
}, patience);

afterAll(() => {
  tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
  // Such a run is of one test alone.
  if (watch.options.proofRun !== null) watch.finish();
});

/** As `--testNamePattern` has it. */
function fullName({ name, suite }: { name: string; suite?: { name: string } | undefined }): string {
  return suite === undefined ? name : `${fullName(suite)} ${name}`;
}
