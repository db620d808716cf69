// `npm run bench:growth -- [--record] [--only text]`: how cost grows with the number that makes a trace hard
// (bench/shapes.mjs). Each row is whole commands at three sizes: processor time and memory, and the slope between the
// first and the last on logarithmic axes: 1 is linear, 2 quadratic. Processor time, because others may use the machine.
// Fails when a row takes a third more than was recorded, measured against a floor of the same run, or grows faster by a
// third.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { write } from './shapes.mjs';
import { CACHE, TRACKSIDE } from './traces.mjs';

const RECORD = fileURLToPath(new URL('recorded-growth.json', import.meta.url));
const TOLERANCE = 4 / 3;

/** Shape, what is run on it, and the sizes. */
const ROWS = [
  ['openblocks', ['--analysis', 'regiontrack'], [4000, 8000, 16_000]],
  ['openblocks', ['--analysis', 'atomsanitizer'], [4000, 8000, 16_000]],
  ['openblocks', ['--analysis', 'velodrome'], [4000, 8000, 16_000]],
  ['leftbehind', ['--fork-join', 'family'], [4000, 8000, 16_000]],
  ['forkchain', ['--fork-join', 'family'], [10_000, 20_000, 40_000]],
  ['middle', ['--analysis', 'regiontrack'], [250, 500, 1000]],
  ['middle', ['--analysis', 'atomsanitizer'], [250, 500, 1000]],
  ['nested', ['--analysis', 'regiontrack', '--no-explain'], [4000, 8000, 16_000]],
  ['nested', ['--analysis', 'velodrome', '--no-explain'], [4000, 8000, 16_000]],
  ['lockstair', ['--analysis', 'reduction'], [4000, 8000, 16_000]],
  ['lockstair', ['--analysis', 'block'], [4000, 8000, 16_000]],
  ['lockstair', ['--analysis', 'commit-node-conflict'], [4000, 8000, 16_000]],
  ['lockstair', ['--analysis', 'commit-node-view'], [1000, 2000, 4000]],
  ['lockqueue', ['--analysis', 'reduction', '--no-explain'], [500, 1000, 2000]],
  ['lockqueue', ['--analysis', 'commit-node-conflict', '--no-explain'], [500, 1000, 2000]],
  ['dense', ['--analysis', 'regiontrack', '--no-explain'], [250, 500, 1000]],
  ['dense', ['--analysis', 'velodrome', '--no-explain'], [250, 500, 1000]],
  ['sends', ['--fork-join', 'boundary'], [250, 500, 1000]],
  ['barrier', ['--analysis', 'regiontrack', '--no-explain'], [100, 200, 400]],
  ['barrier', ['--analysis', 'velodrome', '--no-explain'], [100, 200, 400]],
  ['barrier', ['--analysis', 'doublechecker', '--no-explain'], [100, 200, 400]],
  ['barrier', ['--fork-join', 'family', '--no-explain'], [500, 1000, 2000]],
  ['barrier', ['--analysis', 'fasttrack', '--no-explain'], [500, 1000, 2000]],
  ['messages', ['--analysis', 'sidetrack'], [1000, 2000, 4000]],
  ['children', ['--analysis', 'doublechecker'], [10_000, 20_000, 40_000]],
  ['readers', ['--analysis', 'velodrome'], [2500, 5000, 10_000]],
  ['reach', [], [100_000, 200_000, 400_000]],
  ['warnings', [], [125, 250, 500]],
  ['losses', [], [25_000, 50_000, 100_000]],
  ['depths', [], [1000, 2000, 4000]],
  ['backwards', [], [50, 100, 200]],
  ['backwards', ['--reporter', 'svg'], [50, 100, 200]],
];

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});

/** Has a program say at its end what it took. */
const TELL = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, '\\ncost ' + (user + system) / 1e6 + ' ' + process.resourceUsage().maxRSS / 1024 + '\\n');
});`)}`;

/** Seconds of processor time and peak megabytes of a program; 1 is the exit code for violations. */
function cost(args) {
  const { status, stderr } = spawnSync(process.execPath, ['--import', TELL, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const figures = /\ncost ([\d.]+) ([\d.]+)\n/.exec(stderr);
  if ((status !== 0 && status !== 1) || figures === null) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { seconds: Number(figures[1]), megabytes: Number(figures[2]) };
}

/** The cheaper of two runs. */
function best(args) {
  const [a, b] = [cost(args), cost(args)];
  return a.seconds < b.seconds ? a : b;
}

function traceOf(shape, k) {
  mkdirSync(CACHE, { recursive: true });
  const path = join(CACHE, `${shape}-${k}.std`);
  if (!existsSync(path)) write(shape, k, path);
  return path;
}

/** What a command takes that has nothing to do, which is taken off all others. */
const start = best([TRACKSIDE, 'check', '--quiet', traceOf('nested', 1)]);
/** What counting the newlines of ten million bytes or so takes: by this, machines are compared. */
const floorTrace = traceOf('reach', 1_000_000);
const floor = best([fileURLToPath(new URL('floor.mjs', import.meta.url)), floorTrace]).seconds;
console.log(`floor: ${floor.toFixed(2)} s for ${(statSync(floorTrace).size / 1e6).toFixed(1)} MB`);
console.log(
  'shape and options'.padEnd(52),
  'sizes'.padEnd(24),
  'seconds'.padEnd(20),
  'MB'.padEnd(16),
  'slope',
);

const recorded = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
const figures = {};
for (const [shape, args, sizes] of ROWS) {
  const name = [shape, ...args].join(' ');
  if (!name.includes(options.only)) continue;
  const costs = sizes.map((k) => best([TRACKSIDE, 'check', '--quiet', ...args, traceOf(shape, k)]));
  // Below what the start varies by, no growth can be seen.
  const spent = costs.map(({ seconds }) => Math.max(seconds - start.seconds, 0.02));
  const slope = Math.log(spent.at(-1) / spent[0]) / Math.log(sizes.at(-1) / sizes[0]);
  figures[name] = { floors: Number((spent.at(-1) / floor).toFixed(2)), slope: Number(slope.toFixed(2)) };
  console.log(
    name.padEnd(52),
    sizes.join(' ').padEnd(24),
    spent
      .map((seconds) => seconds.toFixed(2))
      .join(' ')
      .padEnd(20),
    costs
      .map(({ megabytes }) => megabytes.toFixed(0))
      .join(' ')
      .padEnd(16),
    slope.toFixed(2),
  );
  const was = recorded[name];
  if (options.record || was === undefined) continue;
  const isSlower = figures[name].floors > was.floors * TOLERANCE + 1;
  const isSteeper = slope > Math.max(was.slope, 0.75) * TOLERANCE;
  if (!isSlower && !isSteeper) continue;
  console.log(`worse than recorded: ${name}: ${was.floors} floors, slope ${was.slope}`);
  process.exitCode = 1;
}
if (options.record) writeFileSync(RECORD, `${JSON.stringify({ ...recorded, ...figures }, null, 2)}\n`);
