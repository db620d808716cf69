#!/usr/bin/env node
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { scriptsIn } from '../startup/scripts.ts';
import { startEarly } from './early-thread.ts';

// This file is built apart from the rest of the command line, which it loads (see rolldown.config.js).
const COMMAND_LINE = isMainThread ? './command-line.chunk.js' : './analysis-thread.chunk.js';

if (isMainThread) startEarly(import.meta.filename, process.argv.slice(2));

// Code that was kept cannot import on Node 20, so it asks here; the build puts this in the place of `import()`.
const importModule = (id: string) => import(id);
Object.defineProperty(globalThis, Symbol.for('trackside.import'), { value: importModule });

const require = createRequire(import.meta.filename);

if (process.env.TRACKSIDE_DEBUG) {
  // The files of the command line are small for the sake of a quick start; bugs are looked for in the sources.
  process.setSourceMapsEnabled(true);
  require(COMMAND_LINE);
} else {
  const scripts = scriptsIn(import.meta.dirname, require, isMainThread ? '' : 'thread');
  process.once('exit', () => scripts.keep());
  scripts.require(COMMAND_LINE);
}
