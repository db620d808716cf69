// What `trackside java` costs: seconds of the plain program, elapsed and of processor time, and the memory of its largest process; and
// how many times as much it takes when it is watched, Trackside included. Compare within a row: programs are short, and start-up counts.
//
//   node bench/java/run.mjs                                    the programs of scripts/java-programs.mjs, analyses online
//   node bench/java/run.mjs --papers <checkouts> [program…]    those of scripts/java-tables.mjs, with `empty`: what watching costs
//     --analysis <name>                                        ... or with another one
//     --roadrunner <folder> --java8 <command>                  ... beside RoadRunner, built there, on a JDK 8
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandOf, PROGRAMS } from '../../scripts/java-programs/programs.mjs';
import { PROGRAMS as PAPERS, programIn } from '../../scripts/java-tables/programs.mjs';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const REPEATED = Number(process.env.REPEATED ?? 3);
const LIMIT_S = Number(process.env.LIMIT_S ?? 120);
const FIGURES = join(mkdtempSync(join(tmpdir(), 'java-cost-')), 'figures');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    papers: { type: 'string' },
    analysis: { type: 'string', default: 'empty' },
    roadrunner: { type: 'string' },
    java8: { type: 'string' },
  },
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
  const { analysis } = values;
  const head = ['program', 'plain', analysis, `${analysis}, --atomic-all`, ...theirs];
  print(head);
  print(head.map(() => '---'));
  const rows = [];
  for (const program of PAPERS) {
    if (positionals.length > 0 && !positionals.includes(program.name)) continue;
    const found = programIn(checkouts, program);
    if (found === null) continue;
    const { cwd, command } = found;
    const options = ['--no-jdk', '--analysis', analysis];
    const ways = [command, watched(options, command), watched([...options, '--atomic-all'], command)];
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
    return ['elapsed', 'processor', 'memory'].map((what) => `${of(what).toFixed(1)}×`).join(', ');
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

/** Of each way to run it, the middle figures of several runs, which take turns. */
function measured(ways, cwd) {
  const runs = ways.map(() => []);
  for (let i = 0; i < REPEATED; i++) for (const [j, words] of ways.entries()) runs[j].push(run(words, cwd));
  return runs.map((all) => {
    const of = (what) => median(all.map((one) => one[what]));
    const why = all.find((one) => one.why !== undefined)?.why;
    return { elapsed: of('elapsed'), processor: of('processor'), memory: of('memory'), why };
  });
}

/**
 * Seconds that passed, seconds of processor time of all processes, and megabytes of the largest one; with `why` if it does not come to
 * an end, or fails.
 */
function run(words, cwd) {
  // GNU time knows the memory, and time only by hundredths of a second, which is a third of what starting a JVM takes.
  const script = `TIMEFORMAT='%3R %3U %3S'; time /usr/bin/time -o ${FIGURES} -f %M timeout ${LIMIT_S} "$@" > /dev/null 2>&1`;
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] };
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], options);
  if (status === 127) throw new Error('GNU time is missing: apt-get install time');
  const [elapsed, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const kilobytes = Number(readFileSync(FIGURES, 'utf8').trim().split('\n').at(-1));
  // 1: violations were found.
  if (status === 0 || status === 1) return { elapsed, processor: user + system, memory: kilobytes / 1000 };
  const why = status === 124 ? `more than ${LIMIT_S} s` : `fails (${status})`;
  return { elapsed: Infinity, processor: Infinity, memory: Infinity, why };
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

function ratio(one, plain, what) {
  return one[what] / plain[what];
}

function times(one, plain) {
  if (one.why !== undefined) return one.why;
  return ['elapsed', 'processor', 'memory']
    .map((what) => `${ratio(one, plain, what).toFixed(1)}×`)
    .join(', ');
}

function seconds({ elapsed, processor, memory, why }) {
  return why ?? `${elapsed.toFixed(2)} s, ${processor.toFixed(2)} s, ${memory.toFixed(0)} MB`;
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
