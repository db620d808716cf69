import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConflictHandling, compareVersions, mergeReports } from '../../src/check/merged-results.ts';
import type { AnalysisResult, CheckReport, Shard } from '../../src/check/result.ts';
import { parseResults } from '../../src/check/saved-results.ts';
import { json } from '../../src/report/json.ts';
import { rendered, result, TOOL, violation } from '../report/results.ts';

const report = (results: AnalysisResult[], more: Partial<CheckReport> = {}): CheckReport => ({
  tool: TOOL,
  results,
  ...more,
});

function merge(reports: readonly CheckReport[], conflicts: ConflictHandling = 'keep'): CheckReport {
  return mergeReports(
    reports.map((each, i) => ({ file: `${i + 1}.json`, report: each })),
    conflicts,
  );
}

/** What a result says, without what was measured. */
function content({ milliseconds: _, allocatedBytes: __, ...rest }: AnalysisResult): string {
  return JSON.stringify(rest);
}

const contents = (reports: readonly CheckReport[]) =>
  new Set(reports.flatMap(({ results }) => results.map(content)));

/** Few names and few contents, so that the same ones meet often. */
const anyResult = fc
  .record({
    trace: fc.constantFrom('a.std', 'b.std', '__proto__', '\ud800'),
    analysis: fc.constantFrom('regiontrack', 'velodrome'),
    labels: fc.array(fc.constantFrom('pay', '__proto__'), { maxLength: 2 }),
    total: fc.nat(3),
    analysisTime: fc.nat(3),
    allocatedBytes: fc.option(fc.nat(3)),
  })
  .map(({ trace, analysis, labels, total, analysisTime, allocatedBytes }) =>
    result({
      trace,
      analysis,
      violations: labels.map((label) => violation({ block: { label, begin: 1, end: 5 } })),
      milliseconds: { analysis: analysisTime, total },
      allocatedBytes,
    }),
  );

const anyShard: fc.Arbitrary<Shard> = fc.record(
  { index: fc.integer({ min: 1, max: 3 }), of: fc.constantFrom(3, 4), corpus: fc.constantFrom('x', 'y') },
  { requiredKeys: ['index', 'of'] },
);

const anyFixed = fc.uniqueArray(
  fc.record({
    fingerprint: fc.constantFrom('f', 'g', 'h'),
    analysis: fc.constant('regiontrack'),
    trace: fc.constantFrom('a.std', 'b.std'),
    count: fc.integer({ min: 1, max: 2 }),
    violation: fc.constant(violation()),
  }),
  { selector: ({ fingerprint }) => fingerprint },
);

const anyReport: fc.Arbitrary<CheckReport> = fc.record(
  {
    tool: fc.constantFrom('0.9.0', '0.10.0', '1.0.0').map((version) => ({ ...TOOL, version })),
    shard: anyShard,
    results: fc.array(anyResult, { maxLength: 6 }),
    fixed: anyFixed,
  },
  { requiredKeys: ['tool', 'results'] },
);

describe('merging', () => {
  it('does not depend on how documents are grouped', () => {
    fc.assert(
      fc.property(anyReport, anyReport, anyReport, (a, b, c) => {
        const all = merge([a, b, c]);
        expect(merge([merge([a, b]), c])).toEqual(all);
        expect(merge([a, merge([b, c])])).toEqual(all);
      }),
    );
  });

  it('does not depend on the order of documents, nor on that of the results in them', () => {
    const shuffled = fc
      .array(anyReport, { minLength: 1, maxLength: 4 })
      .chain((reports) =>
        fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
      );
    fc.assert(
      fc.property(shuffled, ([reports, others]) => {
        const reversed = others.map((each) => ({ ...each, results: each.results.toReversed() }));
        expect(merge(reversed)).toEqual(merge(reports));
      }),
    );
  });

  it('does not depend on how often a document is given', () => {
    fc.assert(
      fc.property(anyReport, anyReport, (a, b) => {
        expect(merge([a, a])).toEqual(merge([a]));
        expect(merge([a, b, a])).toEqual(merge([a, b]));
        expect(merge([merge([a, b]), b])).toEqual(merge([a, b]));
      }),
    );
  });

  it('loses nothing, adds nothing, and leaves nothing twice', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { minLength: 1, maxLength: 4 }), (reports) => {
        const merged = merge(reports);
        expect(contents([merged])).toEqual(contents(reports));
        expect(merged.results).toHaveLength(contents(reports).size);
      }),
    );
  });

  it('refuses exactly where a trace and an analysis have two different results, in whatever grouping', () => {
    const attempt = (join: () => CheckReport) => {
      try {
        return join();
      } catch (error) {
        return (error as Error).message.replace(/ in .*/, '');
      }
    };
    fc.assert(
      fc.property(anyReport, anyReport, anyReport, (a, b, c) => {
        const keys = new Set(
          [a, b, c].flatMap(({ results }) => results.map((each) => `${each.trace} ${each.analysis}`)),
        );
        const all = attempt(() => merge([a, b, c], 'refuse'));
        expect(typeof all === 'string').toBe(contents([a, b, c]).size > keys.size);
        const grouped = attempt(() => merge([a, merge([b, c], 'refuse')], 'refuse'));
        expect(typeof grouped).toBe(typeof all);
        if (typeof all !== 'string') expect(grouped).toEqual(all);
      }),
    );
  });

  it('gives documents that can be saved and merged again', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { minLength: 1, maxLength: 3 }), (reports) => {
        const { fixed: _, ...merged } = merge(reports);
        const { tool, shards } = merged;
        const saved = rendered(json, [merged.results], { tool, parts: { shards } });
        expect(parseResults(saved, 'merged.json')).toEqual(merged);
      }),
    );
  });
});

describe('merged results', () => {
  it('are those of one check, whichever shard they came from', () => {
    const whole = ['a', 'b', 'c', 'd'].map((trace) => result({ trace, violations: [violation()] }));
    const shards = [1, 2].map((index) =>
      report(
        whole.filter((_, i) => i % 2 === index - 1),
        { shard: { index, of: 2 } },
      ),
    );
    expect(merge(shards, 'refuse')).toEqual({
      tool: TOOL,
      shards: [
        { index: 1, of: 2 },
        { index: 2, of: 2 },
      ],
      results: whole,
    });
  });

  it('of a shard that ran twice are there once, with the time of the faster run', () => {
    const [slow, fast] = [20, 10].map((total) => result({ milliseconds: { analysis: 1, total } }));
    expect(merge([report([slow]), report([fast])], 'refuse').results).toEqual([fast]);
  });

  it('are the same in whatever order their fields are', () => {
    const reversed = (object: object) => Object.fromEntries(Object.entries(object).toReversed());
    const one = result({ violations: [violation()] });
    const other = reversed({ ...one, violations: one.violations.map(reversed) }) as unknown as AnalysisResult;
    expect(merge([report([one]), report([other])], 'refuse').results).toHaveLength(1);
  });

  it('of kept conflicts follow each other run by run, not analysis by analysis', () => {
    const run = (analysis: string, events: number) => result({ analysis, events });
    const merged = merge([
      report([run('regiontrack', 1), run('velodrome', 1)]),
      report([run('velodrome', 2), run('regiontrack', 2)]),
    ]);
    expect(merged.results.map(({ analysis }) => analysis)).toEqual([
      'regiontrack',
      'velodrome',
      'regiontrack',
      'velodrome',
    ]);
  });

  it('are of the newest version', () => {
    const of = (version: string) => report([], { tool: { ...TOOL, version } });
    expect(merge([of('0.9.0'), of('0.10.0'), of('0.2.0')]).tool.version).toBe('0.10.0');
    expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
    expect(compareVersions('1.0', '01.0')).not.toBe(0);
  });

  it('call fixed only what nobody has seen', () => {
    const known = (fingerprint: string) => ({
      fingerprint,
      analysis: 'regiontrack',
      trace: 'a.std',
      count: 1,
      violation: violation(),
    });
    const one = report([], { fixed: [known('f'), known('g')] });
    const other = report([], { fixed: [known('g'), known('h')] });
    expect(merge([one, other]).fixed).toEqual([known('g')]);
    expect(merge([one, other, report([])])).not.toHaveProperty('fixed');
  });
});

describe('a conflict', () => {
  const ok = result({ trace: 'a\x1b.std' });
  const broken = result({ trace: 'a\x1b.std', violations: [violation()] });

  it('names the trace, the analysis, both files and what differs', () => {
    expect(() => merge([report([ok]), report([broken])], 'refuse')).toThrow(
      /^the results of regiontrack on 'a\\x1b\.std' are different in [12]\.json and in [12]\.json$/,
    );
    try {
      merge([report([ok]), report([broken])], 'refuse');
    } catch (error) {
      expect(error).toMatchObject({
        found: 'other values of verdict, serializable, firstEvent, violations',
        expected: expect.stringContaining('--conflicts keep'),
      });
    }
  });

  it('may be within one file, and be one of many', () => {
    const twice = report([ok, broken, { ...ok, trace: 'b' }, { ...broken, trace: 'b' }]);
    expect(() => merge([twice], 'refuse')).toThrow(/ are different twice in 1\.json \(one of 2 conflicts\)$/);
  });

  it('is one of two documents that differ in a field that is not known yet', () => {
    const later = { ...ok, later: 1 } as AnalysisResult;
    expect(() => merge([report([ok]), report([later])], 'refuse')).toThrow(/are different/);
  });
});
