import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { mismatch } from '../../src/check/json-schema.ts';
import type { CheckReport } from '../../src/check/result.ts';
import { resultsSchema } from '../../src/check/saved-results.ts';
import { type Run, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const inFolder = (args: readonly string[]): Run => trackside(args, { cwd: folder.path });

/** Whatever the order, both have read before one writes. */
folder.write(
  'lost.mjs',
  `let count = 0;
  async function add() { const before = count; await null; count = before + 1; }
  await Promise.all([add(), add()]);
  console.log('said', process.argv.slice(2).join(' '));`,
);
folder.write(
  'fine.mjs',
  `let count = 0;
  async function add() { await null; count++; }
  await Promise.all([add(), add()]);
  console.log('said nothing of note');`,
);

/** A program that does this from its second run on: the first is the one without a schedule. */
function fromSecondRun(name: string, code: string): void {
  const mark = JSON.stringify(join(folder.path, `${name}.mark`));
  folder.write(
    name,
    `import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync(${mark})) { ${code} }
    writeFileSync(${mark}, '');`,
  );
}

/** `trackside explore … --reporter json`, with the document taken apart. */
function explore(args: readonly string[]): Run & { report: CheckReport } {
  const path = join(folder.path, 'results.json');
  const run = inFolder(['explore', '--quiet', '--reporter', `json=${path}`, ...args]);
  return { ...run, report: JSON.parse(readFileSync(path, 'utf8')) };
}

describe('trackside explore', () => {
  it('is silent about a program that no order breaks, and says how often it was run', () => {
    const { status, stdout, stderr } = inFolder(['explore', '--runs', '2', 'fine.mjs']);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: '',
      stderr: '2 runs of fine.mjs: 2 silent\n',
    });
  });

  it('stops at the first violation, shows what the program said, and how to run it again', () => {
    const { status, stdout, stderr } = inFolder(['explore', 'lost.mjs', 'a b', '--runs', "it's"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^--- output of the program \(provoke, seed 1\):\nsaid a b --runs it's\n---\n/);
    expect(stderr).toContain('error: block ');
    expect(stderr).toMatch(
      /To run it in this order again:\n {4}trackside run --schedule provoke --seed 1 lost\.mjs 'a b' --runs 'it'\\''s'\n/,
    );
    expect(stderr).toMatch(/\n1 run of lost\.mjs: 1 with violations, 0 silent\n$/);
  });

  it('takes the kinds in turn, from the seed that is given, and goes on if it is to', () => {
    const args = ['--keep-going', '--runs', '3', '--schedule', 'random,pct', '--seed', '8', 'lost.mjs'];
    const { status, report } = explore(args);
    expect(status).toBe(1);
    const schedules = [
      { kind: 'random', seed: 8 },
      { kind: 'pct', seed: 8 },
      { kind: 'random', seed: 9 },
    ];
    expect(report.runs).toEqual(
      schedules.map((schedule) => ({ trace: 'lost.mjs', schedule, outcome: 'violation' })),
    );
    expect(report.results.map(({ schedule }) => schedule)).toEqual(
      schedules.map(({ kind, seed }) => ({
        kind,
        seed,
        replay: `trackside run --schedule ${kind} --seed ${seed} lost.mjs`,
      })),
    );
    expect(mismatch(report, resultsSchema())).toBeNull();
  });

  it('finds that a program fails in one order and not without a schedule', () => {
    fromSecondRun('fails.mjs', "throw new RangeError('out of luck')");
    const { status, report } = explore(['fails.mjs']);
    expect(status).toBe(1);
    expect(report.runs).toMatchObject([{ outcome: 'failure' }]);
    expect(report.results).toMatchObject([
      {
        verdict: 'violation',
        violations: [
          {
            kind: 'failure',
            severity: 'error',
            message:
              'it ended with exit code 1, while without a schedule it ends with 0: RangeError: out of luck',
          },
        ],
      },
    ]);
    expect(mismatch(report, resultsSchema())).toBeNull();
  });

  it('ends a run that hangs, and says so', () => {
    const explored = (seconds: string) => {
      fromSecondRun(`hangs-${seconds}.mjs`, 'setInterval(() => {}, 1000)');
      return explore(['--timeout', seconds, `hangs-${seconds}.mjs`]);
    };
    const quickly = explored('2');
    // On a busy machine, the first run may need longer than that, and then no run hangs.
    const { status, report } = quickly.report.runs?.[0].outcome === 'timeout' ? quickly : explored('30');
    expect(status).toBe(1);
    expect(report.runs).toMatchObject([{ outcome: 'timeout' }]);
    expect(report.results[0].violations[0].message).toMatch(
      /^it had not ended after \d+\.\d+ s, and took .* without a schedule$/,
    );
  });

  it('blames no order for a program that always fails, which keeps its exit code', () => {
    folder.write('bad.mjs', "console.error('no such thing'); process.exit(3);");
    const { status, stderr } = inFolder(['explore', '--runs', '1', 'bad.mjs']);
    expect(status).toBe(3);
    expect(stderr).toBe(
      'trackside: without a schedule, the program fails, with exit code 3 (no such thing)\n1 run of bad.mjs: 1 silent\n',
    );
  });

  it.each([
    [['--runs', '0', 'fine.mjs'], /--runs takes a number of runs; found '0'/],
    [['--runs', 'many', 'fine.mjs'], /--runs takes a whole number; found 'many'/],
    [['--timeout', '-1', 'fine.mjs'], /--timeout takes a number of seconds; found '-1'/],
    [['--schedule', 'provok', 'fine.mjs'], /unknown schedule 'provok' \(did you mean 'provoke'\?\)/],
    [['--seed', '4294967296', 'fine.mjs'], /--seed is too large; found '4294967296'; expected at most/],
    [['none.mjs'], /none\.mjs: there is no such program/],
  ])('ends with 2: explore %j', (args, message) => {
    const { status, stdout, stderr } = inFolder(['explore', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('shards of an exploration', () => {
  const part = (name: string, ...args: string[]): string => {
    const path = join(folder.path, name);
    inFolder(['explore', '--quiet', '--reporter', `json=${path}`, ...args]);
    return path;
  };
  const read = (path: string): CheckReport => JSON.parse(readFileSync(path, 'utf8'));
  const merged = (name: string, ...files: string[]): string => {
    const path = join(folder.path, name);
    inFolder(['merge', '--quiet', '-o', path, ...files]);
    return path;
  };
  const PLAN = ['--runs', '3', '--keep-going', 'lost.mjs'];
  let first = '';
  let second = '';
  beforeAll(() => {
    first = part('first.json', '--shard', '1/2', ...PLAN);
    second = part('second.json', '--shard', '2/2', ...PLAN);
  });

  it('have each run in one of them', () => {
    const kinds = [first, second].map((path) => read(path).runs?.map(({ schedule }) => schedule.kind));
    expect(kinds).toEqual([['provoke'], ['random', 'pct']]);
    expect(read(first).shard).toEqual({ index: 1, of: 2, corpus: read(second).shard?.corpus });
  });

  it('are merged into what one exploration would have found, whatever the order and however often', () => {
    const again = part('again.json', '--shard', '2/2', ...PLAN);
    const direct = merged('direct.json', first, second);
    const detour = merged('detour.json', again, merged('pair.json', second, first), first);
    const unmeasured = (path: string) =>
      read(path).results.map(({ milliseconds: _, allocatedBytes: __, ...rest }) => rest);
    expect(read(detour).runs).toEqual(read(direct).runs);
    expect(unmeasured(detour)).toEqual(unmeasured(direct));
    expect(read(direct).runs).toHaveLength(3);
    expect(read(direct).results).toHaveLength(3);
    expect(read(direct).shards).toHaveLength(2);
    expect(mismatch(read(direct), resultsSchema())).toBeNull();
  });

  it('are reported as one: a violation is told once, and silent runs are counted by every reporter', () => {
    const quiet = part('quiet.json', '--runs', '2', 'fine.mjs');
    const both = merged('both.json', first, second, quiet);
    const report = (reporter: string) => inFolder(['report', both, '--reporter', reporter]).stdout;
    const text = report('text');
    expect(text.match(/^error: /gm)).toHaveLength(1);
    expect(text).toMatch(
      /\n2 runs of fine\.mjs: 2 silent\n3 runs of lost\.mjs: 3 with violations, 0 silent\n$/,
    );
    expect(report('junit')).toContain(
      '<testsuite name="silent runs" tests="2" failures="0" errors="0">\n    <testcase classname="fine.mjs" name="provoke, seed 1"/>',
    );
    expect(report('junit')).toContain('<testsuite name="lost.mjs (random, seed 1)"');
    expect(report('dot')).toContain('\n// 2 runs of fine.mjs: 2 silent\n');
    expect(report('svg')).toContain('2 runs of fine.mjs: 2 silent');
    expect(report('github')).toContain('::notice title=trackside::2 runs of fine.mjs: 2 silent\n');
    expect(report('github')).toContain(
      'to run it in this order again: trackside run --schedule provoke --seed 1 lost.mjs',
    );
    const [run] = JSON.parse(report('sarif')).runs;
    expect(run.invocations[0].toolExecutionNotifications).toContainEqual({
      level: 'note',
      message: { text: '2 runs of fine.mjs: 2 silent' },
    });
    expect(run.results[0].properties.replay).toBe('trackside run --schedule provoke --seed 1 lost.mjs');
  });
});

describe('trackside run --schedule', () => {
  it('says the seed that it has chosen, and ends with the command that replays', () => {
    const { status, stderr } = inFolder(['run', '--no-live', '--schedule', 'random', 'fine.mjs']);
    expect(status).toBe(0);
    const [, seed] = /^trackside: running with --schedule random --seed (\d+)\n/.exec(stderr) ?? [];
    expect(stderr).toMatch(
      new RegExp(`again:\n {4}trackside run --schedule random --seed ${seed} fine\\.mjs\n$`),
    );
  });

  it('writes the same trace again from the same seed', () => {
    const recorded = (name: string) => {
      inFolder(['record', '-o', name, '--schedule', 'random', '--seed', '5', 'lost.mjs']);
      return readFileSync(join(folder.path, name), 'utf8');
    };
    expect(recorded('a.std')).toBe(recorded('b.std'));
  });

  it('takes its settings from a configuration, which yields to options', () => {
    const home = join(folder.path, 'configured');
    mkdirSync(home);
    folder.write('configured/trackside.config.mjs', "export default { schedule: 'pct', seed: 12 };");
    const scheduleOf = (...args: string[]) => {
      const run = trackside(['run', '--no-live', '--reporter', 'json', ...args, '../fine.mjs'], {
        cwd: home,
      });
      return JSON.parse(run.stdout.slice(run.stdout.indexOf('{'))).results[0].schedule;
    };
    expect(scheduleOf()).toMatchObject({ kind: 'pct', seed: 12 });
    expect(scheduleOf('--schedule', 'random')).toMatchObject({ kind: 'random', seed: 12 });
  });

  it('refuses a seed without a schedule', () => {
    const { status, stderr } = inFolder(['run', '--seed', '4', 'fine.mjs']);
    expect(status).toBe(2);
    expect(stderr).toBe(
      'error: --seed is of a schedule; found no --schedule; expected --schedule random --seed 4, for example\n',
    );
  });
});
