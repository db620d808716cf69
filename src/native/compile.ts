import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { addAnnotations } from './annotations.ts';
import { type CompilerCall, compilerCall, forCompiling, forLinking, languageOf } from './arguments.ts';
import { HEADERS, runtimeLibrary } from './runtime-library.ts';
import { type Compiler, chooseCompiler, type Language } from './toolchain.ts';

/** What GCC would expand in place after it has put the hooks in. */
const LEFT_TO_THE_LIBRARY = [
  ...['memcpy', 'memmove', 'memset', 'memcmp', 'memchr', 'bzero', 'strlen', 'strnlen', 'strcmp', 'strncmp'],
  ...['strchr', 'strrchr', 'strcpy', 'strncpy', 'stpcpy', 'strcat', 'strncat', 'strdup'],
];

/** Of `n++` clang otherwise shows the write alone, which is enough for races. */
const READS_BEFORE_WRITES = ['-mllvm', '-tsan-instrument-read-before-write=1'];

/** Does what the compiler would do, with the hooks in the objects and our runtime in the program. Gives the exit code. */
export function compile(language: Language, given: readonly string[]): number {
  const [compiler, rest] = chooseCompiler(language, given);
  const call = compilerCall(rest);
  if (call.does === 'link') return link(compiler, language, call);
  if (call.sources.length === 0) return run(compiler.command, call.words);
  const ours = flags(compiler, language);
  const code = run(compiler.command, [...ours, ...withoutSanitizer(call.words)]);
  if (code === 0 && call.words.includes('-c'))
    for (const index of call.sources)
      addAnnotations(compiler, wordsFor(call, index, ours), ...sourceAndObject(call, index));
  return code;
}

/** What one of the sources is compiled with. */
function wordsFor(call: CompilerCall, index: number, ours: readonly string[]): string[] {
  const kind = languageOf(call, index);
  return [...ours, ...withoutSanitizer(forCompiling(call)), ...(kind === null ? [] : ['-x', kind])];
}

/** Where the object goes that `-c` makes of a source. */
function sourceAndObject({ words }: CompilerCall, index: number): [string, string] {
  const source = words[index];
  const given = words.lastIndexOf('-o');
  const joined = words.find((word) => /^-o./.test(word))?.slice(2);
  return [source, given >= 0 ? words[given + 1] : (joined ?? basename(source).replace(/\.[^.]*$/, '.o'))];
}

function flags({ kind }: Compiler, language: Language): string[] {
  // Functions are blocks, and one that was put into another is none any more.
  const apart =
    language === 'c++' || kind === 'clang'
      ? ['-fno-inline']
      : ['-fno-inline-functions', '-fno-inline-small-functions', '-fno-inline-functions-called-once'];
  const byKind =
    kind === 'gcc'
      ? ['-Wno-tsan', '-fno-ipa-icf', ...LEFT_TO_THE_LIBRARY.map((name) => `-fno-builtin-${name}`)]
      : ['-Wno-unused-command-line-argument', ...READS_BEFORE_WRITES];
  // By a jump, a function would be over before what it does last: `check(); return act();` would be no block.
  const inlines = process.env.TRACKSIDE_INLINE === '1' ? [] : [...apart, '-fno-optimize-sibling-calls'];
  const headers = [`-idirafter${HEADERS}`, `-isystem${join(HEADERS, 'c++')}`];
  return ['-fsanitize=thread', '-g', '-D__TRACKSIDE__=1', ...headers, ...inlines, ...byKind];
}

function withoutSanitizer(words: readonly string[]): string[] {
  return words.filter((word) => word !== '-fsanitize=thread' && word !== '-g0');
}

function link(compiler: Compiler, language: Language, call: CompilerCall): number {
  const folder = call.sources.length === 0 ? null : mkdtempSync(join(tmpdir(), 'trackside-cc-'));
  try {
    const objects: string[] = [];
    for (const [i, index] of call.sources.entries()) {
      const source = call.words[index];
      const object = join(folder as string, `${i}-${basename(source).replace(/\.[^.]*$/, '')}.o`);
      const words = wordsFor(call, index, flags(compiler, language));
      const code = run(compiler.command, [...words, '-c', source, '-o', object]);
      if (code !== 0) return code;
      addAnnotations(compiler, words, source, object);
      objects.push(object);
    }
    const ours = call.isPart ? [] : runtimeFlags(compiler);
    return run(compiler.command, [...forLinking(call, objects), ...ours]);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function runtimeFlags(compiler: Compiler): string[] {
  const { archive, exported } = runtimeLibrary(compiler);
  return [
    ...['-Wl,--whole-archive', archive, '-Wl,--no-whole-archive', `-Wl,--dynamic-list=${exported}`],
    ...['-lpthread', '-ldl'],
  ];
}

function run(command: string, args: readonly string[]): number {
  const { status, signal, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}
