import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CLEAN, check, FIXTURES, LOST_UPDATE, temporaryFolder, trackside, UNREPEATABLE_READ } from './run.ts';

const folder = temporaryFolder();
const lost = folder.write('lost.std', LOST_UPDATE);
const unrepeatable = folder.write('unrepeatable.std', UNREPEATABLE_READ);
const clean = folder.write('clean.std', CLEAN);
const broken = folder.write('broken.std', `${LOST_UPDATE}T0|rel(l)|6\n`);

describe('trackside check --reporter json', () => {
  it('gives the document of the contract, for a violation', () => {
    const { status, stderr, report } = check([lost]);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    const transaction = { label: 'pay', begin: 1 };
    expect(report).toEqual({
      tool: { name: 'trackside', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      run: expect.objectContaining({ command: expect.stringMatching(/^trackside check /) }),
      results: [
        {
          trace: lost,
          analysis: 'regiontrack',
          verdict: 'violation',
          serializable: false,
          predictive: false,
          assumptions: [],
          firstEvent: 4,
          events: 5,
          complete: true,
          format: 'std',
          blocks: { checked: 1, leftOut: 0 },
          repairs: [],
          milliseconds: { analysis: expect.any(Number), total: expect.any(Number) },
          allocatedBytes: null,
          statistics: expect.any(Object),
          violations: [
            {
              kind: 'transaction',
              severity: 'error',
              pattern: 'lost-update',
              event: 4,
              thread: 'T0',
              block: { label: 'pay', begin: 1, end: 5, location: '1' },
              cycle: [
                {
                  from: { thread: 'T0', event: 2, op: 'r(balance)', location: '2', transaction },
                  to: { thread: 'T1', event: 3, op: 'w(balance)', location: '3', transaction: null },
                },
                {
                  from: { thread: 'T1', event: 3, op: 'w(balance)', location: '3', transaction: null },
                  to: { thread: 'T0', event: 4, op: 'w(balance)', location: '4', transaction },
                },
              ],
              interference: {
                first: { thread: 'T0', event: 2, op: 'r(balance)', location: '2' },
                between: { thread: 'T1', event: 3, op: 'w(balance)', location: '3' },
                last: { thread: 'T0', event: 4, op: 'w(balance)', location: '4' },
              },
              related: [],
              message: expect.stringMatching(/pay.*T0.*T1 wrote balance/),
              subtrace: { trace: LOST_UPDATE, events: [1, 2, 3, 4, 5], event: 4, minimal: true },
            },
          ],
        },
      ],
    });
  });

  it('gives the document of the contract, for a clean trace', () => {
    const { status, result } = check([clean]);
    expect(status).toBe(0);
    expect(result).toMatchObject({ verdict: 'ok', serializable: true, firstEvent: null, events: 5 });
    expect(result.violations).toEqual([]);
    expect(result).not.toHaveProperty('error');
  });

  it('keeps what was found before an error, and says where the error is', () => {
    const { status, stderr, result } = check([broken]);
    expect(status).toBe(2);
    expect(result).toMatchObject({ verdict: 'error', serializable: false, firstEvent: 4, events: 5 });
    expect(result.violations).toMatchObject([{ event: 4, block: { label: 'pay', begin: 1, end: 5 } }]);
    expect(result.error).toMatchObject({ line: 6, column: 4 });
    expect(result.error?.message).toMatch(
      /broken\.std:6:4: .*releases lock 'l'.*; found rel\(l\).*; expected/,
    );
    expect(stderr).toBe(`error: ${result.error?.message}\n`);
  });

  it('does not call the beginning of a trace serializable that it could not read to its end', () => {
    const { result } = check([folder.write('cut.std', 'T0|w(x)|1\nT0|w')]);
    expect(result).toMatchObject({ verdict: 'error', serializable: null, events: 1, violations: [] });
  });

  it('gives one result for each trace and analysis, in the order given, and goes on after errors', () => {
    const missing = join(folder.path, 'missing.std');
    const { status, report } = check(['--analysis', 'velodrome,atomsanitizer', clean, missing, lost]);
    expect(status).toBe(2);
    expect(report.results.map(({ trace, analysis, verdict }) => [trace, analysis, verdict])).toEqual([
      [clean, 'velodrome', 'ok'],
      [clean, 'atomsanitizer', 'ok'],
      [missing, 'velodrome', 'error'],
      [missing, 'atomsanitizer', 'error'],
      [lost, 'velodrome', 'violation'],
      [lost, 'atomsanitizer', 'violation'],
    ]);
    expect(report.results[2].error).toMatchObject({ line: null, column: null });
    expect(report.results[2].error?.message).toBe(`${missing}: there is no such file`);
  });

  it('runs everything that finds something for --analysis all, and names no analysis twice', () => {
    const { report } = check(['--analysis', 'regiontrack,all', lost]);
    const names = report.results.map(({ analysis }) => analysis);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['regiontrack', 'velodrome', 'aerodrome', 'atomsanitizer']));
    expect(names).not.toContain('empty');
    expect(names).not.toContain('count');
  });
});

describe('the examples of the papers', () => {
  const expected = JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8'));
  const { report } = check([FIXTURES]);

  it.each(Object.keys(expected))('%s gets the verdict and the blame of the definitions', (name) => {
    const { serializable, firstEvent, violatedBlocks } = expected[name];
    const result = report.results.find(({ trace }) => trace === join(FIXTURES, `${name}.std`));
    expect(result).toMatchObject({ verdict: serializable ? 'ok' : 'violation', serializable, firstEvent });
    const begins = result?.violations
      .filter(({ kind }) => kind === 'transaction')
      .map(({ block }) => block?.begin ?? 0)
      .sort((a, b) => a - b);
    expect(begins).toEqual(violatedBlocks);
    for (const violation of result?.violations ?? []) {
      expect(violation.cycle.length).toBeGreaterThan(1);
      expect(violation.message).not.toBe('');
    }
  });
});

describe('exit codes', () => {
  it('follow --fail-on: a warning counts unless only errors do', () => {
    expect(check([unrepeatable])).toMatchObject({ status: 1, result: { verdict: 'violation' } });
    expect(check([unrepeatable, '--fail-on', 'error'])).toMatchObject({
      status: 0,
      result: { verdict: 'violation', violations: [{ severity: 'warning', pattern: 'unrepeatable-read' }] },
    });
    expect(trackside(['check', '--quiet', '--fail-on', 'error', unrepeatable, lost]).status).toBe(1);
  });

  it('are those of the worst trace', () => {
    expect(trackside(['check', '--quiet', lost, clean]).status).toBe(1);
    expect(trackside(['check', '--quiet', broken, lost]).status).toBe(2);
  });
});

describe('inputs', () => {
  it('may be packed, on standard input, or both; nothing is left behind of the copy', () => {
    const packed = folder.write('packed.std.gz', gzipSync(LOST_UPDATE));
    const scratch = join(folder.path, 'scratch');
    mkdirSync(scratch);
    const runs = [
      check([packed]),
      check(['-'], { input: LOST_UPDATE, env: { TMPDIR: scratch } }),
      check(['-'], { input: gzipSync(LOST_UPDATE), env: { TMPDIR: scratch } }),
    ];
    for (const { status, result } of runs) {
      expect(status).toBe(1);
      expect(result.violations).toMatchObject([{ pattern: 'lost-update', block: { begin: 1, end: 5 } }]);
    }
    expect(runs[1].result.trace).toBe('-');
    expect(trackside(['check', scratch]).stderr).toMatch(/this folder holds no traces/);
    const bad = check(['-'], { input: 'T0|w' });
    expect(bad.result.error?.message).toMatch(/^standard input:1:5: /);
  });

  it('may be folders: traces below them, by name, without hidden ones and without going in circles', () => {
    const root = join(folder.path, 'tree');
    for (const name of ['', 'b', '.hidden', 'node_modules']) mkdirSync(join(root, name));
    const put = (name: string, content: string | Uint8Array) => folder.write(`tree/${name}`, content);
    put('z.std', CLEAN);
    put('a.std.gz', gzipSync(LOST_UPDATE));
    put('b/c.STD', CLEAN);
    put('notes.md', 'not a trace');
    put('.hidden/h.std', LOST_UPDATE);
    put('node_modules/n.std', LOST_UPDATE);
    symlinkSync(root, join(root, 'b', 'circle'));
    const { report } = check([root]);
    expect(report.results.map(({ trace }) => trace)).toEqual(
      ['a.std.gz', 'b/c.STD', 'z.std'].map((name) => join(root, name)),
    );
  });

  it('are refused when standard input is named twice', () => {
    const { status, stderr, stdout } = trackside(['check', '-', '-']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/standard input can be read only once/);
    expect(stdout).toBe('');
  });
});

describe('options', () => {
  const nested = folder.write(
    'nested.std',
    'T0|begin(Bank.pay(I)V)|1\nT0|begin(Log.add)|2\nT0|r(x)|3\nT1|w(x)|4\nT0|w(x)|5\n' +
      'T0|end(Log.add)|6\nT0|end(Bank.pay(I)V)|7\n',
  );
  const labels = (args: readonly string[]) => {
    const { result } = check([nested, ...args]);
    return result.violations.map(({ block }) => block?.label).sort();
  };

  it('--only, --exclude and --spec choose the blocks; what is left out keeps its events', () => {
    const spec = folder.write('spec.txt', '# not atomic\nBank.pay\n');
    const both = folder.write('both.txt', '*\n!Log.*\n');
    expect(labels([])).toEqual(['Bank.pay(I)V', 'Log.add']);
    expect(labels(['--only', 'Log.*'])).toEqual(['Log.add']);
    expect(labels(['--exclude', 'Log.*'])).toEqual(['Bank.pay(I)V']);
    expect(labels(['--spec', spec])).toEqual(['Log.add']);
    expect(labels(['--spec', both])).toEqual(['Log.add']);
    expect(labels(['--spec', both, '--exclude', 'Log.add'])).toEqual([]);
    const { result } = check([nested, '--exclude', 'Log.*', '--exclude', 'Bank.*']);
    expect(result).toMatchObject({ verdict: 'ok', events: 7, blocks: { checked: 0, leftOut: 2 } });
  });

  it('--first stops at the first violation of each analysis', () => {
    const many = folder.write('many.std', LOST_UPDATE.repeat(10_000));
    const all = check([many, '--analysis', 'regiontrack,velodrome']);
    expect(all.result).toMatchObject({ events: 50_000, complete: true });
    expect(all.result.violations).toHaveLength(10_000);
    const { report, status } = check([many, '--first', '--analysis', 'regiontrack,velodrome']);
    expect(status).toBe(1);
    for (const result of report.results) {
      expect(result).toMatchObject({ events: 4, complete: false, verdict: 'violation', firstEvent: 4 });
      expect(result.violations).toMatchObject([{ event: 4, pattern: 'lost-update' }]);
    }
  });

  it('--first sees no problem behind the violation', () => {
    expect(check([broken, '--first'])).toMatchObject({
      status: 1,
      result: { verdict: 'violation', events: 4 },
    });
  });

  it('--lenient repairs and counts', () => {
    const worse = folder.write(
      'worse.std',
      `T1|rel(l)|0\nnonsense\n${LOST_UPDATE}T0|rel(l)|6\nT0|end(pay)|7\n`,
    );
    const { status, result, stderr } = check([worse, '--lenient']);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    expect(result.repairs).toEqual([
      { what: 'what could not be read was passed over', count: 1 },
      { what: 'a release of a lock that its thread does not hold is dropped', count: 2 },
      { what: 'an end with no open block is dropped', count: 1 },
    ]);
    expect(result.events).toBe(8);
    expect(trackside(['check', worse, '--lenient']).stdout).toMatch(/repaired 2 times: a release of a lock/);
  });

  it('--fork-join boundary ends blocks at forks and joins', () => {
    const forking = folder.write(
      'forking.std',
      'T0|begin(pay)|1\nT0|r(x)|2\nT0|fork(T1)|3\nT1|w(x)|4\nT0|join(T1)|5\nT0|w(x)|6\nT0|end(pay)|7\n',
    );
    expect(check([forking])).toMatchObject({ status: 1 });
    expect(check([forking, '--fork-join', 'boundary'])).toMatchObject({ status: 0 });
    expect(check([forking, '--fork-join', 'family'])).toMatchObject({ status: 0 });
    const refused = trackside(['check', forking, '--fork-join', 'family', '--analysis', 'velodrome']);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/knows no families/) });
  });

  it('--format reads a trace as what it is said to be', () => {
    const { result } = check([lost, '--format', 'trk']);
    expect(result).toMatchObject({ verdict: 'error', format: 'trk' });
  });

  it('--reporter writes several reports, each to its place, and --quiet prints none of them', () => {
    const [json, text] = ['report.json', 'report.txt'].map((name) => join(folder.path, name));
    const run = trackside([
      'check',
      lost,
      '--quiet',
      ...['--reporter', 'text'],
      ...['--reporter', `json=${json}`],
      ...['--reporter', `text=${text}`],
    ]);
    expect(run).toEqual({ status: 1, stdout: '', stderr: '' });
    expect(JSON.parse(readFileSync(json, 'utf8')).results).toHaveLength(1);
    expect(readFileSync(text, 'utf8')).toMatch(/block 'pay' of thread 'T0' is broken by thread 'T1'/);
    expect(trackside(['check', broken, '--quiet'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*broken\.std:6:4: /),
    });
  });

  it('are refused where two reports would mix, or a report has nowhere to go', () => {
    for (const [reporters, reason] of [
      [['json', 'text'], /two reports cannot both go to standard output/],
      [['json='], /lacks its path/],
      [[`json=${folder.path}`], /this is a folder/],
      [[`json=${folder.path}/no/such/folder`], /the folder for this file does not exist/],
    ] as const) {
      const args = reporters.flatMap((reporter) => ['--reporter', reporter]);
      expect(trackside(['check', lost, ...args])).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(reason),
      });
    }
  });
});

describe('trackside check --no-explain', () => {
  it('names what was broken, with the same verdict, and looks for nothing more', () => {
    const { status, report } = check([lost, '--no-explain']);
    expect(status).toBe(1);
    expect(report.results[0].violations).toMatchObject([
      { event: 4, block: { label: 'pay', begin: 1 }, cycle: [], pattern: null },
    ]);
    expect(report.results[0].violations[0].message).toContain('is not atomic, which was noticed at event 4');
  });
});
