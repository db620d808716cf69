import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mismatch } from '../../src/check/json-schema.ts';
import { resultsSchema } from '../../src/check/saved-results.ts';
import { checkSarif } from '../support/sarif.ts';
import { parseXml } from '../support/xml.ts';
import { CLEAN, check, FIXTURES, LOST_UPDATE, temporaryFolder, trackside, UNREPEATABLE_READ } from './run.ts';

const folder = temporaryFolder();
const lost = folder.write('lost.std', LOST_UPDATE);
const unrepeatable = folder.write('unrepeatable.std', UNREPEATABLE_READ);
const clean = folder.write('clean.std', CLEAN);
const broken = folder.write('broken.std', `${LOST_UPDATE}T0|rel(l)|6\n`);

/** The path of a file with what `check` says about these traces. */
function save(name: string, args: readonly string[]): string {
  const path = join(folder.path, name);
  trackside(['check', ...args, '--reporter', `json=${path}`]);
  return path;
}

describe('trackside check --reporter', () => {
  it('writes SARIF that a validator accepts', () => {
    const { status, stdout } = trackside(['check', lost, clean, broken, '--reporter', 'sarif']);
    expect(status).toBe(2);
    const document = JSON.parse(stdout);
    checkSarif(document);
    expect(document.runs[0].results).toHaveLength(2);
    expect(document.runs[0].invocations[0].executionSuccessful).toBe(false);
  });

  it('gives SARIF the same fingerprint for the same bug in another run', () => {
    const other = folder.write(
      'other.std',
      `T9|w(z)|1\n${LOST_UPDATE.replaceAll('T0', 'A').replaceAll('T1', 'B')}`,
    );
    const [one, two] = [lost, other].map((trace) => {
      const { stdout } = trackside(['check', trace, '--reporter', 'sarif']);
      return JSON.parse(stdout).runs[0].results[0].partialFingerprints;
    });
    expect(two).toEqual(one);
  });

  it('writes JUnit and DOT, several at once', () => {
    const junit = join(folder.path, 'junit.xml');
    const { status, stdout } = trackside([
      'check',
      lost,
      '--reporter',
      'dot',
      '--reporter',
      `junit=${junit}`,
    ]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^digraph "violation 1" \{\n/);
    expect(stdout).toContain('[label="pay\\nthread T0, begun at event 1", style="bold", penwidth="3"];');
    expect(parseXml(readFileSync(junit, 'utf8')).children[0].attributes.get('failures')).toBe('1');
  });

  it('writes JSON that fits the published schema, for every example and every analysis', () => {
    const { report } = check([FIXTURES, lost, broken, '--analysis', 'all']);
    const validate = new Ajv2020({ strictTypes: false }).compile(resultsSchema());
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(mismatch(report, resultsSchema())).toBeNull();
    expect(report.results.length).toBeGreaterThan(20);
  });
});

describe('trackside check in a workflow of GitHub', () => {
  const env = { GITHUB_ACTIONS: 'true' };

  it('annotates beside the text, in which no line is a command', () => {
    const trace = folder.write('places.std', LOST_UPDATE.replace('|4\n', '|src/bank.js:4\n'));
    const { status, stdout } = trackside(['check', trace], { env });
    expect(status).toBe(1);
    const [, token] = /^::stop-commands::(\S+)\n/.exec(stdout) as RegExpExecArray;
    expect(stdout).toContain("error: block 'pay' of thread 'T0' is broken");
    expect(stdout).toContain(`\n::${token}::\n::error file=src/bank.js,line=4,title=trackside`);
  });

  it('does not where another report was asked for, or none', () => {
    expect(JSON.parse(trackside(['check', lost, '--reporter', 'json'], { env }).stdout)).toBeTruthy();
    expect(trackside(['check', lost, '--quiet'], { env }).stdout).toBe('');
  });

  it('does so anywhere when asked to', () => {
    expect(trackside(['check', lost, '--reporter', 'github']).stdout).toMatch(/^::error title=/);
  });
});

describe('trackside report', () => {
  const results = save('results.json', [lost, clean, '--analysis', 'regiontrack,velodrome']);

  it.each(['text', 'json', 'sarif', 'junit', 'dot', 'svg', 'github'])(
    'renders what check would have said: %s',
    (name) => {
      const { status, stdout, stderr } = trackside(['report', results, '--reporter', name]);
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      const direct = trackside([
        'check',
        lost,
        clean,
        '--analysis',
        'regiontrack,velodrome',
        '--reporter',
        name,
      ]);
      const timeless = (text: string) =>
        text
          .replace(/[\d.]+ (?:m?s|[kM]B)\b|time="[\d.]+"|"(?:analysis|total|allocatedBytes)": [\d.]+/g, 'x')
          // The command that is told is the one that checked, with its date.
          .replace(/"run": \{[^}]*\}/, 'x')
          .replace(/ +/g, ' ');
      expect(timeless(stdout)).toBe(timeless(direct.stdout));
    },
  );

  it('reads standard input, and gzip', () => {
    const input = readFileSync(results);
    const { stdout } = trackside(['report', results]);
    expect(trackside(['report', '-'], { input }).stdout).toBe(stdout);
    expect(trackside(['report', '-'], { input: gzipSync(input) }).stdout).toBe(stdout);
  });

  it('ends as the check did', () => {
    expect(trackside(['report', save('clean.json', [clean])]).status).toBe(0);
    const mild = save('mild.json', [unrepeatable]);
    expect(trackside(['report', mild]).status).toBe(1);
    expect(trackside(['report', mild, '--fail-on', 'error']).status).toBe(0);
    expect(trackside(['report', save('broken.json', [broken])]).status).toBe(2);
  });

  it.each([
    [
      'a trace',
      LOST_UPDATE,
      /: this is not a JSON document; found .*; expected what check --reporter json writes/,
    ],
    ['other JSON', '{"results":[]}', /: these are not saved results: tool is not as expected; found nothing/],
    [
      'damaged results',
      '{"tool":{"name":"trackside","version":"1"},"results":[7]}',
      /results\[0\].*found 7; expected an object/,
    ],
  ])('refuses %s', (_, content, message) => {
    const { status, stdout, stderr } = trackside(['report', folder.write('wrong.json', content)]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*wrong\.json: /);
    expect(stderr).toMatch(message);
  });

  it('refuses a file that is not there', () => {
    const { status, stderr } = trackside(['report', join(folder.path, 'none.json')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/none\.json: there is no such file/);
  });
});

describe('--baseline', () => {
  const known = save('known.json', [lost]);

  it('hides what is known, and ends well', () => {
    const { status, stdout } = trackside(['check', lost, '--baseline', known]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /lost\.std: not serializable from event 4 on: 0 new\s+violations, 1 known violation hidden/,
    );
    expect(stdout).not.toContain('error:');
  });

  it('still reports what is new', () => {
    const { status, report } = check([lost, unrepeatable, '--baseline', known]);
    expect(status).toBe(1);
    expect(report.results.map(({ known, violations }) => [known, violations.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(report.fixed).toEqual([]);
    expect(mismatch(report, resultsSchema())).toBeNull();
  });

  it('lists what is gone', () => {
    const { status, stdout } = trackside(['check', clean, '--baseline', known]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /\n1 known violation fixed, or at least not seen in this run:\n {2}regiontrack: block 'pay'/,
    );
    const { report } = check([clean, '--baseline', known]);
    expect(report.fixed).toMatchObject([{ count: 1, violation: { block: { label: 'pay' } } }]);
    expect(mismatch(report, resultsSchema())).toBeNull();
  });

  it('works on saved results too', () => {
    const both = save('both.json', [lost, unrepeatable]);
    const { stdout } = trackside(['report', both, '--baseline', known, '--reporter', 'junit']);
    const suites = parseXml(stdout).children;
    expect(suites.map(({ attributes }) => attributes.get('failures'))).toEqual(['0', '1']);
  });

  it('takes results that were themselves written with a baseline', () => {
    const known = save('known.json', [lost]);
    const again = save('again.json', [lost, '--baseline', known]);
    expect(trackside(['check', lost, '--baseline', again]).status).toBe(0);
  });

  it('is refused before anything is checked if it cannot be read', () => {
    const { status, stdout, stderr } = trackside(['check', lost, '--baseline', lost]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/lost\.std: this is not a JSON document/);
  });
});
