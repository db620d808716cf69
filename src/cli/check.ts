import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import { type PipelineOptions, resultsOfTrace, type Stage } from '../check/pipeline.ts';
import { RecordedProgram } from '../check/recorded-program.ts';
import type { AnalysisResult, Shard } from '../check/result.ts';
import { USUAL_BUDGET } from '../confirm/confirmation.ts';
import type { TraceSection } from '../formats/format.ts';
import { listTraces, type TraceInput } from '../formats/inputs.ts';
import { InputProblem } from '../trace/problem.ts';
import { analysisThread } from './analysis-worker.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { complain, complainAbout } from './failure.ts';
import {
  addSpecificationOptions,
  countOf,
  forkJoinOption,
  formatOption,
  lenientOption,
  refuseOtherThanFolders,
  repeatedOptions,
  type SpecificationOptions,
  shardOption,
  sourceRootOption,
  specificationOf,
} from './options.ts';
import { Progress } from './progress.ts';
import { optionsForRecorded } from './recorded-options.ts';
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
                                             what another schedule would break
  trackside check run.trk --reporter text --reporter json=results.json
  trackside check run.std --reporter sarif=results.sarif
  trackside check run.std --export-violations found/
                                             the smallest trace for each
  trackside check run.std --baseline results.json
                                             only what is new since then
  trackside check traces/ --shard 1/4 --reporter json=1.json
                                             a part, for trackside merge

${EXIT_CODES}`;

interface Options extends SpecificationOptions, ReportingOptions {
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  first: boolean;
  explain: boolean;
  confirm: boolean;
  confirmBudget: number;
  lenient: boolean;
  sourceRoot: string[];
  shard?: Shard;
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
    .option('--no-explain', 'only name what was broken, without looking for what broke it')
    .option('--confirm', 'look for schedules that show what was predicted, and attach them', false)
    .addOption(
      new Option('--confirm-budget <states>', 'how many states to look at for all predictions on a trace')
        .argParser((text) => countOf('--confirm-budget', text))
        .default(USUAL_BUDGET),
    )
    .addOption(lenientOption())
    .addOption(sourceRootOption())
    .addOption(shardOption('traces'));
  addReportingOptions(command).addHelpText('after', EXAMPLES).action(check);
}

async function check(paths: string[], options: Options, command: Command): Promise<void> {
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  if (options.confirm && options.forkJoin !== 'edge') {
    throw new InputProblem('--confirm looks for schedules of whole blocks', {
      found: `--fork-join ${options.forkJoin}`,
      expected: '--fork-join edge',
    });
  }
  const specification = await specificationOf(options);
  await refuseOtherThanFolders(options.sourceRoot);
  const listed = await listTraces(paths, options.format);
  const { inputs, shard } =
    options.shard === undefined
      ? { inputs: listed }
      : await (await import('./shard.ts')).inShard(listed, options.shard, options);
  const reports = await CheckReports.open(TOOL, { ...options, parts: { shard } }, repeatedOptions(options));
  const progress = options.quiet ? Progress.silent() : new Progress(process.stderr, options);
  const checkOptions = {
    ...options,
    analyses,
    specification,
    subtraces: reports.showsSubtraces,
    sourceRoot: reports.needsSources ? options.sourceRoot : null,
    thread: analysisThread,
  };
  const isForkJoinGiven = command.getOptionValueSource('forkJoin') !== 'default';
  for (const input of inputs) {
    const recorded = await optionsForRecorded(input, options, isForkJoinGiven);
    const program = new RecordedProgram();
    const onSection = (section: TraceSection) => program.take(section);
    const results = await checkAnyway(input, { ...checkOptions, ...recorded, onSection }, progress);
    await reports.trace(
      program.isProgram && recorded !== null ? results.map((result) => program.recorded(result)) : results,
    );
  }
  await reports.finish();
}

/** As `checkInput`, but a trace on which we fail does not take the others along. */
async function checkAnyway(
  input: TraceInput,
  options: InputOptions,
  progress: Progress,
): Promise<AnalysisResult[]> {
  try {
    return await checkInput(input, options, progress);
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const problem = new InputProblem(`this is a bug in trackside, please report it: ${reason}`, {
      file: input.path,
      cause: error,
    });
    return await checkInput({ ...input, problem }, options, progress).catch(() => {
      throw error;
    });
  }
}

/** How a trace is checked that comes from a running program. */
export type StreamOptions = Omit<InputOptions, 'format' | 'copyTo' | 'stream'>;

/**
 * `sourceRoot` stands for the roots of the pipeline: the folders that were named, and where the trace is. Null if nobody is going to see
 * sources.
 */
interface InputOptions extends Omit<PipelineOptions, 'sources'> {
  sourceRoot: readonly string[] | null;
}

/** What the line on the terminal says of each stage. */
const TITLES: Readonly<Record<Stage, (path: string) => [title: string, units?: string]>> = {
  check: (path) => [path],
  explain: (path) => [`explaining ${path}`],
  confirm: (path) => [`confirming what was found in ${path}`, 'predictions'],
};

/** Checks one trace and explains what was found; what is wrong with it is said at once. */
export async function checkInput(
  input: TraceInput,
  options: InputOptions,
  progress: Progress,
): Promise<AnalysisResult[]> {
  const { path, rereadable, problem, stream } = input;
  const copy = rereadable || problem !== null ? null : await TraceCopy.open();
  const { sourceRoot } = options;
  const sources = sourceRoot && {
    searched: [...sourceRoot, process.cwd()],
    others: path === '-' ? [] : [dirname(path)],
  };
  try {
    return await resultsOfTrace(
      input,
      { ...options, sources },
      {
        enter: (stage) => progress.start(...TITLES[stage](path)),
        advance: (done, of) => progress.update(done, of),
        problem: (wrong) => {
          progress.clear();
          complain(wrong);
        },
        failed: (what, error) => {
          progress.clear();
          complainAbout(error, what);
        },
      },
      copy === null ? null : { path: copy.path, readOptions: { ...copy.readOptions, stream } },
    );
  } finally {
    progress.clear();
    await copy?.remove();
  }
}
