import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { AnalysisResult } from '../check/result.ts';
import { programResults } from '../node/consequence/program-results.ts';
import { absentFile } from '../node/loader/program-options.ts';
import { checkInput } from './check.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { applyConfig } from './config-file.ts';
import { EXIT_CODES, ExitCode } from './exit.ts';
import {
  addSpecificationOptions,
  collect,
  forkJoinOption,
  type SpecificationOptions,
  specificationOf,
} from './options.ts';
import { addProgramArguments, existingScript, type ProgramCommandOptions } from './program-options.ts';
import { runProgram, wasKilled } from './program-process.ts';
import { Progress } from './progress.ts';
import { scratchPath } from './scratch.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside run app.mjs                      run it, and say what was not atomic
  trackside run src/server.ts --port 8080    options after the script are its own
  trackside run --atomic 'Bank.*' app.ts     only the blocks of one class
  trackside run --instrument 'node_modules/keyv/**' app.mjs
                                             watch a package, too
  trackside run --reporter html=report.html app.mjs

The program's output stays its own: the text report goes to standard error.
Settings may be kept in trackside.config.ts.

${EXIT_CODES}  A program that fails keeps its own exit code.
`;

interface Options extends SpecificationOptions, ReportingOptions, ProgramCommandOptions {
  analysis: string;
  forkJoin: ForkJoin;
  first: boolean;
  atomic: string[];
  live: boolean;
  recorded?: string;
}

export function addRunCommand(program: Command): void {
  const command = addProgramArguments(
    program
      .command('run')
      .summary('run a JavaScript or TypeScript program and check it')
      .description('Runs a program, and says which of its async functions were not atomic, and why.'),
  )
    .option('--atomic <glob>', 'check only blocks with such labels (repeatable)', collect, [])
    .option('--analysis <names>', 'which analyses to run, separated by commas, or all', 'regiontrack');
  addSpecificationOptions(command)
    .addOption(forkJoinOption('family'))
    .option('--first', 'stop checking at the first violation', false)
    .option('--no-live', 'do not announce violations while the program runs');
  addReportingOptions(command, 'error')
    .addOption(recordedOption())
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => run(script, args, command));
}

async function run(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  const analyses = await loadAnalyses(options.analysis, options.forkJoin);
  const specification = await specificationOf({ ...options, only: [...options.only, ...options.atomic] });
  const reports = await CheckReports.open(TOOL, options, repeated(options), process.stderr);
  const { recorded, instrument, live } = options;
  const spool = recorded ?? (await scratchPath());
  const code =
    recorded !== undefined
      ? ExitCode.ok
      : await runProgram(
          {
            cwd: process.cwd(),
            entry: await existingScript(script),
            instrument,
            atomic: options.atomic,
            spool,
            live: live && !options.quiet,
            order: options.order,
          },
          args,
        );
  const progress = new Progress(process.stderr, options);
  const input = { path: spool, rereadable: true, problem: null };
  const found = await checkInput(
    input,
    {
      ...options,
      analyses,
      specification,
      format: 'trk',
      lenient: wasKilled(code),
      confirm: false,
      sourceRoot: [],
      subtraces: reports.showsSubtraces,
    },
    progress,
  );
  const results = await programResults(found, spool, await absentVariables(spool));
  await reports.trace(results.map((result) => ({ ...withOrder(result, options), trace: script })));
  await reports.finish();
  // What the program says about itself comes first.
  if (code !== 0) process.exitCode = code;
}

/** None, if the program was killed before it could say. */
async function absentVariables(spool: string): Promise<Set<string>> {
  const text = await readFile(absentFile(spool), 'utf8').catch(() => '[]');
  return new Set(JSON.parse(text) as string[]);
}

const FAST_ORDER =
  '--order fast: threads took their places in the order of accesses to shared memory without a lock, so that two accesses at the same time may stand here the wrong way round';

/** Says so if the order may be wrong. */
function withOrder(result: AnalysisResult, { order }: Options): AnalysisResult {
  return order === 'exact' ? result : { ...result, notes: [...(result.notes ?? []), FAST_ORDER] };
}

/** What has to be said again for another command to find the same. */
function repeated({ instrument, atomic, only, exclude, spec, forkJoin, order }: Options): string[] {
  const each = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  return [
    ...each('--instrument', instrument),
    ...each('--atomic', atomic),
    ...each('--only', only),
    ...each('--exclude', exclude),
    ...each('--spec', spec),
    ...(forkJoin === 'family' ? [] : ['--fork-join', forkJoin]),
    ...(order === 'exact' ? [] : ['--order', order]),
  ];
}

/** Only the report, for a program that was started without this command: `node --import trackside/register`. */
function recordedOption(): Option {
  return new Option(
    '--recorded <trace>',
    'report on this trace of the program instead of running it',
  ).hideHelp();
}
