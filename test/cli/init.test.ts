import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { projectWith, write } from '../node/testing/runner-project.ts';
import { temporaryFolder, trackside } from './run.ts';

const ACTION = fileURLToPath(new URL('../../action/run.mjs', import.meta.url));
const folder = temporaryFolder();

const PROGRAM = `let left: number = 10;
async function sell(count: number): Promise<void> {
  const before = left;
  await null;
  left = before - count;
}
await Promise.all([sell(1), sell(2)]);
`;

let projects = 0;

function project(files: Readonly<Record<string, string>>): string {
  const path = projectWith(join(folder.path, `project-${++projects}`), {});
  write(path, files);
  return path;
}

describe('trackside init', () => {
  it('writes a configuration and a script with which npm runs the check', () => {
    const cwd = project({ 'package.json': '{\n    "name": "shop"\n}\n', 'src/app.ts': PROGRAM });
    const { status, stdout } = trackside(['init'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain('written  trackside.config.ts');
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe(
      '{\n    "name": "shop",\n    "scripts": {\n        "trackside": "trackside run src/app.ts"\n    }\n}\n',
    );
    expect(existsSync(join(cwd, '.github'))).toBe(false);
    const checked = trackside(['run', 'src/app.ts'], { cwd });
    expect(checked.stderr).toContain("block 'sell'");
    expect(checked.status).toBe(1);
  });

  it('changes nothing that is there', () => {
    const manifest = '{ "scripts": { "trackside": "trackside explore app.mjs" } }';
    const cwd = project({
      'package.json': manifest,
      'app.mjs': '',
      'trackside.config.js': 'export default {};',
    });
    const { stdout } = trackside(['init', '--ci'], { cwd });
    expect(stdout).toContain('kept     trackside.config.js');
    expect(stdout).toContain('kept     the script "trackside" in package.json');
    expect(stdout).toContain('written  .github/workflows/trackside.yml');
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe(manifest);
    expect(trackside(['init', '--ci'], { cwd }).stdout).toContain('kept     .github/workflows/trackside.yml');
  });

  it('shows what to add for the test runner of the project', () => {
    const cwd = project({ 'package.json': '{ "devDependencies": { "vitest": "^4" } }' });
    const { stdout } = trackside(['init'], { cwd });
    expect(stdout).toContain('plugins: [trackside()]');
    expect(stdout).toContain('npm install -D trackside');
  });

  it.each([
    ['where there is no project', [], {}, 'there is no package.json here'],
    [
      'for a program that is not there',
      ['--entry', 'nope.ts'],
      { 'package.json': '{}' },
      'there is no such program',
    ],
    [
      'for a package.json that cannot be read',
      [],
      { 'package.json': '{' },
      'package.json: this is not a JSON',
    ],
  ])('refuses to guess %s', (_, args, files, message) => {
    const path = join(folder.path, `other-${++projects}`);
    mkdirSync(path);
    write(path, files as Record<string, string>);
    const { status, stderr } = trackside(['init', ...args], { cwd: path });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('the GitHub Action', () => {
  function step(cwd: string, inputs: Readonly<Record<string, string>>) {
    const files = { GITHUB_OUTPUT: join(cwd, 'outputs'), GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [ACTION], {
      cwd,
      encoding: 'utf8',
      env: { ...env, ...files, ...inputs, GITHUB_ACTIONS: 'true', RUNNER_TEMP: folder.path },
    });
    const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
    const outputs = Object.fromEntries(
      read(files.GITHUB_OUTPUT)
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    return { status, printed: stdout + stderr, outputs, summary: read(files.GITHUB_STEP_SUMMARY) };
  }

  it('runs the program, and gives annotations, SARIF and a summary with the interleaving', () => {
    const cwd = project({ 'package.json': '{}', 'app.ts': PROGRAM });
    const { status, printed, outputs, summary } = step(cwd, { TRACKSIDE_PROGRAM: 'app.ts' });
    // The last step of the action fails, when the results have been uploaded.
    expect(status).toBe(0);
    expect(outputs).toMatchObject({ 'exit-code': '1', violations: '1' });
    expect(printed).toMatch(/^::error file=app\.ts,line=5,/m);
    expect(JSON.parse(readFileSync(outputs.sarif, 'utf8')).runs[0].results).toHaveLength(1);
    expect(summary).toMatch(/^### block 'sell' /m);
    expect(summary).toMatch(/^```text\n *event +sell/m);
    expect(summary).toContain('**What to do:**');
  });

  it('takes options, and arguments of the program, with spaces in them', () => {
    const cwd = project({ 'package.json': '{}', 'my app.mjs': 'console.log(process.argv[2]);' });
    const inputs = { TRACKSIDE_PROGRAM: `'my app.mjs' "two words"`, TRACKSIDE_OPTIONS: '--exclude a*' };
    const { printed, outputs } = step(cwd, inputs);
    expect(printed).toContain('two words');
    expect(outputs).toMatchObject({ 'exit-code': '0', violations: '0' });
  });

  it('says what is missing', () => {
    const { status, printed } = step(project({}), { TRACKSIDE_PROGRAM: '' });
    expect(status).toBe(2);
    expect(printed).toContain('the input "program" is missing');
  });
});

describe('--open', () => {
  const cwd = project({ 'package.json': '{}', 'app.ts': PROGRAM });
  const browser = join(cwd, 'browser.sh');
  writeFileSync(
    browser,
    '#!/bin/sh\ncp "$1" "$(dirname "$0")/shown.html.part" && mv "$(dirname "$0")/shown.html.part" "$(dirname "$0")/shown.html"\n',
  );
  chmodSync(browser, 0o755);

  it('shows the page that was asked for', async () => {
    const { stderr, status } = trackside(['run', '--open', '--reporter', 'html=report.html', 'app.ts'], {
      cwd,
      env: { BROWSER: browser },
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`report: ${join(cwd, 'report.html')} (opened in a browser)`);
    await expect.poll(() => existsSync(join(cwd, 'shown.html')), { timeout: 60_000 }).toBe(true);
  });

  it('says where the page is if there is nothing to show it with', () => {
    const { stderr } = trackside(['run', '--open', 'app.ts'], { cwd, env: { BROWSER: '/nowhere/browser' } });
    expect(stderr).toMatch(/report: .*\.html \(there is no \/nowhere\/browser to open it with\)/);
    expect(stderr).toContain("block 'sell'");
  });
});
