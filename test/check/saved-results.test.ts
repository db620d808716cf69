import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mismatch } from '../../src/check/json-schema.ts';
import type { AnalysisResult } from '../../src/check/result.ts';
import { parseResults, resultsSchema } from '../../src/check/saved-results.ts';
import { json } from '../../src/report/json.ts';
import { MNEMONICS } from '../../src/trace/operation.ts';
import { InputProblem } from '../../src/trace/problem.ts';
import { HOSTILE_NAMES, hostileViolation } from '../report/hostile.ts';
import { event, inJson, rendered, result, TOOL, violation } from '../report/results.ts';

const saved = <R extends Pick<AnalysisResult, 'violations'>>(...results: R[]) =>
  JSON.stringify({ tool: TOOL, results: results.map(inJson) });

/** The same with conflicts that lack their second events. */
function withoutEnds(text: string): string {
  return JSON.stringify(JSON.parse(text, (key, value) => (key === 'to' ? undefined : value)));
}

/** The message with which a document is refused. */
function refusal(text: string): string {
  try {
    parseResults(text, 'results.json');
  } catch (error) {
    if (error instanceof InputProblem) return error.describe();
    throw error;
  }
  throw new Error('not refused');
}

describe('saved results', () => {
  it('come back as the JSON report wrote them', () => {
    const related = [{ ...event(2, 'T0', 'acq(l)'), role: 'first acquire' }];
    const confirmation = {
      status: 'confirmed',
      message: 'shown',
      firstEvent: 3,
      changedReads: [2],
      states: 10,
      window: [event(3, 'T1', 'w(x)')],
      order: [1, 3, 2],
      trace: 'T0|r(x)|1\n',
    } as const;
    const results = [
      result({ violations: [violation(), violation({ kind: 'in', related, block: null, confirmation })] }),
      result({ known: 2, statistics: { clocks: 7 }, repairs: [{ what: 'passed over', count: 1 }] }),
      result({ verdict: 'error', error: { message: 'm', summary: 's', line: null, column: null } }),
    ];
    const report = parseResults(rendered(json, [results]), 'results.json');
    expect(report).toEqual({ tool: TOOL, results });
  });

  it.each(HOSTILE_NAMES)('may hold %s as a name', (_, name) => {
    const violations = [hostileViolation(name, { message: '' })];
    const [read] = parseResults(rendered(json, [[result({ trace: name, violations })]]), 'x').results;
    expect(read.violations).toEqual(violations);
  });

  it('may have fields that are not known yet', () => {
    expect(parseResults(saved({ ...result(), later: { added: true } }), 'x').results).toHaveLength(1);
  });

  it.each([
    [
      '',
      'this is not a JSON document; found Unexpected end of JSON input; expected what check --reporter json writes',
    ],
    ['[]', 'these are not saved results: the document is not as expected; found a list; expected what check'],
    [
      '{"tool":{"name":"trackside","version":"1"}}',
      'results is not as expected; found nothing; expected a value',
    ],
    [
      '{"tool":{"name":"eslint","version":"1"},"results":[]}',
      "tool.name is not as expected; found 'eslint'; expected 'trackside'",
    ],
    [
      saved({ ...result(), verdict: 'fine' }),
      "results[0].verdict is not as expected; found 'fine'; expected one of ok",
    ],
    [
      saved(result(), { ...result(), events: -1 }),
      'results[1].events is not as expected; found -1; expected at least 0',
    ],
    [saved({ ...result(), events: 1.5 }), 'found 1.5; expected a whole number'],
    [
      saved({ ...result(), trace: null }),
      'results[0].trace is not as expected; found null; expected a string',
    ],
    [
      saved(result({ violations: [violation({ pattern: '\x1b[31m' })] })),
      "results[0].violations[0].pattern is not as expected; found '\\x1b[31m'; expected plain words",
    ],
    [
      withoutEnds(saved(result({ violations: [violation()] }))),
      'results[0].violations[0].cycle[0].to is not as expected; found nothing',
    ],
    [
      saved(result({ violations: [violation()] })).replace('r(balance)', 'peek(balance)'),
      "from.op is not as expected; found 'peek(balance)'; expected an operation as STD writes it, such as w(balance)",
    ],
    [saved({ ...result(), statistics: { '\x1b': 1 } }), "found '\\x1b'; expected plain words"],
  ])('are refused with what was found and what was expected: %s', (text, message) => {
    expect(refusal(text)).toContain(message);
    expect(refusal(text)).toMatch(/^results\.json: /);
  });

  it('are refused where words of ours hold what a terminal would obey', () => {
    for (const words of ['\x1b[2J', 'a\nb', '\u202e', '\x9b']) {
      expect(refusal(saved(result({ violations: [violation({ message: words })] })))).toContain('message');
      const related = [{ ...event(1, 'T0', 'r(x)'), role: words }];
      expect(refusal(saved(result({ violations: [violation({ related })] })))).toContain('role');
      expect(refusal(saved(result({ repairs: [{ what: words, count: 1 }] })))).toContain('what');
    }
  });
});

describe('the published schema', () => {
  it.each(MNEMONICS)('knows the operation %s', (op) => {
    const related = [{ ...event(1, 'T0', `${op}(x)`), role: 'first access' }];
    const [read] = parseResults(saved(result({ violations: [violation({ related })] })), 'x').results;
    expect(read.violations[0].related).toEqual(related);
  });

  const validate = new Ajv2020({ strictTypes: false }).compile(resultsSchema());

  it('is what a validator of JSON Schema takes it for', () => {
    const subtrace = { trace: 'T0|r(x)|1\n', events: [3], event: 1, minimal: true };
    const sources = [{ path: 'a.js', excerpts: [{ firstLine: 1, lines: ['x'] }] }];
    const right = [
      result({ violations: [violation({ subtrace })], sources }),
      result({ verdict: 'error', error: { message: 'm', summary: 's', line: null, column: null } }),
    ];
    const wrong = [
      { ...result(), verdict: 'fine' },
      { ...result(), events: -1 },
      { ...result(), sources: [{ path: 'a.js', excerpts: [{ firstLine: 0, lines: [] }] }] },
      { ...result(), statistics: { '\x1b': 1 } },
      result({ violations: [violation({ pattern: '\x1b[31m' })] }),
      result({ violations: [violation({ subtrace: { ...subtrace, minimal: 1 } as never })] }),
    ];
    for (const [documents, isRight] of [
      [right, true],
      [wrong, false],
    ] as const) {
      for (const document of documents) {
        const report = { tool: TOOL, results: [inJson(document)] };
        expect(validate(report), JSON.stringify(validate.errors)).toBe(isRight);
        expect(mismatch(report, resultsSchema()) === null).toBe(isRight);
      }
    }
  });

  it('refers only to what it defines', () => {
    const schema = resultsSchema();
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)];
    expect(new Set(references.map(([, name]) => name))).toEqual(new Set(Object.keys(schema.$defs)));
  });

  it('uses only the keywords that the comparison knows', () => {
    const known = new Set(
      '$schema $id title description $defs $ref type const enum pattern minimum required properties propertyNames additionalProperties items'.split(
        ' ',
      ),
    );
    const look = (schema: Record<string, unknown>): void => {
      for (const [keyword, value] of Object.entries(schema)) {
        expect(known).toContain(keyword);
        if (['propertyNames', 'additionalProperties', 'items'].includes(keyword)) look(value as never);
        if (['properties', '$defs'].includes(keyword)) Object.values(value as object).forEach(look);
      }
    };
    look(resultsSchema() as never);
  });
});
