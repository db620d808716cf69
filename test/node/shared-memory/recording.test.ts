import { describe, expect, it } from 'vitest';
import { MNEMONICS } from '../../../src/trace/operation.ts';
import { record } from '../runtime/support.ts';

const SHOWN = /^(?:v?[rwu]|acq|rel|begin|end|notify|wait)\(/;

/** What a program in one thread does to shared memory. */
async function recorded(program: string): Promise<string[]> {
  const { trace } = await record(
    `const memory = new SharedArrayBuffer(64), a = new Int32Array(memory); a[15] = 0; ${program}`,
  );
  return [...trace.events()]
    .map(({ op, operand }) => `${MNEMONICS[op]}(${operand.replace('shared ', '')})`)
    .filter((event) => SHOWN.test(event))
    .slice(1);
}

describe('elements', () => {
  it('are read and written in every syntax', async () => {
    expect(await recorded('a[0] = 1; [a[1], a[2]] = [a[0], 5]; const { 3: x } = a; a[4] ||= x;')).toEqual([
      'w(a[0])',
      'r(a[0])',
      'w(a[1])',
      'w(a[2])',
      'r(a[3])',
      'begin(a[4])',
      'r(a[4])',
      'w(a[4])',
      'end(a[4])',
    ]);
  });

  it('that are changed are read and written, in a block of their own where there is no other', async () => {
    expect(await recorded('a[0]++; function f() { a[1] -= 2; } f();')).toEqual([
      'begin(a[0])',
      'r(a[0])',
      'w(a[0])',
      'end(a[0])',
      'begin(f)',
      'r(a[1])',
      'w(a[1])',
      'end(f)',
    ]);
  });

  it('have a name each, whichever view they are accessed by', async () => {
    const program = 'const b = new Int32Array(memory, 8); b[1] = 1; const c = a.subarray(3); c[0] = 2;';
    expect(await recorded(program)).toEqual(['w(a[3])']);
  });

  it('of other sizes are touched where they overlap, all in one step', async () => {
    const program = 'const h = new Int16Array(memory); h[3] = 1; a[1] = 2; h[4] = 3;';
    expect(await recorded(program)).toEqual([
      ...['w(h[3])', 'u(a[1])'],
      ...['begin(a[1])', 'w(a[1])', 'w(h[2])', 'w(h[3])', 'end(a[1])'],
      ...['w(h[4])', 'u(a[2])'],
    ]);
  });

  it('are accessed by methods, too', async () => {
    expect(await recorded('a.fill(7, 1, 3); a.at(-2); new DataView(memory, 4).getUint16(6);')).toEqual([
      'w(a[1])',
      'w(a[2])',
      'r(a[14])',
      'r(SharedArrayBuffer#1[10..12))',
    ]);
  });
});

describe('Atomics', () => {
  it('are volatile accesses; sums that nobody uses are updates', async () => {
    const program =
      'Atomics.store(a, 0, Atomics.load(a, 1)); Atomics.add(a, 2, 1); n = Atomics.sub(a, 3, 1); Atomics.or(a, 4, 1);';
    expect(await recorded(`let n; ${program}`)).toEqual([
      ...['vr(a[1])', 'vw(a[0])', 'vu(a[2])'],
      ...['vr(a[3])', 'vw(a[3])', 'vr(a[4])', 'vw(a[4])'],
    ]);
  });

  it('a sum after a look in the same block is no update, after one of its own changes it is', async () => {
    const program = `
      function take() { if (Atomics.load(a, 0) >= 0) Atomics.sub(a, 0, 1); }
      function gauge() { Atomics.add(a, 1, 1); Atomics.load(a, 1); Atomics.sub(a, 1, 1); }
      take(); gauge();`;
    expect(await recorded(program)).toEqual([
      ...['begin(take)', 'vr(a[0])', 'vr(a[0])', 'vw(a[0])', 'end(take)'],
      ...['begin(gauge)', 'vu(a[1])', 'vr(a[1])', 'end(gauge)'],
    ]);
  });

  it('a word that is taken and given back is a lock', async () => {
    const program =
      'Atomics.compareExchange(a, 0, 0, 1); Atomics.compareExchange(a, 0, 0, 1); Atomics.load(a, 0); Atomics.store(a, 0, 0);';
    expect(await recorded(program)).toEqual(['acq(a[0])', 'rel(a[0])']);
  });

  it('one with a state for those who wait is, too', async () => {
    const program =
      'Atomics.compareExchange(a, 0, 0, 1); Atomics.compareExchange(a, 0, 1, 2); Atomics.sub(a, 0, 1); Atomics.store(a, 0, 0);';
    expect(await recorded(program)).toEqual(['acq(a[0])', 'rel(a[0])']);
  });

  it('a word that is counted up is none, once that shows', async () => {
    const program = 'for (let i = 0; i < 3; i++) Atomics.compareExchange(a, 0, i, i + 1);';
    expect(await recorded(program)).toEqual(['acq(a[0])', 'rel(a[0])', 'vr(a[0])', 'vw(a[0])']);
  });

  it('to wait for a value that is no longer there is to look at it', async () => {
    expect(await recorded('Atomics.wait(a, 0, 5); Atomics.wait(a, 0, 0, 0);')).toEqual(['vr(a[0])']);
  });
});

it('a function is no block for what its lock does before it touches anything', async () => {
  const program = `
    const lock = () => { while (Atomics.compareExchange(a, 9, 0, 1) !== 0); };
    const unlock = () => Atomics.store(a, 9, 0);
    function move() { lock(); a[0]--; a[1]++; unlock(); }
    move();`;
  expect(await recorded(program)).toEqual([
    ...['acq(a[9])', 'begin(move)', 'r(a[0])', 'w(a[0])', 'r(a[1])', 'w(a[1])', 'rel(a[9])', 'end(move)'],
  ]);
});
