import { describe, expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { allTraces, type Scope } from './exhaustive.ts';
import { printEvents } from './notation.ts';
import { firstProblem } from './well-formed.ts';

const all = (scope: Scope) => Array.from(allTraces(scope), (events) => printEvents(events));

describe('all small traces', () => {
  it('are these, for two events of two threads on one variable', () => {
    expect(all({ events: 2, threads: 2, variables: 1, depth: 0, accesses: [Op.read, Op.write] })).toEqual([
      't1: r x1',
      't1: r x1, r x1',
      't1: r x1, w x1',
      't1: r x1; t2: r x1',
      't1: r x1; t2: w x1',
      't1: w x1',
      't1: w x1, r x1',
      't1: w x1, w x1',
      't1: w x1; t2: r x1',
      't1: w x1; t2: w x1',
    ]);
  });

  it.each<Scope>([
    { events: 4, threads: 2, variables: 1, depth: 2 },
    { events: 3, threads: 3, variables: 2, locks: 2, accesses: [Op.write] },
    { events: 3, threads: 3, variables: 1, forkJoin: true, accesses: [Op.read] },
    { events: 4, threads: 2, variables: 0, locks: 1, forkJoin: true },
  ])('are all there is in %j, once each', (scope) => {
    const found = all(scope);
    expect(new Set(found).size).toBe(found.length);
    expect(new Set(found)).toEqual(bruteForce(scope));
  });

  it('are well-formed', () => {
    for (const events of allTraces({
      events: 4,
      threads: 2,
      variables: 1,
      locks: 1,
      depth: 2,
      forkJoin: true,
    }))
      expect(firstProblem(events)).toBeNull();
  });
});

/** All sequences of events whatever, those kept that are well-formed and numbered in order of appearance. */
function bruteForce(scope: Scope): Set<string> {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
  const threads = names('t', scope.threads);
  const operands: [Op, string[]][] = [
    ...(scope.accesses ?? [Op.read, Op.write, Op.update]).map((op): [Op, string[]] => [
      op,
      names('x', scope.variables),
    ]),
    [Op.acquire, names('l', scope.locks ?? 0)],
    [Op.release, names('l', scope.locks ?? 0)],
    [Op.fork, scope.forkJoin ? threads : []],
    [Op.join, scope.forkJoin ? threads : []],
    [Op.begin, names('B', scope.events)],
    [Op.end, names('B', scope.events)],
  ];
  const alphabet = threads.flatMap((thread) =>
    operands.flatMap(([op, choices]) => choices.map((operand): NamedEvent => ({ thread, op, operand }))),
  );
  const found = new Set<string>();
  const extend = (events: NamedEvent[]) => {
    if (events.length === scope.events) return;
    for (const event of alphabet) {
      const longer = [...events, event];
      if (firstProblem(longer) !== null || !isCanonical(longer, scope)) continue;
      found.add(printEvents(longer));
      extend(longer);
    }
  };
  extend([]);
  return found;
}

function isCanonical(events: readonly NamedEvent[], scope: Scope): boolean {
  const seen = { t: 0, x: 0, l: 0 };
  const depth = new Map<string, number>();
  const isNext = (name: string) => {
    const kind = name[0] as keyof typeof seen;
    const number = Number(name.slice(1));
    if (number > seen[kind] + 1) return false;
    seen[kind] = Math.max(seen[kind], number);
    return true;
  };
  return events.every(({ thread, op, operand }, i) => {
    if (!isNext(thread)) return false;
    if (op === Op.end) depth.set(thread, depth.get(thread)! - 1);
    if (op !== Op.begin) return op === Op.end || isNext(operand);
    depth.set(thread, (depth.get(thread) ?? 0) + 1);
    return operand === `B${i + 1}` && depth.get(thread)! <= (scope.depth ?? 1);
  });
}
