import { type Command, Option } from 'commander';
import { writableByEnding, writableNamed } from '../formats/writers.ts';
import { GENERATE_DEFAULTS, type GenerateOptions, TraceGenerator } from '../generate/generate.ts';
import { counted } from '../report/layout.ts';
import { printable, quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { GzipOutput } from './gzip-output.ts';
import { countOf, quietOption } from './options.ts';
import { FileOutput, StandardOutput } from './output.ts';

const EXAMPLES = `
Examples:
  trackside generate big.trk --events 100e6         a hundred million events
  trackside generate - --to std --violations 0.01 | trackside check -
  trackside generate hostile.std --variables 627000 --shared-variables 0.3

The same options give the same trace. Without violations it is serializable.
`;

/** Each knob with its meaning; all are numbers, either counts or probabilities. */
const KNOBS: readonly [keyof GenerateOptions, 'count' | 'chance', string][] = [
  ['events', 'count', 'at least how many events'],
  ['threads', 'count', 'threads'],
  ['variables', 'count', 'variables'],
  ['locks', 'count', 'locks, each guarding an equal part of the shared variables'],
  ['sharedVariables', 'chance', 'which part of the variables is shared'],
  ['sharing', 'chance', 'how likely a transaction uses shared variables'],
  ['transactionLength', 'count', 'accesses in a transaction, on average'],
  ['writes', 'chance', 'how likely an access is a write'],
  ['unary', 'chance', 'how likely something happens between two blocks'],
  ['violations', 'chance', 'how likely a sharing transaction is torn apart'],
  ['seed', 'count', 'which of all such traces'],
];

type Options = GenerateOptions & { to?: string; quiet: boolean };

export function addGenerateCommand(program: Command): void {
  const command = program
    .command('generate')
    .summary('make a synthetic trace')
    .description('Makes a synthetic trace, for trying out and measuring.')
    .argument('<out>', 'a file ending in .std, .csv or .trk, each also with .gz, or -')
    .option('--to <format>', 'std, csv or trk; else the ending of <out> says it');
  for (const [knob, kind, meaning] of KNOBS) {
    const flag = `--${knob.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    command.addOption(
      new Option(`${flag} <n>`, `${meaning} (default: ${GENERATE_DEFAULTS[knob]})`)
        .default(GENERATE_DEFAULTS[knob])
        .argParser((text) => (kind === 'count' ? countOf(flag, text) : chanceOf(flag, text))),
    );
  }
  command.addOption(quietOption()).addHelpText('after', EXAMPLES).action(generate);
}

async function generate(out: string, options: Options): Promise<void> {
  const target = options.to === undefined ? writableByEnding(out) : writableNamed(options.to);
  if (target === null) {
    throw new InputProblem('which format to write?', {
      file: out,
      expected: 'a name ending in .std, .csv or .trk, each also with .gz, or --to',
    });
  }
  const generator = new TraceGenerator(options);
  const file = out === '-' ? new StandardOutput() : await FileOutput.open(out);
  const isCompressed = /\.gz$/i.test(out);
  const output = isCompressed ? new GzipOutput(file) : file;
  const threads = Array.from({ length: options.threads }, (_, thread) => thread);
  const writer = target.writer(generator.names, (piece) => output.write(piece), threads, isCompressed);
  let events = 0;
  for (const batch of generator.batches()) {
    await writer.write(batch);
    events += batch.length;
  }
  await writer.finish();
  await output.finish();
  if (!options.quiet) {
    const name = out === '-' ? 'standard output' : printable(out);
    process.stderr.write(`wrote ${name} (${target.format.name}): ${counted(events, 'event')}\n`);
  }
}

function chanceOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InputProblem(`${flag} takes a number from 0 to 1`, {
      found: quoted(text),
      expected: 'for example 0.2',
    });
  }
  return value;
}
