// Builds published C and C++ programs with `trackside cc`, by their own build files, and runs them with and without
// `trackside native`: their output must be the same, a published bug be found and its corrected version hold. Takes minutes
// and the network, so it is no test; needs `npm run build`, git, cargo, autoconf, automake, libevent-dev and libbz2-dev.
//
//   node scripts/native-programs.mjs [--from FOLDER]     FOLDER holds clones that are taken instead of those on GitHub
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const LOAD = fileURLToPath(new URL('native-programs/memcached-load.mjs', import.meta.url));
const CHECKSUMS = fileURLToPath(new URL('native-programs/checksums.c', import.meta.url));
const SOURCES = {
  memcached: 'https://github.com/memcached/memcached',
  pbzip2: 'https://github.com/ruanhuabin/pbzip2',
  sqlite: 'https://github.com/sqlite/sqlite',
};
/** SQLite as one file, which a driver of the tests brings along (scripts/install-drivers.sh). */
const AMALGAMATION = fileURLToPath(
  new URL('../test/stores/node_modules/better-sqlite3/deps/sqlite3/', import.meta.url),
);
/** Issue 127 of memcached: incr looks an item up, and changes it later. */
const BAD = '1.4.5';
const GOOD = '1.4.6';
/** Versions of the crate that brings zlib along, and of zlib: 1.2.12 uses "atomic test and set […] for dynamic CRC tables". */
const ZLIBS = [
  { crate: '1.1.3', version: '1.2.11', isBroken: true },
  { crate: '1.1.20', version: '1.3.1', isBroken: false },
];
/** Attempts at an interleaving, each with another seed. */
const ATTEMPTS = 5;

const { values: options } = parseArgs({ options: { from: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'native-programs-'));
let failures = 0;

function run(command, args, settings = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...settings });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${result.error ?? result.stderr.slice(-2000)}`);
  return result.stdout;
}

/** `trackside` on PATH, as those who install it have it. */
function withTrackside() {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'trackside'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(join(bin, 'trackside'), 0o755);
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}
const env = withTrackside();

/** Where to clone it from. */
function origin(name) {
  const own = options.from === undefined ? '' : join(options.from, name);
  return existsSync(own) ? own : SOURCES[name];
}

function sources(name, version) {
  const to = join(folder, `${name}-${version ?? 'newest'}`);
  const branch = version === undefined ? [] : ['-c', 'advice.detachedHead=false', '-b', version];
  run('git', ['clone', '-q', ...branch, origin(name), to]);
  return to;
}

function row(name, { events, blocks, violations }, remark, isExpected) {
  const errors = new Set(
    violations.filter(({ severity }) => severity === 'error').map(({ block }) => block?.label),
  );
  if (!isExpected) failures++;
  const verdict = isExpected ? 'as expected' : 'NOT as expected';
  console.log(
    `| ${[name, events, blocks.checked, [...errors].join(', ') || '–', remark, verdict].join(' | ')} |`,
  );
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function buildMemcached(version) {
  const cwd = sources('memcached', version);
  run('perl', ['version.pl'], { cwd });
  run('autoreconf', ['-fi'], { cwd });
  // -fcommon: sources of that age define a variable in several files.
  const flags = { CC: 'trackside cc', CFLAGS: '-g -O1 -fcommon -w' };
  run('sh', ['./configure', '--disable-docs', '--disable-dtrace'], { cwd, env: { ...env, ...flags } });
  run('make', ['memcached', 'AM_CFLAGS=-w'], { cwd, env });
  return join(cwd, 'memcached');
}

/** One run under load, checked while it runs. */
async function serve(program, seed) {
  const port = await freePort();
  const report = join(folder, 'report.json');
  const server = ['-u', 'root', '-U', '0', '-l', '127.0.0.1', '-p', String(port), '-t', '4'];
  const words = [MAIN, 'native', '--quiet', '--provoke', String(seed), '--reporter', `json=${report}`, '--'];
  const watched = spawn(process.execPath, [...words, program, ...server], { stdio: 'ignore' });
  const load = spawn(process.execPath, [LOAD, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(load.stdout, 'data');
  const child = run('ps', ['-o', 'pid=', '--ppid', String(watched.pid)]).trim();
  process.kill(Number(child), 'SIGINT');
  await once(watched, 'exit');
  const [result] = JSON.parse(readFileSync(report, 'utf8')).results;
  return { result, printed: String(printed).trim() };
}

async function memcached() {
  const bad = buildMemcached(BAD);
  for (let seed = 1; seed <= ATTEMPTS; seed++) {
    const { result, printed } = await serve(bad, seed);
    const isFound = result.violations.some(
      ({ block, severity }) => severity === 'error' && block?.label === 'process_arithmetic_command',
    );
    if (!isFound && seed < ATTEMPTS) continue;
    row(`memcached ${BAD}`, result, printed, isFound);
    break;
  }
  const good = buildMemcached(GOOD);
  for (let seed = 1; seed <= ATTEMPTS; seed++) {
    const { result, printed } = await serve(good, seed);
    row(
      `memcached ${GOOD}, seed ${seed}`,
      result,
      printed,
      result.violations.every(({ severity }) => severity !== 'error'),
    );
  }
}

/** The sources that a crate brings along. */
function crate(name, version) {
  const cwd = join(folder, `${name}-${version}`);
  mkdirSync(join(cwd, 'src'), { recursive: true });
  writeFileSync(join(cwd, 'src/lib.rs'), '');
  const manifest = ['[package]', 'name = "wants"', 'version = "0.0.0"', '[dependencies]'];
  writeFileSync(join(cwd, 'Cargo.toml'), [...manifest, `${name} = "=${version}"`, ''].join('\n'));
  run('cargo', ['vendor', '-q'], { cwd });
  return join(cwd, 'vendor', name);
}

/** Its tables of checksums made when they are first needed, which its authors call "not thread-safe, but better than nothing". */
function zlib() {
  for (const { crate: packaged, version, isBroken } of ZLIBS) {
    const from = join(crate('libz-sys', packaged), 'src/zlib');
    const program = join(folder, `checksums-${version}`);
    const files = [CHECKSUMS, join(from, 'crc32.c')];
    run('trackside', ['cc', '-w', '-O1', '-DDYNAMIC_CRC_TABLE', `-I${from}`, ...files, '-o', program], {
      env,
    });
    for (let seed = 1; seed <= ATTEMPTS; seed++) {
      const report = join(folder, 'report.json');
      const options = ['--quiet', '--provoke', String(seed), '--reporter', `json=${report}`];
      const { stdout } = spawnSync(process.execPath, [MAIN, 'native', ...options, '--', program], {
        encoding: 'utf8',
      });
      const [result] = JSON.parse(readFileSync(report, 'utf8')).results;
      const errors = result.violations.filter(({ severity }) => severity === 'error');
      const isFound = errors.some(({ block }) => block?.label === 'make_crc_table');
      if (isBroken && !isFound && seed < ATTEMPTS) continue;
      const remark = [...new Set(stdout.trim().split('\n'))].join(', ');
      row(`zlib ${version}, seed ${seed}`, result, remark, isBroken ? isFound : errors.length === 0);
      if (isBroken) break;
    }
  }
}

function pbzip2() {
  const cwd = sources('pbzip2');
  const files = ['pbzip2.cpp', 'BZ2StreamScanner.cpp', 'ErrorContext.cpp'];
  const flags = ['-std=c++98', '-O2', '-w', '-pthread', '-DUSE_STACKSIZE_CUSTOMIZATION'];
  run('trackside', ['c++', ...flags, ...files, '-o', 'watched', '-lbz2'], { cwd, env });
  run('g++', [...flags, ...files, '-o', 'plain', '-lbz2'], { cwd });
  const data = Array.from({ length: 200_000 }, (_, i) => `${i} ${(i * 2654435761) % 4294967296}\n`).join('');
  writeFileSync(join(cwd, 'data'), data);
  const args = ['-p4', '-b1', '-k', '-c', '-q', 'data'];
  const binary = { cwd, encoding: 'buffer' };
  const plain = run('./plain', args, binary);
  const report = join(folder, 'report.json');
  const words = [MAIN, 'native', '--quiet', '--reporter', `json=${report}`, '--', './watched', ...args];
  const watched = run(process.execPath, words, binary);
  const [result] = JSON.parse(readFileSync(report, 'utf8')).results;
  row('pbzip2', result, `${watched.length} bytes, as without`, watched.equals(plain));
}

/** Its own threaded test, unchanged: four threads, which check at the end what they have written. */
function sqlite() {
  const cwd = join(folder, 'sqlite');
  run('git', ['clone', '-q', '--no-checkout', '--depth', '1', origin('sqlite'), cwd]);
  const test = join(folder, 'threadtest5.c');
  writeFileSync(test, run('git', ['show', 'HEAD:test/threadtest5.c'], { cwd }));
  const program = join(folder, 'threadtest5');
  const flags = ['-O1', '-w', '-DHAVE_USLEEP=1', `-I${AMALGAMATION}`];
  const files = [test, join(AMALGAMATION, 'sqlite3.c')];
  run('trackside', ['cc', ...flags, ...files, '-o', program, '-lpthread', '-ldl', '-lm'], { env });
  const report = join(folder, 'report.json');
  // The test gives up a statement that has waited for two seconds, so only few functions are watched as blocks.
  const options = ['--quiet', '--atomic', 'sqlite3_exec', '--reporter', `json=${report}`];
  const { stdout } = spawnSync(process.execPath, [MAIN, 'native', ...options, '--', program], {
    encoding: 'utf8',
  });
  const [result] = JSON.parse(readFileSync(report, 'utf8')).results;
  const last = stdout.trim().split('\n').at(-1);
  row('SQLite, threadtest5', result, last, last === 'OK');
}

console.log('| program | events | blocks | not atomic | output | |');
console.log('|---|---|---|---|---|---|');
pbzip2();
zlib();
sqlite();
await memcached();
rmSync(folder, { recursive: true });
process.exitCode = failures === 0 ? 0 : 1;
