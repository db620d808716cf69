import type { Command } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { TraceCheck } from '../check/check.ts';
import type { AnalysisResult, SubtraceResult } from '../check/result.ts';
import { listTraces } from '../formats/inputs.ts';
import { counted, fittedPath, grouped, paragraph } from '../report/layout.ts';
import { subtraceText } from '../report/subtrace-text.ts';
import { suggestedCommand } from '../report/suggested-command.ts';
import { violationText } from '../report/violation-text.ts';
import { InputProblem } from '../trace/problem.ts';
import { checkInput } from './check.ts';
import { ExitCode, endWith } from './exit.ts';
import {
  addSpecificationOptions,
  countOf,
  forkJoinOption,
  formatOption,
  lenientOption,
  noColorOption,
  refuseOtherThanFolders,
  type SpecificationOptions,
  sourceRootOption,
  specificationOf,
} from './options.ts';
import { FileOutput, StandardOutput } from './output.ts';
import { Progress } from './progress.ts';
import { styleFor, widthFor, writeAll } from './reports.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside explain run.std                  the first violation
  trackside explain run.std --event 28       the one noticed at event 28
  trackside explain run.std --violation 3    the third one
  trackside explain run.std -o small.std     write the smallest trace, too
  trackside explain run.std -o - | trackside check -

Exit codes:
  0  nothing found
  1  a violation found and explained
  2  the command or its input was wrong
`;

interface Options extends SpecificationOptions {
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  lenient: boolean;
  sourceRoot: string[];
  event?: number;
  violation?: number;
  output?: string;
  color: boolean;
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .summary('explain one violation, by the smallest trace that shows it')
    .description(
      'Explains one violation of a trace in full, with the smallest part of the trace that still shows it: a trace of its own, to be mailed and checked again.',
    )
    .argument('<trace>', 'a file, or - for standard input')
    .option('--event <number>', 'the violation noticed at this event, or whose block begins there', (value) =>
      countOf('--event', value),
    )
    .option('--violation <number>', 'which one, in the order in which they were found', (value) =>
      countOf('--violation', value),
    )
    .option('-o, --output <file>', 'write the smallest trace to a file, or only it to standard output for -')
    .option('--analysis <name>', 'which analysis looks for violations', 'regiontrack')
    .addOption(formatOption());
  addSpecificationOptions(command)
    .addOption(forkJoinOption('edge'))
    .addOption(lenientOption())
    .addOption(sourceRootOption())
    .addOption(noColorOption())
    .addHelpText('after', EXAMPLES)
    .action(explain);
}

async function explain(path: string, options: Options): Promise<void> {
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  if (analyses.length !== 1) throw new InputProblem('explain uses one analysis at a time');
  if (options.event !== undefined && options.violation !== undefined)
    throw new InputProblem('--event and --violation each choose one violation: give only one of them');
  await refuseOtherThanFolders(options.sourceRoot);
  const specification = await specificationOf(options);
  const [input, ...others] = await listTraces([path]);
  if (others.length > 0)
    throw new InputProblem('explain is about one trace', { file: path, found: 'a folder with several' });
  const progress = new Progress(process.stderr, { quiet: false });
  let [chosen, of] = [0, 0];
  const select = (found: TraceCheck) => {
    const [run] = found.runs;
    of = run.violations.length;
    chosen = chosenOf(found, options);
    run.violations = run.violations.slice(chosen, chosen + 1);
  };
  const [result] = await checkInput(
    input,
    { ...options, analyses, specification, first: false, confirm: false, subtraces: true, select },
    progress,
  );
  if (result.verdict === 'error') endWith(ExitCode.wrong);
  await report(result, { chosen, of }, options);
}

/** The position of the violation that was asked for; what was not found is refused with what there is. */
function chosenOf({ runs: [{ violations }], problem }: TraceCheck, { event, violation }: Options): number {
  if (event === undefined && violation === undefined) return 0;
  // What is wrong with the trace has been said already.
  if (problem !== null && violations.length === 0) return 0;
  if (event === undefined) {
    const chosen = violation as number;
    if (chosen >= 1 && chosen <= violations.length) return chosen - 1;
    throw new InputProblem(`there is no violation ${grouped(chosen)}`, {
      found: counted(violations.length, 'violation'),
      expected: violations.length === 0 ? 'a trace with violations' : `1 to ${grouped(violations.length)}`,
    });
  }
  const noticed = violations.findIndex((candidate) => candidate.event === event);
  if (noticed >= 0) return noticed;
  const begun = violations.findIndex(({ block }) => block?.begin === event);
  if (begun >= 0) return begun;
  const nearest = violations
    .map((candidate) => candidate.event)
    .sort((a, b) => Math.abs(a - event) - Math.abs(b - event));
  throw new InputProblem(`no violation was noticed at event ${grouped(event)}`, {
    found: counted(violations.length, 'violation'),
    expected:
      nearest.length === 0
        ? 'a trace with violations'
        : `for example --event ${nearest.slice(0, 3).join(', ')}`,
  });
}

async function report(
  result: AnalysisResult,
  { chosen, of }: { chosen: number; of: number },
  options: Options,
): Promise<void> {
  const [violation] = result.violations;
  const subtrace = violation?.subtrace;
  if (options.output !== undefined) await write(subtrace, options.output);
  if (violation !== undefined) endWith(ExitCode.found);
  if (options.output === '-') return;
  const output = new StandardOutput();
  const destination = { name: 'text', path: null };
  const layout = { tool: TOOL, style: styleFor(destination, options.color), width: widthFor(destination) };
  const path = fittedPath(result.trace, layout.width - 40);
  if (violation === undefined) {
    if (result.verdict === 'ok')
      await output.write(`${path}: nothing found (${counted(result.events, 'event')})\n`);
  } else {
    await writeAll(output, violationText(violation, layout, result));
    await writeAll(
      output,
      subtrace === undefined
        ? withoutSubtrace(result, layout)
        : subtraceText(subtrace, result.events, layout),
    );
    const which = `violation ${grouped(chosen + 1)} of ${grouped(of)} in ${path}`;
    const other = of > 1 ? '; --violation <number> shows another' : '';
    await output.write(`\n${paragraph(`${which}${other}`, layout.width)}\n`);
    if (options.output !== undefined) {
      // What was left out of the blocks is left out of the file, but forks and joins mean what they are told to mean.
      const meaning = options.forkJoin === 'edge' ? [] : ['--fork-join', options.forkJoin];
      await output.write('It is written to a file, to be checked again:\n');
      await output.write(`  ${suggestedCommand('check', options.output, meaning)}\n`);
    }
  }
  await output.finish();
}

function* withoutSubtrace({ predictive }: AnalysisResult, { width }: { width: number }): Generator<string> {
  const why = predictive
    ? 'There is no part of the trace that shows it, as it was predicted; check with --confirm looks for a schedule that does.'
    : 'There is no smaller trace to show: it would be too long, or STD cannot hold its names.';
  yield `\n${paragraph(why, width, '  ')}\n`;
}

async function write(subtrace: SubtraceResult | undefined, path: string): Promise<void> {
  if (subtrace === undefined) {
    throw new InputProblem('there is no trace to write: no violation with a cycle that STD can hold');
  }
  const output = path === '-' ? new StandardOutput() : await FileOutput.open(path);
  await output.write(subtrace.trace);
  await output.finish();
}
