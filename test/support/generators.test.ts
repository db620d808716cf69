import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { InputProblem } from '../../src/trace/problem.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { judge } from '../oracle/oracle.ts';
import { eventLists, traces } from './arbitraries.ts';
import { interpret, usualShape } from './choices.ts';
import { events, printEvents } from './notation.ts';
import { Random, randomTrace } from './random-traces.ts';
import { shrink } from './shrink.ts';
import { firstProblem } from './well-formed.ts';

const random = Array.from({ length: 2000 }, (_, seed) => randomTrace(seed));
const arbitrary = fc.sample(eventLists(), { numRuns: 2000, seed: 1 });

describe('the rules of well-formed traces', () => {
  it.each([
    't1: acq l, acq l, rel l, rel l; t2: acq l',
    't1: begin A, begin B, end, end, begin C',
    't1: fork t2; t2: r x; t1: join t2; t3: join t2',
    't1: join t2',
  ])('allow %s', (notation) => {
    expect(firstProblem(events(notation))).toBeNull();
  });

  it.each([
    ['t1: acq l; t2: acq l', 'event 2: t1 holds l'],
    ['t1: acq l, acq l, rel l; t2: acq l', 'event 4: t1 holds l'],
    ['t1: acq l; t2: rel l', 'event 2: t2 does not hold l'],
    ['t1: begin A, end B', 'event 2: B is not the innermost open block'],
    ['t1: begin A; t2: end A', 'event 2: A is not the innermost open block'],
    ['t2: r x; t1: fork t2', 'event 2: t2 is already running'],
    ['t1: fork t1', 'event 1: t1 is already running'],
    ['t1: fork t3; t2: fork t3', 'event 2: t3 was forked before'],
    ['t1: join t2; t2: r x', 'event 2: t2 acts after it was joined'],
    ['t1: join t1', 'event 1: t1 joins itself'],
  ])('forbid %s', (notation, problem) => {
    expect(firstProblem(events(notation))).toBe(problem);
  });

  it('are those that the program checks, on traces with two events changed over', () => {
    const numbers = new Random(1);
    let broken = 0;
    for (const original of random) {
      const changed = [...original];
      const i = numbers.below(changed.length);
      const j = numbers.below(changed.length);
      [changed[i], changed[j]] = [changed[j], changed[i]];
      const problem = firstProblem(changed);
      if (problem !== null) broken++;
      expect(refusal(changed) !== null, `${printEvents(changed)} (${problem})`).toBe(problem !== null);
    }
    expect(broken).toBeGreaterThan(random.length / 4);
  });
});

/** Why the program refuses the trace; null if it does not. */
function refusal(list: readonly NamedEvent[]): string | null {
  const trace = MemoryTrace.of(list);
  try {
    const wellFormedness = new WellFormedness(trace.names, { lenient: false });
    for (const batch of trace.copies()) wellFormedness.check(batch);
    return null;
  } catch (problem) {
    if (problem instanceof InputProblem) return problem.summary;
    throw problem;
  }
}

describe.each([
  ['random traces', random],
  ['arbitrary traces', arbitrary],
])('%s', (_, sample) => {
  /** Of a hundred traces, how many are such. */
  const percent = (isSuch: (list: readonly NamedEvent[]) => boolean) =>
    (100 * sample.filter(isSuch).length) / sample.length;
  const has = (op: Op) => (list: readonly NamedEvent[]) => list.some((event) => event.op === op);

  it('are well-formed', () => {
    for (const list of sample) expect(firstProblem(list), printEvents(list)).toBeNull();
  });

  it('have all operations', () => {
    for (const op of [Op.read, Op.write, Op.begin, Op.end]) expect(percent(has(op))).toBeGreaterThan(50);
    for (const op of [
      Op.update,
      Op.acquire,
      Op.release,
      Op.fork,
      Op.join,
      Op.volatileRead,
      Op.send,
      Op.receive,
    ])
      expect(percent(has(op))).toBeGreaterThan(8);
  });

  it('have up to eight threads and up to 40 events before the last ends', () => {
    const threads = sample.map((list) => new Set(list.map((event) => event.thread)).size);
    expect(Math.max(...threads)).toBe(8);
    const lengths = sample.map((list) => list.length);
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(40 + 8 * usualShape.depth);
  });

  it('have nested blocks, blocks that stay open and locks that stay held', () => {
    expect(percent((list) => deepestNesting(list) > 1)).toBeGreaterThan(10);
    expect(percent((list) => openAtTheEnd(list, Op.begin, Op.end))).toBeGreaterThan(20);
    expect(percent((list) => !openAtTheEnd(list, Op.begin, Op.end))).toBeGreaterThan(20);
    expect(percent((list) => openAtTheEnd(list, Op.acquire, Op.release))).toBeGreaterThan(5);
  });

  it('have re-entrant locking', () => {
    expect(percent(hasReentrantAcquire)).toBeGreaterThan(2);
  });

  it('have threads that are forked or joined and do nothing, and roots beside forked threads', () => {
    expect(percent((list) => eventless(list, Op.fork).length > 0)).toBeGreaterThan(5);
    expect(percent((list) => eventless(list, Op.join).length > 0)).toBeGreaterThan(2);
    const both = (list: readonly NamedEvent[]) => {
      const joined = new Set(eventless(list, Op.join));
      return eventless(list, Op.fork).some((thread) => joined.has(thread));
    };
    expect(percent(both)).toBeGreaterThan(0.2);
  });

  it('are serializable or not about equally often', () => {
    const serializable = percent((list) => judge(list).serializable === true);
    expect(serializable).toBeGreaterThan(25);
    expect(serializable).toBeLessThan(75);
  });

  it('have cycles without a violated transaction', () => {
    const isSuch = (list: readonly NamedEvent[]) => {
      const { firstEvent } = judge(list);
      return firstEvent !== null && judge(list.slice(0, firstEvent)).violatedTransactions.length === 0;
    };
    expect(percent(isSuch)).toBeGreaterThan(0.3);
  });
});

function deepestNesting(list: readonly NamedEvent[]): number {
  const depth = new Map<string, number>();
  let deepest = 0;
  for (const { thread, op } of list) {
    const now = (depth.get(thread) ?? 0) + (op === Op.begin ? 1 : op === Op.end ? -1 : 0);
    depth.set(thread, now);
    deepest = Math.max(deepest, now);
  }
  return deepest;
}

function openAtTheEnd(list: readonly NamedEvent[], opening: Op, closing: Op): boolean {
  return list.filter(({ op }) => op === opening).length > list.filter(({ op }) => op === closing).length;
}

function hasReentrantAcquire(list: readonly NamedEvent[]): boolean {
  const held = new Map<string, number>();
  return list.some(({ op, operand }) => {
    if (op === Op.acquire) held.set(operand, (held.get(operand) ?? 0) + 1);
    if (op === Op.release) held.set(operand, (held.get(operand) ?? 0) - 1);
    return op === Op.acquire && held.get(operand) === 2;
  });
}

/** The threads to which `op` is done and which do nothing themselves. */
function eventless(list: readonly NamedEvent[], op: Op): string[] {
  const acting = new Set(list.map((event) => event.thread));
  return list.filter((event) => event.op === op && !acting.has(event.operand)).map((event) => event.operand);
}

describe('seeds', () => {
  it('give the same trace again', () => {
    expect(randomTrace(42)).toEqual(randomTrace(42));
    expect(randomTrace(42)).not.toEqual(randomTrace(43));
  });

  it('give traces of the shape that is asked for', () => {
    for (let seed = 0; seed < 200; seed++) {
      const list = randomTrace(seed, {
        threads: 2,
        variables: 1,
        locks: 0,
        depth: 1,
        maxEvents: 10,
        closed: false,
      });
      expect(list.length).toBeLessThanOrEqual(10);
      expect(deepestNesting(list)).toBeLessThanOrEqual(1);
      for (const { thread, op, operand } of list) {
        expect(['t1', 't2']).toContain(thread);
        expect([Op.acquire, Op.release]).not.toContain(op);
        if (op <= Op.update) expect(operand).toBe('x1');
      }
    }
  });
});

describe('choices', () => {
  it('make a well-formed trace whichever of them are left out', () => {
    const choice = fc.record({ thread: fc.nat(7), op: fc.nat(1000), operand: fc.nat(7), kept: fc.boolean() });
    fc.assert(
      fc.property(fc.array(choice, { size: 'large' }), (choices) => {
        const kept = choices.filter((choice) => choice.kept);
        expect(firstProblem(interpret(kept, usualShape))).toBeNull();
      }),
    );
  });
});

describe('shrinking', () => {
  it('of arbitrary traces goes through well-formed traces to a small one', () => {
    const seen: NamedEvent[][] = [];
    const { counterexample } = fc.check(
      fc.property(eventLists(), (list) => {
        seen.push(list);
        return judge(list).violatedTransactions.length === 0;
      }),
      { seed: 1, numRuns: 1000 },
    );
    for (const list of seen) expect(firstProblem(list), printEvents(list)).toBeNull();
    // A begin, an access, one of another thread, and an access again.
    expect(counterexample![0].length).toBeLessThanOrEqual(6);
  });

  it('shows arbitrary traces in the notation', () => {
    const [shown] = fc
      .sample(traces({ maxEvents: 5 }), { numRuns: 1, seed: 4 })
      .map((trace) => fc.stringify(trace));
    expect(MemoryTrace.of(events(shown)).length).toBeGreaterThan(0);
  });

  it('of random traces gives the smallest cycles', () => {
    const failing = random.filter((list) => judge(list).serializable === false).slice(0, 100);
    for (const list of failing) {
      const smallest = shrink(list, (candidate) => judge(candidate).serializable === false);
      expect(firstProblem(smallest)).toBeNull();
      expect(judge(smallest).serializable).toBe(false);
      expect(smallest.length, printEvents(smallest)).toBeLessThanOrEqual(8);
    }
  });

  it('takes out pairs, and whole threads', () => {
    const list = events('t1: acq l, begin A, r x, end, rel l; t2: acq l, w y, rel l, begin B; t1: w z');
    const smallest = shrink(list, (candidate) => candidate.some(({ operand }) => operand === 'x'));
    expect(printEvents(smallest)).toBe('t1: r x');
  });
});
