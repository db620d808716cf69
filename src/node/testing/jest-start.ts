import { JEST_WATCH, PROVIDED_GLOBAL } from './provided.ts';
import { TestWatch } from './test-watch.ts';

/*
 * Jest runs each test file in a realm of its own, with its own `Promise` and `Map`, and this file first in it. So the
 * runtime is started anew there; it is a bundle in CommonJS, because Jest loads nothing else.
 */
Reflect.set(globalThis, JEST_WATCH, new TestWatch(Reflect.get(globalThis, PROVIDED_GLOBAL)));
