import type { Command } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { analysesNamed } from '../analyses/registry.ts';
import { type CheckOptions, checkTrace, failedCheck } from '../check/check.ts';
import { confirmViolations } from '../check/confirming.ts';
import type { PreparedTrace } from '../check/prepared-trace.ts';
import type { AnalysisResult, Severity } from '../check/result.ts';
import { resultsOf } from '../check/results.ts';
import { explainViolations } from '../check/second-look.ts';
import { listTraces, type TraceInput } from '../formats/inputs.ts';
import { REPORTERS, reporterNamed } from '../report/registry.ts';
import type { Report } from '../report/reporter.ts';
import { InputProblem } from '../trace/problem.ts';
import { EXIT_CODES, ExitCode, endWith } from './exit.ts';
import { complain } from './failure.ts';
import {
  addSpecificationOptions,
  failOnOption,
  forkJoinOption,
  formatOption,
  lenientOption,
  noColorOption,
  quietOption,
  type SpecificationOptions,
  specificationOf,
} from './options.ts';
import type { Output } from './output.ts';
import { Progress } from './progress.ts';
import {
  openOutput,
  reporterOption,
  reportRequests,
  styleFor,
  widthFor,
  withoutQuieted,
  writeAll,
} from './reports.ts';
import { TOOL } from './tool.ts';
import { TraceCopy } from './trace-copy.ts';

const EXAMPLES = `
Examples:
  trackside check run.std                    explain what broke which block
  trackside check traces/ --quiet            a folder, for the exit code only
  zcat run.std.gz | trackside check -        from standard input
  trackside check run.std --only 'Bank.*'    only the blocks of one class
  trackside check run.std --spec loose.txt   leave out the labels in a file
  trackside check run.std --analysis all     compare the analyses
  trackside check run.std --analysis sidetrack --confirm
                                             show what another schedule would break
  trackside check run.trk --reporter text --reporter json=results.json

${EXIT_CODES}`;

interface Options extends SpecificationOptions {
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  first: boolean;
  confirm: boolean;
  failOn: Severity;
  lenient: boolean;
  reporter: string[];
  quiet: boolean;
  color: boolean;
}

export function addCheckCommand(program: Command): void {
  const command = program
    .command('check')
    .summary('analyse traces and explain which atomic blocks were broken')
    .description(
      'Analyses traces: files, folders (all traces below them), or - for standard input; .gz is read directly.',
    )
    .argument('<trace...>', 'files, folders, or -')
    .option('--analysis <names>', 'which analyses to run, separated by commas, or all', 'regiontrack')
    .addOption(formatOption());
  addSpecificationOptions(command)
    .addOption(forkJoinOption('edge'))
    .option('--first', 'stop at the first violation', false)
    .option('--confirm', 'look for schedules that show what was predicted, and attach them', false)
    .addOption(failOnOption('warning'))
    .addOption(lenientOption())
    .addOption(reporterOption(REPORTERS.map(({ name }) => name)))
    .addOption(quietOption())
    .addOption(noColorOption())
    .addHelpText('after', EXAMPLES)
    .action(check);
}

interface OpenReport {
  report: Report;
  output: Output;
}

async function check(paths: string[], options: Options): Promise<void> {
  const analyses = analysesNamed(options.analysis, options.forkJoin);
  if (options.confirm && options.forkJoin !== 'edge') {
    throw new InputProblem('--confirm looks for schedules of whole blocks', {
      found: `--fork-join ${options.forkJoin}`,
      expected: '--fork-join edge',
    });
  }
  const requests = reportRequests(options.reporter, reporterNamed);
  const specification = await specificationOf(options);
  const inputs = await listTraces(paths);
  const reports: OpenReport[] = [];
  for (const request of withoutQuieted(requests, options.quiet)) {
    const layout = { tool: TOOL, style: styleFor(request, options.color), width: widthFor(request) };
    reports.push({ report: reporterNamed(request.name).start(layout), output: await openOutput(request) });
  }
  const progress = new Progress(process.stderr, options);
  const checkOptions = { ...options, analyses, specification };
  for (const input of inputs) {
    const results = await checkInput(input, checkOptions, progress);
    // Set at once, in case whoever reads the report stops reading.
    endWith(exitCodeOf(results, options.failOn));
    for (const { report, output } of reports) await writeAll(output, report.trace(results));
  }
  for (const { report, output } of reports) {
    await writeAll(output, report.finish());
    await output.finish();
  }
}

/** Checks one trace and explains what was found; what is wrong with it is said at once. */
async function checkInput(
  input: TraceInput,
  options: CheckOptions & { confirm: boolean },
  progress: Progress,
): Promise<AnalysisResult[]> {
  const started = performance.now();
  const onProgress = (events: number, { reader }: PreparedTrace) => progress.update(events, reader.progress);
  const copy = input.rereadable || input.problem !== null ? null : await TraceCopy.open();
  try {
    progress.start(input.path);
    const found =
      input.problem === null
        ? await checkTrace(input.path, { ...options, onProgress, ...copy?.readOptions })
        : failedCheck(options, input.problem);
    progress.clear();
    if (found.problem !== null) complain(found.problem);
    progress.start(`explaining ${input.path}`);
    const secondLook = { ...options, onProgress };
    const explanations = await explainViolations(copy?.path ?? input.path, found, secondLook);
    progress.start(`confirming what was found in ${input.path}`);
    const confirmations = options.confirm
      ? await confirmViolations(copy?.path ?? input.path, found, secondLook)
      : null;
    return await resultsOf(input.path, found, explanations, confirmations, performance.now() - started);
  } finally {
    progress.clear();
    await copy?.remove();
  }
}

function exitCodeOf(results: readonly AnalysisResult[], failOn: Severity): ExitCode {
  if (results.some(({ verdict }) => verdict === 'error')) return ExitCode.wrong;
  const counts = ({ violations, verdict }: AnalysisResult) =>
    failOn === 'warning' ? verdict === 'violation' : violations.some(({ severity }) => severity === 'error');
  return results.some(counts) ? ExitCode.found : ExitCode.ok;
}
