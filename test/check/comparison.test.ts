import { describe, expect, it } from 'vitest';
import { compareResults } from '../../src/check/comparison.ts';
import { result, violation } from '../report/results.ts';

const blamed = (...begins: number[]) =>
  begins.map((begin) => violation({ block: { label: 'pay', begin, end: null } }));

const begins = (violations: readonly { block: { begin: number } | null }[] | null) =>
  violations?.map(({ block }) => block?.begin) ?? null;

describe('compareResults', () => {
  it('measures what others blame by what RegionTrack blames', () => {
    const regiontrack = result({ violations: blamed(1, 11, 21) });
    const velodrome = result({ analysis: 'velodrome', violations: blamed(1, 31) });
    const [reference, other] = compareResults([regiontrack, velodrome]);
    expect([reference.missed, reference.wronglyBlamed]).toEqual([null, null]);
    expect([begins(other.missed), begins(other.wronglyBlamed)]).toEqual([[11, 21], [31]]);
  });

  it('has nothing to say where RegionTrack did not run', () => {
    const [velodrome] = compareResults([result({ analysis: 'velodrome', violations: blamed(1) })]);
    expect(velodrome).toMatchObject({ missed: null, wronglyBlamed: null });
  });

  it('does not hold it against an analysis that it names only the trace', () => {
    const trace = violation({ kind: 'trace' });
    const [, aerodrome] = compareResults([
      result({ violations: blamed(1) }),
      result({ analysis: 'aerodrome', violations: [trace] }),
    ]);
    expect(aerodrome).toMatchObject({ missed: null, wronglyBlamed: null });
  });

  it('holds it against an analysis that it found nothing', () => {
    const [, blind] = compareResults([result({ violations: blamed(1) }), result({ analysis: 'velodrome' })]);
    expect(begins(blind.missed)).toEqual([1]);
  });

  it('leaves out what decides nothing', () => {
    const [, count] = compareResults([
      result({ violations: blamed(1) }),
      result({ analysis: 'count', serializable: null }),
    ]);
    expect(count).toMatchObject({ missed: null, wronglyBlamed: null });
  });

  it('tells the pieces of nested blocks apart that begin at one event', () => {
    const inner = violation({ block: { label: 'log', begin: 1, end: null } });
    const [, velodrome] = compareResults([
      result({ violations: [...blamed(1), inner] }),
      result({ analysis: 'velodrome', violations: blamed(1) }),
    ]);
    expect(velodrome.missed).toEqual([inner]);
  });
});
