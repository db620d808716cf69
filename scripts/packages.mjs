// Runs packages from the registry, plain and under `trackside run`, and prints what came of it as the tables of
// docs/appendix/packages.md. Needs the registry and a build; takes a few minutes.
//
//   node scripts/packages.mjs [--node <path>] [--trackside <dist/cli/main.js>] [name…]
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import picomatch from 'picomatch';
import { ALSO, BUGS, HEALTHY, KNOWN, SUITES } from './packages/cases.mjs';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    trackside: { type: 'string', default: fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)) },
  },
});
const drivers = fileURLToPath(new URL('packages', import.meta.url));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'packages-'));
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
let failures = 0;

/** A folder with these packages, and the drivers of this kind. */
function project(kind, dependencies) {
  const folder = path.join(scratch, kind);
  fs.cpSync(path.join(drivers, kind), folder, { recursive: true });
  install(folder, { name: kind, private: true, type: 'module', dependencies });
  return folder;
}

function install(folder, manifest) {
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function run(folder, args) {
  const result = spawnSync(options.node, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  return { ...result, text: result.stdout + result.stderr };
}

/** Under the tool, with what it found. */
function checked(folder, instrument, args) {
  const results = path.join(scratch, 'results.json');
  fs.rmSync(results, { force: true });
  const watched = instrument.flatMap((glob) => ['--instrument', glob]);
  const command = [
    options.trackside,
    'run',
    '--no-live',
    '--reporter',
    `json=${results}`,
    ...watched,
    ...args,
  ];
  const result = run(folder, command);
  if (!fs.existsSync(results)) return { ...result, errors: [], broken: result.text.slice(-500) };
  const [{ violations, error }] = JSON.parse(fs.readFileSync(results, 'utf8')).results;
  return {
    ...result,
    errors: violations.filter(({ severity }) => severity === 'error'),
    broken: error?.message ?? null,
  };
}

function row(isGood, name, ...cells) {
  const isKnown = KNOWN.has(name);
  if (isGood === isKnown) failures++;
  console.log(
    `| ${[name, ...cells].join(' | ')} | ${isGood ? 'yes' : isKnown ? 'no, see below' : '**no**'} |`,
  );
}

function placeOf({ interference, block }) {
  const places = [interference?.first, interference?.last].map((event) => event?.location ?? '?');
  return `\`${block?.label}\` ${places.map((place) => path.basename(place)).join(', ')}`;
}

function bugs() {
  const cases = BUGS.filter(({ name }) => isWanted(name));
  if (cases.length === 0) return;
  const dependencies = {};
  for (const { name, from = name, bad, good, also } of cases) {
    Object.assign(dependencies, also);
    if (bad === good) dependencies[name] = bad;
    else
      for (const [kind, version] of Object.entries({ bad, good }))
        dependencies[`${name}-${kind}`] = `npm:${from}@${version}`;
  }
  const folder = project('bugs', dependencies);
  console.log(
    '| package | bad | good | found in the bad one | errors in the good one | as it should be |\n|---|---|---|---|---|---|',
  );
  for (const { name, from = name, bad, good, block, lines } of cases) {
    const inBad = checked(folder, ['node_modules/**'], [`${name}.mjs`, 'bad']);
    const inGood = checked(folder, ['node_modules/**'], [`${name}.mjs`, 'good']);
    const found = inBad.errors.find((violation) => {
      const place = placeOf(violation);
      return violation.block?.label === block && lines.every((line) => place.includes(line));
    });
    const isGood =
      found !== undefined && inBad.status === 1 && inGood.errors.length === 0 && inGood.status === 0;
    const seen = found ?? inBad.errors[0];
    row(
      isGood,
      from,
      bad,
      bad === good ? 'one after the other' : good,
      seen === undefined ? (inBad.broken ?? 'nothing') : placeOf(seen),
      inGood.broken ?? inGood.errors.length,
    );
  }
}

function healthy() {
  const cases = Object.entries(HEALTHY).filter(([name]) => isWanted(name));
  if (cases.length === 0) return;
  const folder = project('healthy', { ...Object.fromEntries(cases), ...ALSO });
  console.log('\n| package | version | same output | errors | as it should be |\n|---|---|---|---|---|');
  for (const [name, version] of cases) {
    const file = `${name}.mjs`;
    const plain = run(folder, [file]);
    const under = checked(folder, ['node_modules/**'], [file]);
    const isSame =
      plain.stdout === under.stdout && plain.status === 0 && (under.status === 0 || under.errors.length > 0);
    const errors =
      under.broken ?? (under.errors.length === 0 ? '0' : [...new Set(under.errors.map(placeOf))].join('; '));
    row(
      isSame && under.errors.length === 0 && under.broken === null,
      name,
      version,
      isSame ? 'yes' : '**no**',
      errors,
    );
  }
}

/** The files of a package that its tests are in. */
function testFiles(folder, { files, not = [], runner }) {
  if (runner !== undefined) return files;
  const isTest = picomatch(files, { ignore: not });
  const all = fs.readdirSync(folder, { recursive: true }).filter((file) => !file.startsWith('node_modules'));
  return all.filter((file) => isTest(file)).sort();
}

/** What was tested, and how it ended; without times, and in the words of TAP, of Mocha or of Node. */
function outcomes({ stdout }) {
  const lines = stdout
    .split('\n')
    .filter((line) => /^\s*(?:(?:not )?ok |[✔✖] |\d+\) |- |\d+ passing)/.test(line));
  return lines.map((line) => line.replace(/\s*(?:# time=|\()\d+(?:\.\d+)?m?s\)?\s*$/, '').trimEnd());
}

/** A line without others below it: TAP has one more for the test that they are part of. */
function countOf(lines) {
  const summary = lines.map((line) => /^\s*(\d+) passing/.exec(line)).find((match) => match !== null);
  return summary ? Number(summary[1]) : lines.length;
}

/** One file of tests, plain and under the tool. Tests that go by the clock may fail for once. */
function tested(folder, args) {
  let compared;
  for (let attempt = 0; attempt < 3; attempt++) {
    const plain = run(folder, args);
    const under = checked(folder, [], args);
    const lines = outcomes(plain);
    const isSame =
      plain.status === 0 &&
      (under.status === 0 || under.errors.length > 0) &&
      under.broken === null &&
      lines.length > 0 &&
      lines.join('\n') === outcomes(under).join('\n');
    compared = { isSame, count: countOf(lines), errors: under.errors };
    if (isSame) break;
  }
  return compared;
}

function suites() {
  const cases = SUITES.filter(({ name }) => isWanted(name));
  if (cases.length === 0) return;
  console.log(
    '\n| package with its own tests | version | files | tests | same results | errors | as it should be |\n|---|---|---|---|---|---|---|',
  );
  for (const suite of cases) {
    const { name, version, also, isPart, runner = [] } = suite;
    const folder = path.join(scratch, 'suites', name);
    unpack(folder, name, version, also);
    const files = testFiles(folder, suite);
    const differing = [];
    const errors = [];
    let count = 0;
    for (const file of files) {
      const { isSame, count: tests, errors: found } = tested(folder, [...runner, file]);
      count += tests;
      if (!isSame) differing.push(file);
      errors.push(...found);
    }
    row(
      differing.length + errors.length === 0,
      name,
      version,
      isPart
        ? `${files.length}, those that need no server`
        : runner.length > 0
          ? 'all'
          : `all ${files.length}`,
      count,
      differing.length === 0 ? 'yes' : `not ${differing.join(', ')}`,
      errors.length === 0 ? '0' : [...new Set(errors.map(placeOf))].join('; '),
    );
  }
}

/** A package as it is published, in a folder of its own, with what it depends on. */
function unpack(folder, name, version, also) {
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', `${name}@${version}`, '--loglevel=error'], { cwd: folder, stdio: 'ignore' });
  const [archive] = fs.readdirSync(folder);
  execFileSync('tar', ['xzf', archive, '--strip-components=1'], { cwd: folder });
  const { dependencies, ...manifest } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  install(folder, {
    ...manifest,
    devDependencies: {},
    scripts: {},
    dependencies: { ...dependencies, ...also },
  });
}

console.log(`Node ${execFileSync(options.node, ['--version'], { encoding: 'utf8' }).trim()}\n`);
try {
  bugs();
  healthy();
  suites();
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
