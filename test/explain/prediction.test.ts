import { expect, it } from 'vitest';
import type { AnalysisDescription, ViolationFact } from '../../src/analyses/analysis.ts';
import { eraser } from '../../src/analyses/eraser/index.ts';
import { fasttrack } from '../../src/analyses/fasttrack/index.ts';
import { goodlock } from '../../src/analyses/goodlock/index.ts';
import { reduction } from '../../src/analyses/reduction/index.ts';
import { sidetrack } from '../../src/analyses/sidetrack/index.ts';
import { message } from '../../src/explain/index.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { explainIn } from './support.ts';

/** What is said about the first violation that an analysis finds. */
function said(analysis: AnalysisDescription, observed: MemoryTrace): string {
  return saidOf(run(analysis, observed).violations[0], observed);
}

function saidOf(violation: ViolationFact, observed: MemoryTrace): string {
  return message(explainIn(observed, [violation])[0], observed.names);
}

it('says which accesses race', () => {
  const bank = MemoryTrace.of([
    { thread: 't1', op: Op.write, operand: 'balance' },
    { thread: 't2', op: Op.write, operand: 'balance', location: 'Bank.java:7' },
  ]);
  expect(said(fasttrack, bank)).toBe(
    'balance is written by thread t2 (event 2, Bank.java:7) without being ordered with ' +
      'the write by thread t1 (event 1)',
  );
});

it('says that locksets know no lock, not that the accesses are unordered', () => {
  const unlocked = trace('t1: w x; t2: acq m, w x, rel m; t1: r x');
  expect(said(eraser, unlocked)).toBe(
    'x is read by thread t1 (event 5), and no lock is held both there and at all accesses by other threads, such as ' +
      'the write by thread t2 (event 3)',
  );
});

it('says who would wait for whom', () => {
  const philosophers = trace('t1: acq a, acq b, rel b, rel a; t2: acq b, acq a, rel a, rel b');
  expect(said(goodlock, philosophers)).toBe(
    'thread t1 holds lock a (event 1) when it acquires lock b (event 2) and ' +
      'thread t2 holds lock b (event 5) when it acquires lock a (event 6): each could wait for another for ever',
  );
});

it('says which acquire could have come between which sections', () => {
  const twice = 't1: begin A, acq m, rel m, acq m, rel m, end';
  const culprit = 't2: acq m, rel m';
  expect(said(sidetrack, trace(`${twice}; ${culprit}`))).toBe(
    'A (thread t1) may not be atomic: the acquire of lock m by thread t2 (event 7), which came after that ' +
      'here, could come between its release of lock m (event 3) and its acquire of lock m (event 4)',
  );
  expect(said(sidetrack, trace(`${culprit}; ${twice}`))).toBe(
    'A (thread t1) may not be atomic: the acquire of lock m by thread t2 (event 1), which came before that ' +
      'here, could come between its release of lock m (event 5) and its acquire of lock m (event 6)',
  );
});

it('says so if the acquire did come between the sections', () => {
  const observed = trace('t1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end');
  expect(said(sidetrack, observed)).toBe(
    'A (thread t1) is not atomic: thread t2 acquired lock m (event 4) ' +
      'between its release of lock m (event 3) and its acquire of lock m (event 6)',
  );
});

it('says what came too late for reduction, and what it cannot pass', () => {
  const observed = trace('t1: begin A, r x, w x, end; t2: w x');
  expect(said(reduction, observed)).toBe(
    'A (thread t1) may not be atomic: its write of x (event 3) comes after its commit point, ' +
      'its read of x (event 2), and the write of x by thread t2 (event 5) can come in between',
  );
});

it.each([
  ['conflict', 'no serial order is equivalent to'],
  ['view', 'no serial order has the same view as'],
  ['block', 'no serial order explains'],
] as const)('says what could be interleaved: %s', (kind, lacking) => {
  const observed = trace('t1: begin A, r x, w x, end; t2: w x');
  const violation: ViolationFact = {
    kind,
    event: 3,
    thread: 0,
    block: { label: 0, begin: 1, depth: 0 },
    related: [2, 3, 5].map((event) => ({ event, role: 'access' })),
  };
  expect(saidOf(violation, observed)).toBe(
    'A (thread t1) may not be atomic: its read of x (event 2) and its write of x (event 3) can be interleaved ' +
      `with the write of x by thread t2 (event 5) in a way that ${lacking}`,
  );
});

it('lists the parts of events for want of a sentence', () => {
  const observed = trace('t1: begin A, r x, w x, end; t2: w x');
  const related = [{ event: 2, role: 'something new' }];
  const violation: ViolationFact = { kind: 'view', event: 3, thread: 0, block: null, related };
  expect(saidOf(violation, observed)).toBe(
    'thread t1 has a violation of kind view, which was noticed at event 3; ' +
      'something new: the read of x by thread t1 (event 2)',
  );
});

it('makes hostile names harmless', () => {
  const hostile = MemoryTrace.of([
    { thread: '\u001b[31mred', op: Op.write, operand: '\u202ex' },
    { thread: 't\n2', op: Op.write, operand: '\u202ex', location: 'y'.repeat(1 << 20) },
  ]);
  const text = said(fasttrack, hostile);
  expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(text.length).toBeLessThan(400);
});
