import { describe, expect, it } from 'vitest';
import type { ViolationFact } from '../../src/analyses/analysis.ts';
import { velodrome, velodromeWith } from '../../src/analyses/velodrome/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { History } from '../oracle/history.ts';
import { fuzzRuns, hasNoComplaint, seeded } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import { trace } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

const withoutMerging = velodromeWith({ merging: false });
const alwaysCompacting = velodromeWith({ compactAbove: Number.NEGATIVE_INFINITY });

/** What is reported, in short: `A at 5` for a block that was refuted, `trace at 7` where no one is to blame. */
function reports(notation: string, description = velodrome): string[] {
  const given = trace(notation);
  const { violations } = run(description, given);
  return violations.map(({ kind, event, block }) =>
    block === null ? `${kind} at ${event}` : `${given.names.labels.text(block.label)} at ${event}`,
  );
}

function statistics(notation: string, description = velodrome) {
  return run(description, trace(notation)).outcome.statistics;
}

describe('blame', () => {
  it('falls on a transaction whose cycle is increasing, with the conflicts along it', () => {
    const { violations } = run(velodrome, trace('t1: begin A, r x; t2: w x, w y; t1: r y, end'));
    expect(violations).toEqual([
      {
        kind: 'transaction',
        event: 5,
        thread: 0,
        block: { label: 0, begin: 1, depth: 0 },
        cycle: [
          { from: 2, to: 3 },
          { from: 4, to: 5 },
        ],
      },
    ]);
  });

  it('falls on nobody when every transaction is serializable by itself', () => {
    expect(reports('t1: begin A, w x; t2: begin B, w y, r x, end; t1: r y, end')).toEqual(['trace at 7']);
    expect(reports('t1: begin A, w x; t2: begin B, r x, w y, end; t1: r y, end')).toEqual(['A at 7']);
  });

  it('falls on nested blocks that contain both ends of the cycle, outermost first', () => {
    const nested = 't1: begin P, begin Q, r x; t2: w x; t1: begin R, w x, end, end, end';
    expect(reports(nested)).toEqual(['P at 6', 'Q at 6']);
  });

  it('spares nested blocks that began after the cycle left the transaction', () => {
    expect(reports('t1: begin P, r x, begin Q; t2: w x; t1: w x, end, end')).toEqual(['P at 5']);
  });

  it('falls on a nested block later, when a cycle of its own is closed', () => {
    const later = 't1: begin P, r x, begin Q; t2: w x; t1: w x, r y; t2: w y; t1: w y, end, end';
    expect(reports(later)).toEqual(['P at 5', 'Q at 8']);
  });

  it('falls on each block once, however many cycles it closes', () => {
    expect(reports('t1: begin A, r x; t2: w x; t1: w x; t2: w x; t1: w x, end')).toEqual(['A at 4']);
    expect(statistics('t1: begin A, r x; t2: w x; t1: w x; t2: w x; t1: w x, end').cycles).toBe(2);
  });

  it('goes on after a violation', () => {
    const twice = 't1: begin A, r x; t2: w x; t1: w x, end, begin B, r x; t2: w x; t1: w x, end';
    expect(reports(twice)).toEqual(['A at 4', 'B at 9']);
  });

  it('reports one trace with nobody to blame, and counts the others', () => {
    const pair = 't1: begin A, w x; t2: begin B, w y, r x, end; t1: r y, end';
    expect(reports(`${pair}; ${pair}`)).toEqual(['trace at 7']);
    expect(statistics(`${pair}; ${pair}`).cyclesWithoutBlame).toBe(2);
  });

  it('uses the times of the last conflict between two transactions, not of the first', () => {
    // RegionTrack's figure 1(c), which it says Velodrome misses: the edge from tx2 to tx3 gets new times.
    const example = examples().find(({ name }) => name === 'regiontrack-fig1c-alpha3')!;
    const { violations } = run(velodrome, example.trace);
    expect(violations).toMatchObject([{ kind: 'transaction', event: 14, block: { begin: 1 } }]);
  });

  it('takes the path that leaves the transaction last, not the shortest', () => {
    const short = 't1: begin P, w x; t2: begin M, r x; t1: begin Q, w y';
    const long = 't3: r y, w z; t2: r z';
    expect(reports(`${short}; ${long}, w v; t1: r v, end, end`)).toEqual(['P at 11', 'Q at 11']);
    expect(reports(`${short}; t2: w v; t1: r v, end, end`)).toEqual(['P at 8']);
  });

  it('names a child that is joined with a block still open', () => {
    expect(reports('t1: begin A, fork t2; t2: begin B; t1: join t2')).toEqual(['A at 4']);
    expect(reports('t1: begin A, fork t2; t1: join t2')).toEqual([]);
  });
});

/** Follows a reported cycle event by event; throws unless each happens before the next. */
function checkCycle(events: readonly NamedEvent[], violation: ViolationFact): void {
  const history = new History(events);
  const cycle = violation.cycle!;
  const begin = violation.block!.begin;
  let thread = history.thread[begin - 1];
  let at = begin;
  for (const { from, to } of cycle) {
    expect(history.thread[from - 1]).toBe(thread);
    expect(from).toBeGreaterThanOrEqual(at);
    expect(to).toBeGreaterThan(from);
    expect(history.conflict(from - 1, to - 1)).toBe(true);
    thread = history.thread[to - 1];
    at = to;
  }
  expect(at).toBe(violation.event);
  expect(thread).toBe(history.thread[begin - 1]);
  expect(new Set(cycle.map(({ from }) => history.thread[from - 1])).size).toBeGreaterThan(1);
}

describe('the cycle of a blamed block', () => {
  const runs = fuzzRuns(1000);
  const timeout = 180_000 + runs * 5;

  it.each([
    ['as usual', velodrome],
    ['without merging', withoutMerging],
    ['always compacting', alwaysCompacting],
  ])(
    'is a chain of conflicts that starts and ends in it, on random traces, %s',
    { timeout },
    (_, description) => {
      let checked = 0;
      hasNoComplaint(seeded(runs, randomTrace), (events) => {
        for (const violation of run(description, MemoryTrace.of(events)).violations) {
          if (violation.kind !== 'transaction') continue;
          checkCycle(events, violation);
          checked++;
        }
        return null;
      });
      expect(checked).toBeGreaterThan(300);
    },
  );
});

describe('events outside blocks', () => {
  it('get no node when they come after nothing live', () => {
    expect(statistics('t1: w x; t2: r x, w y; t1: r y').nodesAllocated).toBe(0);
  });

  it('share the node of their thread when they come after no more than it does', () => {
    const { nodesAllocated, merges } = statistics('t1: begin A, w x, w y; t2: r x, r y, w z, r y');
    expect({ nodesAllocated, merges }).toEqual({ nodesAllocated: 2, merges: 1 });
  });

  it('get a node of their own when they learn of another open transaction', () => {
    const learned = 't1: begin A, w x; t3: begin B, w y; t2: r x, r y';
    expect(statistics(learned).nodesAllocated).toBe(4);
  });

  it('never join an open transaction', () => {
    // Velodrome's Figure 4 lets the write of t2 join A, which then overwrites its own value: no cycle.
    expect(reports('t1: begin A, r x; t2: w x; t1: w x, end')).toEqual(['A at 4']);
    expect(reports('t1: begin A, r x; t2: r x; t1: w x, end')).toEqual([]);
  });

  it('do not tie together what comes before one and after another', () => {
    const apart = 't1: begin A, w x; t2: r x; t3: begin B, w y; t2: r y; t3: end; t1: r z, end';
    expect(reports(apart)).toEqual([]);
    expect(reports('t1: begin A, w x; t2: r x, w y; t1: r y, end')).toEqual(['A at 5']);
  });

  it('get a node each when merging is off, as in the first columns of Table 1', () => {
    const notation = 't1: begin A, w x, w y; t2: r x, r y, w z, r y; t1: end; t2: w x';
    expect(statistics(notation, withoutMerging).nodesAllocated).toBe(6);
    expect(statistics(notation).nodesAllocated).toBe(2);
  });
});

describe('garbage collection', () => {
  it('takes a transaction at its end if nothing open precedes it', () => {
    const chain = Array.from({ length: 20 }, (_, i) => `t${i % 3}: begin, r x, w x, end`).join('; ');
    expect(statistics(chain)).toMatchObject({ nodesAllocated: 20, nodesAliveAtMost: 1, edges: 0 });
  });

  it('keeps what an open transaction precedes until that ends', () => {
    const chain = Array.from({ length: 20 }, (_, i) => `t${i % 3}: begin, r x, w x, end`).join('; ');
    const { nodesAliveAtMost } = statistics(`t9: begin, w x; ${chain}; t9: end; ${chain}`);
    expect(nodesAliveAtMost).toBe(21);
  });

  it('makes runs of transactions one node when there are many', () => {
    const chain = Array.from({ length: 20 }, (_, i) => `t${i % 3}: begin, r x, w x, end`).join('; ');
    const notation = `t9: begin, w x; ${chain}; t9: r x, end`;
    const { nodesAliveAtMost, nodesCompacted } = statistics(notation, alwaysCompacting);
    expect(nodesAliveAtMost).toBeLessThanOrEqual(1 + 3 * 2);
    expect(nodesCompacted).toBeGreaterThanOrEqual(20 - 3 * 2);
    expect(reports(notation, alwaysCompacting)).toEqual(reports(notation));
  });
});

describe('compaction', () => {
  it('keeps the times of the last conflict with an open transaction', () => {
    const runs = 't9: begin P, w a; t1: begin, r a, end; t9: begin Q, w b; t1: begin, r b, w c, end';
    expect(reports(`${runs}, begin, end; t9: r c`, alwaysCompacting)).toEqual(['P at 14', 'Q at 14']);
    expect(reports(`${runs.replace('r b', 'r d')}, begin, end; t9: r c`, alwaysCompacting)).toEqual([
      'P at 14',
    ]);
  });

  it('keeps transactions apart that follow different open ones', () => {
    const apart = 't1: begin A, w a; t2: begin B, w b; t3: begin, r a, w x, end, begin, r b, end, begin, end';
    expect(reports(`${apart}; t2: r x, end`, alwaysCompacting)).toEqual([]);
    expect(reports(`${apart}; t1: r x, end`, alwaysCompacting)).toEqual(['A at 14']);
  });
});

describe('traps', () => {
  it('knows what its thread learned before the transaction began', () => {
    const known = 't0: begin d, w x, w y; t1: r y, begin b, r x, end; t0: w x, end';
    expect(reports(known)).toEqual(['d at 8']);
  });

  it('knows that a transaction which learned nothing still follows its thread', () => {
    const chain = 't0: begin A, w x; t1: begin B, r x, end, begin C, w y, end; t0: r y, end';
    expect(reports(chain)).toEqual(['A at 9']);
  });

  it('lets a child without events order nothing', () => {
    expect(reports('t1: begin A, fork c, w x; t2: join c, w y; t1: r y, end')).toEqual([]);
    expect(reports('t1: begin A, fork c, w x; c: r z; t2: join c, w y; t1: r y, end')).toEqual(['A at 7']);
  });

  it('puts a commuting update after the reads before the group, not after its own group', () => {
    expect(reports('t1: begin A, u n; t2: u n; t1: u n, end')).toEqual([]);
    expect(reports('t1: begin A, r n; t2: u n; t3: u n; t1: r n, end')).toEqual(['A at 5']);
  });
});

describe('an event that closes several cycles', () => {
  it('is not said to have nobody to blame when there is somebody', () => {
    const both =
      't1: begin a, begin c; t0: r y, r y; t1: r y; t0: w y; t1: w x; t0: w x; t1: r y; t0: begin d; t1: r y; t0: r y, w y; t1: r y';
    const kinds = run(velodrome, trace(both)).violations.map(({ kind, event }) => `${kind} ${event}`);
    expect(new Set(kinds.map((kind) => kind.split(' ')[1])).size).toBe(
      new Set(kinds.filter((kind) => kind.startsWith('trace')).map((kind) => kind.split(' ')[1])).size +
        new Set(kinds.filter((kind) => kind.startsWith('transaction')).map((kind) => kind.split(' ')[1]))
          .size,
    );
  });
});
