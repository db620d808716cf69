// Runs the test suites of database drivers, plain and under `trackside run`, and says which tests pass only in one of the two ways:
// a driver has to behave the same when it is followed.
//
//   node scripts/driver-suites.mjs [--from <where>] [--keep <folder>] [driver ...]
//
// Packages do not have their tests in the registry, so those come from the repositories: `--from` says where these are, with
// {owner} and {name} for what they are called (default: https://github.com/{owner}/{name}.git). The drivers are the published ones, of
// test/stores. `--keep` is a folder that is used again the next time. docs/appendix/driver-suites.md has the figures.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './driver-suites/servers.mjs';
import { SUITES } from './driver-suites/suites.mjs';
import { compile } from './driver-suites/typescript.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = path.join(ROOT, 'dist/cli/main.js');
const DRIVERS = path.join(ROOT, 'test/stores/node_modules');

/** What the suites need besides the drivers. */
const TOOLS = [
  ...['mocha@11', 'chai@4', 'fs-extra@11', 'cli-color@2'],
  ...['async@2.6.4', 'co@4.6.0', 'bluebird@3.7.2', 'pg-copy-streams@6'],
  ...['typescript@5', 'sinon@17', 'chai-as-promised@7', 'server-destroy@1', 'uuid@9', 'yargs@17'],
  ...['jasmine-node@3', 'JSONStream@1.3.5', '@opentelemetry/api@1', '@opentelemetry/sdk-metrics@2'],
  '@node-rs/xxhash@1.7.6',
];

/** A test that takes longer has failed: its own limits are for a machine that has nothing else to do. */
const PATIENCE = 900_000;

function install(folder) {
  const done = path.join(folder, 'installed');
  if (fs.existsSync(done)) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const silently = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...silently, ...TOOLS], { cwd: folder, stdio: 'inherit' });
  execFileSync(path.join(ROOT, 'scripts/install-drivers.sh'), { stdio: 'inherit' });
  for (const name of fs.readdirSync(DRIVERS)) {
    const target = path.join(folder, 'node_modules', name);
    if (!name.startsWith('.') && (!fs.existsSync(target) || name in SUITES || name.startsWith('pg')))
      fs.cpSync(path.join(DRIVERS, name), target, { recursive: true, force: true });
  }
  fs.writeFileSync(done, '');
}

/** Puts the tests of a driver beside its code, as they are in its repository. */
function addTests({ repository, ref, copies, edits = [] }, modules, where) {
  if (copies.every(({ done, to }) => fs.existsSync(path.join(modules, done ?? to)))) return;
  const [owner, name] = repository.split('/');
  const source = where.replaceAll('{owner}', owner).replaceAll('{name}', name);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'trackside-suite-'));
  try {
    if (fs.existsSync(path.join(source, 'HEAD'))) {
      const paths = copies.map(({ from }) => from);
      const archive = execFileSync('git', ['--git-dir', source, 'archive', ref, ...paths], {
        maxBuffer: 2 ** 28,
      });
      execFileSync('tar', ['x', '-C', scratch], { input: archive });
    } else execFileSync('git', ['clone', '--quiet', '--depth=1', `--branch=${ref}`, source, scratch]);
    for (const { from, to, only = /(?:)/, imports = [], interop } of copies) {
      const copied = path.join(scratch, from);
      for (const file of fs.readdirSync(copied, { recursive: true }))
        if (!only.test(file) && !fs.statSync(path.join(copied, file)).isDirectory())
          fs.rmSync(path.join(copied, file));
      compile(copied, imports, modules, interop);
      fs.cpSync(copied, path.join(modules, to), { recursive: true });
    }
    for (const [file, text, replacement] of edits) {
      const edited = path.join(modules, file);
      fs.writeFileSync(edited, fs.readFileSync(edited, 'utf8').replace(text, replacement));
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const WAYS = {
  plain: [],
  watched: [MAIN, 'run', '--no-live', '--reporter', 'json=watched.json'],
};

/** The tests that pass, by name. */
function passed(suite, folder, env, way, modules) {
  const found = new Set();
  for (const [file, ...rest] of suite.runs(folder)) {
    const isTool = fs.existsSync(path.join(modules, file));
    const run = [isTool ? path.join(modules, file) : file, ...rest];
    const ended = spawnSync(process.execPath, [...WAYS[way], ...run], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: { ...process.env, ...suite.env, ...env },
      encoding: 'utf8',
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 28,
    });
    // Findings are no failures of the program.
    const status =
      way === 'watched' && ended.status === 1 && !/failed|error/i.test(ended.stdout) ? 0 : ended.status;
    const names = suite.count({ ...ended, status }, run);
    if (process.env.VERBOSE)
      process.stderr.write(`${way} ${run[0]}: ${names.length}\n${ended.stderr.slice(-2000)}\n`);
    for (const name of names) found.add(name);
  }
  return found;
}

const { values, positionals } = parseArgs({
  options: {
    from: { type: 'string', default: 'https://github.com/{owner}/{name}.git' },
    keep: { type: 'string' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  process.stderr.write(
    `there is no suite of ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}\n`,
  );
  process.exit(2);
}
const folder = path.resolve(values.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'trackside-suites-')));
let differs = false;
try {
  install(folder);
  process.stdout.write('| driver | passed plain | passed watched | only one of them |\n|---|---|---|---|\n');
  for (const [name, suite] of Object.entries(SUITES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const modules = path.join(folder, 'node_modules');
    addTests(suite, modules, values.from);
    const target = path.join(modules, suite.package ?? name);
    const { version } = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8'));
    const server = await startServer(suite.server);
    try {
      const { env } = server;
      const [plain, watched] = ['plain', 'watched'].map((way) => passed(suite, target, env, way, modules));
      const only = [...plain]
        .filter((test) => !watched.has(test))
        .concat([...watched].filter((test) => !plain.has(test)));
      differs ||= only.length > 0 || plain.size === 0;
      process.stdout.write(
        `| ${name} ${version} | ${plain.size} | ${watched.size} | ${only.slice(0, 8).join('; ')} |\n`,
      );
    } finally {
      await server.stop();
    }
  }
} finally {
  if (values.keep === undefined) fs.rmSync(folder, { recursive: true, force: true });
}
process.exitCode = differs ? 1 : 0;
