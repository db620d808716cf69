// The memory of a server that starts a thread for each request, and of Trackside beside it: both are to stay where they are.
// `node bench/java/memory.mjs [requests] [platform|virtual] [java]`
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('Server.java', import.meta.url));
const [requests = '100000', threads = 'platform', java = 'java'] = process.argv.slice(2);

const classes = mkdtempSync(join(tmpdir(), 'java-memory-'));
spawnSync('javac', ['-d', classes, SOURCE], { stdio: 'inherit' });
const server = [java, '-Xmx1g', '-XX:+UseParallelGC', '-cp', classes, 'Server', requests, threads];
const checker = spawn(process.execPath, [MAIN, 'java', '--quiet', '--', ...server]);
checker.stderr.pipe(process.stderr);
checker.stdout.setEncoding('utf8').on('data', (lines) => {
  const status = readFileSync(`/proc/${checker.pid}/status`, 'utf8');
  const resident = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  for (const line of lines.trim().split('\n')) console.log(`${line}, Trackside ${resident.toFixed(0)} MB`);
});
checker.on('close', () => rmSync(classes, { recursive: true }));
