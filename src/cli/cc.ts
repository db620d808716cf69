import type { Command } from 'commander';
import type { Language } from '../native/toolchain.ts';

const EXAMPLES = `
Examples:
  trackside cc -g -O1 bank.c -o bank         as with cc
  CC='trackside cc' CXX='trackside c++' ./configure && make
  CC='trackside cc' CXX='trackside c++' cmake -B build
  trackside cc /usr/bin/clang-16 -c bank.c   another compiler, as launchers do
  TRACKSIDE_CC=clang trackside cc bank.c     the same

It adds -fsanitize=thread and -g, keeps functions apart from each other
(TRACKSIDE_INLINE=1 lets them be inlined), and links the runtime of trackside
instead of that of ThreadSanitizer; it is compiled when it is first needed.
Run the program with trackside native.
`;

export function addCcCommand(program: Command): void {
  addCompilerCommand(program, 'cc', 'c', 'compile a C program so that it can be watched');
}

export function addCxxCommand(program: Command): void {
  addCompilerCommand(program, 'c++', 'c++', 'compile a C++ program so that it can be watched');
}

function addCompilerCommand(program: Command, name: string, language: Language, summary: string): void {
  program
    .command(name)
    .summary(summary)
    .description(`Compiles and links as the compiler does, with what trackside native watches.`)
    .argument('[words...]', 'for the compiler, all of them')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action((words: string[]) => runCompiler(language, words));
}

/** Every word is the compiler's, `--help` and `-o` as well. */
export async function runCompiler(language: Language, words: readonly string[]): Promise<void> {
  const { compile } = await import('../native/compile.ts');
  process.exitCode = compile(language, words);
}
