import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import type { JsonReport, JsonResult } from '../../src/check/json-results.ts';
import { type Run, temporaryFolder, trackside } from '../cli/run.ts';
import { install, PATIENCE } from '../support/install.ts';

const SOURCES = fileURLToPath(new URL('programs/', import.meta.url));

/** The compilers that programs are tried with. */
export const COMPILERS = ['gcc', 'clang'] as const;
export type CompilerName = (typeof COMPILERS)[number];

/** Programs are compiled into a folder that is gone when the tests are over. */
const folder = temporaryFolder();

beforeAll(() => install('compilers'), PATIENCE);

export function environment(compiler: CompilerName): Record<string, string> {
  return { TRACKSIDE_CC: compiler, TRACKSIDE_CXX: compiler === 'gcc' ? 'g++' : 'clang++' };
}

const made = new Set<string>();

/** Compiles a program of `programs/` as a user does, once; gives the path of the executable. */
export function compiled(source: string, compiler: CompilerName, ...flags: string[]): string {
  const program = join(folderOf(compiler), basename(source).replace(/\.\w+$/, '') + flags.join(''));
  if (made.has(program)) return program;
  made.add(program);
  const command = source.endsWith('.c') ? ['cc'] : ['c++', '-std=c++14'];
  const args = [...command, '-O2', ...flags, join(SOURCES, source), '-o', program];
  const { status, stderr } = trackside(args, { env: environment(compiler) });
  if (status !== 0) throw new Error(`${source} was not compiled by ${compiler}: ${stderr}`);
  return program;
}

/** The same program as the compiler makes it by itself. */
export function plain(source: string, compiler: CompilerName): string {
  const program = join(folderOf(compiler), `plain-${source.replace(/\.\w+$/, '')}`);
  const { status, stderr } = spawnSync(compiler, ['-O1', join(SOURCES, source), '-o', program, '-lpthread']);
  if (status !== 0) throw new Error(`${source}: ${stderr}`);
  return program;
}

export function folderOf(compiler: CompilerName): string {
  const path = join(folder.path, compiler);
  mkdirSync(path, { recursive: true });
  return path;
}

export interface NativeRun extends Run {
  report: JsonReport;
  result: JsonResult;
}

/** `trackside native … -- program args`, with the JSON report taken apart. */
export function native(options: readonly string[], program: string, ...args: string[]): NativeRun {
  const file = folder.write('report.json', '');
  const run = trackside(['native', '--reporter', `json=${file}`, ...options, '--', program, ...args]);
  const report = JSON.parse(reportIn(file, run)) as JsonReport;
  return { ...run, report, result: report.results[0] };
}

function reportIn(file: string, { stderr }: Run): string {
  const { stdout } = spawnSync('cat', [file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (stdout === '') throw new Error(`there is no report: ${stderr}`);
  return stdout;
}
