import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { check, LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const lost = folder.write('lost.std', LOST_UPDATE);

describe('help', () => {
  it('is printed for the program and for each command, with examples, in 80 columns', () => {
    const program = trackside(['--help']);
    expect(program.status).toBe(0);
    for (const command of ['check', 'info', 'convert', 'analyses']) {
      expect(program.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
      const { status, stdout, stderr } = trackside([command, '--help']);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/Examples:\n {2}trackside /);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });

  it('is what a command line without a command gets, as a mistake', () => {
    expect(trackside([])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^Usage:/) });
  });

  it('tells the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(trackside(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['chek', lost], /unknown command 'chek'\n\(Did you mean check\?\)/],
    [[lost], /unknown command .*\n(?:.*\n)*This is a file: trackside check /],
    [['check'], /missing required argument 'trace'/],
    [['check', lost, '--frist'], /unknown option '--frist'\n\(Did you mean --first\?\)/],
    [['check', lost, '--analysis', 'velodrom'], /unknown analysis 'velodrom' \(did you mean 'velodrome'\?\)/],
    [['check', lost, '--analysis', ''], /unknown analysis ''; expected all or some of .*regiontrack/],
    [
      ['check', lost, '--reporter', 'jsn'],
      /unknown reporter 'jsn' \(did you mean 'json'\?\); expected one of/,
    ],
    [['check', lost, '--reporter', 'yaml'], /unknown reporter 'yaml'; expected one of text, json/],
    [['report'], /missing required argument 'results.json'/],
    [['check', lost, '--format', 'sdt'], /unknown format 'sdt' \(did you mean 'std'\?\)/],
    [
      ['check', lost, '--fork-join', 'famly'],
      /unknown value of --fork-join 'famly' \(did you mean 'family'\?\)/,
    ],
    [
      ['check', lost, '--fail-on', 'never'],
      /unknown value of --fail-on 'never'; expected one of error, warning/,
    ],
    [['check', lost, '--spec', 'no-such-file'], /no-such-file: there is no such file/],
    [['info', lost, '--reporter', 'xml'], /unknown reporter of info 'xml'/],
    [['analyses', '--reporter', 'xml'], /unknown reporter of analyses 'xml'/],
    [['analyses', 'extra'], /too many arguments/],
    [['check', lost, '--analysis', '\x1b[31mred'], /unknown analysis '\\x1b\[31mred'/],
  ])('%j ends with 2 and says why', (args, reason) => {
    const { status, stdout, stderr } = trackside(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(reason);
  });
});

describe('trackside analyses', () => {
  it('lists every analysis with its promise', () => {
    const { status, stdout } = trackside(['analyses']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^regiontrack\n {2}\S.*\n(.*\n)*? {2}promises: /m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const { analyses } = JSON.parse(trackside(['analyses', '--reporter', 'json']).stdout);
    expect(analyses.map(({ name }: { name: string }) => name)).toEqual(stdout.match(/^\S+$/gm));
    for (const analysis of analyses) {
      expect(analysis).toEqual({
        name: expect.any(String),
        summary: expect.any(String),
        promise: expect.any(String),
        source: ['count', 'empty'].includes(analysis.name) ? null : expect.any(String),
      });
    }
  });
});

describe('names from a trace', () => {
  const esc = '\x1b]0;owned\x07';
  const bidi = '\u202e';
  const megabyte = 'm'.repeat(1 << 20);
  const hostile = [
    `${esc}|begin(__proto__)|${bidi}1`,
    `${esc}|r(constructor)|2`,
    `🦊${bidi}|w(constructor)|\x9b31m`,
    `${esc}|w(constructor)|4`,
    `${esc}|end(__proto__)|5`,
    `${esc}|begin(${megabyte})|6`,
    `${esc}|r(y)|7`,
    `🦊${bidi}|w(y)|8`,
    `${esc}|w(y)|9`,
    `${esc}|end(${megabyte})|10`,
    `${esc}|rel(${esc}${megabyte})|11`,
  ].join('\n');
  const trace = folder.write(`hostile.std`, hostile);
  const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

  it('never reach the terminal as they are', () => {
    const { status, stdout, stderr } = trackside(['check', trace]);
    expect(status).toBe(2);
    expect(stdout).not.toMatch(RAW);
    expect(stderr).not.toMatch(RAW);
    expect(stdout).toMatch(
      /block '__proto__' of thread '\\x1b\]0;owned\\x07' is broken by thread\n {2}'🦊\\u202e'/,
    );
    expect(stderr).toMatch(/\\x1b\]0;owned\\x07/);
    expect(stdout.length + stderr.length).toBeLessThan(20_000);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
  });

  it('are whole in JSON up to some thousand characters, and safe to print', () => {
    const { stdout, result } = check([trace]);
    expect(stdout).not.toMatch(RAW);
    expect(result.violations).toMatchObject([
      { thread: esc, block: { label: '__proto__' }, cycle: [{}, { from: { thread: `🦊${bidi}` } }] },
      { thread: esc, block: { label: expect.stringContaining('(1048576 characters, ') } },
    ]);
    expect(result.error?.message.length).toBeLessThan(2100);
  });
});
