import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Compiler, firstOnPath } from './toolchain.ts';

/*
 * `__attribute__((annotate("atomic")))` is in clang's intermediate code and in no object. We ask for that code where a source
 * mentions annotations at all, and add the names of the functions to the object, in a section that the runtime reads.
 */
const SECTION = '.trackside.atomic';

/** Adds to the object which of its functions are annotated as atomic. `words` is what it was compiled with, but for `-c` and `-o`. */
export function addAnnotations(
  { command, kind }: Compiler,
  words: readonly string[],
  source: string,
  object: string,
): void {
  if (kind !== 'clang' || !mentionsAnnotations(source, words)) return;
  const args = [
    ...withoutDependencies(words),
    source,
    '-S',
    '-emit-llvm',
    '-Xclang',
    '-disable-llvm-passes',
    '-w',
    '-o',
    '-',
  ];
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  const names = status === 0 ? atomicFunctions(stdout) : [];
  if (names.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'trackside-cc-'));
  try {
    const list = join(folder, 'names');
    writeFileSync(list, names.map((name) => `${name}\0`).join(''));
    const tool = firstOnPath('objcopy', 'llvm-objcopy');
    const added =
      tool !== null && spawnSync(tool, ['--add-section', `${SECTION}=${list}`, object]).status === 0;
    if (!added)
      process.stderr.write(
        `trackside: ${source}: what is annotated as atomic cannot be noted in ${object} (is it made with -flto?); use --atomic\n`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The functions of which the text of LLVM's code says so, by their names in the object. */
export function atomicFunctions(code: string): string[] {
  const strings = new Set([...code.matchAll(/^(@[\w.]+) = [^\n]*? c"atomic\\00"/gm)].map(([, name]) => name));
  const [, list = ''] = /^@llvm\.global\.annotations = [^\n]*?\[(\{[^\n]*)$/m.exec(code) ?? [];
  const functions = new Set(
    [...code.matchAll(/^define [^\n]*?@("[^"]*"|[\w.$]+)\(/gm)].map(([, name]) => name),
  );
  const found: string[] = [];
  // Each entry names what is annotated, the annotation, the file, the line and more.
  for (const entry of list.split(/\{ (?=\w+\*? )/)) {
    const [what, annotation] = [...entry.matchAll(/@("[^"]*"|[\w.$]+)/g)].map(([, name]) => name);
    if (what === undefined || !functions.has(what) || !strings.has(`@${annotation}`)) continue;
    found.push(what.replace(/^"(.*)"$/, '$1'));
  }
  return found;
}

/** Lists of dependencies are written once. */
function withoutDependencies(words: readonly string[]): string[] {
  return words.filter((word, i) => !/^-M/.test(word) && !/^-M[FTQ]$/.test(words[i - 1] ?? ''));
}

/** Whether the word stands in the source or in what it includes from the program's own folders. */
function mentionsAnnotations(source: string, words: readonly string[]): boolean {
  const folders = foldersOf(words);
  const seen = new Set<string>();
  const open = [resolve(source), ...afterEach(words, '-include')].filter(isFile);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = readFileSync(path, 'latin1');
    if (/\bannotate\b/.test(text)) return true;
    for (const [, name] of text.matchAll(/^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\n]+)[">]/gm)) {
      const found = [dirname(path), ...folders].map((folder) => resolve(folder, name)).find(isFile);
      if (found !== undefined) open.push(found);
    }
  }
  return false;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function foldersOf(words: readonly string[]): string[] {
  return ['-I', '-iquote', '-isystem'].flatMap((option) => afterEach(words, option));
}

/** The values of an option, in the same word or the next. */
function afterEach(words: readonly string[], option: string): string[] {
  return words.flatMap((word, i) => {
    if (word === option) return words[i + 1] === undefined ? [] : [resolve(words[i + 1])];
    return word.startsWith(option) ? [resolve(word.slice(option.length))] : [];
  });
}
