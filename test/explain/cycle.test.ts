import { describe, expect, it } from 'vitest';
import type { ViolationFact } from '../../src/analyses/analysis.ts';
import { examples } from '../support/examples.ts';
import { trace } from '../support/notation.ts';
import { explainBlocks, explainCycle, explainIn, onlyCycle, onlyWitness } from './support.ts';

function example(name: string) {
  return examples().find((candidate) => candidate.name === name)!.trace;
}

describe('the path from a violated block back to it', () => {
  it('leaves by one access and comes back by another', () => {
    expect(onlyCycle(explainBlocks(trace('t1: begin A, r x; t2: w x; t1: w x, end')))).toEqual([
      't1 r x (2) > t2 w x (3)',
      't2 w x (3) > t1 w x (4)',
    ]);
  });

  it('goes through one thread after another', () => {
    const relay = 't1: begin A, w x; t2: r x, w y; t3: r y, w z; t1: r z, end';
    expect(onlyCycle(explainBlocks(trace(relay)))).toEqual([
      't1 w x (2) > t2 r x (3)',
      't2 w y (4) > t3 r y (5)',
      't3 w z (6) > t1 r z (7)',
    ]);
  });

  it('goes through the rounds of a barrier', () => {
    const twice =
      't1: begin A, arrive b; t2: arrive b, leave b, arrive b; t1: leave b, arrive b, leave b, end';
    expect(onlyCycle(explainBlocks(trace(twice)))).toEqual([
      't1 arrive b (2) > t2 leave b (4)',
      't2 arrive b (5) > t1 leave b (8)',
    ]);
  });

  it('goes through messages and conditions, from what was sent to what is received', () => {
    const asks = 't3: send m; t1: begin A, send m; t2: receive m, notify c; t1: wait c, end';
    expect(onlyCycle(explainBlocks(trace(asks)))).toEqual([
      't1 send m (3) > t2 receive m (4)',
      't2 notify c (5) > t1 wait c (6)',
    ]);
  });

  it('leaves by a plain access and comes back by a volatile one', () => {
    const { witness } = onlyWitness(explainBlocks(trace('t1: begin A, r x; t2: vw x; t1: vu x, end')));
    expect(witness.pattern).toBe('lost-update');
    expect(witness.cycle).toHaveLength(2);
  });

  it('is the shortest, though a longer one was there before it', () => {
    const twoWays = 't1: begin A, w x; t2: r x, w y; t3: r y, r x, w z; t1: r z, end';
    expect(onlyCycle(explainBlocks(trace(twoWays)))).toEqual([
      't1 w x (2) > t3 r x (6)',
      't3 w z (7) > t1 r z (8)',
    ]);
  });

  it('takes the nearest of several threads that accessed a variable', () => {
    const nearAndFar = 't1: begin A, w a; t2: r a, w b; t3: r b, w x; t2: w x; t1: r x, end';
    expect(onlyCycle(explainBlocks(trace(nearAndFar)))).toEqual([
      't1 w a (2) > t2 r a (3)',
      't2 w x (7) > t1 r x (8)',
    ]);
  });

  it('skips writers in between, since their accesses conflict with those before them too', () => {
    const overwritten = 't1: begin A, w x; t2: w x; t3: r x, w y; t1: r y, end';
    expect(onlyCycle(explainBlocks(trace(overwritten)))).toEqual([
      't1 w x (2) > t3 r x (4)',
      't3 w y (5) > t1 r y (6)',
    ]);
  });

  it('stays with one variable where it can', () => {
    const twoVariables = 't1: begin A, r y, r x; t2: w y, w x; t1: w x, end';
    expect(onlyCycle(explainBlocks(trace(twoVariables)))).toEqual([
      't1 r x (3) > t2 w x (5)',
      't2 w x (5) > t1 w x (6)',
    ]);
  });

  it('does not count updates among themselves', () => {
    const updates = 't1: begin A, u x; t2: u x, w y; t3: r x; t2: r z; t3: w z; t1: r z, end';
    expect(onlyCycle(explainBlocks(trace(updates)))).toEqual([
      't1 u x (2) > t3 r x (5)',
      't3 w z (7) > t1 r z (8)',
    ]);
  });

  it('goes over a fork and a join', () => {
    expect(onlyCycle(explainBlocks(trace('t1: begin A, fork c; c: r x; t1: join c, end')))).toEqual([
      't1 fork c (2) > c r x (3)',
      'c r x (3) > t1 join c (4)',
    ]);
  });

  it('starts at the begin of each of several nested blocks', () => {
    const { explanations } = explainBlocks(example('velodrome-nested'));
    expect(explanations.map(({ witness }) => witness!.block.begin)).toEqual([1, 2]);
    expect(explanations.map(({ witness }) => witness!.enclosing.map(({ begin }) => begin))).toEqual([
      [],
      [1],
    ]);
  });

  it('leaves a nested block from inside it', () => {
    const nested = 't1: begin A, r x, begin B, w x; t2: r x; t1: w x, end, end';
    const { explanations } = explainBlocks(trace(nested));
    expect(explanations.map(({ witness }) => witness!.cycle[0].from.event)).toEqual([4, 4]);
    expect(explanations.map(({ violation }) => violation.block!.begin)).toEqual([1, 3]);
  });

  it('says in which transaction each event is', () => {
    const { witness } = onlyWitness(
      explainBlocks(trace('t2: begin B, r y; t1: begin A, r x; t2: w x, end; t1: w x, end')),
    );
    const { from, to } = witness.cycle[0];
    expect([from.block?.begin, to.block?.begin]).toEqual([3, 1]);
    const outside = onlyWitness(explainBlocks(trace('t1: begin A, r x; t2: w x; t1: w x, end'))).witness;
    expect(outside.cycle[0].to.block).toBeNull();
  });

  it('keeps the locations', () => {
    const { witness } = onlyWitness(explainBlocks(example('velodrome-rmw')));
    expect(witness.cycle.every(({ from, to }) => from.location !== 0 && to.location !== 0)).toBe(true);
  });
});

describe('forks and joins', () => {
  it('as boundaries cut the block: the path starts in the piece after the fork', () => {
    const later = trace('t1: begin A, r x, fork c, r x; t2: w x; t1: w x, end');
    expect(onlyCycle(explainBlocks(later, 'boundary'))).toEqual([
      't1 r x (4) > t2 w x (5)',
      't2 w x (5) > t1 w x (6)',
    ]);
  });

  it('as boundaries end the look at what the block does next', () => {
    const act = trace('t1: begin A, r x; t2: w x; t1: r x, fork c, w x, end');
    expect(onlyWitness(explainBlocks(act, 'boundary')).witness.pattern).toBe('unrepeatable-read');
    expect(onlyWitness(explainBlocks(act, 'edge')).witness.pattern).toBe('lost-update');
  });

  it('make a family: its threads are inside, and only others come between', () => {
    const children = 't1: begin A, r x, fork c; c: w x; t1: join c, w x, end';
    expect(explainBlocks(trace(children), 'family').explanations).toEqual([]);
    const stranger = 't1: begin A, fork c; c: r x; t2: w x; t1: join c, w x, end';
    expect(onlyCycle(explainBlocks(trace(stranger), 'family'))).toEqual([
      'c r x (3) > t2 w x (4)',
      't2 w x (4) > t1 w x (6)',
    ]);
  });

  it('make a family that is closed with its block', () => {
    const orphan = 't1: begin A, fork c, end, w x; c: r x';
    expect(explainBlocks(trace(orphan), 'family').explanations).toEqual([]);
  });
});

describe('a cycle of transactions with no one to blame', () => {
  it('leaves a transaction by an earlier event than it entered', () => {
    expect(onlyCycle(explainCycle(example('aerodrome-fig3-rho3')))).toEqual([
      't2 w y (4) > t1 r y (5)',
      't1 w x (3) > t2 r x (6)',
    ]);
  });

  it('is found through a dependence that a later event creates', () => {
    const { witness } = onlyWitness(explainCycle(example('aerodrome-fig4-rho4')));
    expect(witness).toMatchObject({
      increasing: false,
      pattern: 'multi-variable-cycle',
      severity: 'warning',
    });
  });

  it('shows program order between two transactions of one thread', () => {
    expect(onlyCycle(explainCycle(example('regiontrack-fig1a-alpha1')))).toEqual([
      't1 w x (2) > t2 r x (5)',
      't2 w y (4) > t3 r y (7)',
      't3 r y (7) > t3 w z (13)',
      't3 w z (13) > t1 r z (14)',
    ]);
  });

  it('shows the path instead if there is a block to blame', () => {
    const { witness } = onlyWitness(explainCycle(example('velodrome-rmw')));
    expect(witness).toMatchObject({ increasing: true, pattern: 'lost-update' });
  });

  it('leaves out transactions that it does not need', () => {
    // The first event of c is the first that the fork leads to, but not the one that leads on.
    const forked = 't1: begin A; t2: begin B, w x; t1: fork c, w x; c: r y, r z; t2: w z';
    expect(onlyCycle(explainCycle(trace(forked)))).toEqual([
      't2 w x (3) > t1 w x (5)',
      't1 fork c (4) > c r z (7)',
      'c r z (7) > t2 w z (8)',
    ]);
    const joined = 't1: begin A; t2: begin B, w x; t1: fork c, w x; c: r y, r z; d: w z; t2: join d';
    expect(onlyCycle(explainCycle(trace(joined)))).toEqual([
      't2 w x (3) > t1 w x (5)',
      't1 fork c (4) > c r z (7)',
      'c r z (7) > d w z (8)',
      'd w z (8) > t2 join d (9)',
    ]);
  });

  it('shows variables rather than locks', () => {
    const both = `t2: begin B, w y; t3: begin C, w z, r y; t1: begin A, acq m, w x, rel m
      t2: acq m, r x, rel m; t1: r z`;
    expect(onlyCycle(explainCycle(trace(both)))).toEqual([
      't1 w x (8) > t2 r x (11)',
      't2 w y (2) > t3 r y (5)',
      't3 w z (4) > t1 r z (13)',
    ]);
  });

  it('takes a fork that is a boundary for a transaction of its own', () => {
    // What c does comes after the fork, but not after what follows the fork in its block.
    const cut = trace('t2: begin B, w x; t1: begin A, fork c, r x; c: w z; t2: r z');
    const block = { label: cut.names.labels.findText('B'), begin: 1, depth: 0 };
    const violation = { kind: 'trace', event: 7, thread: 0, block } as const;
    expect(explainIn(cut, [violation], { forkJoin: 'edge' })[0].witness).not.toBeNull();
    expect(explainIn(cut, [violation], { forkJoin: 'boundary' })[0].witness).toBeNull();
  });
});

describe('a violation that was noticed otherwise than at its first event', () => {
  it('is shown by the path that comes back where it was noticed', () => {
    const twice = trace('t1: begin A, r x; t2: w x; t1: r x; t2: w x; t1: w x, end');
    const violation = { kind: 'transaction', event: 6, thread: 0, block: { label: 0, begin: 1, depth: 0 } };
    const explanations = explainIn(twice, [violation as ViolationFact]);
    expect(onlyCycle({ names: twice.names, explanations })).toEqual([
      't1 r x (2) > t2 w x (3)',
      't2 w x (3) > t1 w x (6)',
    ]);
  });

  it('has the pattern of all that happened until then', () => {
    const later = trace('t1: begin A, r y; t2: w y, w x; t1: r x; t2: w x; t1: w x, end');
    const block = { label: 0, begin: 1, depth: 0 };
    const [{ witness }] = explainIn(later, [{ kind: 'transaction', event: 7, thread: 0, block }]);
    expect(witness!.interference).toMatchObject({ first: { event: 5 }, between: { event: 6 } });
  });

  it('is found for a transaction that was named, when it was noticed late', () => {
    const late = example('aerodrome-fig3-rho3');
    const block = { label: late.names.labels.findText('B'), begin: 2, depth: 0 };
    const violation = { kind: 'trace', event: 8, thread: 1, block } as const;
    const [{ witness }] = explainIn(late, [violation]);
    expect(witness!.cycle.map(({ to }) => to.event)).toEqual([5, 6]);
  });

  it('may be told of a transaction that does not close the cycle', () => {
    const other = trace('t1: begin A, w y; t2: r y, begin B, w x; t1: r x');
    const block = { label: other.names.labels.findText('B'), begin: 4, depth: 0 };
    const explanations = explainIn(other, [{ kind: 'trace', event: 6, thread: 1, block }]);
    expect(onlyCycle({ names: other.names, explanations })).toEqual([
      't2 w x (5) > t1 r x (6)',
      't1 w y (2) > t2 r y (3)',
      't2 r y (3) > t2 w x (5)',
    ]);
  });

  it('may be told of a piece of a block after a join', () => {
    const piece = trace('t1: begin A, w y; c: r y; t2: begin B, join c, w x; t1: r x');
    const block = { label: piece.names.labels.findText('B'), begin: 5, depth: 0 };
    const violation = { kind: 'trace', event: 7, thread: 2, block } as const;
    const explanations = explainIn(piece, [violation], { forkJoin: 'boundary' });
    expect(onlyCycle({ names: piece.names, explanations })).toEqual([
      't2 w x (6) > t1 r x (7)',
      't1 w y (2) > c r y (3)',
      'c r y (3) > t2 join c (5)',
      't2 join c (5) > t2 w x (6)',
    ]);
  });

  it('stands in for the path of a block that is blamed and serializable by itself', () => {
    const pair = example('aerodrome-fig3-rho3');
    const block = { label: pair.names.labels.findText('B'), begin: 2, depth: 0 };
    const [{ witness }] = explainIn(pair, [{ kind: 'transaction', event: 6, thread: 1, block }]);
    expect(witness).toMatchObject({ increasing: false, block });
  });

  it('is one of the whole transaction if a nested block is blamed', () => {
    const nested = trace('t1: begin A; t2: begin B; t1: w x; t2: w y; t1: r y; t2: begin N, r x');
    const block = { label: nested.names.labels.findText('N'), begin: 6, depth: 1 };
    const [{ witness }] = explainIn(nested, [{ kind: 'transaction', event: 7, thread: 1, block }]);
    expect(witness).toMatchObject({ increasing: false, block: { begin: 2 } });
  });
});
