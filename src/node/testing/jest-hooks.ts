import { tell } from './failure.ts';
import { JEST_WATCH } from './provided.ts';
import type { TestWatch } from './test-watch.ts';

/* Jest loads this when its own functions are there, and before the test file. */

type Hook = (run: () => void) => void;

const { afterEach, afterAll } = globalThis as unknown as { afterEach: Hook; afterAll: Hook };
const { warn } = console;
const watch = Reflect.get(globalThis, JEST_WATCH) as TestWatch;

// Jest says nothing about a test before it begins, so with `test.concurrent` it is the first to end that fails.
afterEach(() => tell(watch.endAll(), 'What this test ran was not atomic.', watch.options, warn));

afterAll(() => {
  try {
    tell(watch.endAll(), 'What went on after the end of a test was not atomic.', watch.options, warn);
  } finally {
    // The process goes on with another file.
    watch.finish();
  }
});
