import type { Command } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { AnalysisResult } from '../check/result.ts';
import { InputProblem } from '../trace/problem.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { EXIT_CODES } from './exit.ts';
import { checkExternal, type ExternalProgram, recordExternal, socketPath } from './external-run.ts';
import {
  addSpecificationOptions,
  collect,
  forkJoinOption,
  provokeOption,
  provokingOption,
  refuseOtherThanFolders,
  type SpecificationOptions,
  sourceRootOption,
  specificationOf,
} from './options.ts';
import { Progress } from './progress.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside cc -g -O1 bank.c -o bank         compile it, with any option of cc
  trackside native -- ./bank 8               run it, and say what was not atomic
  trackside native --atomic 'queue_*' -- ./app
                                             only these functions are blocks
  trackside native --critical-sections -- ./app
  trackside native --provoke -- ./app        let threads come in between more often
  trackside native --record run.trk -- ./app
                                             only write the trace
  CC='trackside cc' ./configure && make
  trackside native -- make check             every program that make starts

Blocks are the functions that lock, or access what threads share, unless
--atomic says which; TRACKSIDE_ATOMIC("name") { … } of <trackside.h> adds others.
The program's output stays its own: the text report goes to standard error.

${EXIT_CODES}  A program that fails keeps its own exit code.
`;

interface Options extends ReportingOptions, SpecificationOptions {
  atomic: string[];
  criticalSections: boolean;
  provoke?: number;
  analysis: string;
  forkJoin: ForkJoin;
  first: boolean;
  sourceRoot: string[];
  record?: string;
}

export function addNativeCommand(program: Command): void {
  const command = program
    .command('native')
    .summary('run a C or C++ program that trackside cc has compiled, and check it')
    .description(
      'Runs a program that was compiled by trackside cc or trackside c++, checks it while it runs, and says which of its blocks were not atomic.',
    )
    .argument('[command...]', 'how the program is started, after --: ./app')
    .passThroughOptions()
    .option(
      '--atomic <glob>',
      "functions that are meant to be atomic, such as 'queue_*' or 'Bank::*' (repeatable)",
      collect,
      [],
    )
    .option('--critical-sections', 'what a thread does while it holds a lock is a block', false)
    .addOption(provokeOption())
    .option('--record <file>', 'only write the trace, as .trk')
    .addOption(sourceRootOption())
    .option('--analysis <names>', 'which analyses to run, separated by commas, or all', 'regiontrack');
  addSpecificationOptions(command)
    .addOption(forkJoinOption('edge'))
    .option('--first', 'stop checking at the first violation', false);
  addReportingOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((words: string[]) => native(words, command.opts()));
}

async function native(words: readonly string[], options: Options): Promise<void> {
  const [command, ...args] = words;
  if (command === undefined) {
    throw new InputProblem('there is no program to run', {
      expected: 'how it is started: trackside native -- ./app',
    });
  }
  const socket = await socketPath();
  const program: ExternalProgram = { command, args, env: environment(socket, options) };
  if (options.record !== undefined) await record(program, socket, options.record, options);
  else await check(program, socket, options);
}

function environment(socket: string, { atomic, criticalSections, provoke }: Options): Record<string, string> {
  return {
    TRACKSIDE_TRACE: socket,
    ...(atomic.length > 0 ? { TRACKSIDE_ATOMIC: atomic.join('\n') } : {}),
    ...(provoke === undefined ? {} : { TRACKSIDE_PROVOKE: String(provoke) }),
    ...(criticalSections ? { TRACKSIDE_SECTIONS: '1' } : {}),
  };
}

async function record(
  program: ExternalProgram,
  socket: string,
  file: string,
  options: Options,
): Promise<void> {
  const { code, files, notes } = await recordExternal(program, socket, file);
  refuseUnwatched(files.length, code);
  const { nameReadably } = await import('../native/readable-trace.ts');
  const progress = new Progress(process.stderr, options);
  for (const path of files) {
    progress.start(`names of ${path}`, 'bytes');
    await nameReadably(path, (position, total) => progress.update(position, { position, total }));
  }
  progress.clear();
  if (!options.quiet) for (const note of notes) process.stderr.write(`${note}\n`);
  if (code !== 0) process.exitCode = code;
}

async function check(program: ExternalProgram, socket: string, options: Options): Promise<void> {
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  const specification = await specificationOf(options);
  await refuseOtherThanFolders(options.sourceRoot);
  const reports = await CheckReports.open(
    TOOL,
    { ...options, provoking: provokingOption(options) },
    [],
    process.stderr,
  );
  const progress = new Progress(process.stderr, options);
  const { nativeResults } = await import('../native/judge.ts');
  const found: AnalysisResult[] = [];
  const { code, traces } = await checkExternal(
    program,
    socket,
    {
      analyses,
      specification,
      forkJoin: options.forkJoin,
      first: options.first,
      confirm: false,
      subtraces: reports.showsSubtraces,
      sourceRoot: options.sourceRoot,
      judge: (results, trace) => nativeResults(results, trace, { specification, forkJoin: options.forkJoin }),
      onResults: async (results) => void found.push(...results),
    },
    progress,
  );
  refuseUnwatched(traces, code);
  for (const results of withoutBystanders(found)) await reports.trace([results]);
  await reports.finish();
  // What the program says about itself comes first.
  if (code !== 0) process.exitCode = code;
}

/** Of several processes, those that only start the others have nothing to report. */
function withoutBystanders(results: readonly AnalysisResult[]): readonly AnalysisResult[] {
  const active = results.filter(({ blocks, verdict }) => blocks.checked > 0 || verdict !== 'ok');
  return active.length > 0 ? active : results.slice(0, 1);
}

function refuseUnwatched(traces: number, code: number): void {
  if (traces > 0) return;
  throw new InputProblem('no program was watched', {
    found: `a command that ended with ${code} and has nothing of ours in it`,
    expected: 'a program that trackside cc or trackside c++ has linked: trackside cc app.c -o app',
  });
}
