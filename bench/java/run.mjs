// What `trackside java` costs: seconds of the plain program, elapsed and of processor time, and how many times as long it takes
// when it is watched, Trackside included. Compare within a row: programs are short, and start-up counts.
//
//   node bench/java/run.mjs                                    the programs of scripts/java-programs.mjs, analyses online
//   node bench/java/run.mjs --papers <checkouts> [program…]    those of scripts/java-tables.mjs, with `empty`: what watching costs
//     --roadrunner <folder> --java8 <command>                  ... beside RoadRunner, built there, on a JDK 8
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandOf, PROGRAMS } from '../../scripts/java-programs/programs.mjs';
import { PROGRAMS as PAPERS, programIn } from '../../scripts/java-tables/programs.mjs';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const REPEATED = Number(process.env.REPEATED ?? 3);
const LIMIT_S = Number(process.env.LIMIT_S ?? 120);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { papers: { type: 'string' }, roadrunner: { type: 'string' }, java8: { type: 'string' } },
});
if (values.papers === undefined) ownPrograms();
else ofPapers(resolve(values.papers));

function ownPrograms() {
  const analyses = ['empty', 'regiontrack', 'sidetrack'];
  print(['program', 'plain', ...analyses]);
  print(['---', '---', ...analyses.map(() => '---')]);
  for (const program of PROGRAMS.filter(({ expects }) => expects === undefined)) {
    const command = commandOf(program);
    const [plain, ...slower] = measured(
      [command, ...analyses.map((analysis) => watched(['--analysis', analysis], command))],
      process.cwd(),
    );
    print([program.name, seconds(plain), ...slower.map((one) => times(one, plain))]);
  }
}

/** As RoadRunner watches a program: all accesses, and nothing of the JDK. */
function ofPapers(checkouts) {
  const isBeside = values.roadrunner !== undefined && values.java8 !== undefined;
  const theirs = isBeside ? ['JDK 8', 'RoadRunner, N', 'RoadRunner, FT2'] : [];
  const head = ['program', 'plain', 'empty', 'empty, --atomic-all', ...theirs];
  print(head);
  print(head.map(() => '---'));
  const rows = [];
  for (const program of PAPERS) {
    if (positionals.length > 0 && !positionals.includes(program.name)) continue;
    const found = programIn(checkouts, program);
    if (found === null) continue;
    const { cwd, command } = found;
    const empty = ['--no-jdk', '--analysis', 'empty'];
    const ways = [command, watched(empty, command), watched([...empty, '--atomic-all'], command)];
    if (isBeside) ways.push(...besideIt(resolve(values.roadrunner), values.java8, command));
    const runs = measured(ways, cwd);
    const ratios = runs.map((run, i) => (i % 3 === 0 ? run : times(run, runs[i - (i % 3)])));
    print([program.name, ...ratios.map((one) => (typeof one === 'string' ? one : seconds(one)))]);
    rows.push(runs);
  }
  if (rows.length < 2) return;
  const medians = rows[0].map((_, i) => {
    if (i % 3 === 0) return '';
    const of = (what) => median(rows.map((runs) => ratio(runs[i], runs[i - (i % 3)], what)));
    return `${of('elapsed').toFixed(1)}×, ${of('processor').toFixed(1)}×`;
  });
  print(['median', ...medians]);
}

/** The same program alone, with RoadRunner's empty tool and with its FastTrack. */
function besideIt(folder, java8, [, , path, main, ...args]) {
  const library = [join(folder, 'classes'), join(folder, 'jars', 'java-cup-11a.jar')].join(':');
  const tools = [join(folder, 'classes/rr/simple'), join(folder, 'classes/tools')].join(':');
  process.env.RR_MODE = 'FAST';
  process.env.RR_TOOLPATH = tools;
  process.env.AVAIL_PROCS = '2';
  const agent = `-javaagent:${join(folder, 'build/jar/rragent.jar')}`;
  const options = ['-quiet', '-maxWarn=1', `-classpath=${path}`];
  const roadRunner = [java8, agent, `-Xbootclasspath/p:${library}:`, 'rr.RRMain', ...options];
  return [
    [java8, '-cp', path, main, ...args],
    [...roadRunner, '-tool=N', main, ...args],
    [...roadRunner, '-tool=FT2', main, ...args],
  ];
}

function watched(options, command) {
  return [process.execPath, MAIN, 'java', '--quiet', ...options, '--', ...command];
}

/** Of each way to run it, the middle one of several runs; they take turns. */
function measured(ways, cwd) {
  const runs = ways.map(() => []);
  for (let i = 0; i < REPEATED; i++) for (const [j, words] of ways.entries()) runs[j].push(run(words, cwd));
  return runs.map((all) => all.sort((a, b) => a.processor - b.processor)[REPEATED >> 1]);
}

/** Seconds that passed, and seconds of processor time of all processes; infinite if it does not come to an end. */
function run(words, cwd) {
  const started = performance.now();
  const { stdout } = spawnSync(
    'bash',
    ['-c', 'timeout "$@" > /dev/null 2>&1; echo $?; times', 'bash', LIMIT_S, ...words],
    { cwd, encoding: 'utf8' },
  );
  const elapsed = (performance.now() - started) / 1000;
  const [status, , children] = stdout.trim().split('\n');
  if (status === '124') return { elapsed: Infinity, processor: Infinity };
  if (status !== '0' && status !== '1') throw new Error(`exit code ${status}: ${words.join(' ')}`);
  const processor = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + 60 * m + Number(s),
    0,
  );
  return { elapsed, processor };
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

function ratio(one, plain, what) {
  return one[what] / plain[what];
}

function times(one, plain) {
  if (one.elapsed === Infinity) return `more than ${LIMIT_S} s`;
  return `${ratio(one, plain, 'elapsed').toFixed(1)}×, ${ratio(one, plain, 'processor').toFixed(1)}×`;
}

function seconds({ elapsed, processor }) {
  return elapsed === Infinity
    ? `more than ${LIMIT_S} s`
    : `${elapsed.toFixed(1)} s, ${processor.toFixed(1)} s`;
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
