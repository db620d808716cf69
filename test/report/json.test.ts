import { describe, expect, it } from 'vitest';
import { jsonKnown } from '../../src/check/json-results.ts';
import { json } from '../../src/report/json.ts';
import { PLAIN } from '../../src/report/style.ts';
import { inJson, rendered, result, TOOL, violation } from './results.ts';

describe('the JSON report', () => {
  it.each([
    ['nothing', []],
    ['one clean trace', [[result()]]],
    [
      'several traces and analyses',
      [[result({ violations: [violation(), violation()] }), result()], [result()]],
    ],
  ])('is one document, whatever it is about: %s', (_, traces) => {
    const document = rendered(json, traces);
    expect(JSON.parse(document)).toEqual({ tool: TOOL, results: traces.flat().map(inJson) });
    expect(document).toBe(`${JSON.stringify(JSON.parse(document), null, 2)}\n`);
  });

  it('ends with what a baseline knows and what was not found again', () => {
    const fixed = [{ fingerprint: 'f', analysis: 'a', trace: 't', count: 2, violation: violation() }];
    const report = json.start({ tool: TOOL, style: PLAIN, width: 80 });
    const document = [...report.trace([result({ known: 3 })]), ...report.finish({ fixed })].join('');
    expect(JSON.parse(document)).toEqual({
      tool: TOOL,
      results: [result({ known: 3 })],
      fixed: fixed.map(jsonKnown),
    });
    expect(document).toBe(`${JSON.stringify(JSON.parse(document), null, 2)}\n`);
  });

  it('gives names back as they are, but prints none that a terminal would obey', () => {
    const names = [
      '\ud800 alone',
      '"quoted"\\',
      '\x1b[31m',
      '\u202e',
      '\x9b',
      '\u2028',
      '__proto__',
      '🦊',
      '\x00',
    ];
    const violations = names.map((label) => violation({ thread: label, block: { label, begin: 1, end: 2 } }));
    const document = rendered(json, [[result({ violations })]]);
    expect(document).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/);
    expect(Buffer.from(document).toString()).toBe(document);
    const { results } = JSON.parse(document);
    expect(results[0].violations.map(({ thread }: { thread: string }) => thread)).toEqual(names);
  });
});
