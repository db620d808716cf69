import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import type { JsonReport, JsonResult } from '../../src/check/json-results.ts';
import { compile } from '../../src/native/compile.ts';
import { type Run, trackside } from '../cli/run.ts';
import { install, PATIENCE } from '../support/install.ts';

export const SOURCES: string = fileURLToPath(new URL('programs/', import.meta.url));

/** The compilers that programs are tried with. */
export const COMPILERS = ['gcc', 'clang'] as const;
export type CompilerName = (typeof COMPILERS)[number];

/** Programs are compiled once for all files of tests, into a folder that is gone with the process. */
const folder = mkdtempSync(join(tmpdir(), 'trackside-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => install('compilers'), PATIENCE);

export function environment(compiler: CompilerName): Record<string, string> {
  return { TRACKSIDE_CC: compiler, TRACKSIDE_CXX: compiler === 'gcc' ? 'g++' : 'clang++' };
}

const made = new Set<string>();

/** Compiles a program of `programs/`, once; gives the path of the executable. */
export function compiled(source: string, compiler: CompilerName, ...flags: string[]): string {
  const program = join(
    folderOf(compiler),
    basename(source).replace(/\.\w+$/, '') + flags.map((flag) => basename(flag)).join(''),
  );
  if (made.has(program)) return program;
  made.add(program);
  // Node takes as long to start as the compiler takes for a program, so this is done here.
  Object.assign(process.env, environment(compiler));
  const args = ['-O2', '-w', join(SOURCES, source), '-o', program, ...flags];
  const status = source.endsWith('.c') ? compile('c', args) : compile('c++', ['-std=c++14', ...args]);
  if (status !== 0) throw new Error(`${source} was not compiled by ${compiler}`);
  return program;
}

/** The same program as the compiler makes it by itself. */
export function plain(source: string, compiler: CompilerName, ...flags: string[]): string {
  const program = join(folderOf(compiler), `plain-${source.replace(/\.\w+$/, '')}`);
  const args = ['-O1', '-w', join(SOURCES, source), '-o', program, ...flags, '-lpthread'];
  const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${source}: ${stderr}`);
  return program;
}

export function folderOf(compiler: CompilerName): string {
  const path = join(folder, compiler);
  mkdirSync(path, { recursive: true });
  return path;
}

export interface NativeRun extends Run {
  report: JsonReport;
  result: JsonResult;
}

/** Several programs in one run: each process has a result of its own. */
export function nativeAll(options: readonly string[], programs: readonly string[]): NativeRun {
  return native(options, 'sh', '-c', programs.map((program) => `'${program}' >/dev/null`).join('; '));
}

/** `trackside native … -- program args`, with the JSON report taken apart. */
export function native(options: readonly string[], program: string, ...args: string[]): NativeRun {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const run = trackside(['native', '--reporter', `json=${file}`, ...options, '--', program, ...args]);
  const report = JSON.parse(reportIn(file, run)) as JsonReport;
  return { ...run, report, result: report.results[0] };
}

function reportIn(file: string, { stderr }: Run): string {
  if (!existsSync(file)) throw new Error(`there is no report: ${stderr}`);
  return readFileSync(file, 'utf8');
}
