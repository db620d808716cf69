import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/check/result.ts';
import { temporaryFolder, trackside } from './run.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const folder = temporaryFolder();

/** Each example: its block, and the lines of the read and the write that another task comes between. */
const PROGRAMS = [
  { name: 'bank', ending: 'ts', block: 'Bank.transfer', lines: [17, 20] },
  { name: 'cache-stampede', ending: 'mjs', block: 'forecast', lines: [14, 15] },
  { name: 'rate-limiter', ending: 'mjs', block: 'RateLimiter.admit', lines: [16, 24] },
  { name: 'session-store', ending: 'mjs', block: 'setLanguage', lines: [9, 14] },
  { name: 'file-counter', ending: 'mjs', block: 'countVisit', lines: [11, 12] },
  { name: 'shop', ending: 'mjs', block: 'order', lines: [12, 14] },
];

function runExample(program: string) {
  const results = `${folder.path}/${program.replace(/\W/g, '-')}.json`;
  const run = trackside(['run', '--no-live', '--reporter', `json=${results}`, program], { cwd: EXAMPLES });
  return { ...run, results };
}

describe.each(PROGRAMS)('$name', ({ name, ending, block, lines }) => {
  it('breaks, at the lines that the wait is between', async () => {
    const { status, results } = runExample(`${name}/broken.${ending}`);
    const { default: report } = (await import(results, { with: { type: 'json' } })) as {
      default: CheckReport;
    };
    const errors = report.results[0].violations.filter(({ severity }) => severity === 'error');
    const found = errors.map(({ block: violated, interference }) => [
      violated?.label,
      ...[interference?.first, interference?.last].map((access) => lineOf(access?.location)),
    ]);
    expect(found).toContainEqual([block, ...lines]);
    expect(status).toBe(1);
  });

  it('is quiet when fixed, and its output is its own', () => {
    const program = `${name}/fixed.${ending}`;
    const { status, stdout } = runExample(program);
    expect(status).toBe(0);
    if (ending !== 'mjs') return;
    const plain = spawnSync(process.execPath, [program], { cwd: EXAMPLES, encoding: 'utf8' });
    expect(stdout).toBe(plain.stdout);
  });
});

function lineOf(location: string | null | undefined): number | null {
  const [, line] = /:(\d+)(?::\d+)?$/.exec(location ?? '') ?? [];
  return line === undefined ? null : Number(line);
}
