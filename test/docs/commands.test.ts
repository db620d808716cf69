import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CODE_BLOCK = /^(`{3,})[^\n]*\n(.*?)^\1/gms;

/** A command line in a code block, without its comment; lines that go on with `\` are joined. */
const COMMAND_LINE = /^(?:\$ )?(?:npx )?trackside ([^\n#|>]+)/gm;

/** Splits a command line as a shell would, as far as ours have quotes. */
function wordsOf(line: string): string[] {
  // A number stands for what the shell puts there.
  const expanded = line.replaceAll(/\$\w+|\$\{\{.*?\}\}/g, '1');
  return [...expanded.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c);
}

function commandLinesIn(page: string): string[] {
  const text = readFileSync(ROOT + page, 'utf8').replaceAll('\\\n', ' ');
  const blocks = [...text.matchAll(CODE_BLOCK)].map(([, , code]) => code);
  return blocks.flatMap((code) => [...code.matchAll(COMMAND_LINE)].map(([, rest]) => rest.trim()));
}

/** What the command line has against these words; null if it would take them. */
async function objectionTo(line: string): Promise<string | null> {
  const [name, ...args] = wordsOf(line);
  // What follows `cc` and `c++` is the compiler's.
  if (name.startsWith('-') || name === 'cc' || name === 'c++') return null;
  const program = await buildProgram([name]);
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return `no command ${name}`;
  // `[options]` and the like stand for what the reader puts there.
  const { unknown } = command.parseOptions(args.filter((arg) => !/^[[<…]/.test(arg)));
  const option = unknown.find((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--help');
  return option === undefined ? null : `no option ${option} of ${name}`;
}

describe('commands in the documentation', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((page) => page !== 'docs/reference/commands.md');
  it.each(pages)('%s shows only commands and options that exist', async (page) => {
    const objections = await Promise.all(commandLinesIn(page).map(objectionTo));
    expect(objections.filter((objection) => objection !== null)).toEqual([]);
  });

  it('has a page of commands that says what the program says of itself', () => {
    const check = () =>
      execFileSync(process.execPath, ['scripts/docs/commands.mjs', '--check'], { cwd: ROOT, stdio: 'pipe' });
    expect(check).not.toThrow();
  });
});
