import { describe, expect, it } from 'vitest';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { atomizer } from '../../src/analyses/atomizer/index.ts';
import { block } from '../../src/analyses/block/index.ts';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { fasttrack } from '../../src/analyses/fasttrack/index.ts';
import { goodlock } from '../../src/analyses/goodlock/index.ts';
import { reduction } from '../../src/analyses/reduction/index.ts';
import { sidetrack } from '../../src/analyses/sidetrack/index.ts';
import type { Schedule } from '../../src/confirm/confirmation.ts';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { accessKind, Op } from '../../src/trace/operation.ts';
import { History } from '../oracle/history.ts';
import { judge } from '../oracle/oracle.ts';
import { guardedTrace } from '../support/guarded-programs.ts';
import { lockProgram } from '../support/lock-programs.ts';
import { printEvents } from '../support/notation.ts';
import { randomProgram } from '../support/random-programs.ts';
import { randomTrace } from '../support/random-traces.ts';
import { firstProblem } from '../support/well-formed.ts';
import { attempts } from './support.ts';

const SHAPE = {
  threads: 3,
  variables: 2,
  locks: 2,
  units: 2,
  steps: 4,
  accesses: [Op.read, Op.write, Op.update],
  onlyBlocks: false,
  orderedLocks: false,
  nestedLocks: false,
  locksWithinUnits: true,
  forkJoin: true,
};

function* programs(runs: number): Generator<NamedEvent[]> {
  for (let seed = 1; seed <= runs; seed++) {
    yield randomProgram(seed, SHAPE);
    yield guardedTrace(seed);
    yield randomTrace(seed);
  }
}

/** The events of a schedule; fails if they are not a well-formed reordering of first events of each thread. */
function reordered(observed: readonly NamedEvent[], { events }: Schedule): NamedEvent[] {
  const { counts } = new History(observed);
  const schedule = events.map((event) => observed[event - 1]);
  expect(firstProblem(schedule)).toBeNull();
  for (const thread of new Set(schedule.map((event) => event.thread))) {
    const own = events.filter((event) => observed[event - 1].thread === thread);
    const before = observed.flatMap((event, i) =>
      event.thread === thread && counts[i] === 1 ? [i + 1] : [],
    );
    expect(own).toEqual(before.slice(0, own.length));
  }
  // Nobody acts before it is forked, and nobody is joined who has yet to act.
  for (const [i, event] of observed.entries()) {
    const place = events.indexOf(i + 1);
    if (place < 0 || (event.op !== Op.fork && event.op !== Op.join)) continue;
    const child = observed.flatMap(({ thread }, e) =>
      thread === event.operand && counts[e] === 1 ? [events.indexOf(e + 1)] : [],
    );
    if (event.op === Op.join) expect(child.every((other) => other >= 0 && other < place)).toBe(true);
  }
  for (const [i, event] of observed.entries()) {
    if (event.op !== Op.fork) continue;
    const place = events.indexOf(i + 1);
    const child = events.findIndex((other) => observed[other - 1].thread === event.operand);
    if (child >= 0) expect(place >= 0 && place < child).toBe(true);
  }
  return schedule;
}

/** For each read of a schedule: the write before it and, in any order, the updates since. */
function histories(events: readonly NamedEvent[], numbers: readonly number[]): Map<number, string> {
  const history = new Map<string, string>();
  const found = new Map<number, string>();
  events.forEach(({ op, operand }, i) => {
    const before = history.get(operand) ?? '';
    const [write, ...updates] = before.split(' ');
    if (accessKind(op) === Op.read) found.set(numbers[i], [write, ...updates.sort()].join(' '));
    if (accessKind(op) === Op.write) history.set(operand, `${numbers[i]}`);
    if (accessKind(op) === Op.update) history.set(operand, `${before} ${numbers[i]}`);
  });
  return found;
}

function expectReads(observed: readonly NamedEvent[], schedule: Schedule): void {
  const all = observed.map((_, i) => i + 1);
  const before = histories(observed, all);
  const after = histories(
    schedule.events.map((event) => observed[event - 1]),
    schedule.events,
  );
  const changed = schedule.events
    .slice(0, -1)
    .filter((event) => after.has(event) && after.get(event) !== before.get(event));
  expect([...schedule.changedReads]).toEqual(changed);
}

const PREDICTORS: readonly AnalysisDescription[] = [
  sidetrack,
  commitNodeConflict,
  commitNodeView,
  reduction,
  block,
  atomizer,
];

describe.each(PREDICTORS.map((analysis) => [analysis.name, analysis] as const))(
  'what %s predicts',
  (_, analysis) => {
    it('is confirmed only by a feasible schedule in which the block is violated', () => {
      let confirmed = 0;
      for (const observed of programs(150)) {
        for (const { violation, confirmation } of attempts(analysis, observed)) {
          const { schedule } = confirmation;
          if (schedule === null) continue;
          const events = reordered(observed, schedule);
          expect(judge(events).violatedBlocks).toContain(schedule.events.indexOf(violation.block!.begin) + 1);
          expectReads(observed, schedule);
          confirmed++;
        }
      }
      expect(confirmed).toBeGreaterThan(20);
    });
  },
);

it('confirms all that sidetrack predicts where every variable has its lock', () => {
  let predicted = 0;
  for (let seed = 1; seed <= 600; seed++) {
    const observed = guardedTrace(seed);
    for (const { confirmation } of attempts(sidetrack, observed)) {
      predicted++;
      if (confirmation.schedule === null)
        expect.fail(`seed ${seed}: ${confirmation.reason} in ${printEvents(observed)}`);
    }
  }
  expect(predicted).toBeGreaterThan(130);
});

it('confirms every race of fasttrack, by a schedule that ends with the two accesses', () => {
  let races = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const observed = randomTrace(seed);
    // The join of a thread without events orders nothing, and still has to wait for its fork.
    const actors = new Set(observed.map(({ thread }) => thread));
    if (observed.some(({ op, operand }) => op === Op.join && !actors.has(operand))) continue;
    for (const { violation, confirmation } of attempts(fasttrack, observed)) {
      races++;
      const schedule = confirmation.schedule!;
      reordered(observed, schedule);
      expect(schedule.events.slice(-2)).toEqual(violation.related!.map(({ event }) => event));
      expectReads(observed, { ...schedule, events: schedule.events.slice(0, -1) });
    }
  }
  expect(races).toBeGreaterThan(50);
});

it('confirms a deadlock only by a schedule after which each thread wants a lock that another one holds', () => {
  let deadlocks = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const observed = lockProgram(seed);
    for (const { violation, confirmation } of attempts(goodlock, observed)) {
      const { schedule } = confirmation;
      if (schedule === null) continue;
      deadlocks++;
      const events = reordered(observed, schedule);
      const holders = new Map<string, string>();
      for (const { thread, op, operand } of events) {
        if (op === Op.acquire) holders.set(operand, thread);
        if (op === Op.release) holders.delete(operand);
      }
      const threads = new Set(violation.related!.map(({ event }) => observed[event - 1].thread));
      for (const thread of threads) {
        const next = observed.filter((event) => event.thread === thread)[
          events.filter((event) => event.thread === thread).length
        ];
        expect(next.op).toBe(Op.acquire);
        expect(holders.get(next.operand)).not.toBe(thread);
        expect(threads).toContain(holders.get(next.operand));
      }
    }
  }
  expect(deadlocks).toBeGreaterThan(50);
});
