import { expect, it } from 'vitest';
import type { ViolationResult } from '../../src/check/result.ts';
import { Announcements, announceFindings } from '../../src/cli/live-findings.ts';
import { ProgramCheck } from '../../src/cli/program-check.ts';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

it('what is announced while a program runs is what the report says of it, each thing once', async () => {
  const script = folder.write(
    'app.mjs',
    `const o = { n: 0, busy: false };
     async function lost() { const { n } = o; await null; o.n = n + 1; }
     async function guarded() { if (o.busy) return; o.busy = true; await null; o.busy = false; }
     await Promise.all([lost(), lost(), lost(), guarded(), guarded()]);`,
  );
  const spool = `${script}.trk`;
  expect(trackside(['record', '-o', spool, script], { cwd: folder.path }).status).toBe(0);
  const options = {
    analysis: 'regiontrack',
    forkJoin: 'family',
    first: false,
    atomic: [],
    notes: false,
  } as const;
  const check = await ProgramCheck.open(script, [], {
    ...options,
    only: [],
    exclude: [],
    spec: [],
    instrument: [],
    order: 'exact',
  } as unknown as Parameters<typeof ProgramCheck.open>[2]);
  const over = new AbortController();
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
    over.abort();
  };
  await announceFindings(check, spool, over.signal, write, 0, 0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^trackside: error: 'lost' with o\.n \(.*app\.mjs:2:\d+\): .* \(stale-act\)\n$/);
});

const violation = (severity: string, label: string, rule: string) =>
  ({
    severity,
    block: { label, begin: 1, end: 2, location: 'app.mjs:1:1' },
    because: { rule, sentence: 'so it is' },
    interference: null,
  }) as unknown as ViolationResult;

it('what the next look at the trace excuses is not announced', () => {
  const announcements = new Announcements();
  expect(announcements.found([violation('error', 'early', 'stale-act')])).toEqual([]);
  expect(announcements.found([violation('note', 'early', 'looked-again')])).toEqual([]);
  expect(announcements.unchanged()).toEqual([]);
});

it('a block is announced once, however many of its accesses are found later', () => {
  const announcements = new Announcements();
  const first = violation('error', 'pay', 'stale-act');
  const second = violation('error', 'pay', 'duplicate-work');
  announcements.found([first]);
  expect(announcements.found([first, second])).toHaveLength(1);
  expect(announcements.found([first, second])).toEqual([]);
  expect(announcements.unchanged()).toEqual([]);
});
