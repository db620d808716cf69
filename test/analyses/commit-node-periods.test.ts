import { describe, expect, it } from 'vitest';
import { Periods } from '../../src/analyses/commit-node/periods.ts';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { channelOf, isBoundary, isDispatch, isReceipt, Op } from '../../src/trace/operation.ts';
import { History } from '../oracle/history.ts';
import { synchronisationOrder } from '../oracle/synchronisation.ts';
import { usualWeights } from '../support/choices.ts';
import { hasNoComplaint, seeded } from '../support/comparing.ts';
import { events } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';

/** Goes through the events; returns the periods, and that of each event, which for a cut is the one before it. */
function periodsOf({ length, thread, op, operand }: History): { periods: Periods; of: number[] } {
  const periods = new Periods();
  const of: number[] = [];
  for (let i = 0; i < length; i++) {
    const event = i + 1;
    of.push(periods.enter(thread[i], event));
    if (op[i] === Op.fork) periods.fork(thread[i], operand[i], event);
    if (op[i] === Op.join) periods.join(thread[i], operand[i], event);
    if (op[i] === Op.arrive) periods.arrive(thread[i], operand[i], event);
    if (op[i] === Op.leave) periods.leave(thread[i], operand[i], event);
    const channel = channelOf(op[i], operand[i]);
    if (isDispatch(op[i])) periods.send(thread[i], channel, event);
    if (isReceipt(op[i])) periods.receive(thread[i], channel, event);
  }
  periods.settle();
  return { periods, of };
}

/** Which events, cuts left out, are before which of other threads, as pairs of their numbers. */
function ordered(given: readonly NamedEvent[], isBefore: (i: number, j: number) => boolean): string[] {
  const plain = [...given.keys()].filter((i) => !isBoundary(given[i].op));
  return plain.flatMap((i) =>
    plain
      .filter((j) => given[i].thread !== given[j].thread && isBefore(i, j))
      .map((j) => `${i + 1}<${j + 1}`),
  );
}

function orderedByPeriods(given: readonly NamedEvent[]): string[] {
  const history = new History(given);
  const { periods, of } = periodsOf(history);
  const { thread } = history;
  return ordered(given, (i, j) => {
    const precedes = periods.precedes(thread[i], of[i], thread[j], of[j]);
    expect(periods.over(thread[i], thread[j], of[j]) > of[i]).toBe(precedes);
    return precedes;
  });
}

describe('periods', () => {
  it.each([
    ['a fork', 't1: r a, fork t2, r b; t2: r c', ['1<4']],
    ['a join', 't2: r a; t1: r b, join t2, r c', ['1<4']],
    ['nothing if the child has no events', 't1: r a, fork t2; t3: join t2, r b', []],
    ['a chain of forks', 't1: r a, fork t2; t2: fork t3; t3: r b', ['1<4']],
    ['a chain of joins', 't3: r a; t2: join t3; t1: join t2, r b', ['1<4']],
    ['a join before a fork', 't2: r a; t1: join t2, fork t3; t3: r b', ['1<4']],
    ['a fork before a join not', 't1: fork t3; t2: r a; t1: join t2; t3: r b', []],
    ['a message', 't1: r a, send m, r b; t2: r c, receive m, r d', ['1<6']],
    ['a barrier', 't1: r a, arrive b; t2: r b, arrive b, leave b, r c; t1: leave b, r d', ['1<6', '3<8']],
    [
      'no later round of a barrier',
      't1: r a, arrive b; t2: arrive b; t1: leave b, r b; t2: leave b, r c',
      ['1<7'],
    ],
  ])('are ordered by %s', (_, notation, expected) => {
    expect(orderedByPeriods(events(notation))).toEqual(expected);
  });

  it('are ordered as the definitions say', () => {
    const weights = { ...usualWeights, acquire: 0, release: 0, fork: 20, join: 20 };
    const traces = seeded(300, (seed) => randomTrace(seed, { weights, threads: 8 }));
    hasNoComplaint(traces, (given) => {
      const history = new History(given);
      const before = synchronisationOrder(history, 'threads');
      const expected = ordered(given, (i, j) => before.has(j, i)).join(' ');
      const found = orderedByPeriods(given).join(' ');
      return found === expected ? null : `periods say ${found}, and the definitions ${expected}`;
    });
  });
});
