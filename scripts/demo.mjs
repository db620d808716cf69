// What `npm start` shows: a bug that every lock in the program fails to prevent, found in a recorded trace.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const trackside = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const trace = 'examples/traces/bank-transfer.std';

console.log(`Two tellers of a bank transfer money from Alice's account at the same time. Reading and writing a
balance are each protected by a lock, so there is no data race. This is what the program did,
recorded as a trace, and what Trackside says about it:

$ npx trackside check ${trace}
`);
const { status } = spawnSync(process.execPath, [trackside, 'check', trace], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
});
if (status !== 1) {
  console.error(`expected a violation (exit code 1), but the check ended with ${status}`);
  process.exitCode = 1;
}
