import { describe, expect, it } from 'vitest';
import { Baseline } from '../../src/check/baseline.ts';
import { parseBaseline } from '../../src/check/baseline-file.ts';
import type { AnalysisResult } from '../../src/check/result.ts';
import { isViolation } from '../../src/check/worst.ts';
import { inJson, result, TOOL, violation } from '../report/results.ts';

const pay = violation();
const audit = violation({ block: { label: 'audit', begin: 9, end: null } });
const log = violation({ block: { label: 'log', begin: 20, end: 30 } });

const baseline = (...results: AnalysisResult[]) =>
  new Baseline(parseBaseline(JSON.stringify({ tool: TOOL, results: results.map(inJson) }), 'old.json'));

describe('a baseline', () => {
  it('hides what it knows, in whatever trace, and counts it', () => {
    const known = baseline(result({ violations: [pay] }));
    const again = violation({ event: 40, block: { label: 'pay', begin: 30, end: null } });
    const hidden = known.hide(result({ trace: 'other.std', violations: [pay, audit, again] }));
    expect(hidden).toMatchObject({ known: 2, verdict: 'violation', violations: [audit] });
    expect(isViolation(hidden)).toBe(true);
  });

  it('leaves nothing to report where everything is known', () => {
    const known = baseline(result({ violations: [pay] }));
    expect(isViolation(known.hide(result({ violations: [pay] })))).toBe(false);
  });

  it('still reports a trace of which an analysis says no more than that it is not serializable', () => {
    const bare = result({ verdict: 'violation', serializable: false });
    expect(isViolation(baseline().hide(bare))).toBe(true);
  });

  it('lists once what was not found again', () => {
    const known = baseline(result({ violations: [pay, audit, audit, log] }));
    known.hide(result({ violations: [pay] }));
    known.hide(result({ violations: [log] }));
    expect(known.gone()).toMatchObject([
      { analysis: 'regiontrack', trace: 'run.std', count: 2, violation: audit },
    ]);
  });

  it('says nothing about what nobody looked for to the end', () => {
    const known = baseline(
      result({ violations: [pay] }),
      result({ analysis: 'velodrome', violations: [pay] }),
    );
    known.hide(result({ complete: false }));
    known.hide(result());
    expect(known.gone()).toEqual([]);
  });

  it('refuses results that lack what another baseline hid', () => {
    expect(() => baseline(result({ known: 3, violations: [pay] }))).toThrow(/cannot be a baseline/);
  });
});
