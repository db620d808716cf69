// `npm run bench -- [options] [trace…]`: what reading and every checker cost, as ratios to the floor (counting the
// newlines of the same trace as text) measured in the same run. Machines differ and are noisy; ratios less so.
// Two kinds: what it takes from opening the trace on, and whole commands (`command …`), Node's start included, against
// the floor as a whole command.
//
//   --quick        small traces only, for a look
//   --full         growth up to 200 million events (tens of gigabytes of disk, an hour)
//   --repeat N     measure each N times and keep the fastest (default 3)
//   --only PART    only friendly, hostile, numbered, program, growth, threads or given: a whole run takes minutes
//   --record       make what was measured the record that later runs are compared with
//   --json FILE    write all measurements
//   --plots        draw the plots of docs/explanation/performance.md
//
// Fails when a ratio is worse than the recorded one by more than a third.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lineChart } from './plot.mjs';
import { asTrk, generated, given, TRACKSIDE } from './traces.mjs';

const CHECKERS = ['atomsanitizer', 'aerodrome', 'regiontrack', 'velodrome', 'doublechecker'];
const PREDICTIVE = ['sidetrack', 'fasttrack', 'eraser', 'atomizer'];
const TEXT_SUBJECTS = ['read', 'empty', 'count', ...CHECKERS, ...PREDICTIVE];
const TRK_SUBJECTS = ['read', 'atomsanitizer', 'regiontrack'];
const COMMANDS = ['atomsanitizer', 'regiontrack'];
const RECORD = fileURLToPath(new URL('recorded.json', import.meta.url));
const PLOTS = fileURLToPath(new URL('../docs/explanation/performance/', import.meta.url));
const MEASURE = fileURLToPath(new URL('measure.mjs', import.meta.url));
const FLOOR = fileURLToPath(new URL('floor.mjs', import.meta.url));
const TOLERANCE = 4 / 3;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '3' },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    json: { type: 'string' },
    plots: { type: 'boolean', default: false },
  },
});
// Node reads these whenever it starts, which takes longer than most of what is measured here.
delete process.env.NODE_EXTRA_CA_CERTS;
const repeat = Number(options.repeat);
const isWanted = (part) => (options.only ?? part) === part;

function measure(subject, path) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MEASURE, subject, path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${subject} on ${path}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The time of a whole command, as whoever waits for it sees it; 1 is the exit code for violations. */
function timeCommand(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const milliseconds = performance.now() - start;
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { milliseconds };
}

/** The fastest of several measurements of each job, taken in turns so that noise hits all alike. */
function measureAll(jobs) {
  const best = jobs.map(() => null);
  for (let round = 0; round < repeat; round++) {
    jobs.forEach(({ run }, i) => {
      const result = run();
      if (best[i] === null || result.milliseconds < best[i].milliseconds) best[i] = result;
    });
  }
  return best;
}

/** Which floor a job is compared with: that of the same kind. */
const INSIDE = 'floor';
const WHOLE = 'command floor';

function benchTrace(trace, textSubjects = TEXT_SUBJECTS, trkSubjects = TRK_SUBJECTS, commands = COMMANDS) {
  const trk = trkSubjects.length + commands.length > 0 ? asTrk(trace) : null;
  const inside = (name, subject, path) => ({ name, floor: INSIDE, run: () => measure(subject, path) });
  const whole = (name, ...args) => ({ name, floor: WHOLE, run: () => timeCommand(args) });
  const check = (analysis, path) => [TRACKSIDE, 'check', '--quiet', '--analysis', analysis, path];
  const jobs = [
    inside(INSIDE, 'floor', trace.path),
    ...textSubjects.map((subject) => inside(`std ${subject}`, subject, trace.path)),
    ...trkSubjects.map((subject) => inside(`trk ${subject}`, subject, trk)),
    ...(commands.length > 0 ? [whole(WHOLE, FLOOR, trace.path)] : []),
    ...commands.map((analysis) => whole(`command std ${analysis}`, ...check(analysis, trace.path))),
    ...commands.map((analysis) => whole(`command trk ${analysis}`, ...check(analysis, trk))),
  ];
  const results = measureAll(jobs);
  const timeOf = (name) => results[jobs.findIndex((job) => job.name === name)]?.milliseconds ?? Number.NaN;
  const { events } = results[0];
  return jobs
    .map((job, i) => ({
      trace: trace.name,
      subject: job.name,
      events,
      milliseconds: results[i].milliseconds,
      ratio: results[i].milliseconds / timeOf(job.floor),
      toAtomsanitizer:
        results[i].milliseconds / timeOf(`${job.name.slice(0, job.name.lastIndexOf(' '))} atomsanitizer`),
      nanosecondsPerEvent: (results[i].milliseconds * 1e6) / events,
      peakMegabytes: results[i].peakMegabytes ?? null,
    }))
    .filter(({ subject }) => subject !== INSIDE && subject !== WHOLE);
}

function printTable(rows) {
  const columns = [
    ['trace', (row) => row.trace, 28],
    ['subject', (row) => row.subject, 26],
    ['× floor', (row) => row.ratio.toFixed(2), -8],
    ['× atoms.', (row) => row.toAtomsanitizer.toFixed(2), -9],
    ['ns/event', (row) => row.nanosecondsPerEvent.toFixed(1), -9],
    ['M events/s', (row) => (1000 / row.nanosecondsPerEvent).toFixed(1), -11],
    ['peak MB', (row) => row.peakMegabytes?.toFixed(0) ?? '', -8],
  ];
  const pad = (text, width) => (width < 0 ? text.padStart(-width) : text.padEnd(width));
  console.log(columns.map(([title, , width]) => pad(title, width)).join(' '));
  for (const row of rows) console.log(columns.map(([, value, width]) => pad(value(row), width)).join(' '));
}

/** Rows that are worse than recorded by more than a third. */
function regressions(rows) {
  if (!existsSync(RECORD)) return [];
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')).ratios;
  return rows
    .map((row) => ({ row, was: recorded[`${row.trace}: ${row.subject}`] }))
    .filter(({ row, was }) => was !== undefined && row.ratio > was * TOLERANCE);
}

function drawPlots(growth, threads) {
  mkdirSync(PLOTS, { recursive: true });
  const seriesBy = (rows, x) =>
    [...new Set(rows.map((row) => row.subject))].map((name) => ({
      name,
      points: rows.filter((row) => row.subject === name).map((row) => [x(row), row.nanosecondsPerEvent]),
    }));
  writeFileSync(
    `${PLOTS}events.svg`,
    lineChart({
      title: 'Time per event against the length of the trace',
      xLabel: 'events (8 threads, 1,000 variables)',
      yLabel: 'ns per event',
      series: seriesBy(growth, (row) => row.events),
    }),
  );
  writeFileSync(
    `${PLOTS}threads.svg`,
    lineChart({
      title: 'Time per event against the number of threads',
      xLabel: 'threads (1 million events, 1,000 variables)',
      yLabel: 'ns per event',
      series: seriesBy(threads, (row) => row.threads),
    }),
  );
}

const machine = `${cpus().length} × ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
console.log(`${machine}\nfastest of ${repeat}, each in a process of its own\n`);
if (loadavg()[0] > cpus().length / 2) {
  console.log('Others are using this machine: compiling takes longer then, and short traces with it.\n');
}

const MILLIONS = options.quick ? { friendly: 1 } : { friendly: 4, hostile: 5, numbered: 5, program: 15 };
const traces = Object.keys(MILLIONS)
  .filter(isWanted)
  .map((shape) => generated(shape, MILLIONS[shape] * 1_000_000));
const rows = [];
for (const trace of [...(isWanted('given') ? positionals.map(given) : []), ...traces]) {
  const measured = benchTrace(trace);
  printTable(measured);
  console.log();
  rows.push(...measured);
}

const sizes =
  options.quick || !isWanted('growth') ? [] : options.full ? [1, 4, 16, 64, 200] : [1, 2, 4, 8, 16];
const growth = sizes.flatMap((millions) =>
  benchTrace(
    generated('friendly', millions * 1_000_000),
    ['read', 'atomsanitizer', 'aerodrome', 'regiontrack', 'velodrome'],
    ['atomsanitizer'],
    [],
  ),
);
const counts = options.quick || !isWanted('threads') ? [] : [2, 4, 8, 16, 32, 64];
const threads = counts.flatMap((count) =>
  benchTrace(generated('friendly', 1_000_000, { threads: count }), CHECKERS.slice(0, 4), [], []).map(
    (row) => ({
      ...row,
      threads: count,
    }),
  ),
);
if (growth.length > 0) {
  console.log('growth with events and with threads');
  printTable([...growth, ...threads]);
}

const all = [...rows, ...growth, ...threads];
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`);
if (options.plots) drawPlots(growth, threads);
const worse = regressions(all);
for (const { row, was } of worse) {
  console.log(
    `worse than recorded: ${row.trace}: ${row.subject}: ${row.ratio.toFixed(2)} × floor, was ${was.toFixed(2)}`,
  );
}
if (options.record) {
  const before = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')).ratios : {};
  const now = Object.fromEntries(
    all.map((row) => [`${row.trace}: ${row.subject}`, Number(row.ratio.toFixed(3))]),
  );
  const ratios = options.only === undefined ? now : { ...before, ...now };
  writeFileSync(
    RECORD,
    `${JSON.stringify({ machine, date: new Date().toISOString().slice(0, 10), ratios }, null, 2)}\n`,
  );
} else if (worse.length > 0) {
  process.exitCode = 1;
}
