// Plants defects: removes each lock of programs that are correct, one at a time, and counts in how many of the programs
// that come out one run shows the defect, without and with schedules (Velodrome §6 does so with `synchronized`).
//
//   node scripts/planting.mjs                                  everything; takes long
//   node scripts/planting.mjs --corpus held-out                the programs that provoke was not tuned on; needs the registry
//   node scripts/planting.mjs --only bank --runs 5             one program, five runs each
//   node scripts/planting.mjs --keep planting.json             goes on where it was stopped
//
// A lock is marked in the source, at the end of each line that has to do with it: `// lock: name` for a line that goes, and
// `// lock: name -> code` for one that becomes something else. The table is that of docs/appendix/planted-defects.md.
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = join(ROOT, 'dist/cli/main.js');
const SOURCES = join(ROOT, 'scripts/planting');

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: 'programs' },
    runs: { type: 'string', default: '5' },
    schedules: { type: 'string', default: 'none,provoke,random,pct' },
    only: { type: 'string', multiple: true, default: [] },
    keep: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
});
const RUNS = Number(values.runs);
const SCHEDULES = values.schedules.split(',');

/** The locks of the examples, which are not marked in there. */
const EXAMPLES = [
  {
    program: 'examples/file-counter',
    file: 'file-counter/fixed.mjs',
    lock: 'queue',
    from: 'lastVisit = lastVisit.then(addOne);',
    to: 'lastVisit = addOne();',
  },
  {
    program: 'examples/session-store',
    file: 'session-store/fixed.mjs',
    lock: 'session',
    from: 'const now = before.then(() => this.#edit(id, edit));',
    to: 'const now = this.#edit(id, edit);',
  },
];

/** What the held-out programs import. */
const PACKAGES = ['async-lock@1', 'async-mutex@0.5', 'async-sema@3', 'p-limit@5', 'p-queue@8'];

/** The first line of a program for which this Node may be too old. */
const NEEDS_WEB_LOCKS = '// needs: navigator.locks';

const MARK = /^(\s*).*\/\/ lock: ([\w ]+?)(?: -> (.*))?$/;

/** The source without one of its locks. */
function without(source, lock) {
  const lines = source.split('\n').flatMap((line) => {
    const [, indent, name, instead] = MARK.exec(line) ?? [];
    if (name !== lock) return [line];
    return instead === undefined ? [] : [indent + instead];
  });
  return lines.join('\n');
}

function locksOf(source) {
  const names = source.split('\n').map((line) => MARK.exec(line)?.[2]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Every program as it is (`lock` is null), and without each of its locks. */
function subjects(folder) {
  const found = [];
  const add = (program, lock, source, extension = '.mjs') => {
    const name = `${program} ${lock ?? 'ok'}`.replace(/\W/g, '-') + extension;
    const file = join(folder, 'programs', name);
    writeFileSync(file, source);
    found.push({ program, lock, file });
  };
  for (const { program, file, lock, from, to } of values.corpus === 'programs' ? EXAMPLES : []) {
    const source = readFileSync(join(ROOT, 'examples', file), 'utf8');
    if (!source.includes(from)) throw new Error(`${file} has no ${from}`);
    add(program, null, source);
    add(program, lock, source.replace(from, to));
  }
  for (const name of readdirSync(join(SOURCES, values.corpus)).sort()) {
    const source = readFileSync(join(SOURCES, values.corpus, name), 'utf8');
    if (source.startsWith(NEEDS_WEB_LOCKS) && globalThis.navigator?.locks === undefined) continue;
    const extension = extname(name);
    const program = name.slice(0, -extension.length);
    add(program, null, source, extension);
    for (const lock of locksOf(source)) add(program, lock, without(source, lock), extension);
  }
  return found.filter(({ program }) => values.only.length === 0 || values.only.includes(program));
}

/** As a user would say it: `provoke` needs no seed. Requests come at other times in each run. */
const ARGUMENTS = {
  none: () => ['run'],
  provoke: () => ['run', '--schedule', 'provoke'],
  random: (seed) => ['run', '--schedule', 'random', '--seed', String(seed)],
  pct: (seed) => ['run', '--schedule', 'pct', '--seed', String(seed)],
  explore: (seed) => ['explore', '--runs', '20', '--seed', String(seed)],
};

/** Runs a program once; gives what was found, or how the program failed. */
function run(folder, { file }, schedule, seed, name) {
  const results = join(folder, `${name.replace(/\W/g, '-')}.json`);
  const command = ARGUMENTS[schedule](seed);
  const args = [MAIN, ...command, '--quiet', '--reporter', `json=${results}`, file, String(seed)];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder, timeout: schedule === 'explore' ? 300_000 : 60_000 },
      (error, _stdout, stderr) => {
        const report = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : { results: [] };
        const violations = report.results.flatMap((result) => result.violations);
        const found = { error: violations.some(isError), warned: violations.filter(isOwn).map(aboutOf) };
        // A program that fails by itself, or never ends, shows its defect, too, but not to us.
        const isFailed = report.results.length === 0 || (error !== null && error.code !== 1);
        resolve(isFailed ? { ...found, failed: `${error?.signal ?? error?.code}: ${stderr}` } : found);
      },
    );
  });
}

const isError = ({ severity }) => severity === 'error';

/**
 * What a warning is about: the block and the variables, without what is another one in each run and for each lock: files of
 * programs, folders that are made for the occasion, numbers.
 */
const aboutOf = ({ block, cycle }) => {
  const variables = cycle.flatMap(({ from, to }) => [from.op, to.op]).map((op) => op.replace(/^\w+/, ''));
  return [(block?.label ?? '').replace(/ at programs.*/, ''), ...new Set(variables.sort())]
    .join(' ')
    .replaceAll(/-\w{6}\/|\d+/g, '');
};

/** Warnings count if they are about the program, and not about its locks and its traffic. */
const isOwn = ({ cycle, block }) =>
  cycle.length > 0 && [block, ...cycle.flatMap(({ from, to }) => [from, to])].every(isInProgram);

const isInProgram = (place) => (place?.location ?? 'programs/').startsWith('programs/');

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-planting-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(SOURCES, folder, { recursive: true });
  rmSync(join(folder, 'programs'), { recursive: true });
  rmSync(join(folder, 'held-out'), { recursive: true });
  mkdirSync(join(folder, 'programs'));
  if (values.corpus === 'held-out') {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES], {
      cwd: folder,
    });
  }
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/trackside'));

  const kept = values.keep && existsSync(values.keep) ? JSON.parse(readFileSync(values.keep, 'utf8')) : {};
  const all = subjects(folder);
  // Each program once before the second run of any, so that what there is when it is stopped is worth something.
  const seeds = Array.from({ length: RUNS }, (_, i) => i + 1);
  const work = seeds.flatMap((seed) =>
    all.flatMap((subject) =>
      SCHEDULES.map((schedule) => ({
        subject,
        schedule,
        seed,
        key: [subject.program, subject.lock ?? '', schedule, seed].join('/'),
      })),
    ),
  );
  const waiting = work.filter(({ key }) => kept[key] === undefined);
  const jobs = Array.from({ length: Number(values.jobs) }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      kept[next.key] = await run(folder, next.subject, next.schedule, next.seed, next.key);
      if (kept[next.key].failed !== undefined) console.error(next.key, kept[next.key].failed);
      if (values.keep) writeFileSync(values.keep, JSON.stringify(kept));
    }
  });
  await Promise.all(jobs);
  print(all, (subject, schedule) =>
    work.filter((each) => each.subject === subject && each.schedule === schedule).map(({ key }) => kept[key]),
  );
}

const HEADS = {
  none: 'no schedule',
  provoke: '`provoke`',
  random: '`random`',
  pct: '`pct`',
  explore: '`explore --runs 20`',
};

/** The table, as Markdown: for each planted defect, in how many runs it was found. */
function print(all, runsOf) {
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  const times = (runs) => `${runs.filter(({ isFound }) => isFound).length}/${runs.length}`;
  const share = (runs, is) => `${Math.round((100 * runs.filter((run) => run[is]).length) / runs.length)} %`;
  const each = (cell) => SCHEDULES.map(cell);
  row(['program', 'lock removed', ...each((schedule) => HEADS[schedule])]);
  row(['---', '---', ...each(() => '---')]);
  const planted = all.filter(({ lock }) => lock !== null);
  const correct = all.filter(({ lock }) => lock === null);
  // What is not atomic, and is not meant to be, when all locks are there: two steps under a lock each, for example.
  const loose = (name) =>
    correct
      .filter(({ program }) => program === name)
      .flatMap((subject) => each((schedule) => runsOf(subject, schedule)).flat())
      .flatMap(({ warned }) => warned);
  const judged = (subject, schedule) => {
    const known = new Set(loose(subject.program));
    return runsOf(subject, schedule).map(({ error, warned }) => ({
      error,
      isFound: error || warned.some((about) => !known.has(about)),
    }));
  };
  for (const subject of planted)
    row([subject.program, subject.lock, ...each((schedule) => times(judged(subject, schedule)))]);
  const ofPlanted = (schedule) => planted.flatMap((subject) => judged(subject, schedule));
  row([
    `**${planted.length} defects**`,
    '**found in one run**',
    ...each((schedule) => `**${share(ofPlanted(schedule), 'isFound')}**`),
  ]);
  row(['', 'of these as errors', ...each((schedule) => share(ofPlanted(schedule), 'error'))]);
  const ofCorrect = (schedule) => correct.flatMap((subject) => judged(subject, schedule));
  row([`${correct.length} correct programs`, 'reported', ...each((schedule) => times(ofCorrect(schedule)))]);
}

await main();
