import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import { InputProblem } from '../trace/problem.ts';

export type Language = 'c' | 'c++';

/** A compiler of the user's own. */
export interface Compiler {
  command: string;
  kind: 'gcc' | 'clang';
  /** What it says of itself: another one is another compiler. */
  version: string;
}

const OLDEST: Readonly<Record<Compiler['kind'], number>> = { gcc: 12, clang: 14 };
const LOOKS_LIKE_COMPILER = /^(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-[\d.]+)?$/;

/** The program of this name on the path; null if there is none. */
export function onPath(name: string): string | null {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const path = folder === '' ? resolve(name) : join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  return null;
}

/** The first of the programs that is there. */
export function firstOnPath(...names: string[]): string | null {
  for (const name of names) {
    const found = onPath(name);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The compiler to use: that of `TRACKSIDE_CC` or `TRACKSIDE_CXX`; the first word, as CMake's launchers have it; or what is
 * there. Gives also the words that are for the compiler.
 */
export function chooseCompiler(language: Language, words: readonly string[]): [Compiler, string[]] {
  const [first, ...rest] = words;
  if (first !== undefined && !first.startsWith('-') && LOOKS_LIKE_COMPILER.test(basename(first))) {
    const found = isAbsolute(first) ? first : onPath(first);
    if (found !== null) return [compilerAt(found), rest];
  }
  const variable = language === 'c' ? 'TRACKSIDE_CC' : 'TRACKSIDE_CXX';
  const wanted = process.env[variable];
  if (wanted !== undefined && wanted !== '') {
    const found = onPath(wanted);
    if (found !== null) return [compilerAt(found), [...words]];
    throw new InputProblem(`${variable} names no program`, {
      found: wanted,
      expected: 'gcc, clang-16 or the like',
    });
  }
  const usual = language === 'c' ? ['cc', 'gcc', 'clang'] : ['c++', 'g++', 'clang++'];
  const found = firstOnPath(...usual);
  if (found !== null) return [compilerAt(found), [...words]];
  throw new InputProblem(`there is no ${language === 'c' ? 'C' : 'C++'} compiler`, {
    found: `none of ${usual.join(', ')}`,
    expected: `GCC ≥ 12 or clang ≥ 14: apt-get install gcc g++, or clang; ${variable} names another one`,
  });
}

function compilerAt(command: string): Compiler {
  const { stdout, status } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const [version = ''] = (stdout ?? '').split('\n');
  const kind = /clang/i.test(stdout ?? '') ? 'clang' : 'gcc';
  const major = Number(/(?:version|\)) (\d+)\./.exec(version)?.[1] ?? /(\d+)\.\d/.exec(version)?.[1] ?? 0);
  if (status === 0 && major >= OLDEST[kind]) return { command, kind, version };
  throw new InputProblem(`this compiler cannot be used`, {
    file: command,
    found: version === '' ? 'something that does not say its version' : version,
    expected: 'GCC ≥ 12 or clang ≥ 14; TRACKSIDE_CC and TRACKSIDE_CXX name another one',
  });
}
