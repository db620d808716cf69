import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../../src/analyses/aerodrome/index.ts';
import type { AnalysisDescription } from '../../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../../src/analyses/atomsanitizer/index.ts';
import { MemoryTrace } from '../../../src/trace/memory-trace.ts';
import type { NameTable } from '../../../src/trace/name-table.ts';
import { Op } from '../../../src/trace/operation.ts';
import { run } from '../../support/run.ts';

/*
 * Traces in which work that grows with all threads or transactions that ever were would show. How much there is
 * of it is counted, not timed: `steps` from fact to fact, and how much of each thing there was at a time.
 */

/** Everything a trace of this test is made of: threads are numbers, and all blocks have one label. */
class Scenario {
  readonly trace = new MemoryTrace();

  step(thread: number, op: Op, operand = 0): number {
    this.#name(this.trace.names.threads, thread);
    this.#name(this.trace.names.operandTable(op), operand);
    this.trace.push(thread, op, operand);
    return this.trace.length;
  }

  block(thread: number, ...steps: [Op, number][]): void {
    this.step(thread, Op.begin);
    for (const [op, operand] of steps) this.step(thread, op, operand);
    this.step(thread, Op.end);
  }

  #name(table: NameTable, id: number): void {
    for (let next = table.size; next <= id; next++) table.internText(String(next));
  }
}

function outcome(description: AnalysisDescription, { trace }: Scenario) {
  const { firstEvent, statistics } = run(description, trace).outcome;
  return { firstEvent, ...statistics } as {
    firstEvent: number | null;
    conflicts: number;
    steps: number;
    factsAtMost: number;
    runningAtMost: number;
    membersAtMost: number;
  };
}

const MAIN = 0;
const CONFIG = 0;
const RESULT = 1;
const OWN = 2;

describe.each([atomsanitizer, aerodrome])('$name', (description) => {
  const THREADS = 100_000;

  it('forgets 100,000 short threads that were joined', () => {
    const scenario = new Scenario();
    scenario.step(MAIN, Op.write, CONFIG);
    for (let child = 1; child <= THREADS; child++) {
      scenario.step(MAIN, Op.fork, child);
      scenario.block(child, [Op.read, CONFIG], [Op.acquire, 0], [Op.write, RESULT], [Op.release, 0]);
      scenario.step(MAIN, Op.join, child);
      scenario.step(MAIN, Op.read, RESULT);
    }
    expect(outcome(description, scenario)).toMatchObject({
      firstEvent: null,
      factsAtMost: 0,
      runningAtMost: 1,
      membersAtMost: 1,
    });
  });

  it('forgets 100,000 threads that were not joined', () => {
    const scenario = new Scenario();
    for (let child = 1; child <= THREADS; child++) {
      scenario.block(MAIN, [Op.write, CONFIG], [Op.fork, child]);
      scenario.block(child, [Op.write, OWN]);
      scenario.step(MAIN, Op.begin);
      scenario.step(MAIN, Op.write, RESULT);
      scenario.step(child, Op.read, RESULT);
      scenario.step(MAIN, Op.end);
    }
    const { firstEvent, factsAtMost } = outcome(description, scenario);
    expect(firstEvent).toBeNull();
    expect(factsAtMost).toBeLessThan(THREADS / 2);
  });

  it('ends the blocks that joined threads leave open', () => {
    const scenario = new Scenario();
    for (let child = 1; child <= 1000; child++) {
      scenario.step(MAIN, Op.fork, child);
      scenario.step(child, Op.begin);
      scenario.step(child, Op.write, RESULT);
      scenario.step(MAIN, Op.join, child);
    }
    expect(outcome(description, scenario)).toMatchObject({ firstEvent: null, runningAtMost: 1 });
  });

  it('does as much for each of 100,000 threads that a long transaction precedes', () => {
    const scenario = new Scenario();
    scenario.step(MAIN, Op.begin);
    scenario.step(MAIN, Op.write, CONFIG);
    for (let child = 1; child <= THREADS; child++) {
      scenario.step(MAIN, Op.fork, child);
      scenario.block(child, [Op.read, CONFIG], [Op.acquire, 0], [Op.update, RESULT], [Op.release, 0]);
    }
    const { firstEvent, steps, factsAtMost, membersAtMost } = outcome(description, scenario);
    expect({ firstEvent, factsAtMost }).toEqual({ firstEvent: null, factsAtMost: THREADS });
    expect(steps).toBeLessThan(20 * THREADS);
    expect(membersAtMost).toBeLessThan(10);

    const closing = scenario.step(MAIN, Op.read, RESULT);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it('hands on what precedes a long transaction to the 100,000 threads after it', () => {
    const OTHER = THREADS + 1;
    const READER = THREADS + 2;
    const scenario = new Scenario();
    scenario.step(MAIN, Op.begin);
    scenario.step(OTHER, Op.begin);
    scenario.step(OTHER, Op.write, CONFIG);
    for (let child = 1; child <= THREADS; child++) {
      scenario.step(MAIN, Op.fork, child);
      scenario.step(child, Op.write, OWN + child);
    }
    scenario.step(MAIN, Op.read, CONFIG);
    scenario.step(MAIN, Op.end);
    scenario.step(READER, Op.read, OWN + 1);
    scenario.step(READER, Op.write, RESULT);
    const { firstEvent, steps, factsAtMost } = outcome(description, scenario);
    expect({ firstEvent, isSmall: factsAtMost <= 2 * THREADS }).toEqual({ firstEvent: null, isSmall: true });
    expect(steps).toBeLessThan(20 * THREADS);

    const closing = scenario.step(OTHER, Op.read, RESULT);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it('keeps one fact for each of 10,000 nested forks with all blocks open', () => {
    const DEPTH = 10_000;
    const scenario = new Scenario();
    for (let thread = 0; thread < DEPTH; thread++) {
      scenario.step(thread, Op.begin);
      scenario.step(thread, Op.fork, thread + 1);
    }
    scenario.step(DEPTH, Op.write, RESULT);
    const { firstEvent, steps, factsAtMost, runningAtMost } = outcome(description, scenario);
    expect({ firstEvent, factsAtMost, runningAtMost }).toEqual({
      firstEvent: null,
      factsAtMost: DEPTH,
      runningAtMost: DEPTH,
    });
    expect(steps).toBeLessThan(20 * DEPTH);

    const closing = scenario.step(MAIN, Op.read, RESULT);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it.each([
    ['from the outside', (i: number) => i],
    ['from the inside', (i: number) => 9_999 - i],
    ['in no order', (i: number) => (i * 7919) % 10_000],
  ])('ends 10,000 nested blocks %s', (_, ending) => {
    const DEPTH = 10_000;
    const scenario = new Scenario();
    for (let thread = 0; thread < DEPTH; thread++) {
      scenario.step(thread, Op.begin);
      scenario.step(thread, Op.fork, thread + 1);
    }
    scenario.step(DEPTH, Op.write, RESULT);
    for (let i = 0; i < DEPTH; i++) if (ending(i) !== 0) scenario.step(ending(i), Op.end);
    const { firstEvent, steps } = outcome(description, scenario);
    expect(firstEvent).toBeNull();
    expect(steps).toBeLessThan(20 * DEPTH);

    const closing = scenario.step(MAIN, Op.read, RESULT);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it('does little while 50 threads share one lock', () => {
    const scenario = new Scenario();
    const ROUNDS = 1000;
    for (let round = 0; round < ROUNDS; round++)
      for (let thread = 0; thread < 50; thread++)
        scenario.block(thread, [Op.acquire, 0], [Op.read, RESULT], [Op.write, RESULT], [Op.release, 0]);
    expect(outcome(description, scenario)).toMatchObject({ firstEvent: null, steps: 0, factsAtMost: 0 });
  });

  it('follows the lock through 50 open blocks', () => {
    const scenario = new Scenario();
    for (let thread = 0; thread < 50; thread++) {
      scenario.step(thread, Op.begin);
      scenario.step(thread, Op.acquire);
      scenario.step(thread, Op.release);
    }
    for (let round = 0; round < 1000; round++) {
      scenario.step(49, Op.acquire);
      scenario.step(49, Op.release);
    }
    const { firstEvent, factsAtMost } = outcome(description, scenario);
    expect({ firstEvent, isSmall: factsAtMost < 50 * 50 }).toEqual({ firstEvent: null, isSmall: true });

    const closing = scenario.step(17, Op.acquire);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it('keeps 1,000 readers with open blocks apart', () => {
    const READERS = 1000;
    const scenario = new Scenario();
    for (let reader = 1; reader <= READERS; reader++) {
      scenario.step(reader, Op.begin);
      scenario.step(reader, Op.read, CONFIG);
    }
    for (let round = 0; round < 20; round++)
      for (let reader = 1; reader <= READERS; reader++) scenario.step(reader, Op.read, CONFIG);
    scenario.step(MAIN, Op.write, CONFIG);
    scenario.step(MAIN, Op.write, RESULT);
    const { firstEvent, factsAtMost, membersAtMost } = outcome(description, scenario);
    expect({ firstEvent, factsAtMost, membersAtMost }).toEqual({
      firstEvent: null,
      factsAtMost: READERS,
      membersAtMost: READERS,
    });

    const closing = scenario.step(777, Op.read, RESULT);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });

  it('does little for what has nothing to do with a transaction that lasts for the whole trace', () => {
    const scenario = new Scenario();
    scenario.step(MAIN, Op.begin);
    for (let i = 0; i < 200_000; i++) {
      scenario.step(MAIN, Op.write, OWN + (i % 100));
      scenario.block(1 + (i % 3), [Op.read, RESULT], [Op.write, RESULT]);
    }
    expect(outcome(description, scenario)).toMatchObject({ firstEvent: null, steps: 0, factsAtMost: 0 });
  });

  it('does as much for each transaction after one that lasts for the whole trace', () => {
    const scenario = new Scenario();
    const ROUNDS = 100_000;
    scenario.step(MAIN, Op.begin);
    scenario.step(MAIN, Op.write, CONFIG);
    for (let i = 0; i < ROUNDS; i++)
      scenario.block(1 + (i % 3), [Op.read, CONFIG], [Op.read, RESULT], [Op.write, RESULT]);
    const { firstEvent, steps, factsAtMost, membersAtMost } = outcome(description, scenario);
    expect({ firstEvent, factsAtMost }).toEqual({ firstEvent: null, factsAtMost: 3 });
    expect(steps).toBeLessThan(20 * ROUNDS);
    expect(membersAtMost).toBeLessThan(10);

    const closing = scenario.step(MAIN, Op.write, CONFIG);
    expect(outcome(description, scenario).firstEvent).toBe(closing);
  });
});
