import { createRequire } from 'node:module';
import { scriptsIn } from '../../startup/scripts.ts';
import type * as CheckerThread from './checker-thread.ts';

/* The first thing that runs in the thread which makes one trace of what all isolates of a program write. */
const scripts = scriptsIn(import.meta.dirname, createRequire(import.meta.filename));
const { runCheckerThread } = scripts.require('./checker-thread.cjs') as typeof CheckerThread;
void runCheckerThread(() => scripts.keep());
