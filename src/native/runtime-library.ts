import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userCaches } from '../startup/code-cache.ts';
import { InputProblem } from '../trace/problem.ts';
import { type Compiler, firstOnPath } from './toolchain.ts';

/** The sources travel with the package, beside what is bundled. */
const [SHIPPED, WRITTEN, INCLUDED] = [
  '../native-runtime/',
  '../../native/runtime/',
  '../../native/include/',
].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const RUNTIME = existsSync(SHIPPED) ? SHIPPED : WRITTEN;

/** Where `trackside.h` is. */
export const HEADERS: string = INCLUDED;

export interface RuntimeLibrary {
  archive: string;
  /** Names of what shared libraries of the program must find in it, for the linker. */
  exported: string;
}

const FLAGS = [
  '-std=gnu11',
  '-O2',
  '-g',
  '-falign-functions=32',
  '-fPIE',
  '-fno-builtin',
  '-fvisibility=hidden',
  '-fno-stack-protector',
];

/** The runtime, compiled by this compiler: now, or when it was first needed. */
export function runtimeLibrary(chosen: Compiler): RuntimeLibrary {
  const compiler = { ...chosen, command: asOfC(chosen.command) };
  const folder = join(userCaches() ?? tmpdir(), 'trackside', 'native', checksum(compiler));
  const library = { archive: join(folder, 'libtrackside_rt.a'), exported: join(folder, 'exported.list') };
  if (!existsSync(library.exported)) buildOnce(compiler, folder, library.exported);
  return library;
}

/** So long a process waits for another one that builds the same. */
const PATIENCE = 120_000;

/** `make -j` links several programs at once: one process builds, and the others wait for it. */
function buildOnce(compiler: Compiler, folder: string, done: string): void {
  mkdirSync(join(folder, '..'), { recursive: true, mode: 0o700 });
  const mark = `${folder}.building`;
  const until = Date.now() + PATIENCE;
  while (!existsSync(done)) {
    try {
      writeFileSync(mark, `${process.pid}`, { flag: 'wx' });
    } catch {
      if (isAbandoned(mark)) {
        rmSync(mark, { force: true });
        continue;
      }
      if (Date.now() < until) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        continue;
      }
    }
    try {
      if (!existsSync(done)) build(compiler, folder);
    } finally {
      rmSync(mark, { force: true });
    }
  }
}

/** Whether whoever was building is not there any more. */
function isAbandoned(mark: string): boolean {
  try {
    process.kill(Number(readFileSync(mark, 'utf8')) || process.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The C compiler that belongs to a C++ compiler. */
function asOfC(command: string): string {
  const name = basename(command).replace('clang++', 'clang').replace('g++', 'gcc').replace('c++', 'cc');
  const beside = join(dirname(command), name);
  return existsSync(beside) ? beside : (firstOnPath(name, 'cc', 'gcc', 'clang') ?? command);
}

function sources(): string[] {
  return readdirSync(RUNTIME).sort();
}

function checksum({ command, version }: Compiler): string {
  // `g++ (Debian 12.2.0-14) 12.2.0` has the same C compiler as `gcc (…`.
  const named = version.replace(/^\S*(?:gcc|g\+\+|cc|c\+\+)\S* (?=\()/, '');
  const hash = createHash('sha256').update(
    `${command}\0${named}\0${FLAGS.join(' ')}\0${process.getuid?.() ?? ''}`,
  );
  for (const name of sources()) hash.update(name).update(readFileSync(join(RUNTIME, name)));
  return hash.digest('hex').slice(0, 32);
}

/** Made beside its place and moved there whole: several compilers may run at once. */
function build(compiler: Compiler, folder: string): void {
  const made = mkdtempSync(`${folder}-`);
  try {
    const files = sources().filter((name) => name.endsWith('.c'));
    const wide = process.arch === 'x64' ? ['-mcx16'] : [];
    run(compiler.command, [...FLAGS, ...wide, '-c', ...files.map((name) => join(RUNTIME, name))], made);
    const objects = files.map((name) => name.replace(/c$/, 'o'));
    // One object that shows nothing but what it is to show: programs have functions of the same names.
    run(compiler.command, ['-r', '-nostdlib', '-o', 'whole.o', ...objects], made);
    run(tool('objcopy'), ['--localize-hidden', 'whole.o'], made);
    run(tool('ar'), ['rcs', 'libtrackside_rt.a', 'whole.o'], made);
    const names = run(tool('nm'), ['-g', '--defined-only', 'libtrackside_rt.a'], made)
      .split('\n')
      .flatMap((line) => / [WV] (\S+)$/.exec(line)?.[1] ?? []);
    for (const object of [...objects, 'whole.o']) rmSync(join(made, object));
    writeFileSync(join(made, 'exported.list'), `{\n${names.map((name) => `  ${name};\n`).join('')}};\n`);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Somebody else was quicker.
    if (!existsSync(join(folder, 'exported.list'))) throw error;
  }
}

function tool(name: string): string {
  const found = firstOnPath(name, `llvm-${name}`, `gcc-${name}`);
  if (found !== null) return found;
  throw new InputProblem('the tools of the compiler are not complete', {
    found: `no ${name}`,
    expected: 'those of binutils or LLVM: apt-get install binutils',
  });
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout;
  throw new InputProblem('the runtime for native programs cannot be compiled', {
    file: command,
    found: error?.message ?? stderr.trim().split('\n').slice(0, 5).join('; '),
    expected: 'a compiler with the headers of the C library: apt-get install libc6-dev',
  });
}
