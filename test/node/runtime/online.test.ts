import { expect, it } from 'vitest';
import { record } from './support.ts';

const { setImmediate: later } = globalThis;
const world = { turn: () => new Promise((resolve) => later(resolve)) };

it('reports a violation in each of the blocks around it', async () => {
  const { violations } = await record(
    `const account = { balance: 0 };
async function add(n) {
  const old = account.balance;
  await turn();
  account.balance = old + n;
}
async function request(n) {
  await add(n);
}
module.exports = Promise.all([request(1), request(2)]);`,
    world,
  );
  expect(violations.map(({ label, task }) => [label, task])).toEqual([
    ['request', 'request#2'],
    ['add', 'request#2'],
  ]);
});

it('says nothing of a program that waits for its tasks one by one', async () => {
  const { violations } = await record(
    `const account = { balance: 0 };
     async function add(n) { const old = account.balance; await turn(); account.balance = old + n; }
     module.exports = add(1).then(() => add(2));`,
    world,
  );
  expect(violations).toEqual([]);
});

it('hands everything over when it is told to, even in the middle of a call', async () => {
  const flushed: number[] = [];
  const { trace, violations } = await record(
    `const account = { balance: 0 };
     async function add(n) { const old = account.balance; flush(); await turn(); account.balance = old + n; flush(); }
     async function outer(n) { await add(n); flush(); }
     module.exports = Promise.all([outer(1), outer(2)]);`,
    { ...world, flush: () => flushers[0]() },
    (runtime) => {
      flushers[0] = () => {
        runtime.flush();
        flushed.push(runtime.recorder.tasks.log.length);
      };
    },
  );
  expect(flushed).toEqual([0, 0, 0, 0, 0, 0]);
  expect(trace.length).toBeGreaterThan(0);
  expect(violations.map(({ label }) => label)).toContain('outer');
});

const flushers: (() => void)[] = [];
