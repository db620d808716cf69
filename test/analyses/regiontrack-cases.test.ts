import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { createTraceOnly, regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { examples } from '../support/examples.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

/** What is reported, as `label@event` for a block and `trace@event` for a trace with nobody to blame. */
function reported(notation: string, forkJoin: ForkJoin = 'edge'): string[] {
  const memory = trace(notation);
  return run(regiontrack, memory, { forkJoin }).violations.map(({ kind, block, event }) => {
    const name = block === null ? kind : memory.names.labels.text(block.label);
    return `${name}@${event}`;
  });
}

describe('regiontrack', () => {
  it('refutes a block whose read is overwritten before its write', () => {
    expect(reported('t1: begin A, r x; t2: w x; t1: w x, end')).toEqual(['A@4']);
  });

  it('does not refute it when the write comes before the read', () => {
    expect(reported('t2: w x; t1: begin A, r x, w x, end')).toEqual([]);
  });

  it('refutes a block through a chain over other threads, variables and locks', () => {
    expect(
      reported('t1: begin A, w x; t2: r x, acq l, w y, rel l; t3: acq l, w z, rel l; t1: r z, end'),
    ).toEqual(['A@10']);
  });

  it('refutes every block that had begun, outermost first, and none that had not', () => {
    expect(reported('t1: begin A, begin B, r x; t2: w x; t1: begin C, w x, end, end, end')).toEqual([
      'A@6',
      'B@6',
    ]);
  });

  it('refutes a nested block later than the block around it, by its own begin', () => {
    expect(reported('t1: begin A, r x; t2: w x; t1: w x, begin B, r y; t2: w y; t1: w y, end, end')).toEqual([
      'A@4',
      'B@8',
    ]);
  });

  it('does not refute a nested block that learns of something from before its begin', () => {
    expect(reported('t1: begin A, w x; t2: r x, w y; t1: begin B, r y, end, end')).toEqual(['A@6']);
  });

  it('reports a block once, however often it is violated', () => {
    expect(reported('t1: begin A, r x; t2: w x; t1: w x; t2: w x; t1: w x, end')).toEqual(['A@4']);
  });

  it('goes on after the first violation', () => {
    expect(
      reported('t1: begin A, r x; t2: w x; t1: w x, end; t2: begin B, r y; t1: w y; t2: w y, end'),
    ).toEqual(['A@4', 'B@9']);
  });

  it('refutes no event outside a block', () => {
    expect(reported('t1: r x; t2: w x; t1: w x')).toEqual([]);
  });

  it('knows the writer from before the begin of the reader', () => {
    expect(reported('t0: begin d, w x, w y; t1: r y, begin b, r x, end; t0: w x, end')).toEqual(['d@8']);
  });

  it('does not tie an event outside blocks to what a later one learns', () => {
    expect(reported('t1: begin A, w x; t2: w y, r x; t1: r y, end')).toEqual([]);
  });

  it('ties it to what an earlier one learnt', () => {
    expect(reported('t1: begin A, w x; t2: r x, w y; t1: r y, end')).toEqual(['A@5']);
  });
});

describe('a trace that is not serializable with nobody to blame', () => {
  it('is reported once, without a block', () => {
    expect(reported('t1: begin A; t2: begin B; t1: w x; t2: w y; t1: r y; t2: r x, end; t1: end')).toEqual([
      'trace@6',
    ]);
  });

  it('is not reported when the event that closes the cycle refutes a block, by whichever of its conflicts', () => {
    // The write conflicts with both reads: that of t3 closes a cycle over t2's B, that of t4 refutes A.
    expect(
      reported('t1: begin A, w a, w b; t2: begin B, w c, r a, end; t3: r c, r x; t4: r b, r x; t1: w x, end'),
    ).toEqual(['A@12']);
  });

  it('is followed by the blocks that are refuted after it', () => {
    expect(
      reported('t1: begin A; t2: begin B; t1: w x; t2: w y; t1: r y; t2: r x, w z; t1: r z, end; t2: end'),
    ).toEqual(['trace@6', 'A@8']);
  });

  it('is the one of RegionTrack, figure 1(a)', () => {
    const figure = examples().find(({ name }) => name === 'regiontrack-fig1a-alpha1')!;
    const { violations } = run(regiontrack, figure.trace);
    expect(violations).toEqual([{ kind: 'trace', event: 14, thread: 0, block: null }]);
  });
});

describe('commuting updates', () => {
  it('do not refute one another', () => {
    expect(reported('t1: begin A, u n; t2: u n; t1: u n, end')).toEqual([]);
  });

  it('conflict with the read that the block did before', () => {
    expect(reported('t1: begin A, r n; t2: u n; t1: r n, end')).toEqual(['A@4']);
  });

  it('conflict with every read before them, not only with the last', () => {
    expect(reported('t1: begin A, w x; t2: r x, r n; t3: r n, u n; t1: u n, end')).toEqual(['A@7']);
  });

  it('are conflicted with by every read after them', () => {
    expect(reported('t1: begin A, w x; t2: r x, u n; t3: u n, r n; t1: r n, end')).toEqual(['A@7']);
  });
});

describe('forks and joins as edges', () => {
  it('refute a block that forks a child and waits for it', () => {
    expect(reported('t1: begin A, fork t2; t2: w x; t1: join t2, end')).toEqual(['A@4']);
  });

  it('order nothing when the child does nothing', () => {
    expect(reported('t1: begin A, fork t2, join t2, end')).toEqual([]);
  });

  it('carry the knowledge of the fork to grandchildren', () => {
    expect(reported('t1: begin A, fork t2; t2: fork t3; t3: w x; t1: r x, end')).toEqual(['A@5']);
  });

  it('do not carry what the forking thread learns later', () => {
    expect(reported('t1: fork t2, begin A, w y; t2: w x; t1: r x, end')).toEqual([]);
  });

  it('let a joined thread leave its blocks open', () => {
    expect(reported('t1: begin A, r x; t2: w x, join t1, w x')).toEqual([]);
  });
});

describe('families', () => {
  it('are not violated by their own children', () => {
    expect(reported('t1: begin A, fork t2; t2: w x; t1: join t2, end', 'family')).toEqual([]);
  });

  it('are violated by others while the children work', () => {
    expect(reported('t1: begin A, r x, fork t2; t3: w x; t2: w y; t1: join t2, w x, end', 'family')).toEqual([
      'A@7',
    ]);
  });

  it('are violated through a child', () => {
    expect(reported('t1: begin A, r x, fork t2; t3: w x; t2: w x', 'family')).toEqual(['A@5']);
  });

  it("let siblings violate each other's blocks, and not the block around them", () => {
    expect(
      reported(
        't1: begin A, fork t2, fork t3; t2: begin B, r x; t3: w x; t2: w x, end; t1: join t2, join t3, end',
        'family',
      ),
    ).toEqual(['B@7']);
  });

  it('are closed at the end of the block, whatever a child does that was left behind', () => {
    expect(reported('t1: begin A, r x, fork t2; t3: w x; t2: w x; t1: end', 'family')).toEqual(['A@5']);
    expect(reported('t1: begin A, r x, fork t2, end; t3: w x; t2: w x', 'family')).toEqual([]);
    expect(reported('t1: begin A, fork t2, end, w x; t2: r x', 'family')).toEqual([]);
    expect(reported('t1: begin A, begin B, fork t2, end, end; t2: join t1', 'family')).toEqual([]);
  });

  it('let a child that was left behind break other blocks, and be broken in its own', () => {
    expect(reported('t1: begin A, fork t2, end, begin B, r x; t2: w x; t1: w x, end', 'family')).toEqual([
      'B@7',
    ]);
    expect(reported('t1: begin A, fork t2, end; t2: begin B, r x; t1: w x; t2: w x, end', 'family')).toEqual([
      'B@7',
    ]);
  });

  it('stay open for the children of a thread that was joined in its block', () => {
    expect(reported('t0: fork t1; t1: begin A, r x, fork t2; t0: join t1, w x; t2: w x', 'family')).toEqual([
      'A@7',
    ]);
  });

  it('include a grandchild that is forked while the block is open', () => {
    expect(reported('t1: begin A, fork t2; t2: fork t3; t3: w x; t2: r x; t1: end', 'family')).toEqual([]);
  });

  it('include a grandchild forked in a block of its own after the outer block ended', () => {
    expect(
      reported('t1: begin A, fork t2, end; t2: begin B, fork t3; t3: w x; t2: r x, end', 'family'),
    ).toEqual([]);
    expect(
      reported('t1: begin A, fork t2, end; t2: begin B, fork t3; t1: w x; t3: r x; t2: end', 'family'),
    ).toEqual([]);
  });

  it('are violated by an outsider that knows the block only through its children', () => {
    // t2 knows of C already when t4 brings it what happened after.
    expect(
      reported(
        't1: begin A, fork t2, fork t3; t3: begin C, w x, w y; t2: r x; t4: r y, w z; t2: r z',
        'family',
      ),
    ).toEqual(['A@10']);
  });

  it('say nothing about the whole trace', () => {
    const { outcome } = run(regiontrack, trace('t1: begin A, r x; t2: w x; t1: w x, end'), {
      forkJoin: 'family',
    });
    expect(outcome).toMatchObject({ serializable: null, firstEvent: 4 });
  });
});

describe('the trace-only mode', () => {
  const traceOnly = { ...regiontrack, create: createTraceOnly };

  it('gives the verdict and the first event, and blames nobody', () => {
    const { outcome, violations } = run(traceOnly, trace('t1: begin A, r x; t2: w x; t1: w x, end'));
    expect(outcome).toMatchObject({ serializable: false, firstEvent: 4 });
    expect(violations).toEqual([{ kind: 'trace', event: 4, thread: 0, block: null }]);
  });

  it('finds nothing in a serializable trace', () => {
    const { outcome, violations } = run(traceOnly, trace('t2: w x; t1: begin A, r x, w x, end'));
    expect(outcome).toMatchObject({ serializable: true, firstEvent: null });
    expect(violations).toEqual([]);
  });
});

describe('the statistics', () => {
  it('count subregions, joins and transactions at a time', () => {
    // t2 learns of A by reading x, and nothing new by reading y; t3 learns of A from t2.
    const { outcome } = run(regiontrack, trace('t1: begin A, w x, w y; t2: r x, r y, w z; t3: r z; t1: end'));
    expect(outcome.statistics).toEqual({ subregions: 2, joins: 2, transactionsAtMost: 1 });
  });
});
