import { expect, it } from 'vitest';
import { announceFindings } from '../../src/cli/live-findings.ts';
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
  await announceFindings(check, spool, over.signal, write, 0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^trackside: error: 'lost' with o\.n \(.*app\.mjs:2:\d+\): .* \(stale-act\)\n$/);
});
