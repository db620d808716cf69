// The programs of the papers that can still be had, with every method a block, as the papers ran them: how many methods are not atomic,
// found by refining until nothing is violated, and what the analyses count. The first argument is a folder with checkouts of
// stephenfreund/RoadRunner, petablox/petablox-bench and ksen007/calfuzzer from GitHub, under their last names; further ones choose
// programs. Takes an hour; needs `npm run build` and `build:java`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS, programIn } from './java-tables/programs.mjs';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const LIMIT_MS = Number(process.env.LIMIT_S ?? 600) * 1000;
const COLUMNS = [
  ['program', 'plain', 'recorded', 'trace', 'events', 'violated blocks', 'rounds', 'subregions', 'joins'],
  ['transactions at a time', 'Velodrome: blocks', 'nodes', 'nodes at a time'],
  ['SideTrack: before, in, after, all', 'methods that are not atomic'],
].flat();

const [checkouts, ...wanted] = process.argv.slice(2);
if (checkouts === undefined) {
  console.error('usage: node scripts/java-tables.mjs <folder with checkouts> [program…]');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'java-tables-'));
console.log(`| ${COLUMNS.join(' | ')} |`);
console.log(`|${COLUMNS.map(() => '---|').join('')}`);
for (const program of PROGRAMS)
  if (wanted.length === 0 || wanted.includes(program.name)) {
    const row = rowOf(program);
    console.log(`| ${COLUMNS.map((_, i) => row[i] ?? '').join(' | ')} |`);
  }
rmSync(scratch, { recursive: true });

function rowOf(program) {
  const { name, coarse = false } = program;
  const found = programIn(checkouts, program);
  if (found === null) return [name, 'not in these checkouts'];
  const { cwd, command } = found;
  const trace = join(scratch, `${name}.trk`);
  const plain = timed(command, cwd);
  const options = ['--atomic-all', '--no-jdk', ...(coarse ? ['--arrays', 'coarse'] : [])];
  const watched = (more) =>
    timed([process.execPath, MAIN, 'java', ...options, ...more, '--', ...command], cwd);
  const recorded = watched(['--record', trace]);
  if (recorded.status !== 0) return [name, plain.seconds, 'not within the limit'];
  const size = `${(statSync(trace).size / 1e6).toFixed(1)} MB`;
  const row = [name, plain.seconds, recorded.seconds, size];
  const refined = timed([process.execPath, MAIN, 'refine', '--json', trace], cwd);
  const refinement = refined.status === 0 ? JSON.parse(refined.stdout) : null;
  const exact = checked('regiontrack', trace);
  const velodrome = checked('velodrome', trace);
  rmSync(trace);
  const labels = refinement?.excluded ?? [];
  return [
    ...row,
    exact?.events,
    refinement?.rounds.reduce((sum, { violations }) => sum + violations, 0),
    refinement?.rounds.length,
    ...['subregions', 'joins', 'transactionsAtMost'].map((figure) => exact?.statistics[figure]),
    velodrome?.violations.length,
    velodrome?.statistics.nodesAllocated,
    velodrome?.statistics.nodesAliveAtMost,
    sideTrack(watched),
    refinement === null
      ? 'not within the limit'
      : `${labels.length}: ${labels.map((label) => `\`${label}\``).join(', ')}`,
  ];
}

/** How many methods it names for each kind of violation. */
function sideTrack(watched) {
  const report = join(scratch, 'sidetrack.json');
  rmSync(report, { force: true });
  watched(['--quiet', '--analysis', 'sidetrack', '--reporter', `json=${report}`]);
  const result = resultIn(report);
  if (result === null) return '';
  const methods = (isMeant) =>
    new Set(result.violations.filter(isMeant).map(({ block }) => block?.label)).size;
  const kinds = ['before', 'in', 'after'].map((kind) => methods((violation) => violation.kind === kind));
  return [...kinds, methods(() => true)].join(', ');
}

function checked(analysis, trace) {
  const report = join(scratch, 'check.json');
  rmSync(report, { force: true });
  const words = [
    'check',
    '--quiet',
    '--no-explain',
    '--analysis',
    analysis,
    '--reporter',
    `json=${report}`,
    trace,
  ];
  timed([process.execPath, MAIN, ...words], scratch);
  return resultIn(report);
}

function resultIn(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).results[0];
  } catch {
    return null;
  }
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
