import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { empty } from '../../src/analyses/empty/index.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { Op } from '../../src/trace/operation.ts';

describe('dispatch', () => {
  it('announces every event once, and before it is shown', () => {
    const batch = new EventBatch(200);
    for (let i = 0; i < 150; i++) batch.push(0, Op.read, i, 0, 0);
    let announced = 0;
    const shown: number[] = [];
    const analysis: Analysis = {
      ...plain(),
      foresee(_batch, from, to) {
        expect(from).toBe(announced);
        announced = to;
      },
      read(_thread, variable) {
        expect(variable).toBeLessThan(announced);
        shown.push(variable);
      },
    };
    dispatch(batch, analysis);
    expect(announced).toBe(150);
    expect(shown).toEqual([...shown.keys()]);
    expect(shown).toHaveLength(150);
  });

  it('comes to the same verdict with more variables than the cache holds', () => {
    // Every thread writes all variables in turn; the last event closes a cycle over the first one's transaction.
    const variables = 150_000;
    const batch = new EventBatch(3 * variables + 3);
    batch.push(0, Op.begin, 0, 0, 0);
    for (let i = 0; i < variables; i++) batch.push(0, Op.write, i, 0, 0);
    for (let i = variables - 1; i >= 0; i--) batch.push(1, Op.read, i, 0, 0);
    batch.push(0, Op.write, 7, 0, 0);
    batch.push(0, Op.end, 0, 0, 0);
    const events: number[] = [];
    const analysis = atomsanitizer.create({ forkJoin: 'edge', report: ({ event }) => events.push(event) });
    dispatch(batch, analysis);
    expect(events).toEqual([2 * variables + 2]);
  });
});

function plain(): Analysis {
  const analysis = empty.create({ forkJoin: 'edge', report: () => undefined });
  const handlers = Object.getOwnPropertyNames(Object.getPrototypeOf(analysis)) as (keyof Analysis)[];
  return Object.fromEntries(handlers.map((name) => [name, () => undefined])) as unknown as Analysis;
}
