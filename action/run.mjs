// The step of the GitHub Action that runs the tool: annotations and text go to the log, SARIF and JSON to files, the
// interleavings to the summary of the job. It never fails itself, so that results are uploaded first; its last step does.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Words as a shell would take them apart: by spaces, unless they are quoted. */
function words(text) {
  return [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}

const {
  TRACKSIDE_PROGRAM = '',
  TRACKSIDE_OPTIONS = '',
  GITHUB_OUTPUT,
  GITHUB_STEP_SUMMARY,
  RUNNER_TEMP,
} = process.env;
const program = words(TRACKSIDE_PROGRAM);
if (program.length === 0) {
  console.log('::error title=trackside::the input "program" is missing: name the program to run');
  process.exit(2);
}

const folder = mkdtempSync(join(RUNNER_TEMP ?? tmpdir(), 'trackside-'));
const file = (name) => join(folder, name);
const reporters = [
  'text',
  `github=${file('annotations')}`,
  `sarif=${file('results.sarif')}`,
  `json=${file('results.json')}`,
  `markdown=${file('summary.md')}`,
];
const args = [
  'run',
  ...reporters.flatMap((reporter) => ['--reporter', reporter]),
  ...words(TRACKSIDE_OPTIONS),
  ...program,
];
const { status } = spawnSync(process.execPath, [COMMAND, ...args], { stdio: 'inherit' });

const read = (name) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null);
process.stdout.write(read('annotations') ?? '');
const summary = read('summary.md');
if (summary !== null && GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, summary);
const results = JSON.parse(read('results.json') ?? '{ "results": [] }').results;
const violations = results
  .flatMap((result) => result.violations)
  .reduce((sum, { alike = 0 }) => sum + 1 + alike, 0);
const outputs = {
  'exit-code': status ?? 1,
  violations,
  sarif: existsSync(file('results.sarif')) ? file('results.sarif') : '',
};
if (GITHUB_OUTPUT)
  appendFileSync(
    GITHUB_OUTPUT,
    Object.entries(outputs)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
