import { describe, expect, it } from 'vitest';
import { Periods } from '../../src/analyses/commit-node/periods.ts';
import { Op } from '../../src/trace/operation.ts';
import { usualWeights } from '../support/choices.ts';
import { events } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';

type Steps = readonly { thread: number; op: Op; child: number }[];

function stepsOf(list: ReturnType<typeof events>): Steps {
  const threads = new Map<string, number>();
  const number = (name: string) => threads.get(name) ?? threads.set(name, threads.size).size - 1;
  return list.map(({ thread, op, operand }) => ({
    thread: number(thread),
    op,
    child: op === Op.fork || op === Op.join ? number(operand) : -1,
  }));
}

/** Goes through the steps; returns the period of each event. */
function periodsOf(periods: Periods, steps: Steps): number[] {
  const list = steps.map(({ thread, op, child }) => {
    const period = periods.enter(thread);
    if (op === Op.fork) periods.fork(thread, child);
    if (op === Op.join) periods.join(thread, child);
    return period;
  });
  periods.settle();
  return list;
}

describe('periods', () => {
  /** Which events are before which of other threads, as pairs of their numbers. */
  function ordered(notation: string, mostCells?: number): string[] {
    const steps = stepsOf(events(notation));
    const periods = new Periods(mostCells);
    const period = periodsOf(periods, steps);
    const isAccess = ({ op }: Steps[number]) => op === Op.read;
    return steps.flatMap((a, i) =>
      steps.flatMap((b, j) =>
        isAccess(a) &&
        isAccess(b) &&
        a.thread !== b.thread &&
        periods.precedes(a.thread, period[i], b.thread, period[j])
          ? [`${i + 1}<${j + 1}`]
          : [],
      ),
    );
  }

  it.each([
    ['a fork', 't1: r a, fork t2, r b; t2: r c', ['1<4']],
    ['a join', 't2: r a; t1: r b, join t2, r c', ['1<4']],
    ['nothing if the child has no events', 't1: r a, fork t2; t3: join t2, r b', []],
    ['a chain of forks', 't1: r a, fork t2; t2: fork t3; t3: r b', ['1<4']],
    ['a chain of joins', 't3: r a; t2: join t3; t1: join t2, r b', ['1<4']],
    ['a join before a fork', 't2: r a; t1: join t2, fork t3; t3: r b', ['1<4']],
    ['a fork before a join not', 't1: fork t3; t2: r a; t1: join t2; t3: r b', []],
  ])('are ordered by %s', (_, notation, expected) => {
    expect(ordered(notation)).toEqual(expected);
    expect(ordered(notation, 0)).toEqual(expected);
  });

  it('are not known to be ordered by ways up and down, if there are too many threads for clocks', () => {
    const zigzag = 't4: r a; t1: join t4, fork t5; t5: r b; t2: join t5, fork t3; t3: r c';
    expect(ordered(zigzag)).toEqual(['1<4', '1<7', '4<7']);
    expect(ordered(zigzag, 0)).toEqual(['1<4', '4<7']);
  });

  it('are never ordered by links that clocks do not know', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const steps = stepsOf(
        randomTrace(seed, { weights: { ...usualWeights, fork: 20, join: 20 }, threads: 8 }),
      );
      const clocks = new Periods();
      const links = new Periods(0);
      const period = periodsOf(clocks, steps);
      periodsOf(links, steps);
      for (const [i, a] of steps.entries())
        for (const [j, b] of steps.entries())
          if (a.thread !== b.thread && links.precedes(a.thread, period[i], b.thread, period[j]))
            expect(clocks.precedes(a.thread, period[i], b.thread, period[j])).toBe(true);
    }
  });
});
