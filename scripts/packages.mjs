// Runs packages from the registry, plain and under `trackside run`, and prints what came of it as the tables of
// docs/packages.md. Needs the registry and a build; takes a few minutes.
//
//   node scripts/packages.mjs [--node <path>] [--trackside <dist/cli/main.js>] [name…]
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

/** Times differ from run to run. */
function comparable(output) {
  return output.replace(/duration_ms:? [\d.]+/g, 'duration').replace(/\(\d+(\.\d+)?ms\)/g, '');
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
  for (const { name, from = name, bad, good } of cases) {
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

function suites() {
  const cases = SUITES.filter(({ name }) => isWanted(name));
  if (cases.length === 0) return;
  console.log(
    '\n| package with its own tests | version | files | same results | errors in its own blocks | as it should be |\n|---|---|---|---|---|---|',
  );
  for (const { name, version, also, files } of cases) {
    const folder = path.join(scratch, 'suites', name);
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
    const differing = [];
    const errors = [];
    for (const file of files) {
      const plain = run(folder, [file]);
      const under = checked(folder, [], [file]);
      if (comparable(plain.stdout) !== comparable(under.stdout) || plain.status !== 0 || under.broken)
        differing.push(file);
      // Tests do things that programs should not.
      errors.push(...under.errors.filter((violation) => !placeOf(violation).includes('test')));
    }
    row(
      differing.length + errors.length === 0,
      name,
      version,
      files.length,
      differing.length === 0 ? 'yes' : `not ${differing.join(', ')}`,
      errors.length === 0 ? '0' : errors.map(placeOf).join('; '),
    );
  }
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
