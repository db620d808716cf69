// Whether two builds find the same in programs: for changes that are to make watching cheaper and nothing else. Each program runs
// once with either, under a schedule that is the same each time, and is compared by severity, rule, block, places and values.
// What differs by itself is said as well: a program whose two runs with the other build differ tells nothing.
//
//   node scripts/same-findings.mjs <tree with a build> [program or folder…]
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['test/node/programs', 'test/node/realistic', 'src/node/judgement/examples', 'examples'];
const PROGRAM = /\.(?:[cm]?js|ts|mts|cts)$/;
const SECONDS = 120;

const [tree, ...given] = process.argv.slice(2);
if (tree === undefined) {
  console.error('error: expected the tree to compare with, such as ../main');
  process.exit(2);
}
const builds = [path.resolve(tree), ROOT].map((root) => path.join(root, 'dist/cli/main.js'));
const scratch = mkdtempSync(path.join(tmpdir(), 'trackside-same-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

function programsIn(name) {
  const folder = path.resolve(ROOT, name);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return PROGRAM.test(folder) ? [folder] : [];
  return readdirSync(folder)
    .filter((entry) => entry !== 'node_modules')
    .flatMap((entry) => programsIn(path.join(folder, entry)));
}

let runs = 0;

/** What a build says of a program: its exit code, and its findings in an order of their own. */
function findings(main, program) {
  const json = path.join(scratch, `${runs++}.json`);
  const options = [
    '--no-live',
    '--notes',
    '--schedule',
    'steady',
    '--seed',
    '1',
    '--reporter',
    `json=${json}`,
  ];
  const args = [main, 'run', ...options, path.basename(program)];
  return new Promise((resolve) => {
    const ending = { cwd: path.dirname(program), timeout: SECONDS * 1000, killSignal: 'SIGKILL' };
    const child = execFile(process.execPath, args, ending, (error) => {
      const { results } = JSON.parse(textOf(json) ?? '{"results":[]}');
      const found = results.flatMap(({ violations = [] }) => violations).map(outline);
      resolve([`exit ${error?.code ?? 0}`, ...found.sort()].join('\n'));
    });
    child.stdin?.end();
  });
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function outline({ severity, because, block, interference }) {
  const operations = Object.values(interference ?? {}).map(({ op, location, value }) => [
    op,
    location,
    value,
  ]);
  return JSON.stringify([severity, because?.rule, block?.label, block?.location, ...operations]);
}

const queue = (given.length === 0 ? FOLDERS : given).flatMap(programsIn);
const total = queue.length;
const counts = { same: 0, unsteady: 0, different: 0 };

async function compare() {
  for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
    const [before, now] = [await findings(builds[0], program), await findings(builds[1], program)];
    if (before === now) counts.same++;
    else if ((await findings(builds[0], program)) !== before) counts.unsteady++;
    else {
      counts.different++;
      const lines = (text, other) => text.split('\n').filter((line) => !other.split('\n').includes(line));
      console.log(path.relative(ROOT, program));
      for (const line of lines(before, now)) console.log(`  - ${line}`);
      for (const line of lines(now, before)) console.log(`  + ${line}`);
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, compare));
console.log(
  `${total} programs: ${counts.same} the same, ${counts.unsteady} that differ by themselves, ${counts.different} different`,
);
process.exitCode = counts.different === 0 ? 0 : 1;
