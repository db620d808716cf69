// What it costs to watch native programs: plain, under clang's ThreadSanitizer, recorded to a file by our runtime, and checked
// online (with the checker), in turns, the least processor time of several runs. Needs clang and bash.
//
//   node bench/native/run.mjs [rounds]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const main = path.join(here, '../../dist/cli/main.js');
const rounds = Number(process.argv[2] ?? 3);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-native-'));
const env = { ...process.env, TRACKSIDE_CC: 'clang' };

function run(command, args, more = {}) {
  // The time of processors: that of the clock says more about what else the machine does.
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, command, ...args], {
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return 1000 * (user + system);
}

function variants(source) {
  const file = (kind) => path.join(folder, `${kind}-${path.basename(source, '.c')}`);
  run('clang', ['-O2', '-g', source, '-o', file('plain'), '-lpthread']);
  run('clang', ['-O2', '-g', '-fsanitize=thread', source, '-o', file('tsan'), '-lpthread']);
  run(process.execPath, [main, 'cc', '-O2', '-g', source, '-o', file('ours')]);
  return {
    plain: () => run(file('plain'), []),
    tsan: () => run(file('tsan'), [], { TSAN_OPTIONS: 'exitcode=0:report_bugs=0' }),
    recorded: () => run(file('ours'), [], { TRACKSIDE_TRACE: path.join(folder, 'trace.trk') }),
    checked: () => run(process.execPath, [main, 'native', '--quiet', '--', file('ours')]),
  };
}

console.log('| program | plain | ThreadSanitizer | recorded | checked online | recorded / ThreadSanitizer |');
console.log('|---|---|---|---|---|---|');
try {
  for (const name of ['locks', 'memory', 'table']) {
    const each = variants(path.join(here, `${name}.c`));
    const best = Object.fromEntries(Object.keys(each).map((kind) => [kind, Number.POSITIVE_INFINITY]));
    for (let round = 0; round < rounds; round++)
      for (const [kind, go] of Object.entries(each)) best[kind] = Math.min(best[kind], go());
    const times = Object.values(best).map((ms) => `${ms.toFixed(0)} ms`);
    console.log(`| ${name} | ${times.join(' | ')} | ${(best.recorded / best.tsan).toFixed(2)} |`);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
