import { describe, expect, it } from 'vitest';
import type { AnalysisResult } from '../../src/check/result.ts';
import { junit } from '../../src/report/junit.ts';
import { parseXml } from '../support/xml.ts';
import { HOSTILE_NAMES, hostileResult, LONGEST_DOCUMENT, OBEYED } from './hostile.ts';
import { rendered, result, violation } from './results.ts';

describe('the JUnit report', () => {
  it('is a suite for each trace with a test for each violated block', () => {
    const audit = violation({
      severity: 'warning',
      block: { label: 'audit', begin: 11, end: null },
      cycle: [],
    });
    const violations = [violation(), violation({ block: { label: 'pay', begin: 7, end: 9 } }), audit];
    const document = rendered(junit, [[result({ violations })], [result({ trace: 'clean.std' })]]);
    // What they say is the business of the advice.
    expect(
      document.replace(
        /^(why|fix): .*(?:\n {2,5}\S.*)*?(?=\n(?:fix|\n)|<)/gm,
        (_, word) => `${word}: ${word.toUpperCase()}`,
      ),
    ).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="trackside">
  <testsuite name="run.std" tests="2" failures="2" errors="0" time="0.020">
    <testcase classname="run.std" name="regiontrack: pay">
      <failure message="block &apos;pay&apos; of thread &apos;T0&apos; is broken by thread &apos;T1&apos; (lost update)" type="error: lost-update">pay (thread T0) is not atomic

event     T0                        T1
    1     begin(pay)
    2  ┌─ r(balance)  Bank.java:12
    3  ├──────────────────────────&gt; w(balance)  Bank.java:20
    4  └&gt; w(balance)  Bank.java:14
    5     end(pay)

why: WHY
fix: FIX

and 1 more violation of the same block</failure>
    </testcase>
    <testcase classname="run.std" name="regiontrack: audit">
      <failure message="block &apos;audit&apos; of thread &apos;T0&apos; is broken by thread &apos;T1&apos; (lost update)" type="warning: lost-update">pay (thread T0) is not atomic

event     T0                        T1
    2  ┌─ r(balance)  Bank.java:12
    3  ├──────────────────────────&gt; w(balance)  Bank.java:20
    4  └&gt; w(balance)  Bank.java:14
   11     begin(audit)

why: WHY
fix: FIX</failure>
    </testcase>
  </testsuite>
  <testsuite name="clean.std" tests="1" failures="0" errors="0" time="0.020">
    <testcase classname="clean.std" name="regiontrack" time="0.003"/>
  </testsuite>
</testsuites>
`);
  });

  it('lets a test pass, with a remark, for what a run does not fail for', () => {
    const mild = violation({ severity: 'warning' });
    const suite = (of: Partial<AnalysisResult>) =>
      parseXml(rendered(junit, [[result({ violations: [mild], ...of })]])).children[0];
    const program = suite({ origin: 'program' });
    expect(program.attributes.get('failures')).toBe('0');
    expect(program.children[0].children).toMatchObject([
      { name: 'system-out', text: expect.stringMatching(/^warning, not failing: block 'pay' .*/) },
    ]);
    expect(suite({}).attributes.get('failures')).toBe('1');
  });

  it('is a document even without a trace', () => {
    expect(parseXml(rendered(junit, []))).toMatchObject({ name: 'testsuites', children: [] });
  });

  it('gives a trace that could not be read as an error, beside what was found before', () => {
    const error = { message: 'run.std:6:4: no; found x', summary: 'no', line: 6, column: 4 };
    const [suite] = parseXml(
      rendered(junit, [[result({ verdict: 'error', error, violations: [violation()] })]]),
    ).children;
    expect(Object.fromEntries(suite.attributes)).toMatchObject({ tests: '2', failures: '1', errors: '1' });
    const [failed] = suite.children[0].children;
    expect(failed).toMatchObject({ name: 'error', text: 'run.std:6:4: no; found x' });
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const document = rendered(junit, [[hostileResult(name)]]);
    const root = parseXml(document);
    expect(root.children).toHaveLength(1);
    expect(root.children[0].children.map(({ children }) => children[0].name)).toEqual(['error', 'failure']);
    expect(document).not.toMatch(OBEYED);
    expect(Buffer.from(document).toString()).toBe(document);
    expect(document.length).toBeLessThan(LONGEST_DOCUMENT);
  });
});
