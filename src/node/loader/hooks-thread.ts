import { createRequire } from 'node:module';
import { scriptsIn } from '../../startup/scripts.ts';
import type * as Hooks from './hooks.ts';

/* What Node below 22.15 runs in a thread of its own. */
const scripts = scriptsIn(import.meta.dirname, createRequire(import.meta.filename));
const { makeHooks } = scripts.require('./hooks.cjs') as typeof Hooks;

export const { initialize, resolve, load } = makeHooks(() => scripts.keep());
