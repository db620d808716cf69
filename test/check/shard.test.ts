import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  corpusOf,
  missingShards,
  missingWords,
  pathsInShard,
  type SizedTrace,
} from '../../src/check/shard.ts';

const numbers = (of: number) => Array.from({ length: of }, (_, i) => i + 1);

/** The paths of all parts, sorted. */
function division(traces: readonly SizedTrace[], of: number): string[][] {
  return numbers(of).map((index) => [...pathsInShard(traces, { index, of })].sort());
}

const anyTraces = fc.uniqueArray(
  fc.record({
    path: fc.oneof(fc.constantFrom('__proto__', 'a/b.std', 'a/c.std'), fc.string({ unit: 'binary' })),
    size: fc.oneof(fc.constant(0), fc.constant(7), fc.nat(1e9)),
  }),
  { selector: ({ path }) => path, maxLength: 40 },
);
const anyNumber = fc.integer({ min: 1, max: 50 });

describe('the parts of a list of traces', () => {
  it('hold every trace, and none twice', () => {
    fc.assert(
      fc.property(anyTraces, anyNumber, (traces, of) => {
        const paths = division(traces, of).flat().sort();
        expect(paths).toEqual(traces.map(({ path }) => path).sort());
      }),
    );
  });

  it('are the same in whatever order the traces are listed, and if one is listed twice', () => {
    const shuffled = anyTraces.chain((traces) =>
      fc.tuple(
        fc.constant(traces),
        fc.shuffledSubarray(traces, { minLength: traces.length }),
        fc.subarray(traces),
      ),
    );
    fc.assert(
      fc.property(shuffled, anyNumber, ([traces, others, again], of) => {
        expect(division([...others, ...again], of)).toEqual(division(traces, of));
        expect(corpusOf([...others, ...again])).toBe(corpusOf(traces));
      }),
    );
  });

  it('are of about the same size: none exceeds the average by more than a trace', () => {
    fc.assert(
      fc.property(anyTraces, anyNumber, (traces, of) => {
        const sizes = new Map(traces.map(({ path, size }) => [path, size]));
        const sum = (paths: Iterable<string>) =>
          [...paths].reduce((total, path) => total + (sizes.get(path) as number), 0);
        const largest = Math.max(0, ...sizes.values());
        for (const part of division(traces, of))
          expect(sum(part)).toBeLessThanOrEqual(sum(sizes.keys()) / of + largest);
      }),
    );
  });

  it('share out traces without a size by their number', () => {
    const traces = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, size: 0 }));
    expect(division(traces, 2)).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
  });

  it('put the large ones apart', () => {
    const traces = [
      { path: 'small', size: 1 },
      { path: 'large', size: 90 },
      { path: 'medium', size: 50 },
      { path: 'other', size: 40 },
    ];
    expect(division(traces, 2)).toEqual([
      ['large', 'small'],
      ['medium', 'other'],
    ]);
  });

  it('stay empty where there are more parts than traces, however many', () => {
    const traces = [{ path: 'a', size: 5 }];
    expect(division(traces, 3)).toEqual([['a'], [], []]);
    const of = Number.MAX_SAFE_INTEGER;
    expect(pathsInShard(traces, { index: of, of }).size).toBe(0);
  });
});

describe('a list of traces', () => {
  const traces = [
    { path: '/ci/1/traces/a.std', size: 5 },
    { path: '/ci/1/traces/b.std', size: 6 },
  ];

  it('is the same wherever a machine keeps it', () => {
    const elsewhere = traces.map(({ path, size }) => ({ path: path.replace('/ci/1/', '/scratch/'), size }));
    expect(corpusOf(elsewhere)).toBe(corpusOf(traces));
  });

  it('is another with another trace, or with one that has changed', () => {
    expect(corpusOf(traces.slice(1))).not.toBe(corpusOf(traces));
    expect(corpusOf([traces[0], { ...traces[1], size: 7 }])).not.toBe(corpusOf(traces));
  });
});

describe('missing parts', () => {
  const words = (...parts: [index: number, of: number, corpus?: string][]) =>
    missingShards(
      parts.map(([index, of, corpus]) => ({ index, of, ...(corpus === undefined ? {} : { corpus }) })),
    ).map(missingWords);

  it('are told by their numbers', () => {
    expect(words([4, 4], [1, 4], [2, 4], [1, 4])).toEqual(['shard 3 of 4 is missing']);
    expect(words([3, 8], [1, 8], [4, 8])).toEqual(['shards 2, 5 to 8 of 8 are missing']);
    expect(words([1, Number.MAX_SAFE_INTEGER])).toEqual([
      'shards 2 to 9007199254740991 of 9007199254740991 are missing',
    ]);
  });

  it('are none of a whole, nor of results that are not of parts', () => {
    expect(words()).toEqual([]);
    expect(words([2, 2], [1, 2])).toEqual([]);
  });

  it('are looked for in each list of traces', () => {
    expect(words([1, 2, 'monday'], [2, 2, 'tuesday'])).toEqual([
      'shard 2 of 2 is missing',
      'shard 1 of 2 is missing',
    ]);
  });

  it('do not matter where the same traces are whole in another division', () => {
    expect(words([1, 4, 'x'], [1, 2, 'x'], [2, 2, 'x'])).toEqual([]);
    expect(words([1, 4, 'x'], [1, 2, 'y'], [2, 2, 'y'])).toEqual(['shards 2 to 4 of 4 are missing']);
  });

  it('are not made up for by a number that cannot be', () => {
    expect(words([1, 2], [3, 2])).toEqual(['shard 2 of 2 is missing']);
    expect(words([5, 2])).toEqual(['shards 1 to 2 of 2 are missing']);
  });
});
