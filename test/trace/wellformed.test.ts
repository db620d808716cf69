import { describe, expect, it } from 'vitest';
import { Op } from '../../src/trace/operation.ts';
import type { InputProblem } from '../../src/trace/problem.ts';
import { RULES, WellFormedness } from '../../src/trace/wellformed.ts';
import { trace } from '../support/notation.ts';

/** Event numbers that are left for the analyses, and what was repaired; throws what strict checking throws. */
function check(notation: string, lenient = false) {
  const subject = trace(notation);
  const wellFormedness = new WellFormedness(subject.names, { lenient });
  const kept: number[] = [];
  for (const batch of subject.copies()) {
    wellFormedness.check(batch);
    for (let i = 0; i < batch.length; i++) if (batch.op[i] !== Op.skip) kept.push(batch.firstEvent + i);
  }
  return { kept, repairs: Object.fromEntries(wellFormedness.repairs) };
}

function problemOf(notation: string): InputProblem {
  try {
    check(notation);
  } catch (problem) {
    return problem as InputProblem;
  }
  throw new Error('nothing was refused');
}

describe('a well-formed trace', () => {
  it.each([
    ['has no events', ''],
    ['nests blocks', 't: begin A, begin B, end B, end A'],
    ['leaves blocks and locks open', 't: begin A, acq l, r x'],
    ['has threads that nobody forks', 't1: r x; t2: w x'],
    ['forks before the first event and joins after the last', 't1: fork t2; t2: r x; t1: join t2'],
    ['joins twice', 't1: fork t2, fork t3; t2: r x; t1: join t2; t3: join t2'],
    ['forks and joins a thread that does nothing', 't1: fork t2, join t2'],
    ['meets at a barrier, round by round', 't1: arrive b; t2: arrive b, leave b, arrive b; t1: leave b'],
    ['waits at several barriers', 't: arrive a, arrive b, leave a, leave b'],
    ['leaves barriers to the end of the trace', 't1: arrive b; t2: arrive b'],
    ['hands a lock over', 't1: acq l, rel l; t2: acq l, rel l'],
  ])('%s', (_, notation) => {
    expect(check(notation).kept).toHaveLength(trace(notation).length);
  });

  it('shows only the outermost pair of re-entrant locking', () => {
    expect(check('t: acq l, acq l, r x, rel l, rel l, acq l').kept).toEqual([1, 3, 5, 6]);
  });

  it('gives an end without a label that of its block', () => {
    expect(() => check('t: begin A, begin B, end "", end ""')).not.toThrow();
  });
});

describe('an ill-formed trace', () => {
  const cases: [rule: keyof typeof RULES, notation: string, event: number, message: string][] = [
    ['release-not-held', 't: rel l', 1, "thread 't' releases lock 'l', which nobody holds"],
    ['release-not-held', 't1: acq l; t2: rel l', 2, "thread 't2' releases lock 'l', which thread 't1' holds"],
    [
      'release-not-held',
      't: acq l, acq l, rel l, rel l, rel l',
      5,
      "thread 't' releases lock 'l', which nobody holds",
    ],
    [
      'acquire-held',
      't1: acq l; t2: acq l',
      2,
      "thread 't2' acquires lock 'l', which thread 't1' still holds",
    ],
    ['end-without-begin', 't: end A', 1, "thread 't' ends block 'A', but has no open block"],
    ['end-without-begin', 't1: begin A; t2: end A', 2, "thread 't2' ends block 'A', but has no open block"],
    [
      'end-of-other-block',
      't: begin A, begin B, end A',
      3,
      "thread 't' ends block 'A', but its innermost open block is 'B'",
    ],
    ['fork-of-running', 't2: r x; t1: fork t2', 2, "thread 't1' forks thread 't2', which already has events"],
    ['fork-twice', 't1: fork t2, fork t2', 2, "thread 't1' forks thread 't2', which was forked before"],
    ['fork-of-itself', 't: fork t', 1, "thread 't' forks itself"],
    ['join-of-itself', 't: join t', 1, "thread 't' joins itself"],
    [
      'event-after-join',
      't1: fork t2; t2: r x; t1: join t2; t2: r x',
      4,
      "thread 't2' has an event after it was joined",
    ],
    ['event-after-join', 't1: join t2; t2: r x', 2, "thread 't2' has an event after it was joined"],
    [
      'arrive-twice',
      't: arrive b, arrive b',
      2,
      "thread 't' arrives at barrier 'b', where it has arrived before",
    ],
    [
      'leave-without-arrive',
      't1: arrive b; t2: leave b',
      2,
      "thread 't2' leaves barrier 'b', at which it has not arrived",
    ],
    [
      'receive-without-send',
      't1: send m; t2: receive m, receive n; t1: send n',
      3,
      "thread 't2' receives message 'n', which nobody has sent",
    ],
  ];

  it.each(cases)('%s: %s', (rule, notation, event, message) => {
    const problem = problemOf(notation);
    expect(problem).toMatchObject({ summary: message, position: { event } });
    expect(problem.found).toBeTruthy();
    expect(problem.expected).toBeTruthy();

    const { repairs } = check(notation, true);
    expect(repairs).toEqual({ [rule]: 1 });
  });

  it('has a test for every rule', () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it('is repaired to a well-formed one when lenient', () => {
    const { kept, repairs } = check(
      't1: rel l, acq l; t2: acq l, end A; t1: begin A, begin B, end A, end A, join t3; t3: r x; t1: rel l; t2: acq l',
      true,
    );
    expect(kept).toEqual([2, 5, 6, 7, 8, 9, 11, 12]);
    expect(repairs).toEqual({
      'release-not-held': 1,
      'acquire-held': 1,
      'end-without-begin': 1,
      'end-of-other-block': 1,
      'event-after-join': 1,
    });
  });

  it('quotes hostile names safely', () => {
    expect(problemOf('"\\u001b[2J": rel "\\u202e"').describe()).toBe(
      "event 1: thread '\\x1b[2J' releases lock '\\u202e', which nobody holds; " +
        "found rel(\\u202e) by thread '\\x1b[2J'; expected an acquire of '\\u202e' by thread '\\x1b[2J' before it",
    );
  });
});
