import { describe, expect, test } from 'vitest';
import type { ScheduleKind } from '../../../src/trace/schedule-options.ts';
import { temporaryFolder } from '../../cli/run.ts';
import { scheduled } from './scheduled.ts';

/* The same seed gives the same run again: the same trace, byte for byte. */

const { write } = temporaryFolder();

/** A generator of numbers below `n`, of our own so that the programs are always the same. */
function numbers(seed: number): (n: number) => number {
  let state = seed * 2654435761;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0;
    return state % n;
  };
}

/** What a task does next; `x` stands for a variable. */
const STEPS = [
  'await null;',
  'await pause(PAUSE);',
  'await new Promise((resolve) => setTimeout(resolve, PAUSE));',
  'await new Promise(setImmediate);',
  'await turn();',
  'shared.x++;',
  'shared.x = shared.x + 1;',
  '{ const { x } = shared; await pause(PAUSE); shared.x = x + 1; }',
  'await fsp.writeFile(file(N), String(shared.x));',
  'await fsp.appendFile(file(N), "more");',
  'shared.x += (await fsp.readFile(file(N), "utf8").catch(() => "")).length;',
  'await new Promise((resolve) => fs.stat(file(N), resolve));',
  'setTimeout(() => { shared.x += 2; }, PAUSE);',
  'setImmediate(() => { shared.x *= 2; });',
  'queueMicrotask(() => { shared.x -= 1; });',
  'process.nextTick(() => { shared.x %= 1000; });',
  'pause(PAUSE).then(() => { shared.x ^= 1; });',
  'for await (const n of counting(N)) shared.x += n;',
  'await Promise.race([pause(PAUSE), turn()]);',
  'await Promise.all([leaf(PAUSE), leaf(N)]);',
  'leaf(PAUSE);',
  '{ const timer = setInterval(() => { shared.x++; if (shared.x % 3 === 0) clearInterval(timer); }, PAUSE); }',
] as const;

function program(seed: number): string {
  const below = numbers(seed);
  const step = () =>
    STEPS[below(STEPS.length)]
      .replaceAll('PAUSE', String(1 + below(6)))
      .replaceAll(/\bN\b/g, String(below(3)))
      .replaceAll(/\bx\b/g, 'abc'[below(3)]);
  const tasks = Array.from({ length: 5 }, (_, i) => {
    const steps = Array.from({ length: 4 }, step).map((text) => `  ${text}`);
    return `async function task${i}() {\n${steps.join('\n')}\n}`;
  });
  return `
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
const shared = { a: 1, b: 2, c: 3 };
const file = (n) => \`\${process.argv[1]}-\${n}.txt\`;
async function* counting(n) { for (let i = 0; i < n; i++) { await pause(1); yield i; } }
async function leaf(n) { await pause(n); shared.a += n; return turn(); }
${tasks.join('\n')}
for (let n = 0; n < 3; n++) await fsp.rm(file(n), { force: true });
await Promise.all([task0(), task1(), task2(), task3(), task4()]);
await pause(30);
console.log(JSON.stringify(shared));
`;
}

const PROGRAMS = 6;

describe.concurrent('a program of promises, timers, immediates and files', () => {
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const kind: ScheduleKind = (['random', 'provoke', 'pct'] as const)[seed % 3];
    test(`runs the same again: ${seed}, ${kind}`, async ({ expect }) => {
      const entry = write(`program-${seed}.mjs`, program(seed));
      const first = await scheduled(entry, kind, seed);
      const second = await scheduled(entry, kind, seed);
      expect(first.stderr).toBe('');
      expect(first.code).toBe(0);
      expect(second.stdout).toBe(first.stdout);
      expect(second.trace === first.trace).toBe(true);
    });
  }
});

const ORDER = `
import { setTimeout as pause } from 'node:timers/promises';
const order = [];
async function task(n) { await pause(2); order.push(n); await null; order.push(n); await pause(2); order.push(n); }
await Promise.all([1, 2, 3, 4].map(task));
console.log(order.join(''));
`;

test('other seeds give other orders', async () => {
  const entry = write('order.mjs', ORDER);
  for (const kind of ['random', 'pct'] as const) {
    const runs = await Promise.all([1, 2, 3].map((seed) => scheduled(entry, kind, seed)));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBeGreaterThan(1);
  }
});
