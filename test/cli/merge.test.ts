import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonReport, JsonResult } from '../../src/check/json-results.ts';
import { mismatch } from '../../src/check/json-schema.ts';
import { resultsSchema } from '../../src/check/saved-results.ts';
import { CLEAN, check, FIXTURES, LOST_UPDATE, temporaryFolder, trackside, UNREPEATABLE_READ } from './run.ts';

const folder = temporaryFolder();
const lost = folder.write('lost.std', LOST_UPDATE);
const clean = folder.write('clean.std', CLEAN);
const unrepeatable = folder.write('unrepeatable.std', UNREPEATABLE_READ);

/** Saves what `check` says, and tells where. */
function save(name: string, args: readonly string[]): string {
  const path = join(folder.path, name);
  trackside(['check', ...args, '--reporter', `json=${path}`]);
  return path;
}

const read = (path: string): JsonReport => JSON.parse(readFileSync(path, 'utf8'));

/** A saved document with other words in it. */
function rewritten(path: string, name: string, change: (text: string) => string): string {
  return folder.write(name, change(readFileSync(path, 'utf8')));
}

const unmeasured = (results: readonly JsonResult[]) =>
  results.map(({ milliseconds: _, allocatedBytes: __, ...rest }) => rest);

const shards: string[] = [];
beforeAll(() => {
  for (const i of [1, 2, 3]) shards.push(save(`shard-${i}.json`, [FIXTURES, '--shard', `${i}/3`]));
});

describe('trackside check --shard', () => {
  it('checks each trace in one of the parts, and says in which', () => {
    const all = check([FIXTURES]).report.results.map(({ trace }) => trace);
    const parts = shards.map(read);
    expect(parts.flatMap(({ results }) => results.map(({ trace }) => trace)).sort()).toEqual(all.sort());
    const corpus = parts[0].shard?.corpus;
    expect(corpus).toMatch(/^[0-9a-f]{16}$/);
    for (const [i, part] of parts.entries()) {
      expect(part.shard).toEqual({ index: i + 1, of: 3, corpus });
      expect(part.results.length).toBeGreaterThan(0);
      expect(mismatch(part, resultsSchema())).toBeNull();
    }
  });

  it('tells on standard error how much it is, unless it is to be quiet', () => {
    const { stderr } = trackside(['check', lost, clean, '--shard', '1/2']);
    expect(stderr).toBe('shard 1 of 2: 1 of 2 traces\n');
    expect(trackside(['check', lost, clean, '--shard', '1/2', '--quiet']).stderr).toBe('');
  });

  it('takes the same part whatever the order of the arguments, which is that of the results', () => {
    const part = (...traces: string[]) =>
      check([...traces, '--shard', '2/2']).report.results.map(({ trace }) => trace);
    expect(part(clean, lost, unrepeatable)).toEqual([clean, lost]);
    expect(part(unrepeatable, lost, clean)).toEqual([lost, clean]);
  });

  it('succeeds with a part that is empty, and says which it was', () => {
    const { status, stdout, report } = check([lost, '--shard', '3/4']);
    expect(status).toBe(0);
    expect(report).toEqual({
      tool: { name: 'trackside', version: expect.any(String) },
      run: expect.objectContaining({ command: expect.any(String) }),
      shard: { index: 3, of: 4, corpus: expect.any(String) },
      results: [],
    });
    expect(stdout).toBe(`${JSON.stringify(report, null, 2)}\n`);
    expect(mismatch(report, resultsSchema())).toBeNull();
  });

  it('complains about a trace that is not there in one part only', () => {
    const statuses = [1, 2].map((i) => trackside(['check', 'none.std', '--shard', `${i}/2`]).status);
    expect(statuses).toEqual([2, 0]);
  });

  it('does not say what is fixed, which may be in another part', () => {
    const known = save('known.json', [lost]);
    const { status, report } = check([clean, '--shard', '1/2', '--baseline', known]);
    expect(status).toBe(0);
    expect(report).not.toHaveProperty('fixed');
  });

  it.each(['0/4', '5/4', '1/0', '1', '1/4/2', '-1/4', '1.5/4', '/', '1/99999999999999999999', '\x1b1/2'])(
    'refuses %j',
    (value) => {
      const { status, stdout, stderr } = trackside(['check', lost, `--shard=${value}`]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^error: --shard takes the number of a part .*; found '.*'; expected 1\/4/);
      expect(stderr).not.toContain('\x1b');
    },
  );

  it.each(['-', '/dev/null'])('refuses %s, which no other machine sees', (path) => {
    const { status, stderr } = trackside(['check', lost, path, '--shard', '1/2']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/--shard divides files.*; found (standard input|a pipe or device, \/dev\/null);/);
  });
});

describe('trackside merge', () => {
  it('reports what one check of everything would have', () => {
    const { status, stdout, stderr } = trackside(['merge', ...shards, '--reporter', 'json']);
    const whole = check([FIXTURES]);
    expect({ status, stderr }).toEqual({ status: whole.status, stderr: '' });
    const merged: JsonReport = JSON.parse(stdout);
    expect(unmeasured(merged.results)).toEqual(unmeasured(whole.report.results));
    expect(mismatch(merged, resultsSchema())).toBeNull();
    for (const reporter of ['sarif', 'dot', 'svg', 'github']) {
      const of = (...args: string[]) => trackside([...args, '--reporter', reporter]).stdout;
      expect(of('merge', ...shards), reporter).toBe(of('check', FIXTURES));
    }
  });

  it('writes the same bytes whatever the order and the grouping, with shards given twice', () => {
    const [a, b, c] = shards;
    const merged = (name: string, ...files: string[]) => {
      const path = join(folder.path, name);
      trackside(['merge', ...files, '--quiet', '-o', path]);
      return path;
    };
    const direct = merged('direct.json', a, b, c);
    const detour = merged('detour.json', c, merged('pair.json', b, a), b, c);
    expect(readFileSync(detour, 'utf8')).toBe(readFileSync(direct, 'utf8'));
    expect(read(direct).shards?.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('counts a shard that ran twice once', () => {
    const again = save('again.json', [FIXTURES, '--shard', '2/3']);
    const { status, stderr, stdout } = trackside(['merge', ...shards, again, '--reporter', 'json']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(JSON.parse(stdout).results).toHaveLength(check([FIXTURES]).report.results.length);
  });

  it('ends as check would have', () => {
    const [mild, good] = [save('mild.json', [unrepeatable]), save('good.json', [clean])];
    expect(trackside(['merge', mild, good]).status).toBe(1);
    expect(trackside(['merge', mild, good, '--fail-on', 'error']).status).toBe(0);
    expect(trackside(['merge', mild, save('failed.json', ['none.std'])]).status).toBe(2);
  });

  it('warns of shards that are missing, unless it is to be quiet', () => {
    const { stderr } = trackside(['merge', shards[0], shards[2]]);
    expect(stderr).toBe('warning: shard 2 of 3 is missing\n');
    expect(trackside(['merge', shards[0], shards[2], '--quiet']).stderr).toBe('');
  });

  it('warns of shards of different lists of traces', () => {
    const [one, two] = [save('1.json', [lost, '--shard', '1/2']), save('2.json', [clean, '--shard', '2/2'])];
    expect(trackside(['merge', one, two]).stderr).toBe(
      [
        'warning: shard 2 of 2 is missing',
        'warning: shard 1 of 2 is missing',
        `warning: these are shards of different lists of traces: ${one}, ${two}\n`,
      ].join('\n'),
    );
  });

  it('warns of results of different versions', () => {
    const good = save('new.json', [clean]);
    const { version } = read(good).tool;
    const old = rewritten(save('old.json', [lost]), 'old.json', (text) => text.replace(version, '0.0.1'));
    const { status, stderr } = trackside(['merge', good, old]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `warning: these results are of different versions of trackside: 0.0.1 (${old}), ${version} (${good})\n`,
    );
  });

  it('hides what a baseline knows from the reports, and tells what is fixed, but writes everything', () => {
    const known = save('baseline.json', [lost, unrepeatable]);
    const parts = [1, 2].map((i) => save(`part-${i}.json`, [lost, clean, '--shard', `${i}/2`]));
    const output = join(folder.path, 'everything.json');
    const args = ['merge', ...parts, '--baseline', known, '-o', output, '--reporter', 'json'];
    const { status, stdout } = trackside(args);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ violations: [] }, { violations: [], known: 1 }],
      fixed: [{ violation: { block: { label: 'audit' } } }],
    });
    expect(read(output).results[1].violations).toHaveLength(1);
    const half = trackside(['merge', parts[0], '--baseline', known, '--reporter', 'json']);
    expect(JSON.parse(half.stdout)).not.toHaveProperty('fixed');
  });

  it('writes only the document to standard output for -, and reads gzip and standard input', () => {
    const input = gzipSync(readFileSync(shards[0]));
    const { status, stdout } = trackside(['merge', shards[1], '-', '-o', '-'], { input });
    expect(status).toBe(1);
    const merged: JsonReport = JSON.parse(stdout);
    expect(merged.shards).toHaveLength(2);
    expect(JSON.parse(trackside(['report', '-', '--reporter', 'json'], { input: stdout }).stdout)).toEqual(
      merged,
    );
  });

  it('may write over one of the documents', () => {
    const kept = rewritten(shards[0], 'kept.json', (text) => text);
    trackside(['merge', kept, shards[1], '--quiet', '-o', kept]);
    expect(read(kept).shards).toHaveLength(2);
  });
});

describe('different results of one analysis on one trace', () => {
  let before = '';
  let after = '';
  beforeAll(() => {
    const changing = folder.write('changing.std', LOST_UPDATE);
    before = save('before.json', [changing]);
    folder.write('changing.std', CLEAN);
    after = save('after.json', [changing]);
  });

  it('are refused, with the names of both files', () => {
    const output = join(folder.path, 'unwritten.json');
    const { status, stdout, stderr } = trackside(['merge', before, after, '-o', output]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/the results of regiontrack on '.*changing\.std' are different in /);
    expect(stderr).toContain(before);
    expect(stderr).toContain(after);
    expect(stderr).toMatch(/; found other values of verdict, .*; expected .*--conflicts keep to keep both/);
    expect(() => readFileSync(output)).toThrow(/ENOENT/);
  });

  it('are both kept when asked for, as two runs', () => {
    const { status, stdout } = trackside(['merge', before, after, '--conflicts', 'keep']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/\n2 traces: 1 with violations, 1 without\n$/);
  });
});

describe('what cannot be merged', () => {
  const trackside9 = '{"tool":{"name":"trackside","version":"9.0.0"},"findings":[]}';

  it.each([
    ['a trace', LOST_UPDATE, /: this is not a JSON document; found .*; expected what check --reporter json/],
    ['an empty file', '', /: this is not a JSON document; found Unexpected end/],
    ['other JSON', '{"results":[]}', /: these are not saved results: tool is not as expected; found nothing/],
    ['no object', 'null', /: these are not saved results: the document is not as expected; found null/],
    [
      'what another version wrote',
      trackside9,
      /results is not as .*\(the document is of trackside 9\.0\.0\)/,
    ],
    [
      'a shard that cannot be',
      '{"tool":{"name":"trackside","version":"1"},"results":[],"shard":{"index":0,"of":2}}',
      /shard\.index is not as expected; found 0; expected at least 1/,
    ],
  ])('is refused: %s', (_, content, message) => {
    const wrong = folder.write('wrong.json', content);
    const { status, stdout, stderr } = trackside(['merge', shards[0], wrong]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*wrong\.json: /);
    expect(stderr).toMatch(message);
  });

  it.each([
    [['none.json'], /none\.json: there is no such file/],
    [['-', '-'], /standard input can be read only once/],
    [['-', '--conflicts', 'newest'], /unknown value of --conflicts 'newest'; expected one of refuse, keep/],
    [['-', '-o', '-', '--reporter', 'text'], /two reports cannot both go to standard output/],
    [['-', '-o', 'x.json', '--reporter', 'json=x.json'], /two reports cannot both go to x\.json/],
    [[], /missing required argument 'results\.json'/],
  ])('ends with 2: merge %j', (args, message) => {
    const { status, stdout, stderr } = trackside(['merge', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
