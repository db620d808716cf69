import { describe, expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { guardedTrace } from '../support/guarded-programs.ts';
import { events, printEvents } from '../support/notation.ts';
import { firstProblem } from '../support/well-formed.ts';
import { violatedBlocksOf } from './oracle.ts';
import { isGuarded, Schedules } from './schedules.ts';

/** Every schedule of what the threads of a trace do, one event at a time, as lists of event numbers. */
function* allSchedules(observed: readonly NamedEvent[], done: number[] = []): Generator<number[]> {
  let isStuck = true;
  for (const thread of new Set(observed.map((event) => event.thread))) {
    const next = observed.findIndex((event, i) => event.thread === thread && !done.includes(i + 1));
    if (next < 0 || !canBeNext(observed, done, next)) continue;
    isStuck = false;
    done.push(next + 1);
    yield* allSchedules(observed, done);
    done.pop();
  }
  if (isStuck) yield [...done];
}

function canBeNext(observed: readonly NamedEvent[], done: readonly number[], next: number): boolean {
  const { thread, op, operand } = observed[next];
  const isDone = (i: number) => done.includes(i + 1);
  const comesAfterFork = (child: string) =>
    observed.every((event, i) => event.op !== Op.fork || event.operand !== child || isDone(i));
  if (!comesAfterFork(thread)) return false;
  if (op === Op.join)
    return comesAfterFork(operand) && observed.every((event, i) => event.thread !== operand || isDone(i));
  return firstProblem([...done, next + 1].map((event) => observed[event - 1])) === null;
}

/** Whether all locks are acquired in turn up to the first acquire of `lock` that is not. */
function isFeasible(observed: readonly NamedEvent[], schedule: readonly number[], lock: string): boolean {
  const turns = new Map<string, number[]>();
  observed.forEach(({ op, operand }, i) => {
    if (op === Op.acquire) turns.set(operand, [...(turns.get(operand) ?? []), i + 1]);
  });
  for (const event of schedule) {
    const { op, operand } = observed[event - 1];
    if (op !== Op.acquire || turns.get(operand)!.shift() === event) continue;
    return operand === lock;
  }
  return true;
}

/** The blocks that some schedule violates, by trying all. */
function violableByDefinition(observed: readonly NamedEvent[], lock: string | null): number[] {
  const violable = new Set<number>();
  for (const schedule of allSchedules(observed)) {
    if (lock !== null && !isFeasible(observed, schedule, lock)) continue;
    const run = schedule.map((event) => observed[event - 1]);
    for (const { begin } of violatedBlocksOf(run, 'edge')) violable.add(schedule[begin - 1]);
  }
  return [...violable].sort((a, b) => a - b);
}

describe('schedules of what a trace shows', () => {
  it('find what trying all of them finds', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const observed = guardedTrace(seed).slice(0, 10);
      const schedules = new Schedules(observed);
      expect(schedules.violable(null), printEvents(observed)).toEqual(violableByDefinition(observed, null));
    }
  });

  it('keep the order of the locks until one is acquired out of turn', () => {
    const observed = events(`
      t1: begin A, acq m, rel m, acq m, rel m, acq n, rel n, end
      t2: acq n, rel n, acq m, rel m`);
    expect(new Schedules(observed).violable(null)).toEqual([1]);
    // Whatever happens to m first, n has to be acquired by t1 before t2.
    expect(new Schedules(observed).violable('m')).toEqual([]);
    expect(violableByDefinition(observed, 'm')).toEqual([]);
    expect(new Schedules(observed).violable('n')).toEqual([1]);
    expect(violableByDefinition(observed, 'n')).toEqual([1]);
  });

  it('give a schedule that violates the block', () => {
    const observed = events('t1: begin A, acq m, rel m, acq m, rel m, end; t2: acq m, rel m');
    const schedule = new Schedules(observed).find({ block: 1, lock: 'm' })!;
    const run = schedule.map((event) => observed[event - 1]);
    expect(firstProblem(run)).toBeNull();
    expect(violatedBlocksOf(run, 'edge')).toMatchObject([{ begin: 1 + run.indexOf(observed[0]) }]);
  });

  it('do not let a thread act before its fork, nor be joined before its end', () => {
    const forked = events('t1: begin A, acq m, rel m, acq m, rel m, end, fork t2; t2: acq m, rel m');
    expect(new Schedules(forked).violable(null)).toEqual([]);
    const joined = events('t2: acq m, rel m; t1: join t2, begin A, acq m, rel m, acq m, rel m, end');
    expect(new Schedules(joined).violable(null)).toEqual([]);
  });
});

describe('guarded programs', () => {
  it('have a lock for each variable that threads share', () => {
    for (let seed = 1; seed < 2000; seed++) {
      const observed = guardedTrace(seed);
      expect(isGuarded(observed), printEvents(observed)).toBe(true);
      expect(firstProblem(observed)).toBeNull();
    }
  });

  it('are told from others', () => {
    expect(isGuarded(events('t1: acq m, w x, rel m; t2: acq m, r x, rel m'))).toBe(true);
    expect(isGuarded(events('t1: acq m, w x, rel m; t2: acq n, r x, rel n'))).toBe(false);
    expect(isGuarded(events('t1: r x; t2: r x'))).toBe(true);
    expect(isGuarded(events('t1: w x, w x'))).toBe(true);
  });
});
