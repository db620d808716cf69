import { describe, expect, it } from 'vitest';
import { message } from '../../src/explain/index.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { examples } from '../support/examples.ts';
import { trace } from '../support/notation.ts';
import { type Explained, explainBlocks, explainCycle, explainIn } from './support.ts';

function onlyMessage({ names, explanations }: Explained): string {
  expect(explanations).toHaveLength(1);
  return message(explanations[0], names);
}

describe('the sentence about a block', () => {
  it('says what came between which two accesses, and where', () => {
    const transfer = MemoryTrace.of([
      { thread: 'T1', op: Op.begin, operand: 'transfer', location: 'Bank.java:11' },
      { thread: 'T1', op: Op.read, operand: 'balance', location: 'Bank.java:12' },
      { thread: 'T2', op: Op.write, operand: 'balance' },
      { thread: 'T1', op: Op.write, operand: 'balance', location: 'Bank.java:14' },
      { thread: 'T1', op: Op.end, operand: 'transfer' },
    ]);
    expect(onlyMessage(explainBlocks(transfer))).toBe(
      'transfer (thread T1) is not atomic: between its read of balance (event 2, Bank.java:12) ' +
        'and its write (event 4, Bank.java:14), thread T2 wrote balance (event 3)',
    );
  });

  it('does not take a number for the name of a place', () => {
    const { trace } = examples().find(({ name }) => name === 'velodrome-rmw')!;
    expect(onlyMessage(explainBlocks(trace))).toContain('(event 2, location 2)');
  });

  it('tells the second of two reads from the first', () => {
    expect(onlyMessage(explainBlocks(trace('t1: begin A, r x; t2: u x; t1: r x, end')))).toBe(
      'A (thread t1) is not atomic: between its read of x (event 2) and its next read (event 4), ' +
        'thread t2 updated x (event 3)',
    );
  });

  it('says who comes after and before the block if there are several variables', () => {
    expect(onlyMessage(explainBlocks(trace('t1: begin A, w x; t2: r x, w y; t1: r y, end')))).toBe(
      'A (thread t1) is not atomic: thread t2 read x (event 3) after its write of x (event 2), ' +
        'and wrote y (event 4) before its read of y (event 5)',
    );
  });

  it('names the first and the last of several threads', () => {
    const relay = 't1: begin A, w x; t2: r x, w y; t3: r y, w z; t1: r z, end';
    expect(onlyMessage(explainBlocks(trace(relay)))).toBe(
      'A (thread t1) is not atomic: thread t2 read x (event 3) after its write of x (event 2), ' +
        'and thread t3, which comes after t2, wrote z (event 6) before its read of z (event 7)',
    );
  });

  it('says once what a thread did once', () => {
    expect(onlyMessage(explainBlocks(trace('t1: begin A, fork c; c: r x; t1: join c, end')))).toBe(
      'A (thread t1) is not atomic: thread c read x (event 3) after its fork of thread c (event 2) ' +
        'and before its join of thread c (event 4)',
    );
  });

  it('speaks of locks', () => {
    const locks = 't1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end';
    expect(onlyMessage(explainBlocks(trace(locks)))).toBe(
      'A (thread t1) is not atomic: thread t2 acquired lock m (event 4) after its release of lock m (event 3) ' +
        'and before its acquire of lock m (event 6)',
    );
  });

  it('says whose access it was if the block has several threads', () => {
    const stranger = 't1: begin A, fork c; c: r x; t2: w x; t1: join c, w x, end';
    expect(onlyMessage(explainBlocks(trace(stranger), 'family'))).toBe(
      "A (thread t1) is not atomic: between c's read of x (event 3) and its write (event 6), " +
        'thread t2 wrote x (event 4)',
    );
  });

  it('speaks of messages, conditions and volatile variables', () => {
    expect(
      onlyMessage(explainBlocks(trace('t1: begin A, send m; t2: receive m, notify c; t1: wait c, end'))),
    ).toBe(
      'A (thread t1) is not atomic: thread t2 received message m (event 3) after its sending of message m (event 2), ' +
        'and notified condition c (event 4) before its wait for condition c (event 5)',
    );
    expect(onlyMessage(explainBlocks(trace('t1: begin A, vr x; t2: vw x; t1: vw x, end')))).toBe(
      'A (thread t1) is not atomic: between its volatile read of x (event 2) and its volatile write (event 4), ' +
        'thread t2 wrote volatile x (event 3)',
    );
  });

  it('does not need a label', () => {
    const unnamed = explainBlocks(trace('t1: begin "", r x; t2: w x; t1: w x, end ""'));
    expect(onlyMessage(unnamed)).toMatch(/^a block \(thread t1\) is not atomic: /);
  });
});

describe('the sentence about a trace', () => {
  it('names the transactions that cannot be put in any order', () => {
    const pair = examples().find(({ name }) => name === 'aerodrome-fig3-rho3')!.trace;
    expect(onlyMessage(explainCycle(pair))).toBe(
      'the trace is not serializable: B (thread t2, begun at event 2) and A (thread t1, begun at event 1) ' +
        'cannot be put in any order, as each has to come before the other',
    );
  });

  it('names events outside blocks, too', () => {
    const three = 't3: begin C, w y; t1: begin A, r y, w x; t2: r x, w z; t1: end; t3: r z';
    expect(message(explainCycle(trace(three)).explanations[0], trace(three).names)).toBe(
      'C (thread t3) is not atomic: thread t1 read y (event 4) after its write of y (event 2), ' +
        'and thread t2, which comes after t1, wrote z (event 7) before its read of z (event 9)',
    );
  });
});

describe('a violation without witness', () => {
  it('is still told', () => {
    const innocent = trace('t1: begin A, r x, end; t2: w x');
    const block = { label: 0, begin: 1, depth: 0 };
    const [transaction, whole] = explainIn(innocent, [
      { kind: 'transaction', event: 2, thread: 0, block },
      { kind: 'trace', event: 2, thread: 0, block: null },
    ]);
    expect(message(transaction, innocent.names)).toBe(
      'A (thread t1) is not atomic, which was noticed at event 2',
    );
    expect(message(whole, innocent.names)).toBe(
      'the trace is not serializable, which was noticed at event 2 of thread t1',
    );
  });
});

it('makes hostile names harmless', () => {
  const hostile = MemoryTrace.of([
    { thread: '\u001b[31mred', op: Op.begin, operand: 'a\nb' },
    { thread: '\u001b[31mred', op: Op.read, operand: '__proto__', location: '\u202egnp.exe' },
    { thread: 't\r2', op: Op.write, operand: '__proto__', location: 'x'.repeat(1 << 20) },
    { thread: '\u001b[31mred', op: Op.write, operand: '__proto__' },
  ]);
  const text = onlyMessage(explainBlocks(hostile));
  expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(text).toContain('a\\x0ab (thread \\x1b[31mred) is not atomic: between its read of __proto__');
  expect(text.length).toBeLessThan(400);
});
