import { describe, expect, it } from 'vitest';
import type { ViolationFact } from '../../src/analyses/analysis.ts';
import { velodrome } from '../../src/analyses/velodrome/index.ts';
import { explain, explainStream, WitnessFinder } from '../../src/explain/index.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { examples } from '../support/examples.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { explainIn } from './support.ts';

/** One block after another in which a write comes between a read and a write. */
function lostUpdates(count: number, labels = 1): { trace: MemoryTrace; violations: ViolationFact[] } {
  const losing = new MemoryTrace();
  const violations: ViolationFact[] = [];
  for (let i = 0; i < count; i++) {
    const begin = losing.length + 1;
    const label = Math.min(i, labels - 1);
    losing.push(0, Op.begin, label);
    losing.push(0, Op.read, i);
    losing.push(1, Op.write, i);
    losing.push(0, Op.write, i);
    losing.push(0, Op.end, label);
    violations.push({ kind: 'transaction', event: begin + 3, thread: 0, block: { label, begin, depth: 0 } });
  }
  return { trace: losing, violations };
}

/** Blocks of as many threads, all open at once, each with a write between its read and its write. */
function openAtOnce(count: number): { trace: MemoryTrace; violations: ViolationFact[] } {
  const losing = new MemoryTrace();
  for (let i = 0; i < count; i++) losing.push(i, Op.begin, 0);
  for (let i = 0; i < count; i++) losing.push(i, Op.read, i);
  for (let i = 0; i < count; i++) losing.push(count, Op.write, i);
  for (let i = 0; i < count; i++) losing.push(i, Op.write, i);
  const violations = Array.from({ length: count }, (_, i): ViolationFact => {
    const block = { label: 0, begin: i + 1, depth: 0 };
    return { kind: 'transaction', event: 3 * count + i + 1, thread: i, block };
  });
  return { trace: losing, violations };
}

/** How often the trace is shown, and what comes of it. */
function passesOver(
  { trace, violations }: { trace: MemoryTrace; violations: ViolationFact[] },
  options: { limit?: number; most?: number; passes?: number; entries?: number } = {},
) {
  let passes = 0;
  const batches = () => {
    passes++;
    return trace.batches();
  };
  const explanations = explain(violations, batches, { forkJoin: 'edge', ...options });
  return { passes, explanations };
}

describe('how many are explained', () => {
  it('is no more than the limit, and the others are said to be left out', () => {
    const { explanations } = passesOver(lostUpdates(10), { limit: 3 });
    expect(explanations.filter(({ witness }) => witness !== null)).toHaveLength(3);
    expect(explanations.map(({ unexplained }) => unexplained)).toEqual([
      ...new Array(3).fill(null),
      ...new Array(7).fill('limit'),
    ]);
  });

  it('is at least one of each label', () => {
    const { explanations } = passesOver(lostUpdates(10, 6), { limit: 3 });
    expect(explanations.map(({ witness }) => witness !== null)).toEqual([
      ...new Array(6).fill(true),
      ...new Array(4).fill(false),
    ]);
  });

  it('is bounded, also where every violation has a label of its own', () => {
    const { explanations } = passesOver(lostUpdates(10, 10), { limit: 3, most: 5 });
    expect(explanations.map(({ unexplained }) => unexplained)).toEqual([
      ...new Array(5).fill(null),
      ...new Array(5).fill('limit'),
    ]);
    expect(explanations.map(({ blockEnd }) => blockEnd)).toEqual(explanations.map((_, i) => 5 * i + 5));
  });

  it('does not change how severe the others of a label are', () => {
    const { explanations } = passesOver(lostUpdates(10), { limit: 3 });
    expect(explanations.every(({ severity }) => severity === 'error')).toBe(true);
  });

  it('counts what several analyses report once', () => {
    const { trace, violations } = lostUpdates(3);
    const reported = [...violations, ...violations.map((violation) => ({ ...violation }))];
    const { explanations } = passesOver({ trace, violations: reported }, { limit: 3 });
    expect(explanations.every(({ witness }) => witness !== null)).toBe(true);
    expect(explanations[0].witness).toBe(explanations[3].witness);
  });
});

describe('what one search has seen enough of', () => {
  it('is shown to the next one', () => {
    const given = trace(
      't3: begin B1, u x; t1: w x; t3: r x; t1: begin B3, r x; t3: w x; t1: r x; t3: end, u x; t1: u x, r x',
    );
    const { violations } = run(velodrome, given, {});
    const patterns = explainIn(given, violations).map(({ witness }) => witness?.pattern);
    expect(patterns).toEqual(['overwritten-before-read', 'lost-update']);
  });
});

describe('how often the trace is looked at', () => {
  it('is not at all without violations', () => {
    expect(passesOver({ trace: trace('t1: r x'), violations: [] }).passes).toBe(0);
  });

  it('is once for blocks that come one after another', () => {
    expect(passesOver(lostUpdates(500)).passes).toBe(1);
  });

  it('is once, whatever an earlier block made of the same variables', () => {
    const twice = trace(`t1: begin A, r y; t2: w y, w z, w x; t1: r x, end
      t1: begin A, r y; t2: w y, w z; t1: r z, end`);
    const violations = [
      [1, 6],
      [8, 12],
    ].map(
      ([begin, event]): ViolationFact => ({
        kind: 'transaction',
        event,
        thread: 0,
        block: { label: 0, begin, depth: 0 },
      }),
    );
    const { passes, explanations } = passesOver({ trace: twice, violations });
    expect(explanations.every(({ witness }) => witness?.cycle.length === 2)).toBe(true);
    expect(passes).toBe(1);
  });

  it('is more often if there are more open at once than can be followed', () => {
    const { passes, explanations } = passesOver(openAtOnce(100));
    expect(explanations.every(({ witness }) => witness?.pattern === 'lost-update')).toBe(true);
    expect(passes).toBe(4);
  });

  it('is more often if they take too much memory together', () => {
    const { passes, explanations } = passesOver(openAtOnce(10), { entries: 20 });
    expect(explanations.every(({ witness }) => witness?.pattern === 'lost-update')).toBe(true);
    expect(passes).toBeGreaterThan(1);
  });

  it('is bounded', () => {
    const { passes, explanations } = passesOver(openAtOnce(100), { passes: 2 });
    expect(passes).toBe(2);
    expect(explanations.filter(({ unexplained }) => unexplained === 'limit')).toHaveLength(36);
  });

  it('is no further than needed', () => {
    const { trace, violations } = lostUpdates(100_000);
    const finder = new WitnessFinder(violations.slice(0, 3), { forkJoin: 'edge' });
    let batches = 0;
    while (finder.startPass())
      for (const batch of trace.batches()) {
        batches++;
        if (!finder.look(batch)) break;
      }
    expect(batches).toBe(1);
  });
});

describe('the end of the violated block', () => {
  it('is told for every violation, explained or not', () => {
    const { explanations } = passesOver(lostUpdates(3), { limit: 1 });
    expect(explanations.map(({ blockEnd }) => blockEnd)).toEqual([5, 10, 15]);
  });

  it('is null if the block is still open where the trace ends', () => {
    const open = trace('t1: begin A, begin B, r x; t2: w x; t1: w x, end');
    const [outer, inner] = explainIn(
      open,
      [0, 1].map((depth) => ({
        kind: 'transaction',
        event: 5,
        thread: 0,
        block: { label: depth, begin: depth + 1, depth },
      })),
    );
    expect([outer.blockEnd, inner.blockEnd]).toEqual([null, 6]);
  });

  it('is the fork or join that cuts it, where those are boundaries', () => {
    const cut = trace('t1: begin A, r x; t2: w x; t1: w x, fork c, end');
    const block = { label: 0, begin: 1, depth: 0 };
    const violation = { kind: 'transaction', event: 4, thread: 0, block } as const;
    expect(explainIn(cut, [violation], { forkJoin: 'boundary' })[0].blockEnd).toBe(5);
    expect(explainIn(cut, [violation])[0].blockEnd).toBe(6);
  });
});

describe('what is not so', () => {
  const innocent = trace('t1: begin A, r x, end; t2: w x');
  const block = { label: 0, begin: 1, depth: 0 };

  it.each([
    ['a block that nothing comes between', { kind: 'transaction', event: 2, thread: 0, block }],
    ['a cycle that is not there', { kind: 'trace', event: 2, thread: 0, block: null }],
    ['a thread without a transaction', { kind: 'trace', event: 4, thread: 1, block: null }],
    ['an event beyond the trace', { kind: 'trace', event: 99, thread: 0, block: null }],
    [
      'a block beyond the trace',
      { kind: 'transaction', event: 99, thread: 0, block: { label: 0, begin: 98, depth: 0 } },
    ],
  ] as [string, ViolationFact][])('gets no witness: %s', (_, violation) => {
    const [explanation] = explainIn(innocent, [violation]);
    expect(explanation).toMatchObject({ witness: null, unexplained: 'no-cycle', severity: 'warning' });
  });
});

it('explains a trace that is read as it goes', async () => {
  const { trace } = examples().find(({ name }) => name === 'velodrome-rmw')!;
  const block = { label: 0, begin: 1, depth: 0 };
  async function* batches() {
    yield* trace.batches();
  }
  const violation = { kind: 'transaction', event: 4, thread: 0, block } as const;
  const [explanation] = await explainStream([violation], batches, { forkJoin: 'edge' });
  expect(explanation.witness?.pattern).toBe('lost-update');
});

it('does not need more memory for a longer trace', () => {
  // A block that lasts for the whole trace, with a thousand other threads at work in it.
  const long = new MemoryTrace();
  long.push(0, Op.begin, 0);
  long.push(0, Op.read, 0);
  for (let i = 0; i < 100_000; i++) long.push(1 + (i % 1000), i % 3 === 0 ? Op.write : Op.read, i % 100);
  long.push(0, Op.write, 0);
  const block = { label: 0, begin: 1, depth: 0 };
  const violation = { kind: 'transaction', event: long.length, thread: 0, block } as const;
  const { passes, explanations } = passesOver({ trace: long, violations: [violation] }, { entries: 1200 });
  expect(explanations[0].witness?.pattern).toBe('lost-update');
  expect(passes).toBe(1);
});

it('follows a path through ten thousand threads', () => {
  const relay = new MemoryTrace();
  const last = 10_000;
  relay.push(0, Op.begin, 0);
  for (let thread = 0; thread < last; thread++) relay.push(thread, Op.fork, thread + 1);
  relay.push(last, Op.write, 0);
  relay.push(0, Op.read, 0);
  const violation = { kind: 'trace', event: relay.length, thread: 0, block: null } as const;
  const { explanations } = passesOver({ trace: relay, violations: [violation] });
  expect(explanations[0].witness).toMatchObject({ increasing: true });
  expect(explanations[0].witness?.cycle).toHaveLength(last + 1);
});

describe('what explaining may take', () => {
  /** A block, and another thread that follows it and writes many variables, the last of which the block reads. */
  function wideReach(variables: number): { trace: MemoryTrace; violations: ViolationFact[] } {
    const wide = new MemoryTrace();
    wide.push(0, Op.begin, 0);
    wide.push(0, Op.write, 0);
    wide.push(1, Op.read, 0);
    for (let i = 1; i <= variables; i++) wide.push(1, Op.write, i);
    wide.push(0, Op.read, variables);
    const block = { label: 0, begin: 1, depth: 0 };
    return { trace: wide, violations: [{ kind: 'transaction', event: wide.length, thread: 0, block }] };
  }

  it('is no memory for what others do where it is known what closes the cycle', () => {
    const { trace, violations } = wideReach(1000);
    const noticed = new Map([[violations[0], { op: Op.read, operand: 1000 }]]);
    const options = { forkJoin: 'edge', entries: 10, noticed } as const;
    const [explanation] = explain(violations, () => trace.batches(), options);
    expect(explanation.witness?.cycle.map(({ from, to }) => [from.event, to.event])).toEqual([
      [2, 3],
      [1003, 1004],
    ]);
  });

  it('is bounded also for one search alone, which is then given up', () => {
    const { trace, violations } = wideReach(1000);
    const [explanation] = explain(violations, () => trace.batches(), { forkJoin: 'edge', entries: 10 });
    expect(explanation).toMatchObject({ witness: null, unexplained: 'limit' });
  });

  it('does not depend on how long a thread runs that a block forks and waits for', () => {
    const waiting = new MemoryTrace();
    waiting.push(0, Op.begin, 0);
    waiting.push(0, Op.write, 0);
    waiting.push(0, Op.fork, 1);
    for (let i = 0; i < 10_000; i++) {
      waiting.push(1, Op.read, 0);
      waiting.push(1, Op.write, 1);
    }
    waiting.push(0, Op.join, 1);
    const block = { label: 0, begin: 1, depth: 0 };
    const violation = { kind: 'transaction', event: waiting.length, thread: 0, block } as const;
    const noticed = new Map([[violation, { op: Op.join, operand: 1 }]]);
    const options = { forkJoin: 'edge', budget: 200, noticed } as const;
    const [{ witness }] = explain([violation], () => waiting.batches(), options);
    expect(witness?.cycle.map(({ from, to }) => [from.event, to.event])).toEqual([
      [2, 4],
      [4, 20_004],
    ]);
  });

  it('is so many events at most, and what was found by then stands', () => {
    const { trace, violations } = lostUpdates(5000);
    const options = { forkJoin: 'edge', limit: 5000, budget: 5000 } as const;
    const explanations = explain(violations, () => trace.batches(), options);
    const explained = explanations.filter(({ witness }) => witness !== null).length;
    expect(explained).toBeGreaterThan(0);
    expect(explained).toBeLessThan(5000);
    expect(explanations.at(-1)).toMatchObject({ witness: null, unexplained: 'limit' });
  });
});

describe('a cycle backwards in time', () => {
  it('is found through a hundred transactions', () => {
    const k = 100;
    const ring = new MemoryTrace();
    for (let i = 0; i < k; i++) ring.push(i, Op.begin, 0);
    for (let i = k - 2; i >= 0; i--) {
      ring.push(i, Op.write, i);
      ring.push(i + 1, Op.read, i);
    }
    ring.push(k - 1, Op.write, k);
    ring.push(0, Op.read, k);
    const violation: ViolationFact = { kind: 'trace', event: ring.length, thread: 0, block: null };
    const [{ witness }] = explainIn(ring, [violation]);
    expect(witness?.cycle).toHaveLength(k);
  });
});
