import { describe, expect, it } from 'vitest';
import { doublechecker } from '../../src/analyses/doublechecker/index.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

function reports(notation: string): string[] {
  const given = trace(notation);
  return run(doublechecker, given).violations.map(
    ({ event, block }) => `${given.names.labels.text(block!.label)} at ${event}`,
  );
}

function statistics(notation: string) {
  return run(doublechecker, trace(notation)).outcome.statistics;
}

describe('the transactions that complete a cycle', () => {
  it('are reported once each, with their outermost block', () => {
    const nested = 't1: begin P, begin Q, r x; t2: w x; t1: w x; t2: w x; t1: w x, end, end';
    expect(reports(nested)).toEqual(['P at 5']);
  });

  it('may be serializable by themselves', () => {
    expect(reports('t1: begin A, w x; t2: begin B, w y, r x, end; t1: r y, end')).toEqual(['A at 7']);
    expect(reports('t1: begin A, w x; t2: begin B, r x, end; t1: r y, end')).toEqual([]);
  });

  it('may be several on one cycle', () => {
    const both = 't1: begin A, r x; t2: begin B, w x, r y; t1: w y, r x, end; t2: w y, r x, end';
    expect(reports(both)).toEqual(['A at 6', 'B at 9']);
  });

  it('include those still open at the end of the trace', () => {
    expect(reports('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x')).toEqual(['B at 6']);
    expect(reports('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r z')).toEqual([]);
  });

  it('include a parent whose child is joined with a block still open', () => {
    expect(reports('t1: begin A, fork t2; t2: begin B; t1: join t2')).toEqual(['A at 4']);
    expect(reports('t1: begin A, fork t2; t1: join t2')).toEqual([]);
  });
});

describe('the first phase', () => {
  it('replays nothing when transactions follow each other', () => {
    const { components, eventsReplayed } = statistics(
      't1: begin A, r x, w x, end; t2: begin B, r x, w x, end; t1: begin C, r x, end',
    );
    expect({ components, eventsReplayed }).toEqual({ components: 0, eventsReplayed: 0 });
  });

  it('ties together more than really conflicts, and the second takes it apart', () => {
    // B follows what t1 does now, though it only reads what t1 wrote long ago.
    const coarse = 't1: w x, begin A, w y; t2: begin B, r x, w z, end; t1: r z, end';
    expect(statistics(coarse)).toMatchObject({ components: 1, transactionsReplayed: 2 });
    expect(reports(coarse)).toEqual([]);
    expect(reports('t1: begin A, w x; t2: begin B, r x, w z, end; t1: r z, end')).toEqual(['A at 7']);
  });

  it('replays a component once, when nothing open reaches it any more', () => {
    const overlapping =
      't1: begin A, r x; t2: begin B, w x; t1: w x, end, begin C, r x; t2: w x, end, begin D, w x; t1: r x, end; t2: w x, end';
    expect(statistics(overlapping)).toMatchObject({ components: 1, transactionsReplayed: 4 });
    expect(reports(overlapping)).toEqual(['A at 5', 'B at 9', 'C at 13', 'D at 15']);
  });

  it('replays each component by itself', () => {
    const two =
      't1: begin A, w x; t2: begin B, r x, w x; t1: r x; t3: begin C, r x, w y; t4: begin D, r y, w y; t3: r y';
    expect(reports(two)).toEqual(['A at 6', 'C at 13']);
    // A and B, and C and D; the edge from B to C is in neither.
    expect(statistics(two)).toMatchObject({ components: 2, preciseEdges: 4 });
  });

  it('replays a component as if there had been none before', () => {
    // B and the read of t3 are replayed first. The write of t2 is still the first event of a forked thread.
    const forked = 't1: begin A, fork t2; t2: w x; t1: u x; t2: r x, begin B; t3: r x; t2: w x, end';
    expect(statistics(forked).components).toBe(2);
    expect(reports(forked)).toEqual(['A at 4']);
    expect(reports(forked.replace('fork t2; t2: w x', 'fork t2; t2: w y'))).toEqual([]);
  });

  it('drops the logs of what is collected', () => {
    const chain = Array.from({ length: 20 }, (_, i) => `t${i % 3}: begin, r x, w x, end`).join('; ');
    expect(statistics(chain)).toMatchObject({ transactionsLogged: 20, eventsLoggedAtMost: 4 });
  });

  it('logs an access once while nobody interferes', () => {
    const again = 't1: begin A, r x, r x, r x, w x, r x, w x, end';
    expect(statistics(again).eventsLoggedAtMost).toBe(4);
    const between = 't1: begin A, r x; t2: w x; t1: r x, r x, end';
    expect(statistics(between).eventsLoggedAtMost).toBe(5);
  });

  it('logs an access again when its transaction has learned something since', () => {
    const again = 't2: begin B, w x, w y; t1: begin A, r y, w z; t2: r z, w x, end; t1: w x, end';
    expect(reports(again)).toEqual(['B at 7', 'A at 10']);
    const once = 't2: begin B, w x, w y; t1: begin A, r y, w z; t2: r z, end; t1: w x, end';
    expect(reports(once)).toEqual(['B at 7']);
  });

  it('logs an access again when only the coarse order was known before', () => {
    // The first read of x already follows A, but only the update of x really does; the read of y is after that.
    const late = 't1: w x, begin A, r x; t2: r x, r y, u x, r y; t1: u y, end';
    expect(reports(late)).toEqual(['A at 8']);
    expect(reports(late.replace('u x, r y', 'r x, r y'))).toEqual([]);
  });

  it('lets a transaction end that is on a cycle with itself', () => {
    expect(reports('t1: begin A, w x; t2: begin B, r x, w y; t1: r y, end; t2: end')).toEqual(['A at 6']);
    expect(reports('t1: begin A, w x; t2: begin B, r x, w y; t1: r z, end; t2: end')).toEqual([]);
  });

  it('takes a thread that joined the readers of a variable to follow its last writer', () => {
    const readers = 't1: begin A, w x; t2: r x; t3: r x, w y; t1: r y, end';
    expect(reports(readers)).toEqual(['A at 6']);
    expect(reports(readers.replace('w y', 'r y'))).toEqual([]);
  });

  it('lets updates share a variable, and a read end that', () => {
    expect(reports('t1: begin A, u n; t2: u n; t1: u n, end')).toEqual([]);
    expect(reports('t1: begin A, u n; t2: u n, r n; t1: u n, end')).toEqual(['A at 5']);
  });
});
