import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

/** Something of everything, a re-entrant lock, a nested block, and one block without a label. */
const trace = folder.write(
  'everything.std',
  `main|fork(worker)|1
main|begin(outer)|2
main|begin(inner)|3
main|acq(lock)|4
main|acq(lock)|5
main|r(x)|6
main|w(x)|7
main|u(hits)|8
main|rel(lock)|9
main|rel(lock)|10
main|end|11
main|end|12
worker|r(x)|13
worker|begin|14
worker|end|15
main|join(worker)|16
main|w(y)|17
`,
);

describe('trackside info', () => {
  it('counts what is in a trace as it was logged', () => {
    const { status, stdout, stderr } = trackside(['info', trace, '--reporter', 'json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      tool: { name: 'trackside', version: expect.any(String) },
      traces: [
        {
          trace,
          format: 'std',
          events: 17,
          threads: 2,
          locks: 1,
          barriers: 0,
          messages: 0,
          conditions: 0,
          variables: 3,
          labels: 3,
          transactions: 2,
          unaryTransactions: 4,
          reads: 2,
          writes: 2,
          updates: 1,
          acquires: 2,
          releases: 2,
          forks: 1,
          joins: 1,
          arrivals: 0,
          leaves: 0,
          volatileReads: 0,
          volatileWrites: 0,
          volatileUpdates: 0,
          sends: 0,
          receives: 0,
          notifies: 0,
          waits: 0,
          begins: 3,
          ends: 3,
          repairs: [],
        },
      ],
    });
  });

  it('lays several traces out beside each other, with thousands separated', () => {
    const long = folder.write('long.std.gz', gzipSync(LOST_UPDATE.repeat(400)));
    const { stdout } = trackside(['info', trace, long]);
    expect(stdout).toMatch(/^format {2,}std {2,}std$/m);
    expect(stdout).toMatch(/^events {2,}17 {2,}2,000$/m);
    expect(stdout).toMatch(/^transactions {2,}2 {2,}400$/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const widths = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.length);
    expect(new Set(widths).size).toBe(1);
  });

  it('checks that the trace is well-formed, and counts up to the first problem', () => {
    const broken = folder.write('broken.std', `${LOST_UPDATE}T1|rel(l)|6\nT1|w(x)|7\n`);
    const missing = join(folder.path, 'missing.std');
    const strict = trackside(['info', broken, missing, '--reporter', 'json']);
    expect(strict.status).toBe(2);
    expect(strict.stderr).toMatch(
      /broken\.std:6:4: thread 'T1' releases lock 'l'.*\n.*missing\.std: there is no/,
    );
    const { traces } = JSON.parse(strict.stdout);
    expect(traces).toMatchObject([
      {
        trace: broken,
        events: 5,
        reads: 1,
        writes: 2,
        releases: 0,
        transactions: 1,
        error: { line: 6, column: 4 },
      },
      { trace: missing, events: 0, format: null, error: { line: null } },
    ]);
    const lenient = trackside(['info', broken, '--lenient']);
    expect(lenient.status).toBe(0);
    expect(lenient.stdout).toMatch(/^events +7$/m);
    expect(lenient.stdout).toMatch(/repaired 1 time: a release of a lock/);
  });

  it('reads standard input, and with --quiet only checks', () => {
    const { stdout } = trackside(['info', '-', '--reporter', 'json'], { input: LOST_UPDATE });
    expect(JSON.parse(stdout).traces).toMatchObject([{ trace: '-', events: 5 }]);
    expect(trackside(['info', trace, '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
