// What `npm start` shows: a program that loses money between two awaits, run and explained.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const trackside = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const program = 'examples/bank/broken.ts';

console.log(`Ann has 100. She sends 70 to Bob and 70 to Cid at the same time, and both transfers succeed.

$ npx trackside run ${program}
`);
const { status } = spawnSync(process.execPath, [trackside, 'run', '--no-live', program], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
});
if (status !== 1) {
  console.error(`expected a violation (exit code 1), but the run ended with ${status}`);
  process.exitCode = 1;
} else {
  console.log(`
The fixed one, examples/bank/fixed.ts, passes. For a trace that another program has logged:

$ npx trackside check examples/traces/bank-transfer.std`);
}
