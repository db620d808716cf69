import { expect, it } from 'vitest';
import { atomic, lock, read, write } from '../../../src/node/markers.ts';
import { record, told } from './support.ts';

const { setImmediate: later } = globalThis;
const turn = () => new Promise((resolve) => later(resolve));
const world = { turn, atomic, read, write, lock };

it('markers are plain calls where nothing is watched', async () => {
  read('row');
  write('row');
  expect(atomic('a', () => 1)).toBe(1);
  expect(await lock('l', async () => 2)).toBe(2);
});

it('markers make blocks and accesses', async () => {
  const recording = await record(
    `const pay = () => atomic('pay', async () => { read('row 1'); await turn(); write('row 1'); });
     module.exports = Promise.all([pay(), pay()]);`,
    world,
  );
  expect(told(recording)).toBe(
    [
      'main: fork pay#1',
      'pay#1: begin pay, r "row 1"',
      'main: fork pay#2',
      'pay#2: begin pay, r "row 1"',
      'pay#1: w "row 1", end',
      'pay#2: w "row 1", end',
    ].join('\n'),
  );
});

it('a marker gives a block its name, but functions that it calls keep theirs', async () => {
  const { judged } = await record(
    `const seats = new Map();
     async function take(seat) { await turn(); seats.set(seat, 1); }
     const book = (seat) => atomic('booking', async () => { if (!seats.has(seat)) await take(seat); });
     const pay = (seat) => atomic('paying', () => check(seat));
     async function check(seat) { if (!seats.has(seat)) { await turn(); seats.set(seat, 2); } }
     module.exports = Promise.all([book('a'), book('a'), pay('b'), pay('b')]);`,
    world,
  );
  expect(judged.map(({ label, around }) => [label, ...around])).toEqual([['booking'], ['check', 'paying']]);
});

it('markers make blocks of functions that do not wait', async () => {
  const recording = await record(
    `const s = { x: 0 };
     async function other() { await turn(); s.x = 1; }
     atomic('now', () => { s.x = 2; });
     module.exports = other();`,
    world,
  );
  expect(told(recording)).toContain('main: begin now, w s.x, end');
});

it('markers make critical sections', async () => {
  const recording = await record(
    `let x = 0;
     async function work() { await lock('l', async () => { x = x + 1; await turn(); }); }
     module.exports = work().then(work);`,
    world,
  );
  expect(told(recording)).toContain('work#1: begin work, acq l, begin work.<anonymous>, u');
  expect(told(recording)).toContain('work#1: end, rel l, end');
});
