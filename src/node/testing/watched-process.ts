import { installHooks } from '../loader/install.ts';
import { LazyTransformer } from '../loader/lazy-transformer.ts';
import { modelsTell } from '../loader/models.ts';
import { selectionIn, type WorkerOptions } from './options.ts';
import { TestWatch } from './test-watch.ts';

const WATCH = Symbol.for('trackside.test-watch');

/** The watch of this process or thread, if it has one. */
export function startedWatch(): TestWatch | undefined {
  return Reflect.get(globalThis, WATCH) as TestWatch | undefined;
}

/** The same, started if need be: it outlives a test file where the runner does not isolate them. */
export function testWatch(options: WorkerOptions): TestWatch {
  const known = startedWatch();
  if (known !== undefined) return known;
  const watch = new TestWatch(options);
  modelsTell(watch.runtime, true);
  // For what the runner leaves to Node: packages, and what tests `require`.
  const selection = selectionIn(options.root, options.instrument, options.proofRun);
  installHooks(new LazyTransformer(selection), {
    given: { options: selection, isWorker: false },
    commonJs: null,
    importModule: (url) => import(url),
  });
  Reflect.set(globalThis, WATCH, watch);
  return watch;
}
