import { inspect } from 'node:util';
import vm from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startRuntime } from '../../../src/node/runtime/index.ts';
import { randomTypedArrays } from '../../support/random-typed-arrays.ts';
import { instrumented } from '../../support/run-snippet.ts';

const RUNS = Number(process.env.TRACKSIDE_RANDOM_PROGRAMS ?? 60);

/** What a program logs; a syntax error is a log of its own. */
function logOf(code: string): string[] {
  const lines: string[] = [];
  const log = (...values: unknown[]) => lines.push(values.map((value) => inspect(value)).join(' '));
  try {
    vm.runInThisContext(`(function (log) {${code}\n})`)(log);
  } catch (error) {
    log('threw', (error as Error).name);
  }
  return lines;
}

/** Expressions that messages quote are those of the instrumented program. */
function withoutQuotations(log: string[]): string[] {
  return log.map((line) => line.replace(/'[^']*(?: is not |Cannot )[^']*'/g, 'message'));
}

it('random programs about typed arrays do the same with and without probes', () => {
  const sources = fc.sample(randomTypedArrays, { numRuns: RUNS, seed: Date.now() % 2 ** 31 });
  const plain = sources.map((source) => logOf(source));
  const runtime = startRuntime();
  try {
    runtime.sharedMemory.activate();
    sources.forEach((source, i) => {
      if (plain[i][0]?.includes('SyntaxError')) return;
      const log = logOf(instrumented(source));
      expect(withoutQuotations(log), source).toEqual(withoutQuotations(plain[i]));
    });
  } finally {
    runtime.finish();
  }
  expect(plain.filter((log) => log.length > 3).length).toBeGreaterThan(RUNS / 2);
});

/** How the functions of an object look from outside. */
function looks(holder: object): unknown[] {
  return Reflect.ownKeys(holder).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    const f = descriptor?.value;
    if (typeof f !== 'function') return [];
    return [[key, f.name, f.length, Reflect.ownKeys(f).map(String).sort(), { ...descriptor, value: null }]];
  });
}

const HOLDERS = [
  Atomics,
  Object.getPrototypeOf(Uint8Array.prototype),
  DataView.prototype,
  Buffer.prototype,
  TextDecoder.prototype,
];

it('functions that are replaced look as they did, and are put back', () => {
  const before = HOLDERS.map(looks);
  const { load } = Atomics;
  const runtime = startRuntime();
  runtime.sharedMemory.activate();
  expect(HOLDERS.map(looks)).toEqual(before);
  expect(Atomics.load).not.toBe(load);
  runtime.finish();
  expect(HOLDERS.map(looks)).toEqual(before);
  expect(Atomics.load).toBe(load);
});
