import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonReport } from '../../src/check/json-results.ts';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

/** Two calls that read a property, wait, and write it. */
function program(name: string, property: string, value: string, change: string): string {
  return folder.write(
    `${name}.mjs`,
    `const state = { ${property}: ${value} };
async function act() {
  const old = state.${property};
  await null;
  state.${property} = ${change};
}
await Promise.all([act(), act()]);
`,
  );
}

/** What was read, written by the other one, and written, as the JSON report has it; and the text. */
function values(file: string, ...options: string[]) {
  const results = `${file}.json`;
  const run = trackside(
    ['run', '--no-live', ...options, '--reporter', 'text', '--reporter', `json=${results}`, file],
    {
      cwd: folder.path,
    },
  );
  const report = JSON.parse(readFileSync(results, 'utf8')) as JsonReport;
  const found = report.results[0].violations[0].interference;
  if (found == null) throw new Error('nothing was found');
  return { told: [found.first.value, found.between.value, found.last.value], text: run.stderr + run.stdout };
}

describe('trackside run', () => {
  it('tells what was read and written', () => {
    const { told, text } = values(program('number', 'balance', '100', 'old - 70'));
    expect(told).toEqual(['100', '30', '30']);
    expect(text).toContain('It read 100; act#1 wrote 30; it wrote 30.');
    expect(text).toContain('r(state.balance) = 100');
  });

  it('tells short strings, and cuts long ones', () => {
    const { told } = values(program('string', 'text', "'open'", "old + 'b'.repeat(50)"));
    const cut = `"open${'b'.repeat(19)}…"`;
    expect(told).toEqual(['"open"', cut, cut]);
  });

  it('tells the last of several values that a step has written at one place', () => {
    const file = folder.write(
      'steps.mjs',
      `const state = { n: 0 };
async function act() {
  const old = state.n;
  await null;
  for (const more of [1, 2]) state.n = old + more;
}
await Promise.all([act(), act()]);
`,
    );
    expect(values(file).told).toEqual(['0', '2', '2']);
  });

  it('tells what was read and written in a worker', () => {
    const file = folder.write(
      'worker.mjs',
      `import { once } from 'node:events';
import { isMainThread, Worker } from 'node:worker_threads';
const state = { n: 100 };
async function act() {
  const old = state.n;
  await null;
  state.n = old - 70;
}
if (isMainThread) await once(new Worker(new URL(import.meta.url)), 'exit');
else await Promise.all([act(), act()]);
`,
    );
    expect(values(file).told).toEqual(['100', '30', '30']);
  });

  it('never tells what looks like a secret, nor objects', () => {
    const nothing = [undefined, undefined, undefined];
    expect(values(program('secret', 'password', "'hunter2'", "old + '3'")).told).toEqual(nothing);
    expect(values(program('object', 'list', '[1]', '[...old, 2]')).told).toEqual(nothing);
  });

  it('records no values with --no-values', () => {
    const { told, text } = values(program('none', 'balance', '100', 'old - 70'), '--no-values');
    expect(told).toEqual([undefined, undefined, undefined]);
    expect(text).not.toContain('wrote 30');
  });
});
