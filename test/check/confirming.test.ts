import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { block } from '../../src/analyses/block/index.ts';
import { fasttrack } from '../../src/analyses/fasttrack/index.ts';
import { goodlock } from '../../src/analyses/goodlock/index.ts';
import { sidetrack } from '../../src/analyses/sidetrack/index.ts';
import { checkTrace } from '../../src/check/check.ts';
import { type ConfirmOptions, confirmViolations } from '../../src/check/confirming.ts';
import type { AnalysisResult } from '../../src/check/result.ts';
import { resultsOf } from '../../src/check/results.ts';
import { explainViolations } from '../../src/check/second-look.ts';
import { text } from '../../src/report/text.ts';
import { Specification } from '../../src/spec/specification.ts';
import { rendered } from '../report/results.ts';
import { trace } from '../support/notation.ts';

const folder = mkdtempSync(join(tmpdir(), 'trackside-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `check --confirm` gives for one trace. */
async function confirmed(
  analyses: readonly AnalysisDescription[],
  notation: string,
  more: Partial<ConfirmOptions> = {},
): Promise<AnalysisResult[]> {
  const path = join(folder, 'run.std');
  writeFileSync(path, `${trace(notation)}\n`);
  const options = {
    analyses,
    specification: new Specification(),
    forkJoin: 'edge' as const,
    first: false,
    format: 'std',
  };
  const check = await checkTrace(path, options);
  const explanations = await explainViolations(path, check, options);
  const confirmations = await confirmViolations(path, check, { ...options, ...more });
  const results = await resultsOf('run.std', check, explanations, confirmations, 20);
  return results;
}

/** What the confirmation of the only violation says. */
async function only(analysis: AnalysisDescription, notation: string) {
  const [{ violations }] = await confirmed([analysis], notation);
  expect(violations).toHaveLength(1);
  return violations[0].confirmation!;
}

const TWICE = 't1: begin A, acq m, rel m, acq m, rel m, end; t2: acq m, rel m';

describe('a prediction that a schedule shows', () => {
  it('comes with the schedule, as a trace and as the numbers of its events', async () => {
    const confirmation = await only(sidetrack, TWICE);
    expect(confirmation.status).toBe('confirmed');
    expect(confirmation.order).toEqual([1, 2, 3, 7, 8, 4]);
    expect(confirmation.trace).toBe('t1|begin(A)\nt1|acq(m)\nt1|rel(m)\nt2|acq(m)\nt2|rel(m)\nt1|acq(m)\n');
    expect(confirmation.firstEvent).toBe(6);
    expect(confirmation.message).toBe(
      'confirmed: a schedule of 6 events violates the block at its last one, and every read before finds what it found',
    );
  });

  it('says which reads may find something else', async () => {
    const overwritten = 't2: acq m, w x, rel m; t1: begin A, acq m, r x, rel m, acq m, w x, rel m, end';
    const confirmation = await only(sidetrack, overwritten);
    expect(confirmation.status).toBe('confirmed');
    expect(confirmation.changedReads).toEqual([6]);
    expect(confirmation.message).toBe(
      'confirmed if threads go on as they did: a schedule of 8 events violates the block at its last one, ' +
        'but the read at event 6 may find another value',
    );
  });

  it('leaves out what has nothing to do with it', async () => {
    const confirmation = await only(block, 't3: w z, w z; t1: begin A, r x, w x, end; t3: w z; t2: w x');
    expect(confirmation.order).toEqual([3, 4, 8, 5]);
  });

  it('is a schedule that ends with the two accesses, for a race', async () => {
    const confirmation = await only(fasttrack, 't1: w x, w y; t2: w z, w x');
    expect(confirmation.order).toEqual([3, 1, 4]);
    expect(confirmation.firstEvent).toBe(3);
  });

  it('is a schedule after which all wait, for a deadlock', async () => {
    const confirmation = await only(
      goodlock,
      't1: acq a, acq b, rel b, rel a; t2: acq b, acq a, rel a, rel b',
    );
    expect(confirmation.order).toEqual([1, 5]);
    expect(confirmation.firstEvent).toBeNull();
  });
});

it('says so if a prediction cannot be confirmed', async () => {
  // Whoever got the flag goes on only if it was set: another order would have it read something else.
  const confirmation = await only(
    goodlock,
    't1: acq a, acq b, rel b, rel a, w flag; t2: r flag, acq b, acq a, rel a, rel b',
  );
  expect(confirmation.status).toBe('not-confirmed');
  expect(confirmation.message).toBe('could not be confirmed: none of the schedules that were tried shows it');
  expect(confirmation).not.toHaveProperty('trace');
});

describe('the assumptions of a verdict', () => {
  it('are stated beside what the analysis that checks them found', async () => {
    const [result] = await confirmed([sidetrack, fasttrack], `${TWICE}; t1: w x, w y; t2: w x, w y`);
    expect(result.assumptions).toEqual([
      {
        assumes: 'race-freedom',
        checkedBy: 'fasttrack',
        found: 2,
        message: 'this verdict assumes race freedom; fasttrack found 2 races',
      },
    ]);
  });

  it('are stated with a hint where nothing checked them', async () => {
    const [result] = await confirmed([block], 't1: begin A, r x, end');
    expect(result.assumptions.map(({ message }) => message)).toEqual([
      'this verdict assumes that no schedule deadlocks; run goodlock to check it',
    ]);
  });
});

describe('the text report of predictions', () => {
  it('shows the schedule beside what was observed', async () => {
    const report = rendered(text, [await confirmed([sidetrack], TWICE)]);
    expect(report).toBe(`\
warning: block 'A' of thread 't1' would be broken by another schedule
  A (thread t1) may not be atomic: the acquire of lock m by thread t2 (event 7),
  which came after that here, could come between its release of lock m (event 3)
  and its acquire of lock m (event 4)

    event  t1                        t2
        1  begin(A)
        2  acq(m)  (first acquire)
        3  rel(m)  (first release)
        4  acq(m)  (second acquire)
        6  end(A)
        7                            acq(m)  (culprit acquire)
        8                            rel(m)  (culprit release)

  confirmed: a schedule of 6 events violates the block at its last one, and
  every read before finds what it found

    event  t1                    t2
        1  begin(A)
        2  acq(m)
        3  rel(m)
        7                        acq(m)
        8                        rel(m)
        4  acq(m)

  fix: Make the whole block one critical section, or re-check what it read
       before it acts on it.

run.std: 1 violation predicted (8 events, 20 ms, sidetrack)
  this verdict assumes race freedom; run fasttrack to check it
  If 'A' is not meant to be atomic:
    trackside check run.std --exclude 'A'
`);
  });

  it('does not call a trace serializable of which nothing was predicted', async () => {
    const report = rendered(text, [await confirmed([fasttrack], 't1: begin A, w x, end')]);
    expect(report).toMatch(/^run\.std: nothing predicted /);
    expect(report).toMatch(/does not say that\s+the trace is serializable/);
  });
});

describe('a prediction that is too much to search for', () => {
  const SHOWN = 't1: begin A, r x; t2: w x; t1: w x, end';

  it('says so when the budget is used up', async () => {
    const [{ violations }] = await confirmed([sidetrack], TWICE, { confirmBudget: 0 });
    expect(violations[0].confirmation).toMatchObject({ status: 'budget', states: 0 });
  });

  it('is confirmed all the same if the trace itself shows it', async () => {
    const [{ violations }] = await confirmed([block], SHOWN, { confirmBudget: 0 });
    expect(violations[0].confirmation).toMatchObject({
      status: 'confirmed',
      firstEvent: 4,
      message: 'confirmed: the trace itself violates the block, at event 4',
    });
  });

  it('is one of several, and it is told how far the search is', async () => {
    const told: string[] = [];
    await confirmed([sidetrack, block], `${TWICE}; t2: begin B, r x; t1: w x; t2: w x, end`, {
      onConfirmed: (done, all) => told.push(`${done} of ${all}`),
    });
    expect(told).toEqual(['1 of 2', '2 of 2']);
  });
});

it('keeps a message behind what sent it', async () => {
  const torn = 't1: begin A, r x, w x, end, send m; t2: begin B, w x, end; t2: receive m, r x';
  const confirmation = await only(block, torn);
  expect(confirmation.status).toBe('confirmed');
  expect(confirmation.trace).not.toContain('receive');
});

it('keeps the order that barriers make', async () => {
  const meeting = 't1: arrive b; t2: arrive b, leave b; t1: leave b';
  const phases = `t1: begin A, acq m, rel m, acq m, rel m, end; ${meeting}; t3: acq m, rel m`;
  const confirmation = await only(sidetrack, phases);
  expect(confirmation.status).toBe('confirmed');
  expect(confirmation.trace).not.toContain('leave');
});
