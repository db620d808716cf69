/*
 * Runs a piece of JavaScript in a realm of its own, plain or instrumented, and gives back what it logged.
 */

import { inspect } from 'node:util';
import { createContext, Script } from 'node:vm';
import { type InstrumentOptions, instrument } from '../../src/node/instrument/instrument.ts';
import { passThroughProbes } from './pass-through-probes.ts';

const RUNTIME_URL = 'data:text/javascript,unused';

export function instrumented(source: string, options: Partial<InstrumentOptions> = {}): string {
  const result = instrument(source, {
    path: 'file.js',
    displayPath: 'file.js',
    format: 'commonjs',
    language: 'js',
    runtimeUrl: RUNTIME_URL,
    wantMap: false,
    ...options,
  });
  const failed = result.warnings.find((warning) => warning.includes('not instrumented'));
  if (failed !== undefined) throw new Error(`${failed}\n${source}`);
  return result.code;
}

/**
 * The log of a CommonJS module that is given `log`. What it throws is logged too. The module is followed until
 * nothing is left in the queues of promises and timers.
 */
export async function logOf(code: string, saw: (probe: string) => void = () => {}): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]): void => {
    lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
  };
  let waiting = 0;
  const later = (callback: () => void): void => {
    waiting++;
    setImmediate(() => {
      waiting--;
      callback();
    });
  };
  const context = createContext({
    log,
    later,
    [Symbol.for('trackside.runtime')]: passThroughProbes(saw),
  });
  const report = (error: unknown): void => log(`threw ${String(error)}`);
  try {
    // As Node does it: the module is the body of a function.
    const wrapper = new Script(`(function (exports, require, module) {${code}\n})`, { filename: 'file.js' });
    const module = { exports: {} };
    const main = wrapper.runInContext(context);
    const result = main.call(module.exports, module.exports, undefined, module);
    if (result instanceof Object && 'then' in result) await Promise.resolve(result).catch(report);
  } catch (error) {
    report(error);
  }
  do {
    await new Promise((resolve) => setImmediate(resolve));
  } while (waiting > 0);
  return lines;
}
