import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { CommitNode } from '../../src/analyses/commit-node/commit-node.ts';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { ConflictEdges } from '../../src/analyses/commit-node/inter-edges.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import { events, trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

/** The labels of the blocks that are reported, for conflicts and for views, each once. */
function torn(notation: string, forkJoin: ForkJoin = 'edge'): { conflict: string[]; view: string[] } {
  const given = trace(notation);
  const labels = (analysis: typeof commitNodeConflict) => {
    const { violations } = run(analysis, given, { forkJoin });
    return [...new Set(violations.map(({ block }) => given.names.labels.text(block!.label)))].sort();
  };
  return { conflict: labels(commitNodeConflict), view: labels(commitNodeView) };
}

/** The same, checked against all interleavings: something is reported if and only if there is something. */
function rightly(notation: string, forkJoin: 'edge' | 'boundary' = 'edge') {
  const reported = torn(notation, forkJoin);
  const truth = tryInterleavings(events(notation), { forkJoin });
  expect(reported.conflict.length === 0, 'conflict').toBe(truth.conflictAtomic);
  expect(reported.view.length === 0, 'view').toBe(truth.viewAtomic);
  return reported;
}

const nothing = { conflict: [], view: [] };
const both = (...labels: string[]) => ({ conflict: labels, view: labels });

describe('two transactions', () => {
  it('tear each other apart where one has two commit nodes', () => {
    expect(rightly('t1: begin A, r x, w x, end; t2: begin B, w x, end')).toEqual(both('A'));
    expect(rightly('t1: begin A, w x, end; t2: begin B, w x, end')).toEqual(nothing);
  });

  it('may have an access that the other cannot conflict with (Wang and Stoller §6.1)', () => {
    expect(rightly('t1: begin A, r x, w x, end; t2: begin B, r x, end')).toEqual(nothing);
    expect(rightly('t1: begin A, r x, w x, end; t2: begin B, r x, w x, end')).toEqual(both('A', 'B'));
  });

  it('are told apart in whatever order they were observed', () => {
    expect(rightly('t2: begin B, w x, end; t1: begin A, r x, w x, end')).toEqual(both('A'));
  });

  it('cannot come before the other if they keep a lock that it needs, whatever is seen', () => {
    const kept = 't1: begin A, w x; t2: begin B, acq l, w x; t1: w x; t2: rel l; t1: acq l, w y';
    expect(rightly(kept)).toEqual(both('A'));
    expect(torn(`${kept}, rel l, end`).view).toEqual([]);
  });

  it('are kept apart by a lock around everything', () => {
    expect(rightly('t1: begin A, acq l, r x, w x, rel l, end; t2: begin B, acq l, w x, rel l, end')).toEqual(
      nothing,
    );
  });

  it('meet between two regions of one lock: the constructor of Vector (§1, figure 1)', () => {
    const clear = 't2: begin removeAllElements, acq v, w count, rel v, end';
    const copy = 'begin Vector, acq v, r count, rel v, acq v, r count, rel v, end';
    expect(rightly(`t1: ${copy}; ${clear}`)).toEqual(both('Vector'));
    expect(rightly(`t1: ${copy.replace('rel v, acq v, ', '')}; ${clear}`)).toEqual(nothing);
  });

  it('meet at the outermost lock that both hold', () => {
    const other = 't2: begin B, acq l, acq m, w x, rel m, rel l, end';
    const twice = 'acq m, r x, rel m, acq m, w x, rel m';
    expect(rightly(`t1: begin A, acq l, ${twice}, rel l, end; ${other}`)).toEqual(nothing);
    expect(rightly(`t1: begin A, ${twice}, end; ${other}`)).toEqual(both('A'));
  });

  it('may take their locks hand over hand', () => {
    const hand = 'acq l, w x, acq m, rel l, w y, acq n, rel m, w z, rel n';
    expect(rightly(`t1: begin A, ${hand}, end; t2: begin B, ${hand}, end`)).toEqual(nothing);
    const dropped = hand.replace('acq n, rel m', 'rel m, acq n');
    expect(rightly(`t1: begin A, ${dropped}, end; t2: begin B, ${dropped}, end`)).toEqual(both('A', 'B'));
  });

  it('are not blamed for what only a deadlock would let happen', () => {
    const crossing = (first: string, second: string) =>
      `begin, acq ${first}, acq ${second}, w x, rel ${second}, w y, rel ${first}, end`;
    expect(rightly(`t1: ${crossing('l', 'm')}; t2: ${crossing('m', 'l')}`)).toEqual(nothing);
  });

  it('do not keep each other out where each has another of two locks outermost', () => {
    // The first has l around both its writes, the second m; but neither of the two locks is around both pairs.
    const crossed =
      't1: begin A, acq l, acq m, w x, rel m, w y, rel l, end; t2: begin B, acq m, w y, acq l, w x, rel l, rel m, end';
    expect(rightly(crossed).conflict).not.toEqual([]);
    expect(rightly(crossed.replaceAll('w y, ', ''))).toEqual(nothing);
  });

  it('of one thread never meet', () => {
    expect(rightly('t1: begin A, r x, w x, end, begin B, w x, end')).toEqual(nothing);
  });
});

describe('views', () => {
  it('do not care for a write that is overwritten unseen', () => {
    expect(rightly('t1: begin A, w x, w x, end; t2: begin B, w x, end')).toEqual({
      conflict: ['A'],
      view: [],
    });
    expect(rightly('t1: begin A, w x, w x, end; t2: begin B, r x, end')).toEqual(both('A'));
  });

  it('care for a value that the block itself wants to read again', () => {
    expect(rightly('t1: begin A, w x, r x, end; t2: begin B, w x, end')).toEqual(both('A'));
    expect(rightly('t1: begin A, acq l, w x, r x, rel l, end; t2: begin B, acq l, w x, rel l, end')).toEqual(
      nothing,
    );
  });

  it('do not take a read for one of others while a lock keeps the own write for it', () => {
    // The other two are there because two transactions alone are searched through anyway.
    const others = 't3: begin C, w z, end; t4: begin D, r z, end';
    const sealed = 'acq l, w x, r x, rel l, acq l, w x, rel l';
    const writer = 't2: begin B, acq l, w x, rel l, end';
    expect(rightly(`t1: begin A, ${sealed}, end; ${writer}; ${others}`)).toEqual({
      conflict: ['A'],
      view: [],
    });
    const open = sealed.replace('w x, r x', 'w x, rel l, acq l, r x');
    expect(rightly(`t1: begin A, ${open}, end; ${writer}; ${others}`)).toEqual(both('A'));
  });

  it('are exact for two transactions that take their locks hand over hand', () => {
    const hand = 't1: begin A, acq l, w x, acq m, rel l, r x, rel m, end';
    const twice = 'acq l, acq m, w x, rel m, rel l, acq l, acq m, w x, rel m, rel l';
    expect(rightly(`${hand}; t2: begin B, ${twice}, end`)).toEqual({ conflict: ['B'], view: [] });
    const dropped = hand.replace('acq m, rel l', 'rel l, acq m');
    expect(rightly(`${dropped}; t2: begin B, ${twice}, end`)).toEqual(both('A', 'B'));
  });

  it('want the own write before a read of what others wrote', () => {
    const kept = 'w x, acq l, r x, w x, rel l';
    expect(rightly(`t1: begin A, ${kept}, end; t2: begin B, acq l, w x, rel l, end`)).toEqual(both('A'));
    expect(
      rightly(
        `t1: begin A, ${kept.replace('w x, acq l', 'acq l')}, end; t2: begin B, acq l, w x, rel l, end`,
      ),
    ).toEqual(nothing);
  });

  it('care for what a third one reads', () => {
    const writers = 't1: begin A, w x, w x, end; t2: begin B, w x, end';
    expect(rightly(`${writers}; t3: begin C, r x, end`)).toEqual(both('A'));
    expect(rightly(`${writers}; t3: begin C, r y, end`)).toEqual({ conflict: ['A'], view: [] });
  });

  it('leave out a value that a lock hides until it is overwritten', () => {
    const hidden = 't1: begin A, acq l, w x, w x, rel l, end; t2: begin B, acq l, r x, rel l, end; t3: w x';
    expect(rightly(hidden)).toEqual({ conflict: ['A'], view: [] });
    expect(rightly(hidden.replace('w x, w x', 'w x, rel l, acq l, w x'))).toEqual(both('A'));
  });
});

describe('updates', () => {
  it('commute: a gauge is no bug', () => {
    const gauge = 'u active, w log, u active';
    expect(rightly(`t1: begin A, u active, u active, end; t2: begin B, u active, u active, end`)).toEqual(
      nothing,
    );
    expect(rightly(`t1: begin A, ${gauge}, end; t2: begin B, r active, end`)).toEqual(both('A'));
  });

  it('are lost to a write in between', () => {
    expect(rightly('t1: begin A, u x, r x, end; t2: begin B, w x, end')).toEqual(both('A'));
    expect(rightly('t1: begin A, u x, r x, end; t2: begin B, u x, end')).toEqual({
      conflict: [],
      view: [],
    });
  });

  it('may be overwritten before anyone looks', () => {
    expect(rightly('t1: begin A, u x, w x, end; t2: begin B, u x, end')).toEqual(nothing);
    expect(rightly('t1: begin A, u x, w x, end; t2: begin B, w x, end')).toEqual({
      conflict: ['A'],
      view: [],
    });
  });
});

describe('several units', () => {
  it('do no harm to two commit nodes that no way leads back to (Theorem 4.3, figure 7)', () => {
    expect(rightly('t1: begin A, w x, w y, end; t2: begin B, r x, end; t3: begin C, r y, end')).toEqual(
      nothing,
    );
  });

  it('do if one thread does them one after the other, which the paper leaves out', () => {
    const writer = 't1: begin A, w x, w y, end';
    expect(rightly(`${writer}; t2: begin B, r x, end, begin C, r y, end`)).toEqual(both('A'));
    expect(rightly(`${writer}; t2: begin C, r y, end, begin B, r x, end`)).toEqual(nothing);
  });

  it('do if a fork leads from one to the other', () => {
    const writer = 't1: begin A, w x, w y, end';
    expect(rightly(`${writer}; t2: begin B, r x, end, fork t3; t3: begin C, r y, end`)).toEqual(both('A'));
    expect(rightly(`${writer}; t2: fork t3, begin B, r x, end; t3: begin C, r y, end`)).toEqual(nothing);
    expect(rightly(`${writer}; t2: begin B, r x, end; t3: join t2, begin C, r y, end`)).toEqual(both('A'));
  });

  it('do if a third one has to come after the one and before the other', () => {
    const around = 't1: begin A, w x, w y, end; t2: begin B, r x, w z, end; t3: begin C, r z, r y, end';
    expect(torn(around)).toEqual(both('A', 'B', 'C'));
    expect(tryInterleavings(events(around))).toMatchObject({ conflictAtomic: false, viewAtomic: false });
    expect(rightly(around.replace('r z, r y', 'r y'))).toEqual(nothing);
  });

  it('do not if the third one is over before the first begins, or begins after it', () => {
    const writer = 't1: begin A, w x, w y, end';
    expect(rightly(`t3: r z, fork t4; t1: join t3; ${writer}; t2: r x, w z; t4: r y`)).toEqual(nothing);
    expect(rightly(`t3: r z, fork t4; ${writer}; t2: r x, w z; t4: r y`)).toEqual(both('A'));
    expect(rightly(`${writer}; t1: fork t3; t2: r x, w z; t3: r z, w v; t4: r v, r y`)).toEqual(nothing);
    expect(rightly(`t1: fork t3; ${writer}; t2: r x, w z; t3: r z, w v; t4: r v, r y`)).toEqual(both('A'));
  });

  it('are safe to read in the order opposite to that of writing, however many read', () => {
    const readers = 't2: begin B, r x, r y, end; t3: begin C, r x, r y, end';
    expect(rightly(`t1: begin A, w y, end, begin A, w x, end; ${readers}`)).toEqual(nothing);
    expect(rightly(`t1: begin A, w x, end, begin A, w y, end; ${readers}`)).toEqual(both('B', 'C'));
  });

  it('need not be in blocks', () => {
    expect(rightly('t1: begin A, r x, r x, end; t2: w x')).toEqual(both('A'));
    expect(rightly('t1: begin A, w x, w y, end; t2: r x, r y')).toEqual(both('A'));
    expect(rightly('t1: begin A, w x, w y, end; t2: r y, r x')).toEqual(nothing);
  });

  it('of a thread that is over, or not yet begun, do not count', () => {
    expect(rightly('t1: begin A, r x, w x, end, fork t2; t2: begin B, w x, end')).toEqual(nothing);
    expect(rightly('t2: begin B, w x, end; t1: join t2, begin A, r x, w x, end')).toEqual(nothing);
    expect(rightly('t1: fork t2, begin A, r x, w x, end; t2: begin B, w x, end')).toEqual(both('A'));
  });
});

describe('forks and joins in blocks', () => {
  const parent = 't1: begin A, w x, fork t2; t2: r x; t1: w x, end';

  it('order the child after what came before', () => {
    expect(rightly(parent)).toEqual(both('A'));
    expect(rightly('t1: begin A, w x, w x, fork t2; t2: r x; t1: end')).toEqual(nothing);
  });

  it('leave no serial schedule if the block waits for its child', () => {
    expect(rightly('t1: begin A, fork t2; t2: w y; t1: join t2, end')).toEqual(both('A'));
    expect(rightly('t1: begin A, fork t2; t2: begin B, end; t1: join t2, end')).toEqual(both('A'));
    expect(rightly('t1: begin A, fork t2, join t2, end')).toEqual(nothing);
  });

  it('are where transactions end, as in the paper, if they are to be boundaries', () => {
    expect(rightly(parent, 'boundary')).toEqual(nothing);
    expect(rightly(parent.replace('t1: w x', 't1: r x, w x'), 'boundary')).toEqual(nothing);
    expect(rightly(parent.replace('t2: r x; t1: w x', 't2: w x; t1: r x, w x'), 'boundary')).toEqual(
      both('A'),
    );
  });
});

describe('messages and barriers outside of units', () => {
  it('lead from one unit to another', () => {
    const reader = 't1: r x, send m; t3: begin B; t2: receive m';
    expect(rightly(`${reader}, vw v; t3: w x, vr v`)).toEqual(both('B'));
    expect(rightly(`${reader}; t2: vw v; t3: vr v, w y`)).toEqual(nothing);
  });

  it('lead from a child before its first unit to a thread that is joined after its last', () => {
    const forked = 't1: begin A, w x, fork t3; t3: send m; t2: receive m';
    expect(rightly(`${forked}; t3: r x; t1: join t2`)).toEqual(both('A'));
    expect(rightly('t1: begin A, w x, fork t3; t2: w y; t3: r x; t1: join t2')).toEqual(nothing);
  });

  it('lead through a barrier, too', () => {
    const met = 't1: r x, arrive b; t2: arrive b; t3: begin B; t1: leave b; t2: leave b';
    expect(rightly(`${met}, vw v; t3: w x, vr v`)).toEqual(both('B'));
  });
});

describe('locks held outside blocks', () => {
  it('protect as anywhere else', () => {
    expect(rightly('t1: begin A, acq l, r x, w x, rel l, end; t2: acq l, w x, rel l')).toEqual(nothing);
    expect(rightly('t1: acq l, begin A, r x, w x, end, rel l; t2: acq l, begin B, w x, end, rel l')).toEqual(
      nothing,
    );
    expect(rightly('t1: acq l, begin A, r x, w x, end, rel l; t2: begin B, w x, end')).toEqual(both('A'));
  });

  it('count where a block is left with a lock, or the trace ends with it', () => {
    // Nobody gets the lock after t1, so t2 has it first, and A cannot be before it as a whole.
    expect(rightly('t1: begin A, u x, end; t2: acq l, r x, rel l')).toEqual(nothing);
    expect(rightly('t1: begin A; t2: acq l; t1: u x; t2: r x, rel l; t1: acq l')).toEqual(both('A'));
  });

  it('around several accesses make no transaction of them', () => {
    expect(rightly('t1: acq l, r x, w x, rel l; t2: begin B, w x, end')).toEqual(nothing);
    expect(rightly('t1: begin A, acq l, r x, w x, rel l, end; t2: begin B, w x, end')).toEqual(both('A'));
  });

  it('keep a transaction out that needs them, although nothing in it conflicts', () => {
    // A has one commit node, its region of k. It comes after t2's write of y and before its read of z.
    const inside = 't1: begin A, acq l, rel l, acq k, r m, w n, rel k, end; t2: acq l, w y, r z, rel l';
    const others = 't3: r y, acq k, w m, rel k; t4: acq k, r n, rel k, w z';
    expect(torn(`${inside}; ${others}`).conflict).toEqual(['A']);
    expect(torn(`${inside.replace('acq l, rel l, ', '')}; ${others}`)).toEqual(nothing);
  });
});

describe('copies', () => {
  const often = (times: number, ...what: string[]) => new Array(times).fill(what.join(', ')).join(', ');

  it('of a unit in one thread do not hide the one in another', () => {
    const increment = 'begin A, r x, w x, end';
    expect(torn(`t1: ${often(5, increment)}`)).toEqual(nothing);
    expect(torn(`t1: ${often(5, increment)}; t2: ${increment}`)).toEqual(both('A'));
  });

  it('count by the first and by the last of them', () => {
    // Some y is written after some x only because of the last of the five.
    const writer = (last: string) =>
      `${often(3, 'begin Y, w y, end')}, ${often(3, 'begin X, w x, end')}${last}`;
    const reader = 't2: begin A, r x, r y, end';
    expect(torn(`t1: ${writer('')}; ${reader}`)).toEqual(nothing);
    expect(torn(`t1: ${writer(', begin Y, w y, end')}; ${reader}`)).toEqual(both('A'));
  });

  it('of units are reported once and counted', () => {
    const { violations, outcome } = run(
      commitNodeConflict,
      trace(`t1: ${often(1000, 'begin A, r x, w x, end')}; t2: ${often(1000, 'begin B, w x, end')}`),
    );
    expect(violations).toHaveLength(1);
    expect(outcome.statistics).toMatchObject({ transactions: 2000, trees: 2, nodes: 3, violated: 1000 });
  });

  it('of accesses count by the first and by the last of them', () => {
    const accesses = [often(500, 'r x'), often(500, 'w x', 'w y'), often(500, 'r x', 'r y')].join(', ');
    const long = `t1: begin A, ${accesses}, end; t2: begin B, r x, end; t3: begin C, w y, end`;
    expect(torn(long)).toEqual(both('A'));
    expect(run(commitNodeView, trace(long)).outcome.statistics).toMatchObject({ nodes: 8 + 2 });
    const last = 't1: begin A, w x, w x, w x, w y, end; t2: begin B, r y, end, begin C, w x, end';
    expect(rightly(last)).toEqual({ conflict: ['A'], view: [] });
    expect(rightly(last.replace('end, begin C, w x', 'end, begin C, r x'))).toEqual(both('A'));
  });

  it('of regions count by the first and by the last of them', () => {
    const region = 'acq l, r x, w x, rel l';
    const { outcome } = run(
      commitNodeConflict,
      trace(`t1: begin A, ${often(500, region)}, end; t2: begin B, ${region}, end`),
    );
    expect(outcome.statistics).toMatchObject({ trees: 2, nodes: 6, violated: 1, oneCommitNode: 1 });
  });

  it('of what nobody else touches make no difference', () => {
    const { outcome } = run(
      commitNodeConflict,
      trace('t1: begin A, w a1, w x, end, begin A, w a2, w x, end, begin A, w a3, end; t2: w x'),
    );
    expect(outcome.statistics).toMatchObject({ trees: 1, oneCommitNode: 2, uncontended: 1 });
  });
});

describe('a report', () => {
  it('names the block, its two accesses and what can come in between', () => {
    const { violations } = run(commitNodeView, trace('t2: w x; t1: begin B, end, begin A, r x, w x, end'));
    expect(violations).toEqual([
      {
        kind: 'view',
        event: 6,
        thread: 1,
        block: { label: 1, begin: 4, depth: 0 },
        related: [
          { event: 1, role: 'can come in between' },
          { event: 5, role: 'first in the block' },
          { event: 6, role: 'second in the block' },
        ],
      },
    ]);
  });

  it('tells the way through other threads', () => {
    const around = 't1: begin A, w x, w y, end; t2: begin B, r x, w z, end; t3: begin C, r z, r y, end';
    const { violations } = run(commitNodeConflict, trace(around));
    expect(violations.find(({ thread }) => thread === 0)).toMatchObject({
      kind: 'conflict',
      event: 3,
      related: [
        { event: 2, role: 'first in the block' },
        { event: 3, role: 'second in the block' },
        { event: 6, role: 'can come after the first' },
        { event: 7, role: 'can come next' },
        { event: 10, role: 'can come next' },
        { event: 11, role: 'can come before the second' },
      ],
    });
  });

  it('is about the outermost block', () => {
    expect(torn('t1: begin A, begin N, r x, end, w x, end; t2: w x')).toEqual(both('A'));
  });

  it('is about a block that the end of the trace ends', () => {
    expect(torn('t1: begin A, r x, w x; t2: w x')).toEqual(both('A'));
  });

  it('decides nothing about the observed trace', () => {
    const { outcome } = run(commitNodeConflict, trace('t1: begin A, r x; t2: w x; t1: w x, end'));
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null });
  });
});

describe('limits', () => {
  const pair = 't1: begin A, r x, w x, end, begin C, w x, end; t2: begin B, r x, w x, end';
  const limited = (recorded: number, steps: number) => ({
    ...commitNodeConflict,
    create: (context: Parameters<typeof commitNodeConflict.create>[0]) =>
      new CommitNode(context, () => new ConflictEdges(), { recorded, steps }),
  });

  it('tell how many transactions were not decided', () => {
    const { violations, outcome } = run(limited(1000, 1), trace(pair));
    expect(violations).toHaveLength(1);
    expect(outcome.statistics).toMatchObject({ undecided: 2, violated: 1 });
    expect(run(limited(1000, 1000), trace(pair)).outcome.statistics).toMatchObject({
      undecided: 0,
      violated: 2,
    });
  });

  it('tell how far the trace was recorded', () => {
    const { violations, outcome } = run(limited(10, 1000), trace(pair));
    expect(violations).toHaveLength(0);
    expect(outcome.statistics).toMatchObject({ transactions: 1, eventsRecorded: 4 });
  });
});
