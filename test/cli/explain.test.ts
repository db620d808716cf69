import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLEAN, check, LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

/** Two violated blocks, with much else around them. */
const TWO = `T9|w(a)|1
${LOST_UPDATE}T9|acq(l)|2
T9|rel(l)|3
${LOST_UPDATE.replaceAll('balance', 'stock').replaceAll('pay', 'sell')}`;
const two = folder.write('two.std', TWO);
const clean = folder.write('clean.std', CLEAN);

const STOCK = LOST_UPDATE.replaceAll('balance', 'stock').replaceAll('pay', 'sell');

describe('trackside explain', () => {
  it('tells one violation in full, with the smallest trace that shows it', () => {
    const { status, stdout, stderr } = trackside(['explain', two]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^error: block 'pay' of thread 'T0' is broken by thread 'T1' \(lost update\)\n/);
    expect(stdout).toContain(`
  The smallest part of the trace that still shows it, none of which can be left
  out: 5 of 13 events, as STD.

        2  T0|begin(pay)|1
        3  T0|r(balance)|2
        4  T1|w(balance)|3
        5  T0|w(balance)|4
        6  T0|end(pay)|5
`);
    expect(stdout).toContain('\nviolation 1 of 2 in ');
  });

  it.each([
    ['--violation', '2'],
    ['--event', '12'],
    ['--event', '9'],
  ])('takes the one that %s %s names', (option, value) => {
    const { status, stdout } = trackside(['explain', two, option, value, '-o', '-']);
    expect(status).toBe(1);
    expect(stdout).toBe(STOCK);
  });

  it('writes a trace that has the same violation when it is checked', () => {
    const path = join(folder.path, 'small.std');
    const { stdout } = trackside(['explain', two, '-o', path]);
    expect(stdout).toContain(`\n  trackside check ${path}\n`);
    expect(check([path]).result.violations).toMatchObject([
      { pattern: 'lost-update', block: { label: 'pay' } },
    ]);
  });

  it('reads standard input', () => {
    expect(trackside(['explain', '-', '-o', '-'], { input: TWO }).stdout).toBe(LOST_UPDATE);
  });

  it('says so where the trace does not show it', () => {
    const race = folder.write('explained-race.std', 'T0|w(x)|1\nT1|w(x)|2\n');
    const { status, stdout } = trackside(['explain', race, '--analysis', 'fasttrack']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/There is no part of the trace that shows it, as it was predicted/);
  });

  it('finds nothing in a clean trace, and says so', () => {
    const { status, stdout } = trackside(['explain', clean]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/clean\.std: nothing found \(5 events\)\n$/);
  });

  it.each([
    [['--violation', '3'], /there is no violation 3; found 2 violations; expected 1 to 2/],
    [['--violation', '0'], /there is no violation 0/],
    [
      ['--event', '1'],
      /no violation was noticed at event 1; found 2 violations; expected for example --event 5, 12/,
    ],
    [['--event', 'x'], /--event takes a whole number; found 'x'/],
    [['--event', '5', '--violation', '1'], /give only one of them/],
    [['--analysis', 'all'], /one analysis at a time/],
    [['--source-root', join(folder.path, 'none')], /--source-root is not a folder; found nothing there/],
  ])('refuses %j', (args, message) => {
    const { status, stdout, stderr } = trackside(['explain', two, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('refuses to write where there is nothing to write', () => {
    const { status, stderr } = trackside(['explain', clean, '-o', join(folder.path, 'nothing.std')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/there is no trace to write/);
    expect(readdirSync(folder.path)).not.toContain('nothing.std');
  });
});

describe('--export-violations', () => {
  it('writes each different sub-trace once, under names that any system takes', () => {
    const hostile = LOST_UPDATE.replaceAll('pay', '../../../etc/<x> $(rm) \u202e');
    const trace = folder.write('hostile.std', `${TWO}${LOST_UPDATE}${hostile}`);
    const found = join(folder.path, 'new', 'found');
    const { status, stderr } = trackside([
      'check',
      trace,
      '--export-violations',
      found,
      '--reporter',
      'sarif',
    ]);
    expect(status).toBe(1);
    expect(stderr).toBe(`3 traces written to ${found}\n`);
    expect(readdirSync(found).sort()).toEqual(['01-pay.std', '02-sell.std', '03-etc-x-rm.std']);
    expect(readFileSync(join(found, '02-sell.std'), 'utf8')).toBe(STOCK);
    for (const name of readdirSync(found)) expect(trackside(['check', join(found, name)]).status).toBe(1);
  });

  it('works on saved results too', () => {
    const saved = join(folder.path, 'saved.json');
    trackside(['check', two, '--reporter', `json=${saved}`]);
    const found = join(folder.path, 'from-saved');
    expect(trackside(['report', saved, '--export-violations', found, '--quiet']).stderr).toBe('');
    expect(readdirSync(found)).toHaveLength(2);
  });

  it('says what has none', () => {
    const races = folder.write('race.std', 'T0|w(x)|1\nT1|w(x)|2\n');
    const found = join(folder.path, 'none-found');
    const { stderr } = trackside(['check', races, '--analysis', 'fasttrack', '--export-violations', found]);
    expect(stderr).toMatch(/^0 traces written to .*; 1 violation without one/);
  });

  it('refuses a folder that is a file', () => {
    const { status, stderr } = trackside(['check', two, '--export-violations', clean]);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /clean\.std: the folder for the violations cannot be made; found a file of this name/,
    );
  });
});

describe('the code that locations name', () => {
  const places = LOST_UPDATE.replace(/\|(\d)\n/g, '|pay.js:$1\n');
  const trace = folder.write('places.std', places);
  folder.write('pay.js', 'function pay(sum) {\n  const b = balance;\n  // …\n\tbalance = b - sum;\n}\n');

  it('is shown from the folder of the trace', () => {
    const { stdout } = trackside(['check', trace]);
    expect(stdout).toContain(`
    pay.js
       1 │ function pay(sum) {
         │ ^ event 1: T0 begins pay
       2 │   const b = balance;
         │   ^ event 2: T0 reads balance
       3 │   // …
         │   ^ event 3: T1 writes balance
       4 │     balance = b - sum;
         │     ^ event 4: T0 writes balance
       5 │ }
`);
  });

  it('is in the results, and in reports of saved ones', () => {
    const saved = join(folder.path, 'places.json');
    const { stdout } = trackside(['check', trace, '--reporter', 'text', '--reporter', `json=${saved}`]);
    const { results } = JSON.parse(readFileSync(saved, 'utf8'));
    expect(results[0].sources).toMatchObject([{ path: 'pay.js', excerpts: [{ firstLine: 1 }] }]);
    const timeless = (text: string) => text.replace(/[\d.]+ ms/, 'x');
    expect(timeless(trackside(['report', saved]).stdout)).toBe(timeless(stdout));
  });

  it('is found below --source-root, and nowhere else', () => {
    const from = (...args: string[]) =>
      check(['-', ...args], { input: places, cwd: join(folder.path, 'new') }).result.sources;
    expect(from()).toBeUndefined();
    expect(from('--source-root', folder.path)).toMatchObject([{ path: 'pay.js' }]);
    const outside = places.replaceAll('pay.js', '../pay.js');
    expect(check(['-'], { input: outside, cwd: join(folder.path, 'new') }).result.sources).toBeUndefined();
  });
});
