import { basename } from 'node:path';
import type { Command } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { TraceInput } from '../formats/inputs.ts';
import { html } from '../report/html.ts';
import { counted, grouped, size } from '../report/layout.ts';
import { PLAIN } from '../report/style.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { traceParts } from '../view/trace-parts.ts';
import { checkInput } from './check.ts';
import { ExitCode, endWith } from './exit.ts';
import {
  addSpecificationOptions,
  countOf,
  forkJoinOption,
  formatOption,
  lenientOption,
  quietOption,
  refuseOtherThanFolders,
  type SpecificationOptions,
  sourceRootOption,
  specificationOf,
} from './options.ts';
import { FileOutput, type Output, StandardOutput } from './output.ts';
import { Progress } from './progress.ts';
import { writeAll } from './reports.ts';
import { refuseSameFile, singleTrace } from './single-trace.ts';
import { thisRun } from './this-run.ts';
import { TOOL } from './tool.ts';

const STANDARD_OUTPUT = '-';
/** More make a page that a browser opens too slowly. */
const MOST_EVENTS = 20_000_000;

const EXAMPLES = `
Examples:
  trackside view run.std                 writes run.std.html
  trackside view run.trk -o look.html
  trackside view run.trk --from 5000000 --to 6000000

The page needs nothing else: it can be opened offline, and mailed.

Exit codes:
  0  the page was written
  2  the command or its input was wrong
`;

interface Options extends SpecificationOptions {
  output?: string;
  from: number;
  to?: number;
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  lenient: boolean;
  sourceRoot: string[];
  quiet: boolean;
}

export function addViewCommand(program: Command): void {
  const command = program
    .command('view')
    .summary('write a page to look around in a trace')
    .description(
      'Writes one page that shows a trace in a browser: threads as lanes, time downwards, with what was found in it.',
    )
    .argument('<trace>', 'a file; .gz is read directly')
    .option('-o, --output <file>', 'the page, or - for standard output; else the name of the trace and .html')
    .option('--from <event>', 'the first event to show', (value) => countOf('--from', value), 1)
    .option('--to <event>', 'the last event to show', (value) => countOf('--to', value))
    .option('--analysis <names>', 'what to look for in it, separated by commas', 'regiontrack')
    .addOption(formatOption());
  addSpecificationOptions(command)
    .addOption(forkJoinOption('edge'))
    .addOption(lenientOption())
    .addOption(sourceRootOption())
    .addOption(quietOption())
    .addHelpText('after', EXAMPLES)
    .action(view);
}

async function view(path: string, options: Options): Promise<void> {
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  const specification = await specificationOf(options);
  await refuseOtherThanFolders(options.sourceRoot);
  const input = await singleFile(path);
  const target = options.output ?? `${basename(path)}.html`;
  await refuseSameFile(path, target);
  const progress = new Progress(process.stderr, options);
  const checkOptions = { ...options, analyses, specification, first: false, confirm: false, subtraces: true };
  const results = await checkInput(input, checkOptions, progress);
  const [{ verdict, events: total }] = results;
  // What can be read of a broken trace is shown all the same.
  if (verdict === 'error') endWith(ExitCode.wrong);
  const wanted = { from: options.from, to: options.to ?? total };
  if (wanted.from < 1 || wanted.from > Math.min(wanted.to, total)) {
    // What is wrong with a trace that cannot be read has been said already.
    if (total === 0 && verdict === 'error') return;
    throw new InputProblem('there is nothing to show', {
      file: path,
      found: total === 0 ? 'no events' : `events ${grouped(wanted.from)} to ${grouped(wanted.to)}`,
      expected: total === 0 ? 'a trace with events' : `--from and --to within 1 to ${grouped(total)}`,
    });
  }
  const to = Math.min(wanted.to, total, wanted.from + MOST_EVENTS - 1);
  const output = target === STANDARD_OUTPUT ? new StandardOutput() : await FileOutput.open(target);
  const report = html.start({ tool: TOOL, style: PLAIN, width: 80, run: thisRun() });
  let bytes = 0;
  const counting: Output = {
    write(piece) {
      bytes += piece.length;
      return output.write(piece);
    },
    finish: () => output.finish(),
  };
  progress.start(`writing ${target}`);
  try {
    await writeAll(counting, report.trace(results));
    const parts = traceParts(path, {
      ...{ format: options.format, lenient: options.lenient, total, from: options.from, to },
      onProgress: (count, reader) => progress.update(count, reader.progress),
    });
    for await (const part of parts) await counting.write(part);
    await writeAll(counting, report.finish());
    await counting.finish();
  } finally {
    progress.clear();
  }
  if (options.quiet || target === STANDARD_OUTPUT) return;
  const shownEvents = to - options.from + 1;
  const range =
    shownEvents === total ? '' : ` (${grouped(options.from)} to ${grouped(to)} of ${grouped(total)})`;
  process.stderr.write(
    `wrote ${printable(target)}: ${counted(shownEvents, 'event')}${range}, ${size(bytes)}\n`,
  );
}

/** The page is made in several passes over the trace. */
async function singleFile(path: string): Promise<TraceInput> {
  const input = await singleTrace(path, 'viewed');
  if (input.rereadable) return input;
  throw new InputProblem('a page cannot be made of a stream', { file: path, expected: 'a file' });
}
