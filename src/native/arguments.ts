import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';

/** What a compiler is asked to do, as far as it matters to us. */
export interface CompilerCall {
  /** Every word, with those of response files (`@file`) in their places. */
  words: readonly string[];
  /** Whether objects are made, an executable or a library is linked, or neither: `-E`, `--version`. */
  does: 'nothing' | 'compile' | 'link';
  /** Indices in `words` of the files that are compiled before they are linked. */
  sources: readonly number[];
  /** Whether a shared library is linked, or an object that is linked again. */
  isPart: boolean;
}

const SOURCES: ReadonlySet<string> = new Set([
  ...['.c', '.i', '.cc', '.cp', '.cxx', '.cpp', '.c++', '.C', '.CPP', '.ii', '.m', '.mm', '.s', '.S', '.sx'],
]);

/** What is made of these is read by the compiler again, and never linked. */
const HEADERS = /\.(h|hh|hp|hxx|hpp|h\+\+|H|HPP)$/;

/** Options whose value is the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['-o', '-x', '-I', '-L', '-l', '-D', '-U', '-include', '-imacros', '-isystem', '-iquote', '-idirafter'],
  ...[
    '-iprefix',
    '-iwithprefix',
    '-isysroot',
    '-MF',
    '-MT',
    '-MQ',
    '-T',
    '-u',
    '-z',
    '-e',
    '-arch',
    '-target',
  ],
  ...['--param', '-Xlinker', '-Xassembler', '-Xpreprocessor', '-Xclang', '-mllvm', '-aux-info', '-A', '-B'],
  ...['-dumpbase', '-dumpdir', '-specs', '-wrapper', '-soname', '-install_name', '-framework', '--sysroot'],
]);

/** With these nothing is made that could run. */
const MAKES_NOTHING = /^(-E|-M|-MM|-fsyntax-only|-dump.*|-print-.*|--print-.*|--version|--help.*|-###)$/;
const MAKES_PART = /^(-shared|-r|-dynamiclib|-Wl,-r|-Wl,--relocatable)$/;

/** Understands the words after `trackside cc`. */
export function compilerCall(given: readonly string[]): CompilerCall {
  const words = given.flatMap((word) => (word.startsWith('@') ? responseFile(word.slice(1)) : [word]));
  const sources: number[] = [];
  let files = 0;
  let language = false;
  let does: CompilerCall['does'] = 'link';
  let isPart = false;
  let isHeader = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    refuseOtherSanitizers(word);
    refuseShortAddresses(word);
    if (MAKES_NOTHING.test(word)) does = 'nothing';
    else if ((word === '-c' || word === '-S') && does === 'link') does = 'compile';
    else if (MAKES_PART.test(word)) isPart = true;
    if (word === '-x') language = words[i + 1] !== 'none';
    if (WITH_VALUE.has(word)) i++;
    else if (word.startsWith('-x') && word.length > 2) language = word !== '-xnone';
    else if (word === '-' || !word.startsWith('-')) {
      files++;
      isHeader ||= languageOf({ words }, i)?.endsWith('-header') ?? HEADERS.test(word);
      if (language || isHeader || word === '-' || SOURCES.has(extname(word))) sources.push(i);
    }
  }
  if (isHeader && does === 'link') does = 'compile';
  return { words, does: files === 0 ? 'nothing' : does, sources, isPart };
}

function refuseOtherSanitizers(word: string): void {
  const [, names] = /^-fsanitize=(.*)$/.exec(word) ?? [];
  const other = names?.split(',').find((name) => /^(address|memory|hwaddress|leak)$/.test(name));
  if (other === undefined) return;
  throw new InputProblem(`-fsanitize=${other} does not go together with what watches threads`, {
    found: word,
    expected: 'a build without it, for example in another folder',
  });
}

function refuseShortAddresses(word: string): void {
  if (!/^-m(?:32|x32|16)$/.test(word)) return;
  throw new InputProblem('only programs with addresses of 64 bits can be watched', {
    found: word,
    expected: 'the same without it',
  });
}

/** As compilers read them: words between white space, with quotes and backslashes. */
function responseFile(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [`@${path}`];
  }
  const words = text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')+/gs) ?? [];
  return words.map((word) =>
    word.replace(/\\(.)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gs, (_, escaped, double, single) =>
      escaped !== undefined ? escaped : (double ?? single).replace(/\\(.)/gs, '$1'),
    ),
  );
}

/** Everything that only concerns linking, or that names other files: left out when one source is compiled. */
export function forCompiling({ words, sources }: CompilerCall): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (
      sources.includes(i) ||
      /^-(Wl,|l|L|shared|static|rdynamic|pie$|no-pie$|nostdlib|nodefaultlibs|r$|s$|x)/.test(word)
    ) {
      if (/^-(l|L|x)$/.test(word)) i++;
    } else if (word === '-o' || word === '-Xlinker' || word === '-z' || word === '-T' || word === '-u') i++;
    else if (WITH_VALUE.has(word)) kept.push(word, words[++i]);
    else if (word.startsWith('-')) kept.push(word);
  }
  return kept;
}

/** The language that `-x` says the word at `index` has; null where its ending says it. */
export function languageOf({ words }: Pick<CompilerCall, 'words'>, index: number): string | null {
  let language: string | null = null;
  for (let i = 0; i < index; i++) {
    if (words[i] === '-x') language = words[++i];
    else if (/^-x./.test(words[i])) language = words[i].slice(2);
  }
  return language === 'none' ? null : language;
}

const LINKS_STATICALLY = /^(-static|--static|-static-pie)$/;

/** What is linked, with objects instead of sources, and without what would be in our way. */
export function forLinking({ words, sources, isPart }: CompilerCall, objects: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const source = sources.indexOf(i);
    if (LINKS_STATICALLY.test(word)) {
      throw new InputProblem('a program that is linked statically cannot be watched', {
        found: word,
        expected:
          'the same without it: the functions of the C library are watched where it is linked dynamically',
      });
    }
    if (source >= 0) kept.push(objects[source]);
    else if (word === '-x') i++;
    else if (/^(-x.+|-s|-Wl,-s|-Wl,--strip-all|-fsanitize=thread)$/.test(word)) continue;
    // What the library leaves open the program brings along.
    else if (isPart && /^-Wl,(-z,defs|--no-undefined)$/.test(word)) continue;
    else if (isPart && word === '-z' && words[i + 1] === 'defs') i++;
    else if (WITH_VALUE.has(word)) kept.push(word, words[++i]);
    else kept.push(word);
  }
  return kept;
}

/** For messages. */
export function shown(words: readonly string[]): string {
  return words.map((word) => (/^[\w./=+,:@-]+$/.test(word) ? word : quoted(word))).join(' ');
}
