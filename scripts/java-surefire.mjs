// A test run of Maven's Surefire, watched through JAVA_TOOL_OPTIONS: its test passes, and the lost update that it hides is reported.
// Needs the network for Maven's plug-ins, so it is no test; needs `npm run build` and `build:java`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'java-surefire-'));
cpSync(fileURLToPath(new URL('./java-programs/surefire/', import.meta.url)), scratch, { recursive: true });
const report = join(scratch, 'report.json');
const words = [
  'java',
  '--quiet',
  '--atomic',
  'Counter.add',
  '--reporter',
  `json=${report}`,
  '--',
  'mvn',
  '-B',
  'test',
];
const { status, stdout } = spawnSync(process.execPath, [MAIN, ...words], { cwd: scratch, encoding: 'utf8' });
const { results } = JSON.parse(readFileSync(report, 'utf8'));
const found = results.flatMap(({ violations }) =>
  violations.map(({ block, pattern }) => [block?.label, pattern].join(' ')),
);
rmSync(scratch, { recursive: true });
const passed = /Tests run: 1, Failures: 0, Errors: 0/.test(stdout);
console.log(`test passed: ${passed}; exit code: ${status}; found: ${found.join(', ')}`);
process.exitCode = passed && found.includes('Counter.add lost-update') ? 0 : 1;
