import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CheckReport } from '../../src/check/result.ts';
import { doubtfulJudgedByAccesses } from '../../src/external/interferences.ts';
import { trackside } from '../cli/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'updates-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is said of each violated block of a trace, by one who knows nothing of its program. */
async function judged(trace: string): Promise<string[]> {
  const file = join(folder, 'run.std');
  const report = join(folder, 'report.json');
  writeFileSync(file, trace);
  trackside(['check', file, '--reporter', `json=${report}`]);
  const apart = (_: string, value: unknown) => {
    const [, op, operand] =
      (typeof value === 'object' && /^(\w+)\((.*)\)$/.exec((value as { op?: string })?.op ?? '')) || [];
    return op === undefined ? value : { ...(value as object), op, operand };
  };
  const { results } = JSON.parse(readFileSync(report, 'utf8'), apart) as CheckReport;
  const [{ violations }] = await doubtfulJudgedByAccesses(results, file, {});
  return violations.map(({ block, severity, pattern }) => `${block?.label} ${pattern} ${severity}`);
}

const look = (thread: string) => `${thread}|begin(enter)|X:1\n${thread}|vr(n)|X:2\n`;
const add = (thread: string) => `${thread}|vu(n)|X:3\n`;
const end = (thread: string) => `${thread}|end(enter)|X:1\n`;

it('who adds to a counter after others have looked at it and added to it has acted by a stale look', async () => {
  const trace = look('a') + look('b') + add('b') + end('b') + look('b') + add('a') + end('a') + end('b');
  expect(await judged(trace)).toEqual(['enter lost-update error']);
});

it('who adds to a counter after others have only added to it might have done so before them', async () => {
  const trace = look('a') + add('b') + add('b') + add('a') + end('a');
  expect(await judged(trace)).toEqual([]);
});
