// The programs of the papers that can still be had, with every method a block, as the papers ran them: how many methods are not atomic,
// found by refining until nothing is violated. They are in the repository of RoadRunner (stephenfreund/RoadRunner), whose checkout is
// the first argument; further ones choose programs. Takes minutes; needs `npm run build` and `build:java`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const LIMIT_MS = Number(process.env.LIMIT_S ?? 300) * 1000;

/** `coarse`: kernels over arrays that all threads share, of which every element would be a variable. */
const PROGRAMS = [
  { name: 'series', main: 'JGFSeriesBenchSizeA' },
  { name: 'lufact', main: 'JGFLUFactBenchSizeA', coarse: true },
  { name: 'crypt', main: 'JGFCryptBenchSizeA', coarse: true },
  { name: 'sor', main: 'JGFSORBenchSizeA', coarse: true },
  { name: 'sparsematmult', main: 'JGFSparseMatmultBenchSizeA', coarse: true },
  { name: 'montecarlo', main: 'JGFMonteCarloBenchSizeA', coarse: true },
  { name: 'moldyn', main: 'JGFMolDynBenchSizeA', coarse: true },
  { name: 'raytracer', main: 'JGFRayTracerBenchSizeA', coarse: true },
  { name: 'sunflow', main: 'Main', args: [] },
];

const [checkout, ...wanted] = process.argv.slice(2);
if (checkout === undefined) {
  console.error('usage: node scripts/java-tables.mjs <checkout of RoadRunner> [program…]');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'java-tables-'));
console.log('| program | plain | recorded | trace | rounds | methods that are not atomic |');
console.log('|---|---|---|---|---|---|');
for (const program of PROGRAMS)
  if (wanted.length === 0 || wanted.includes(program.name)) console.log(`| ${rowOf(program).join(' | ')} |`);
rmSync(scratch, { recursive: true });

function rowOf({ name, main, coarse = false, args = ['4'] }) {
  const cwd = join(checkout, 'benchmarks', name);
  if (!existsSync(join(cwd, 'original.jar'))) return [name, 'not in this checkout', '', '', '', ''];
  const command = ['java', '-cp', 'original.jar', main, ...args];
  const trace = join(scratch, `${name}.trk`);
  const plain = timed(command, cwd);
  const options = ['--atomic-all', '--no-jdk', ...(coarse ? ['--arrays', 'coarse'] : [])];
  const recording = [process.execPath, MAIN, 'java', ...options, '--record', trace, '--', ...command];
  const recorded = timed(recording, cwd);
  if (recorded.status !== 0) return [name, plain.seconds, `ended with ${recorded.status}`, '', '', ''];
  const size = `${(statSync(trace).size / 1e6).toFixed(1)} MB`;
  const refined = timed([process.execPath, MAIN, 'refine', '--json', trace], cwd);
  rmSync(trace);
  if (refined.status !== 0) return [name, plain.seconds, recorded.seconds, size, '', 'not within the limit'];
  const { rounds, excluded } = JSON.parse(refined.stdout);
  const methods = `${excluded.length}: ${excluded.map((label) => `\`${label}\``).join(', ')}`;
  return [name, plain.seconds, recorded.seconds, size, rounds.length, methods];
}

function timed([command, ...args], cwd) {
  const started = performance.now();
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1 << 28,
  });
  return { status, stdout, seconds: `${((performance.now() - started) / 1000).toFixed(1)} s` };
}
