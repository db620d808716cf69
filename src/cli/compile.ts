import { type Command, Option } from 'commander';
import { compileTrace, THREAD_KINDS, type ThreadKind } from '../compile/compile.ts';
import { readEvents } from '../compile/read-events.ts';
import { inFile } from '../formats/read.ts';
import { counted } from '../report/layout.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { formatOption, lenientOption, quietOption } from './options.ts';
import { FileOutput, StandardOutput } from './output.ts';

const STANDARD_OUTPUT = '-';

const EXAMPLES = `
Examples:
  trackside compile run.std -o program.mjs   a program that does what run.std says
  trackside record -o again.std program.mjs  gives the trace back
  trackside compile run.std -o program.mjs --with workers
                                             the same with threads of the system: also for
                                             messages (send) and conditions (notify)

Exit codes:
  0  the program was written
  2  the command or its input was wrong
`;

interface Options {
  output: string;
  with: ThreadKind;
  format: string;
  lenient: boolean;
  quiet: boolean;
}

export function addCompileCommand(program: Command): void {
  program
    .command('compile')
    .summary('make a program of a small trace')
    .description('Makes a JavaScript program that executes the events of a small trace, in their order.')
    .argument('<trace>', 'a trace, or - for standard input')
    .addOption(
      new Option(
        '-o, --output <file>',
        'where the program goes: a file ending in .mjs or .js, or - for standard output',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--with <kind>', `what threads are: ${THREAD_KINDS.join(', ')}`)
        .default('tasks')
        .argParser(threadKind),
    )
    .addOption(formatOption())
    .addOption(lenientOption())
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action(compile);
}

async function compile(trace: string, options: Options): Promise<void> {
  const { output: to, with: kind, quiet } = options;
  if (to !== STANDARD_OUTPUT && !/\.m?js$/i.test(to)) {
    throw new InputProblem('the name of this file is not that of a JavaScript module', {
      file: to,
      expected: 'an ending of .mjs, or .js',
    });
  }
  const events = await readEvents(trace, options, kind);
  const text = compiled(trace, events, kind);
  const output = to === STANDARD_OUTPUT ? new StandardOutput() : await FileOutput.open(to);
  await output.write(text);
  await output.finish();
  if (quiet) return;
  const name = to === STANDARD_OUTPUT ? 'standard output' : printable(to);
  process.stderr.write(`wrote ${name}: a program with ${kind} for ${counted(events.length, 'event')}\n`);
}

function compiled(trace: string, ...[events, kind]: Parameters<typeof compileTrace>): string {
  try {
    return compileTrace(events, kind);
  } catch (error) {
    throw inFile(error, trace);
  }
}

function threadKind(value: string): ThreadKind {
  const kind = THREAD_KINDS.find((known) => known === value);
  if (kind === undefined) throw unknownName('value of --with', value, THREAD_KINDS);
  return kind;
}
