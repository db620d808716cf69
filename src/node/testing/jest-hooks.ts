import { tell } from './failure.ts';
import { JEST_WATCH } from './provided.ts';
import type { TestPlace } from './runner-command.ts';
import type { TestWatch } from './test-watch.ts';

/* Jest loads this when its own functions are there, and before the test file. */

type Hook = (run: () => void, timeout?: number) => void;

interface JestExpect {
  getState(): { currentTestName?: string; testPath?: string };
}

/** Milliseconds that a hook may take where what is found is proved. */
const LONGEST_PROOF_MS = 300_000;

const { afterEach, afterAll, expect } = globalThis as unknown as {
  afterEach: Hook;
  afterAll: Hook;
  expect?: JestExpect;
};
const { warn } = console;
const watch = Reflect.get(globalThis, JEST_WATCH) as TestWatch;

// Jest says nothing about a test before it begins, so with `test.concurrent` it is the first to end that fails.
afterEach(
  () => tell(watch.endAll(currentTest()), 'What this test ran was not atomic.', watch.options, warn),
  watch.options.prove ? LONGEST_PROOF_MS : undefined,
);

afterAll(() => {
  try {
    tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
  } finally {
    // The process goes on with another file.
    watch.finish();
  }
});

function currentTest(): TestPlace | null {
  const { currentTestName: name, testPath: file } = expect?.getState() ?? {};
  return name === undefined || file === undefined ? null : { name, file };
}
