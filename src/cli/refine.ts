import type { Command } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { PreparedTrace } from '../check/prepared-trace.ts';
import { type RefineInput, type Refinement, type Round, refine, specificationFile } from '../check/refine.ts';
import { listTraces } from '../formats/inputs.ts';
import { jsonText } from '../report/json-text.ts';
import { counted } from '../report/layout.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import {
  addSpecificationOptions,
  forkJoinOption,
  formatOption,
  lenientOption,
  quietOption,
  type SpecificationOptions,
  specificationOf,
} from './options.ts';
import { FileOutput, StandardOutput } from './output.ts';
import { Progress } from './progress.ts';
import { TOOL } from './tool.ts';
import { TraceCopy } from './trace-copy.ts';

const EXAMPLES = `
Examples:
  trackside refine run.std                   print the specification
  trackside refine run.std -o loose.txt      write it to a file, to be used with
  trackside check run.std --spec loose.txt   other runs of the same program
  trackside refine traces/ --one-pass        one reading instead of one a round

Exit codes:
  0  the specification was written
  2  the command or its input was wrong
`;

interface Options extends SpecificationOptions {
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  lenient: boolean;
  onePass: boolean;
  output?: string;
  json: boolean;
  quiet: boolean;
}

export function addRefineCommand(program: Command): void {
  const command = program
    .command('refine')
    .summary('find out which blocks are atomic')
    .description(
      'Finds the atomicity specification that traces satisfy: leaves out the labels of violated blocks and checks again, until nothing is violated. The rounds are told on standard error.',
    )
    .argument('<trace...>', 'files, folders, or - for standard input')
    .option('-o, --output <file>', 'write the specification to a file instead of standard output')
    .option('--one-pass', 'read the traces once and count violated blocks inside others too', false)
    .option('--json', 'write the rounds and the labels as JSON instead of a specification file', false)
    .option('--analysis <name>', 'which analysis says what is violated', 'regiontrack')
    .addOption(formatOption());
  addSpecificationOptions(command)
    .addOption(forkJoinOption('edge'))
    .addOption(lenientOption())
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(paths: string[], options: Options): Promise<void> {
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  if (analyses.length !== 1) throw new InputProblem('refine uses one analysis at a time');
  if (options.onePass && analyses[0].name !== 'regiontrack') {
    throw new InputProblem('--one-pass needs an analysis that finds every violated block', {
      found: analyses[0].name,
      expected: 'regiontrack',
    });
  }
  const progress = new Progress(process.stderr, options);
  const say = (text: string) => {
    progress.clear();
    if (!options.quiet) process.stderr.write(`${text}\n`);
  };
  const copies: TraceCopy[] = [];
  try {
    const inputs: RefineInput[] = [];
    for (const { path, rereadable, problem } of await listTraces(paths)) {
      if (problem !== null) throw problem;
      const copy = rereadable ? null : await TraceCopy.open();
      if (copy !== null) copies.push(copy);
      inputs.push({ path, copy });
    }
    let rounds = 0;
    progress.start('round 1');
    const refinement = await refine(inputs, {
      ...options,
      analysis: analyses[0],
      specification: await specificationOf(options),
      onProgress: (events: number, { reader }: PreparedTrace) => progress.update(events, reader.progress),
      onRound: (round) => {
        say(roundText(++rounds, round));
        progress.start(`round ${rounds + 1}`);
      },
    });
    say(conclusion(refinement, options.onePass));
    await write(refinement, paths, options);
  } finally {
    progress.clear();
    for (const copy of copies) await copy.remove();
  }
}

function roundText(number: number, { violations, excluded }: Round): string {
  if (excluded.length === 0) return `round ${number}: nothing is violated`;
  const labels = excluded.map((label) => `  ${printable(label)}`);
  const found = `${counted(violations, 'violated block')} with ${counted(excluded.length, 'label')}`;
  return [`round ${number}: ${found}, left out from now on:`, ...labels].join('\n');
}

function conclusion({ excluded, labels, serializable }: Refinement, onePass: boolean): string {
  const kept = labels.size - excluded.length;
  const parts = [`${counted(kept, 'label')} of ${labels.size} stay in the specification`];
  if (serializable === true) parts.push('and the traces are serializable under it');
  if (serializable === false) {
    parts.push('but the traces are not serializable under it, though no single block is to blame');
  }
  if (onePass && serializable === null)
    parts.push('(check again with --spec to see whether anything is left)');
  return parts.join(' ');
}

async function write(refinement: Refinement, paths: readonly string[], options: Options): Promise<void> {
  const output = options.output === undefined ? new StandardOutput() : await FileOutput.open(options.output);
  if (options.json) {
    const { rounds, excluded, serializable } = refinement;
    await output.write(`${jsonText({ tool: TOOL, rounds, excluded, serializable })}\n`);
  } else {
    const source = paths.map((path) => printable(path)).join(', ');
    await output.write(
      specificationFile(refinement, [
        `Blocks that are not atomic, found by trackside ${TOOL.version} on ${source}.`,
        'One label a line; use it with: trackside check --spec <this file>',
      ]),
    );
  }
  await output.finish();
}
