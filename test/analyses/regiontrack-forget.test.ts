import { describe, expect, it } from 'vitest';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { RegionTrack } from '../../src/analyses/regiontrack/regiontrack.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERAND_KINDS, Op } from '../../src/trace/operation.ts';
import { printEvents } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { oneWayTrace, wildTrace } from './regiontrack-traces.ts';

const RUNS = Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0) / 20, 200);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

/** Numbers for names, used again as soon as they are given back. */
class Numbers {
  readonly #byName = new Map<string, number>();
  readonly #free: number[] = [];
  count = 0;

  of(name: string): number {
    let number = this.#byName.get(name);
    if (number === undefined) {
      number = this.#free.pop() ?? this.count++;
      this.#byName.set(name, number);
    }
    return number;
  }

  giveBack(name: string): number {
    const number = this.of(name);
    this.#byName.delete(name);
    this.#free.push(number);
    return number;
  }
}

/** The names by the index of the event that mentions them last. */
function lastMentions(events: readonly NamedEvent[], mentioned: (event: NamedEvent) => string[]) {
  const last = new Map<string, number>();
  events.forEach((event, i) => {
    for (const name of mentioned(event)) last.set(name, i);
  });
  const byIndex = events.map((): string[] => []);
  for (const [name, i] of last) byIndex[i].push(name);
  return byIndex;
}

const isThreadOperand = (op: Op) => OPERAND_KINDS[op] === 'thread';
const isVariableOperand = (op: Op) => OPERAND_KINDS[op] === 'variable';

/** What is found if threads and variables are forgotten after their last events, the threads only unless needed. */
function foundWhileForgetting(events: readonly NamedEvent[], forgetsNeeded: boolean) {
  const found: { begin: number; event: number }[] = [];
  const analysis = new RegionTrack({
    forkJoin: 'family',
    report: ({ block, event }) => found.push({ begin: block!.begin, event }),
  });
  const threads = new Numbers();
  const variables = new Numbers();
  const others = new Numbers();
  const overAt = lastMentions(events, ({ thread, op, operand }) =>
    isThreadOperand(op) ? [thread, operand] : [thread],
  );
  const unusedAt = lastMentions(events, ({ op, operand }) => (isVariableOperand(op) ? [operand] : []));
  let leaving: string[] = [];
  events.forEach(({ thread, op, operand }, i) => {
    const table = isThreadOperand(op) ? threads : isVariableOperand(op) ? variables : others;
    const batch = new EventBatch(1);
    batch.firstEvent = i + 1;
    batch.push(threads.of(thread), op, table.of(operand), 0, 0);
    dispatch(batch, analysis);
    for (const name of unusedAt[i]) analysis.forgetVariable(variables.giveBack(name));
    leaving.push(...overAt[i]);
    const needed = forgetsNeeded ? [] : leaving.filter((name) => analysis.needsThread(threads.of(name)));
    const unneeded = leaving.filter((name) => !needed.includes(name));
    if (unneeded.length > 0) analysis.forgetThreads(unneeded.map((name) => threads.giveBack(name)));
    leaving = needed;
  });
  analysis.finish(events.length);
  return { found, threadNumbers: threads.count };
}

function foundOtherwise(events: readonly NamedEvent[]) {
  const { violations } = run(regiontrack, MemoryTrace.of(events), { forkJoin: 'family' });
  return violations.map(({ block, event }) => ({ begin: block!.begin, event }));
}

function isTheSame(events: readonly NamedEvent[]): boolean {
  const { found } = foundWhileForgetting(events, false);
  return JSON.stringify(found) === JSON.stringify(foundOtherwise(events));
}

function isPartOfIt(events: readonly NamedEvent[]): boolean {
  const begins = new Set(foundOtherwise(events).map(({ begin }) => begin));
  return foundWhileForgetting(events, true).found.every(({ begin }) => begins.has(begin));
}

describe.each([
  { name: 'wild', make: wildTrace },
  { name: 'one-way', make: oneWayTrace },
])('regiontrack with families, on $name traces', ({ make }) => {
  it.each([
    { claim: 'finds the same if it forgets the threads it does not need', holds: isTheSame },
    { claim: 'makes nothing up if it forgets threads that it needs', holds: isPartOfIt },
  ])(`$claim (${RUNS} traces from seed ${SEED})`, { timeout: 180_000 + RUNS * 50 }, ({ holds }) => {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const events = make(seed);
      if (holds(events)) continue;
      const smallest = shrink(events, (candidate) => !holds(candidate));
      expect.fail(`seed ${seed}: not on ${printEvents(smallest)}`);
    }
  });
});

describe('regiontrack with families', () => {
  it('needs few numbers for any number of short threads', () => {
    const events: NamedEvent[] = [];
    for (let i = 0; i < 1000; i++) {
      const thread = `t${i}`;
      events.push({ thread: 'main', op: Op.fork, operand: thread });
      events.push({ thread, op: Op.begin, operand: 'work' }, { thread, op: Op.update, operand: 'count' });
      events.push({ thread, op: Op.end, operand: 'work' }, { thread: 'main', op: Op.join, operand: thread });
    }
    expect(foundWhileForgetting(events, false).threadNumbers).toBe(2);
  });
});
