import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AnalysisResult } from '../../src/check/result.ts';
import { html } from '../../src/report/html.ts';
import type { PageResult } from '../../src/report/html-data.ts';
import { HOSTILE_NAMES, hostileResult, OBEYED } from './hostile.ts';
import { rendered, result, violation } from './results.ts';

const PART = /<script type="application\/octet-stream" data-part="(\w+)">([^<]*)<\/script>/g;

/** What the page holds as data. */
function data(page: string): PageResult[] {
  return [...page.matchAll(PART)]
    .filter(([, kind]) => kind === 'results')
    .map(
      ([, , text]) => JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')) as PageResult,
    );
}

const page = (...results: AnalysisResult[]) => rendered(html, [results]);

describe('the HTML report', () => {
  it('is one page that says itself what may run: only what it brings', () => {
    const text = page(result({ violations: [violation()] }));
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) as RegExpExecArray;
    const hashOf = (tag: string) => {
      const [, content] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) as RegExpExecArray;
      return createHash('sha256').update(content).digest('base64');
    };
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hashOf('script')}'`,
      `style-src 'sha256-${hashOf('style')}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(text).not.toMatch(/\b(src|href)="(?!data:)/);
  });

  it('holds what was found, but for what a page does not show', () => {
    const one = violation();
    const [held] = data(page(result({ violations: [one], statistics: { joins: 3 } })));
    expect(held).toMatchObject({ trace: 'run.std', analysis: 'regiontrack', violations: [one], leftOut: 0 });
    expect(held).not.toHaveProperty('statistics');
  });

  it('keeps a sub-trace as it is, since it is there to be saved', () => {
    const trace = `T0|w(${'x'.repeat(5000)})\n`;
    const subtrace = { trace, events: [1], event: 1, minimal: true };
    const [held] = data(page(result({ violations: [violation({ subtrace })] })));
    expect(held.violations[0].subtrace?.trace).toBe(trace);
  });

  it('leaves out the mildest of too many violations, and counts them', () => {
    const mild = violation({ severity: 'warning' });
    const violations = Array.from({ length: 25_010 }, (_, i) => (i === 25_005 ? violation() : { ...mild }));
    const [held] = data(page(result({ violations })));
    expect(held.violations).toHaveLength(25_000);
    expect(held.violations.at(-1)?.severity).toBe('error');
    expect(held.leftOut).toBe(10);
  });

  it('leaves out violations whose cycles are too long to hold them all', () => {
    const [conflict] = violation().cycle;
    const long = violation({ cycle: Array.from({ length: 150_000 }, () => conflict) });
    const [held] = data(page(result({ violations: [long, { ...long }, violation()] })));
    expect(held.violations).toHaveLength(2);
    expect(held.leftOut).toBe(1);
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const text = page(hostileResult(name));
    const program = /<style>[\s\S]*<\/style>|<script>[\s\S]*<\/script>/g;
    expect(text.replace(program, '').match(/<script/g)).toHaveLength(2);
    const [held] = data(text);
    expect(JSON.stringify(held)).not.toMatch(OBEYED);
    expect(JSON.stringify(held).length).toBeLessThan(20_000);
    expect(held.violations).toHaveLength(2);
  });
});
