// Runs published Java programs with and without `trackside java`: the output must be the same, published bugs must be found
// and their corrected versions hold. Takes minutes and the network, so it is no test; needs `npm run build` and `build:java`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf, PROGRAMS } from './java-programs/programs.mjs';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'java-programs-'));
const wanted = process.argv.slice(2);
let failures = 0;

console.log('| program | events | blocks | violated | methods | errors | verdict |');
console.log('|---|---|---|---|---|---|---|');
for (const program of PROGRAMS) {
  if (wanted.length > 0 && !wanted.some((word) => program.name.includes(word))) continue;
  const command = commandOf(program);
  const alone = spawnSync(command[0], command.slice(1), { encoding: 'utf8' });
  const report = join(scratch, 'report.json');
  const reporter = ['--quiet', '--reporter', `json=${report}`];
  const words = [MAIN, 'java', ...reporter, ...(program.options ?? []), '--', ...command];
  const watched = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const [{ events, blocks, violations, error }] = JSON.parse(readFileSync(report, 'utf8')).results;
  const labels = new Set(violations.map(({ block }) => block?.label));
  const errors = violations.filter(({ severity }) => severity === 'error');
  const problems = [
    ...(program.mayFail || alone.stdout === watched.stdout ? [] : ['another output']),
    ...(error === undefined ? [] : [error.message]),
    ...(program.expects ?? []).filter((label) => !labels.has(label)).map((label) => `${label} not found`),
    ...(program.expects?.length === 0 && errors.length > 0 ? ['errors where there should be none'] : []),
  ];
  failures += problems.length;
  const row = [program.name, events, blocks.checked, violations.length, labels.size, errors.length];
  console.log(`| ${[...row, problems.length === 0 ? 'as expected' : problems.join('; ')].join(' | ')} |`);
}
rmSync(scratch, { recursive: true });
process.exitCode = failures === 0 ? 0 : 1;
