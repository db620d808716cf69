import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const convert = (...args: string[]) => trackside(['convert', ...args]);

/** Canonical STD with every operation, names of all sorts, and locations of all sorts. */
const CANONICAL = Buffer.concat([
  Buffer.from(`main|fork(worker)|1
main|begin(Bank.pay(I)V)|Bank.java:12
main|begin
main|acq(a lock, with commas)|007
main|r(__proto__)|2147483648
main|w("quoted")
main|u(👩‍👩‍👧)|
main|rel(a lock, with commas)|8
main|end
main|end(Bank.pay(I)V)|9
`),
  Buffer.from([...Buffer.from('w\x1b|w(x'), 0xff, ...Buffer.from(')|z\n')]),
  Buffer.from('main|join(worker)|10\n'),
]);

describe('trackside convert', () => {
  it('gives canonical STD back byte for byte, through trk and csv, packed or not', () => {
    folder.write('a.std', CANONICAL);
    expect(convert(at('a.std'), at('a.trk')).status).toBe(0);
    expect(convert(at('a.trk'), at('b.csv.gz')).status).toBe(0);
    expect(convert(at('b.csv.gz'), at('c.trk.gz')).status).toBe(0);
    expect(convert(at('c.trk.gz'), at('d.std')).status).toBe(0);
    expect(readFileSync(at('d.std'))).toEqual(CANONICAL);
    expect(gunzipSync(readFileSync(at('b.csv.gz'))).toString()).toMatch(/^main,/);
  });

  it('gives the same events for any STD, whether it is well-formed or not', () => {
    folder.write('loose.std', 'T0|r(x)|01\r\n\r\nT0|end|\r\nT1|rel(l)\r\nT0|begin()|3');
    expect(convert(at('loose.std'), at('loose.trk')).status).toBe(0);
    expect(convert(at('loose.trk'), '-', '--to', 'std').stdout).toBe(
      'T0|r(x)|01\nT0|end|\nT1|rel(l)\nT0|begin|3\n',
    );
  });

  it('says in one line what it did, unless it is to be quiet', () => {
    folder.write('one.std', LOST_UPDATE);
    const { stderr, stdout } = convert(at('one.std'), at('one.trk'));
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^wrote .*one\.trk \(trk\): 5 events, [\d,]+ bytes, [\d.]+ bytes\/event\n$/);
    expect(convert(at('one.std'), at('one.trk'), '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('reads standard input, also for csv, which needs two passes', () => {
    const input = gzipSync(LOST_UPDATE);
    const { stdout, status } = trackside(['convert', '-', '-', '--to', 'csv', '--quiet'], { input });
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'T0,T1',
      'begin(pay)|1,',
      'r(balance)|2,',
      ',w(balance)|3',
    ]);
    const back = trackside(['convert', '-', '-', '--to', 'std'], { input: stdout });
    expect(back.stdout).toBe(LOST_UPDATE);
  });

  it('says of a bad trace what is wrong with it, and nothing else', () => {
    folder.write('nul.std', 'T\0\n');
    const { status, stderr } = convert(at('nul.std'), at('nul.trk'));
    expect(status).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('a text trace holds no NUL bytes'),
    ]);
  });

  it('leaves nothing half-written behind, and an older file as it was', () => {
    writeFileSync(at('old.std'), 'precious');
    folder.write('bad.std', `${LOST_UPDATE}T0|w\n`);
    const before = readdirSync(folder.path).sort();
    const failed = convert(at('bad.std'), at('old.std'));
    expect(failed).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/bad\.std:6:5: w lacks its operand/),
    });
    expect(readFileSync(at('old.std'), 'utf8')).toBe('precious');
    expect(readdirSync(folder.path).sort()).toEqual(before);
    expect(convert(at('bad.std'), at('old.std'), '--lenient').status).toBe(0);
    expect(readFileSync(at('old.std'), 'utf8')).toBe(LOST_UPDATE);
  });

  it('refuses names that the format cannot hold, and says of which file', () => {
    folder.write('pipe.csv', 'a|b,c\nr(x)|1,\n,w(x)|2\n');
    const { status, stderr } = convert(at('pipe.csv'), at('pipe.std'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/pipe\.std: STD cannot hold the thread name 'a\|b'/);
  });

  it('refuses to read and write the same file, under whatever name', () => {
    folder.write('self.std', LOST_UPDATE);
    linkSync(at('self.std'), at('link.std'));
    for (const out of ['self.std', 'link.std']) {
      expect(convert(at('self.std'), at(out))).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/read and written at once/),
      });
    }
    expect(readFileSync(at('self.std'), 'utf8')).toBe(LOST_UPDATE);
  });

  it('must be told the format by the ending or by --to', () => {
    folder.write('some.std', LOST_UPDATE);
    for (const [args, reason] of [
      [[at('some.std'), '-'], /which format.*expected --to std or csv or trk/],
      [[at('some.std'), at('some.xyz')], /some\.xyz: .*expected an ending such as \.std/],
      [[at('some.std'), at('some.rr')], /some\.rr: .*does not say which format to write/],
      [[at('some.std'), '-', '--to', 'tkr'], /unknown format to write 'tkr' \(did you mean 'trk'\?\)/],
      [[folder.path, at('some.trk')], /this is a folder; one trace is converted at a time/],
      [[at('missing.std'), at('some.trk')], /missing\.std: there is no such file/],
    ] as const) {
      expect(convert(...args)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(reason),
      });
    }
    expect(convert(at('some.std'), at('some.xyz'), '--to', 'std', '--quiet').status).toBe(0);
    expect(readFileSync(at('some.xyz'), 'utf8')).toBe(LOST_UPDATE);
  });
});
