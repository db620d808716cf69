import { describe, expect, it } from 'vitest';
import { trace } from '../../support/notation.ts';
import { run } from '../../support/run.ts';
import { blamed, found, named, serializable } from './verdicts.ts';

describe('a barrier', () => {
  it('puts what comes before an arrival before what comes after a departure of the same round', () => {
    // By the barrier, the read comes after the begin of A; by the write, before its end.
    expect(serializable('t1: begin A, arrive b; t2: arrive b, leave b, w x; t1: r x, end')).toBe(false);
    expect(serializable('t1: begin A, arrive b; t2: w x, arrive b; t1: leave b, r x, end')).toBe(true);
  });

  it('orders nobody by who arrived first, nor by who left first', () => {
    expect(serializable('t1: begin A, arrive b; t2: arrive b, w x; t1: r x, end')).toBe(true);
    expect(
      serializable('t1: arrive b; t2: arrive b; t1: begin A, leave b; t2: leave b, w x; t1: r x, end'),
    ).toBe(true);
  });

  it('orders nothing from one round to the next', () => {
    expect(serializable('t1: begin A, arrive b, leave b; t2: arrive b, leave b, w x; t1: r x, end')).toBe(
      true,
    );
  });

  it('inside two blocks that meet there leaves no serial order', () => {
    const both = 't1: begin A, arrive b; t2: begin B, arrive b; t1: leave b, end; t2: leave b, end';
    expect(serializable(both)).toBe(false);
    expect(serializable(both, 'boundary')).toBe(true);
  });

  it('ends a transaction where forks and joins do', () => {
    const torn = 't1: begin A, r x, arrive b; t2: w x, arrive b; t1: leave b, w x, end';
    expect(serializable(torn)).toBe(false);
    expect(serializable(torn, 'boundary')).toBe(true);
  });

  it('twice in a block lets others in between', () => {
    const twice =
      't1: begin A, arrive b; t2: arrive b, leave b, arrive b; t1: leave b, arrive b, leave b, end';
    expect(blamed('regiontrack', twice)).toEqual(['A']);
    expect(serializable(twice)).toBe(false);
  });

  it('is told from a lock of the same name', () => {
    expect(serializable('t1: begin A, acq b, rel b; t2: arrive b, leave b; t1: acq b, rel b, end')).toBe(
      true,
    );
  });
});

describe('analyses of other schedules', () => {
  const phases = (between: string) =>
    `t1: begin A, r x, w x, end; t2: r y; ${between} t2: begin B, r x, w x, end`;
  const meeting = 't1: arrive b; t2: arrive b, leave b; t1: leave b;';

  it.each(['commit-node-conflict', 'commit-node-view', 'block'])(
    '%s: blocks on either side of a barrier cannot get into each other’s way',
    (name) => {
      expect(blamed(name, phases(''))).toEqual(['A', 'B']);
      expect(blamed(name, phases(meeting))).toEqual([]);
    },
  );

  it('reduction: a variable that threads use in turns, phase by phase, has no race', () => {
    expect(blamed('reduction', phases(''))).toEqual(['A', 'B']);
    expect(blamed('reduction', phases(meeting))).toEqual([]);
  });

  it.each(['reduction', 'atomizer'])('%s: others come after an arrival and before a departure', (name) => {
    const waits = 't1: begin A, arrive b; t2: arrive b, leave b; t1: leave b, end';
    expect(blamed(name, waits)).toEqual(['A']);
    expect(blamed(name, waits, 'boundary')).toEqual([]);
  });

  it('commit nodes: what is before and after a barrier in a block are two units, and a note says so', () => {
    const torn = 't1: begin A, r x, arrive b, leave b, w x, end; t2: w x';
    const { violations, outcome } = run(named('commit-node-conflict'), trace(torn));
    expect(violations).toEqual([]);
    expect(outcome.notes).toEqual([
      expect.stringContaining('1 block has a barrier, message or condition inside'),
    ]);
  });

  it('commit nodes: a unit behind a barrier is still told by the begin of its block', () => {
    const torn = 't1: begin A, arrive b, leave b, r x, w x, end; t2: w x';
    const { violations } = run(named('commit-node-conflict'), trace(torn));
    expect(violations.map(({ block }) => block)).toEqual([{ label: 0, begin: 1, depth: 0 }]);
  });

  it('fasttrack: accesses on either side of a barrier do not race', () => {
    const races = (notation: string) => found('fasttrack', notation);
    expect(races('t1: w x; t2: w x')).toBe(1);
    expect(races(`t1: w x; ${meeting} t2: w x`)).toBe(0);
    expect(races(`t1: w x; ${meeting} t3: w x`)).toBe(1);
  });

  it('goodlock: lock orders of different phases cannot meet', () => {
    const cycle = (between: string) =>
      `t1: acq l, acq m, rel m, rel l; ${between} t2: acq m, acq l, rel l, rel m`;
    expect(run(named('goodlock'), trace(cycle(''))).violations).toHaveLength(1);
    expect(run(named('goodlock'), trace(cycle(meeting))).violations).toEqual([]);
  });

  it('sidetrack: a section of another phase cannot come into the window', () => {
    const sections = (between: string) =>
      `t1: begin A, acq m, rel m, acq m, rel m, end; ${between} t2: acq m, rel m`;
    expect(blamed('sidetrack', sections(''))).toEqual(['A']);
    expect(blamed('sidetrack', sections(meeting))).toEqual([]);
  });
});
