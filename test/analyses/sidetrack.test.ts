import { describe, expect, it } from 'vitest';
import { sidetrack } from '../../src/analyses/sidetrack/index.ts';
import { judge } from '../oracle/oracle.ts';
import { Schedules } from '../oracle/schedules.ts';
import { events, trace } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { DirectTrace } from './direct-trace.ts';

/** What is predicted, as `after A`, in the order of the reports. */
function predicted(notation: string): string[] {
  const observed = trace(notation);
  return run(sidetrack, observed).violations.map(
    ({ kind, block }) => `${kind} ${observed.names.labels.text(block!.label)}`,
  );
}

/** Whether some other schedule, or the observed one, violates the block that begins at this event. */
function isViolable(notation: string, block: number, lock: string): boolean {
  return new Schedules(events(notation)).find({ block, lock }) !== null;
}

describe('the figures of the SideTrack paper', () => {
  const figure1 = `
    t1: begin A, acq m, r x, w x, rel m, acq m, r x, w x, rel m, end
    t2: acq m, r x, w x, rel m`;
  const figure2 = `
    t1: begin A, acq m, r x, w x, rel m
    t2: acq m, r x, w x, rel m
    t1: acq m, r x, w x, rel m, end`;

  it('figure 1: predicts what the serial trace only hides', () => {
    expect(judge(trace(figure1)).serializable).toBe(true);
    expect(predicted(figure1)).toEqual(['after A']);
    expect(isViolable(figure1, 1, 'm')).toBe(true);
  });

  it('figure 2: sees the violation that figure 1 predicts', () => {
    expect(judge(trace(figure2)).violatedBlocks).toEqual([1]);
    expect(predicted(figure2)).toEqual(['in A']);
  });

  it('figure 3: tells before, in and after apart by where the culprit was seen', () => {
    const block = 'acq m, rel m';
    const culprit = 't2: acq m, rel m';
    expect(predicted(`${culprit}; t1: begin A, ${block}, ${block}, end`)).toEqual(['before A']);
    expect(predicted(`t1: begin A, ${block}; ${culprit}; t1: ${block}, end`)).toEqual(['in A']);
    expect(predicted(`t1: begin A, ${block}, ${block}, end; ${culprit}`)).toEqual(['after A']);
  });

  it('figure 4: predicts nothing for a culprit that the second section forks', () => {
    const forked = 't1: begin A, acq m, rel m, acq m, fork t2, rel m, end; t2: acq m, rel m';
    expect(predicted(forked)).toEqual([]);
    // Its twin forks in the first section.
    const earlier = 't1: begin A, acq m, fork t2, rel m, acq m, rel m, end; t2: acq m, rel m';
    expect(predicted(earlier)).toEqual(['after A']);
  });

  it('figure 5: predicts nothing where what the culprit has read may decide whether it comes at all', () => {
    const dependent = `
      t1: begin A, acq m, rel m, acq m, rel m, acq n, w b, rel n, end
      t2: acq n, r b, rel n, acq m, rel m`;
    expect(predicted(dependent)).toEqual([]);
    expect(isViolable(dependent, 1, 'm')).toBe(false);
    // Its twin writes between the two sections.
    const between = `
      t1: begin A, acq m, rel m, acq n, w b, rel n, acq m, rel m, end
      t2: acq n, r b, rel n, acq m, rel m`;
    expect(predicted(between)).toEqual(['after A']);
  });

  it('figure 7: notices at the acquire of the other thread that it does not know of the window', () => {
    const { violations } = run(
      sidetrack,
      trace('t0: begin A, acq m, rel m, acq m, rel m, end; t1: acq m, rel m'),
    );
    expect(violations).toEqual([
      {
        kind: 'after',
        event: 7,
        thread: 0,
        block: { label: 0, begin: 1, depth: 0 },
        related: [
          { event: 2, role: 'first acquire' },
          { event: 3, role: 'first release' },
          { event: 4, role: 'second acquire' },
          { event: 7, role: 'culprit acquire' },
          { event: 8, role: 'culprit release' },
        ],
      },
    ]);
  });

  it('figure 8: predicts from one order of two threads what it does not from the other', () => {
    const block = 't1: begin A, acq n, rel n, acq m, rel m, acq m, rel m, end';
    const culprit = 't2: acq m, rel m, acq n, rel n';
    expect(predicted(`${culprit}; ${block}`)).toEqual([]);
    expect(predicted(`${block}; ${culprit}`)).toEqual(['after A']);
  });

  it('figure 9: blames the methods that lie around both acquires', () => {
    const d = 'begin d, acq m, rel m, end';
    expect(predicted(`t1: begin a, begin b, ${d}, begin c, ${d}, end, end, end; t2: acq m, rel m`)).toEqual([
      'after a',
      'after b',
    ]);
  });
});

describe('what is reported', () => {
  it('before: the culprit, then the two acquires, at the second', () => {
    const { violations } = run(
      sidetrack,
      trace('t2: acq m, rel m; t1: begin A, acq m, rel m, acq m, rel m, end'),
    );
    expect(violations).toEqual([
      {
        kind: 'before',
        event: 6,
        thread: 1,
        block: { label: 0, begin: 3, depth: 0 },
        related: [
          { event: 1, role: 'culprit acquire' },
          { event: 2, role: 'culprit release' },
          { event: 4, role: 'first acquire' },
          { event: 5, role: 'first release' },
          { event: 6, role: 'second acquire' },
        ],
      },
    ]);
  });

  it('in: the culprit between the two acquires, at the second', () => {
    const { violations } = run(
      sidetrack,
      trace('t1: begin A, begin B, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end, end'),
    );
    const related = [
      { event: 3, role: 'first acquire' },
      { event: 4, role: 'first release' },
      { event: 5, role: 'culprit acquire' },
      { event: 6, role: 'culprit release' },
      { event: 7, role: 'second acquire' },
    ];
    expect(violations).toEqual([
      { kind: 'in', event: 7, thread: 0, block: { label: 0, begin: 1, depth: 0 }, related },
      { kind: 'in', event: 7, thread: 0, block: { label: 1, begin: 2, depth: 1 }, related },
    ]);
  });

  it('says nothing about the observed trace', () => {
    const { outcome } = run(
      sidetrack,
      trace('t1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end'),
    );
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null });
  });

  it('reports each label once for each kind, however often it comes', () => {
    const block = 't1: begin A, acq m, rel m, acq m, rel m, end';
    const culprit = 't2: acq m, rel m';
    expect(predicted(`${block}; ${culprit}; `.repeat(1000))).toEqual(['after A', 'before A']);
  });

  it('reports the latest block of a label', () => {
    const block = 't1: begin A, acq m, rel m, acq m, rel m, end';
    const { violations } = run(sidetrack, trace(`${block}; ${block}; t2: acq m, rel m`));
    expect(violations).toMatchObject([{ kind: 'after', block: { begin: 7 } }]);
  });

  it('blames every label that the culprit can violate, not only the last', () => {
    const block = (label: string) => `t1: begin ${label}, acq m, rel m, acq m, rel m, end`;
    expect(predicted(`${block('A')}; ${block('B')}; t2: acq m, rel m`)).toEqual(['after B', 'after A']);
  });

  it('blames a block of many that recurse only once', () => {
    const { violations } = run(
      sidetrack,
      trace('t1: begin A, begin A, acq m, rel m, acq m, rel m, end, end; t2: acq m, rel m'),
    );
    expect(violations).toMatchObject([{ block: { begin: 2, depth: 1 } }]);
  });
});

describe('blame in nested blocks', () => {
  it('takes the nearest earlier acquire, not only the first of the transaction', () => {
    const nested = 't1: begin A, acq m, rel m, begin B, acq m, rel m, acq m, rel m, end, end';
    expect(predicted(`${nested}; t2: acq m, rel m`)).toEqual(['after A', 'after B']);
  });

  it('does not blame a block that begins after the acquire that could have come earlier', () => {
    const late = `
      t2: acq m, rel m
      t1: begin A, acq m, rel m, begin B, join t2, acq m, rel m, acq m, rel m, end, end`;
    expect(predicted(late)).toEqual(['before A']);
    expect(isViolable(late, 6, 'm')).toBe(false);
    expect(predicted(late.replace('acq m, rel m, begin B, join t2', 'begin B'))).toEqual([
      'before A',
      'before B',
    ]);
  });

  it('does not take acquires before the block for its own', () => {
    expect(predicted('t1: acq m, rel m, begin A, acq m, rel m, end; t2: acq m, rel m')).toEqual([]);
    expect(predicted('t1: begin A, acq m, rel m, end, begin B, acq m, rel m, end; t2: acq m, rel m')).toEqual(
      [],
    );
  });

  it('blames no block for two locks', () => {
    expect(predicted('t1: begin A, acq m, rel m, acq n, rel n, end; t2: acq m, rel m, acq n, rel n')).toEqual(
      [],
    );
  });
});

describe('fork and join', () => {
  it('predicts nothing for a thread that was joined before the block', () => {
    const joined = 't1: fork t2; t2: acq m, rel m; t1: join t2, begin A, acq m, rel m, acq m, rel m, end';
    expect(predicted(joined)).toEqual([]);
    expect(predicted(joined.replace('join t2, ', ''))).toEqual(['before A']);
  });

  it('predicts nothing for a thread that another forked after it had learnt of the block', () => {
    const block = 't1: begin A, acq m, rel m, acq m, rel m, end';
    expect(predicted(`${block}, fork t2; t2: fork t3; t3: acq m, rel m`)).toEqual([]);
    expect(predicted(`t1: fork t2; ${block}; t2: fork t3; t3: acq m, rel m`)).toEqual(['after A']);
  });

  it('takes a join to come after the fork of its thread, even if that has no event', () => {
    const block = 't1: begin A, acq m, rel m, acq m, rel m, end';
    expect(predicted(`${block}, fork c; t2: join c, acq m, rel m`)).toEqual([]);
    expect(predicted(`t1: fork c; ${block}; t2: join c, acq m, rel m`)).toEqual(['after A']);
  });

  it('sees what was in the window, even if the block waited for it', () => {
    const waited = 't1: begin A, acq m, rel m, fork t2; t2: acq m, rel m; t1: join t2, acq m, rel m, end';
    expect(judge(trace(waited)).violatedBlocks).toEqual([1]);
    expect(predicted(waited)).toEqual(['in A']);
  });

  it('knows the piece of a block between two forks as a block of its own', () => {
    const pieces = 't1: begin A, acq m, rel m, fork t2, acq m, rel m, acq m, rel m, end; t2: acq m, rel m';
    const { violations } = run(sidetrack, trace(pieces), { forkJoin: 'boundary' });
    expect(violations).toMatchObject([{ kind: 'after', block: { begin: 4, depth: 0 } }]);
  });
});

/* Where the rules of figure 6 alone would cry wolf, because the section that is to come earlier gets stuck. */
describe('sections in each other', () => {
  it('predicts nothing where the culprit would wait for the block, and the block for the culprit', () => {
    const stuck = `
      t1: begin A, acq n, acq m, rel m, acq m, rel m, rel n, end
      t2: acq m, acq n, rel n, rel m`;
    expect(isViolable(stuck, 1, 'm')).toBe(false);
    expect(predicted(stuck)).toEqual([]);
  });

  it('predicts it if the culprit gives back the one lock before it takes the other', () => {
    const free = `
      t1: begin A, acq n, acq m, rel m, acq m, rel m, rel n, end
      t2: acq m, rel m, acq n, rel n`;
    expect(isViolable(free, 1, 'm')).toBe(true);
    expect(predicted(free)).toEqual(['after A']);
  });

  it('predicts it if both take the locks in the same order', () => {
    const ordered = `
      t1: begin A, acq m, acq n, rel n, rel m, acq m, acq n, rel n, rel m, end
      t2: acq m, acq n, rel n, rel m`;
    expect(predicted(ordered)).toEqual(['after A']);
    expect(predicted(ordered.split('\n').reverse().join('\n'))).toEqual(['before A']);
  });

  it('predicts it for three locks in the same order', () => {
    const section = 'acq m, acq n, acq o, rel o, rel n, rel m';
    expect(predicted(`t1: begin A, ${section}, ${section}, end; t2: ${section}`)).toEqual(['after A']);
  });

  it('predicts nothing where a third thread would keep the culprit from its end', () => {
    const third = `
      t3: acq n, fork t1, fork t2
      t1: begin A, acq m, rel m, acq m, rel m, end
      t3: join t1, rel n
      t2: acq m, acq n, rel n, rel m`;
    expect(isViolable(third, 4, 'm')).toBe(false);
    expect(predicted(third)).toEqual([]);
    expect(predicted(third.replace('join t1, rel n', 'rel n, join t1'))).toEqual(['after A']);
  });

  it('predicts it where a third thread keeps the culprit waiting only for a while', () => {
    const third = `
      t3: acq n
      t1: begin A, acq m, rel m, acq m, rel m, end, acq o, rel o
      t3: acq o, rel o, rel n
      t2: acq m, acq n, rel n, rel m`;
    expect(isViolable(third, 2, 'm')).toBe(true);
    expect(predicted(third)).toEqual(['after A']);
  });

  it('predicts nothing where the first section would wait for the culprit', () => {
    const stuck = `
      t1: acq l, fork t2, acq m, rel m
      t2: begin A, acq m
      t1: rel l
      t2: acq l, rel l, rel m, acq m, rel m, end`;
    expect(isViolable(stuck, 5, 'm')).toBe(false);
    expect(predicted(stuck)).toEqual([]);
    expect(predicted(stuck.replace('t2: acq l, rel l, rel m', 't2: rel m'))).toEqual(['before A']);
  });

  it('predicts nothing where the first section keeps a lock that the culprit needs', () => {
    const kept = `
      t1: acq m, acq n, rel n, rel m
      t2: begin A, acq m, acq n, rel m, acq m, rel m, rel n, end`;
    expect(isViolable(kept, 5, 'm')).toBe(false);
    expect(predicted(kept)).toEqual([]);
    expect(predicted(kept.replace('acq n, rel m, acq m', 'acq n, rel n, rel m, acq n, acq m'))).toEqual([
      'before A',
    ]);
  });

  it('predicts nothing where the culprit joins the thread of the block', () => {
    const joins = 't1: begin A, acq m, rel m, acq m, rel m, end; t2: acq m, join t1, rel m';
    expect(isViolable(joins, 1, 'm')).toBe(false);
    expect(predicted(joins)).toEqual([]);
    expect(predicted(joins.replace('join t1, rel m', 'rel m, join t1'))).toEqual(['after A']);
  });

  it('predicts nothing for a culprit that is not seen to release the lock', () => {
    expect(predicted('t1: begin A, acq m, rel m, acq m, rel m, end; t2: acq m')).toEqual([]);
  });
});

describe('what it costs', () => {
  /** Acquires and releases a lock twice. */
  function twice(observed: DirectTrace, thread: number, lock: number): void {
    for (let i = 0; i < 2; i++) observed.add(thread, 'acquire', lock).add(thread, 'release', lock);
  }

  it('follows the threads that are alive', () => {
    const observed = new DirectTrace(sidetrack);
    for (let child = 1; child <= 50_000; child++) {
      observed.add(0, 'fork', child).add(child, 'begin');
      twice(observed, child, 0);
      observed.add(child, 'end').add(0, 'join', child);
    }
    expect(observed.outcome().statistics).toMatchObject({ windows: 50_000, slots: 2 });
    expect(observed.violations).toEqual([]);
  });

  it('does not follow how deep blocks nest', () => {
    const DEPTH = 50_000;
    const observed = new DirectTrace(sidetrack);
    for (let depth = 0; depth < DEPTH; depth++) observed.add(0, 'begin', depth);
    for (let round = 0; round < DEPTH; round++) {
      observed.add(0, 'begin', DEPTH);
      twice(observed, 0, round % 100);
      observed.add(0, 'end', DEPTH);
    }
    expect(observed.violations).toEqual([]);
    twice(observed, 1, 0);
    // The stack is blamed once, and not again for another lock.
    expect(observed.violations).toHaveLength(DEPTH + 1);
    twice(observed, 1, 1);
    expect(observed.violations).toHaveLength(DEPTH + 1);
  });

  it('follows the locks of running transactions', () => {
    const observed = new DirectTrace(sidetrack);
    const LOCKS = 200_000;
    observed.add(0, 'begin');
    for (let lock = 0; lock < LOCKS; lock++) observed.add(0, 'acquire', lock).add(0, 'release', lock);
    observed.add(1, 'begin', 1);
    for (let lock = 0; lock < LOCKS; lock++) observed.add(1, 'acquire', lock).add(1, 'release', lock);
    observed.add(0, 'acquire', LOCKS - 1);
    expect(observed.violations).toMatchObject([{ kind: 'in', block: { label: 0 } }]);
  });
});
