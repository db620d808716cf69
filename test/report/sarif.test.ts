import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AnalysisResult, ViolationResult } from '../../src/check/result.ts';
import { sarif } from '../../src/report/sarif.ts';
import { uriOf } from '../../src/report/sarif-objects.ts';
import { checkSarif } from '../support/sarif.ts';
import { HOSTILE_NAMES, hostileResult, hostileViolation, LONGEST_DOCUMENT, OBEYED } from './hostile.ts';
import { event, rendered, result, TOOL, violation } from './results.ts';

/** The run of a document that was found to be what the standard asks for. */
function runOf(traces: readonly (readonly AnalysisResult[])[]) {
  const document = JSON.parse(rendered(sarif, traces));
  checkSarif(document);
  return document.runs[0];
}

function resultOf(changes: Partial<ViolationResult>) {
  return runOf([[result({ violations: [violation(changes)] })]]).results[0];
}

describe('the SARIF report', () => {
  it('is one run with all rules, whatever was found', () => {
    for (const traces of [[], [[result()]], [[result(), result()], [result()]]]) {
      const run = runOf(traces);
      expect(run.tool.driver).toMatchObject({ name: 'trackside', version: TOOL.version });
      expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toContain('lost-update');
      expect(run.results).toEqual([]);
      expect(run.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
    }
  });

  it('calls the threads of a program tasks', () => {
    const [{ codeFlows, relatedLocations }] = runOf([
      [result({ origin: 'program', violations: [violation()] })],
    ]).results;
    expect(codeFlows[0].threadFlows[0].message.text).toBe('task T0');
    expect(relatedLocations[0].message.text).toBe('T0 reads balance');
  });

  it('tells a violation with its place, the threads that interleave, and a fingerprint', () => {
    const found = resultOf({});
    const place = (startLine: number) => ({
      physicalLocation: { artifactLocation: { uri: 'Bank.java' }, region: { startLine } },
    });
    const step = (executionOrder: number, location: object) => ({
      location: expect.objectContaining(location),
      executionOrder,
      importance: 'essential',
    });
    expect(found).toEqual({
      ruleId: 'lost-update',
      ruleIndex: 0,
      level: 'error',
      message: {
        text: expect.stringMatching(
          /^pay is not atomic: between its \[read of balance\]\(0\) and its write of balance, thread T1 \[writes balance\]\(1\)\.\n\n'T0' writes .*stale read.*\n\nFix: /,
        ),
      },
      locations: [{ ...place(14), logicalLocations: [{ fullyQualifiedName: 'pay', kind: 'function' }] }],
      partialFingerprints: {
        'trackside/v2': expect.stringMatching(/^[\da-f]{32}$/),
        primaryLocationLineHash: expect.stringMatching(/^[\da-f]{32}:1$/),
      },
      codeFlows: [
        {
          threadFlows: [
            {
              id: 'T0',
              message: { text: 'thread T0' },
              locations: [
                step(1, { logicalLocations: [{ name: 'event 1' }] }),
                step(2, place(12)),
                step(4, place(14)),
                step(5, { logicalLocations: [{ name: 'event 5' }] }),
              ],
            },
            {
              id: 'T1',
              message: { text: 'thread T1' },
              locations: [step(3, { ...place(20), message: { text: 'T1 writes balance' } })],
            },
          ],
        },
      ],
      relatedLocations: [
        { id: 0, ...place(12), message: { text: 'T0 reads balance' } },
        { id: 1, ...place(20), message: { text: 'T1 writes balance' } },
      ],
      properties: { trace: 'run.std', analysis: 'regiontrack', kind: 'transaction', event: 4, thread: 'T0' },
    });
  });

  it('keeps what a baseline knows, as unchanged and suppressed, so that nobody takes it for fixed', () => {
    const known = violation({ block: { label: 'audit', begin: 9, end: null } });
    const { results } = runOf([[result({ violations: [violation()], known: 1, knownViolations: [known] })]]);
    expect(results).toMatchObject([
      { baselineState: 'new', locations: [{ logicalLocations: [{ fullyQualifiedName: 'pay' }] }] },
      {
        baselineState: 'unchanged',
        suppressions: [{ kind: 'external', status: 'accepted' }],
        locations: [{ logicalLocations: [{ fullyQualifiedName: 'audit' }] }],
      },
    ]);
    expect(results[0].suppressions).toBeUndefined();
    expect(resultOf({}).baselineState).toBeUndefined();
  });

  it('gives columns where they are known', () => {
    const cycle = [{ from: event(2, 'T0', 'r(x)', 'src/a b.ts:7:3'), to: event(4, 'T1', 'w(x)') }];
    const { locations } = resultOf({ cycle, interference: null, event: 2 });
    expect(locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'src/a%20b.ts' },
      region: { startLine: 7, startColumn: 3 },
    });
  });

  it('names the trace where no source line is known', () => {
    const { locations, codeFlows } = resultOf({ cycle: [], interference: null });
    expect(locations).toEqual([
      {
        physicalLocation: { artifactLocation: { uri: 'run.std' } },
        logicalLocations: [{ fullyQualifiedName: 'pay', kind: 'function' }],
      },
    ]);
    expect(codeFlows).toBeUndefined();
  });

  it('shows the events of a prediction by their parts', () => {
    const related = [
      { ...event(2, 'T0', 'acq(l)', 'a.js:1'), role: 'first acquire' },
      { ...event(9, 'T1', 'acq(l)', 'b.js:2'), role: 'culprit acquire' },
    ];
    const found = resultOf({ kind: 'in', pattern: null, cycle: [], interference: null, related });
    expect(found.ruleId).toBe('in');
    expect(JSON.stringify(found.codeFlows)).toContain('acquires l (culprit acquire)');
  });

  it('says that the run failed where a trace could not be read, and keeps what was found before', () => {
    const error = { message: 'run.std:6:4: no; found x', summary: 'no', line: 6, column: 4 };
    const run = runOf([[result({ verdict: 'error', error, violations: [violation()] })]]);
    expect(run.results).toHaveLength(1);
    expect(run.invocations[0]).toEqual({
      executionSuccessful: false,
      toolExecutionNotifications: [
        {
          level: 'error',
          message: { text: 'run.std:6:4: no; found x' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'run.std' },
                region: { startLine: 6, startColumn: 4 },
              },
            },
          ],
        },
      ],
    });
  });

  it('keeps to what GitHub takes: 25,000 results, the errors among them, and says what is left out', () => {
    const mild = violation({ severity: 'warning', cycle: [], interference: null });
    const violations = [...Array.from({ length: 25_003 }, () => mild), violation()];
    const run = runOf([[result({ violations })]]);
    expect(run.results).toHaveLength(25_000);
    expect(run.results[0].level).toBe('error');
    expect(run.invocations[0].executionSuccessful).toBe(true);
    expect(run.invocations[0].toolExecutionNotifications).toMatchObject([
      { level: 'warning', message: { text: expect.stringMatching(/^4 more violations are left out/) } },
    ]);
  });

  it('keeps to what GitHub takes: 10 MB when compressed, though nothing is said twice', () => {
    const names = Array.from({ length: 1000 }, (_, i) => createHash('sha512').update(`${i}`).digest('hex'));
    const explained = names.map((name) => hostileViolation(name));
    const others = Array.from({ length: 24_000 }, (_, i) =>
      hostileViolation(`${i} ${names[i % 1000]}`, { cycle: [], interference: null }),
    );
    expect(runOf([[result({ violations: [...explained, ...others] })]]).results).toHaveLength(25_000);
  });

  it('keeps to what GitHub takes: 1,000 locations of a code flow', () => {
    const cycle = Array.from({ length: 3000 }, (_, i) => ({
      from: event(2 + 2 * i, 'T0', 'w(x)', 'a.js:1'),
      to: event(3 + 2 * i, `T${i % 3}`, 'r(x)', 'a.js:2'),
    }));
    const { codeFlows } = resultOf({ cycle, interference: null });
    const { threadFlows } = codeFlows[0];
    const total = threadFlows.reduce(
      (sum: number, flow: { locations: object[] }) => sum + flow.locations.length,
      0,
    );
    expect(total).toBe(1000);
    expect(threadFlows[0].message.text).toBe('thread T0 (5001 later events are left out)');
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const document = rendered(sarif, [[hostileResult(name)]]);
    checkSarif(JSON.parse(document));
    expect(document).not.toMatch(OBEYED);
    expect(Buffer.from(document).toString()).toBe(document);
    expect(document).not.toMatch(/\\ud[89a-f]/);
    expect(document.length).toBeLessThan(LONGEST_DOCUMENT);
  });
});

describe('a path as a URI', () => {
  it.each([
    ['src/Bank.java', 'src/Bank.java'],
    ['./src/Bank.java', 'src/Bank.java'],
    ['src/../Bank.java', 'Bank.java'],
    ['/home/me/../you/Bank.java', 'file:///home/you/Bank.java'],
    ['/home/me/Bank.java', 'file:///home/me/Bank.java'],
    ['file:///home/me/a%20b.js', 'file:///home/me/a%20b.js'],
    ['file:///home/me/100%.js', 'file:///home/me/100%25.js'],
    ['C:\\code\\Bank.java', 'file:///C:/code/Bank.java'],
    ['//host/share', 'file:///host/share'],
    ['http://host/a.js', 'http%3A/host/a.js'],
    ['javascript:alert(1)', 'javascript%3Aalert(1)'],
    ['a?b#c%d', 'a%3Fb%23c%25d'],
  ])('%s is %s', (path, uri) => {
    expect(uriOf(path)).toBe(uri);
  });

  it.each(['../../etc/passwd', 'src/../../Bank.java', '..'])(
    '%s, which leads out of the folder, is absolute',
    (path) => {
      const uri = uriOf(path);
      expect(fileURLToPath(uri)).toBe(resolve(path));
      expect(uri).not.toContain('..');
    },
  );
});
