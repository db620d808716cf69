import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../../src/analyses/aerodrome/index.ts';
import { atomsanitizer } from '../../../src/analyses/atomsanitizer/index.ts';
import { judge } from '../../oracle/oracle.ts';
import { trace } from '../../support/notation.ts';
import { run } from '../../support/run.ts';

/*
 * Traces on which a step of these algorithms goes wrong that is easily got wrong, each with a twin that differs
 * in one event and in the verdict. Both are well-formed and small enough for the oracle to have its say.
 */
interface Trap {
  cyclic: string;
  /** The twin is the same trace with this step in place of another. */
  but: [string, string];
}

const traps: Record<string, Trap> = {
  'a cycle through events outside every block': {
    cyclic: 't1: begin A, w a; t2: r a, w b; t1: r b, end',
    but: ['t1: r b', 't1: r c'],
  },
  'an event outside every block is not tied to what its thread learns later': {
    cyclic: 't1: begin A, w x; t2: r x, w y; t1: r y, end',
    but: ['t2: r x, w y', 't2: w y, r x'],
  },
  'a transaction that learnt nothing itself is after what its thread has learnt before': {
    cyclic: 't1: begin A, w x; t2: begin B, r x, end, begin C, w y, end; t1: r y, end',
    but: ['begin B, r x, end', 'begin B, r z, end'],
  },
  'a thread that is known from before the begin still gives an edge inside': {
    cyclic: 't1: begin D, w x, w y; t2: r y, begin B, r x, end; t1: w x, end',
    but: ['t2: r y, begin B, r x, end', 't2: r y, begin B, end'],
  },
  'a child with events orders what its parent does around it': {
    cyclic: 't1: begin A, fork c; c: begin B, end; t1: join c, end',
    but: ['c: begin B, end; ', ''],
  },
  'a fork gives an edge to the first event only when there is one': {
    cyclic: 't1: begin A, fork c, w x; c: w y; t1: r y, end',
    but: ['t1: r y', 't1: r z'],
  },
  'a transaction gains a predecessor after others have learnt of it': {
    cyclic: 't1: begin A, w a; t2: begin B, w b; t3: r b, w c; t2: r a, end; t1: r c, end',
    but: ['t2: r a', 't2: r b'],
  },
  'what precedes a finished transaction counts from the time it was learnt of': {
    cyclic: 't1: begin A, w a; t2: begin B, w b; t3: r b, w c, r a; t2: r a, end; t1: r c, end',
    but: ['t3: r b, w c', 't3: w c, r b'],
  },
  'a chain of finished transactions leads to a running one': {
    cyclic:
      't1: begin A, fork t2; t2: begin B, fork t3; t3: begin C, fork t4; t4: w x; t3: end; t2: end; t1: r x, end',
    but: ['t1: r x', 't1: r y'],
  },
  'two running transactions close a cycle through each other': {
    cyclic: 't1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x, end; t1: end',
    but: ['t2: r x', 't2: r z'],
  },
  'each of many readers precedes a write': {
    cyclic:
      't1: begin A, w a; t2: begin B, r x; t3: begin C, r x; t4: begin D, r x, r a; t5: r x; t6: r x; t7: begin E, w x, w b; t1: r b, end',
    but: ['t1: r b', 't1: r c'],
  },
  'a long list of readers that are over still stands for what precedes them': {
    cyclic:
      't1: begin A, w a; t2: r a, r x; t3: r a, r x; t4: r a, r x; t5: r a, r x; t6: r a, r x; t1: w x, end',
    but: ['t1: w x', 't1: r x'],
  },
  'a list of readers that is cut down twice still stands for what preceded the first': {
    cyclic:
      't1: begin A, w a; t2: r a, r x; t3: begin B, r x; t4: begin C, r x; t5: r x; t6: r x; t7: r x; t8: r x; t9: begin D, r x; t10: begin E, r x; t11: r x; t12: r x; t13: r x; t14: r x; t15: r x; t16: r x; t17: r x; t1: w x, end',
    but: ['t2: r a, r x', 't2: r b, r x'],
  },
  'a source in a list of readers that reads itself conflicts with the write before': {
    cyclic:
      't0: begin Z, w x; t1: begin A, w a; t2: r a, r x; t3: r a, r x; t4: r a, r x; t5: r a, r x; t6: r a, r x; t1: r x; t0: r a, end',
    but: ['t1: begin A, w a', 't1: w a, begin A'],
  },
  'updates conflict with reads, not with each other': {
    cyclic: 't1: begin A, u x; t2: u x, r x; t1: u x, end',
    but: ['t2: u x, r x', 't2: u x, u x'],
  },
  'every reader after many updates is after each of them': {
    cyclic:
      't1: begin A, u x; t2: begin B, u x; t3: begin C, u x; t4: begin D, u x; t5: r x; t6: r x, w y; t2: r y, end',
    but: ['t2: r y', 't2: r z'],
  },
  'a write takes the place of all that came before it': {
    cyclic: 't1: begin A, r x; t2: w x; t3: w x; t1: r x, end',
    but: ['t1: r x, end', 't1: r y, end'],
  },
  'a read after a write of the same transaction adds nothing, one of a later transaction does': {
    cyclic: 't1: w x, begin A, r x; t2: r x, w x; t1: w y, r x, end',
    but: ['t2: r x, w x', 't2: r x, r x'],
  },
  'a lock orders blocks from release to acquire': {
    cyclic: 't1: begin A, acq l, rel l; t2: acq l, rel l; t1: acq l, rel l, end',
    but: ['t2: acq l, rel l', 't2: acq m, rel m'],
  },
};

describe.each(Object.entries(traps))('%s', (_, { cyclic, but: [step, other] }) => {
  const given = trace(cyclic);
  const twin = trace(cyclic.replace(step, other));
  const { firstEvent } = judge(given);

  it('is a trap: the definitions tell the twins apart', () => {
    expect(firstEvent).not.toBeNull();
    expect(judge(twin).serializable).toBe(true);
  });

  it('is found by atomsanitizer at its event, and nothing in the twin', () => {
    expect(run(atomsanitizer, given).outcome.firstEvent).toBe(firstEvent);
    expect(run(atomsanitizer, twin).outcome.firstEvent).toBeNull();
  });

  it('is found by aerodrome, and nothing in the twin', () => {
    expect(run(aerodrome, given).outcome.firstEvent).toBeGreaterThanOrEqual(firstEvent!);
    expect(run(aerodrome, twin).outcome.firstEvent).toBeNull();
  });
});
