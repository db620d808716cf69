import { realpath } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { AnalysisResult } from '../check/result.ts';
import { rulesAsText } from '../node/judgement/rule-table.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { childrenOption, wholeRun } from './child-traces.ts';
import { applyConfig } from './config-file.ts';
import { EXIT_CODES, ExitCode, endWith } from './exit.ts';
import { complain, problemText } from './failure.ts';
import { announceFindings } from './live-findings.ts';
import {
  addProgramCheckOptions,
  ProgramCheck,
  type ProgramCheckOptions,
  repeatedOptions,
} from './program-check.ts';
import { addProgramArguments, existingScript } from './program-options.ts';
import { runProgram } from './program-process.ts';
import { Progress } from './progress.ts';
import {
  chosenSchedule,
  type ScheduleCommandOptions,
  SEED_WORDS,
  scheduleOption,
  seedOption,
} from './schedule-options.ts';
import { scratchPath } from './scratch.ts';
import { TOOL } from './tool.ts';
import { whatIfOption } from './what-if-option.ts';

const EXAMPLES = `
Examples:
  trackside run app.mjs                      run it, and say what was not atomic
  trackside run src/server.ts --port 8080    options after the script are its own
  trackside run --atomic 'Bank.*' app.ts     only the blocks of one class
  trackside run --instrument 'node_modules/keyv/**' app.mjs
                                             watch a package, too
  trackside run --schedule provoke app.mjs   hold tasks back where it may hurt
  trackside run --schedule random --seed 7 app.mjs
                                             one other order, the same each time
  trackside run --reporter html=report.html app.mjs

The program's output stays its own: the text report goes to standard error.
Settings may be kept in trackside.config.ts.

${EXIT_CODES}  A program that fails keeps its own exit code.
`;

interface Options extends ProgramCheckOptions, ReportingOptions, ScheduleCommandOptions {
  whatIfAtomic?: string[];
  live: boolean;
  recorded?: string;
  children: boolean;
}

export function addRunCommand(program: Command): void {
  const command = addProgramArguments(
    program
      .command('run')
      .summary('run a JavaScript or TypeScript program and check it')
      .description('Runs a program, and says which of its async functions were not atomic, and why.'),
  );
  addProgramCheckOptions(command)
    .addOption(scheduleOption())
    .addOption(seedOption(SEED_WORDS))
    .addOption(whatIfOption())
    .addOption(childrenOption())
    .option('--details', 'tell warnings and notes as fully as errors', false)
    .option('--explain-rules', 'print the rules by which findings are judged, and end')
    .option('--no-live', 'do not say what was found while the program runs');
  explainRules(command);
  addReportingOptions(command)
    .addOption(recordedOption())
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => run(script, args, command));
}

/** Needs no program, so that it comes before anything is missed. */
function explainRules(command: Command): void {
  command.on('option:explain-rules', () => {
    process.stdout.write(rulesAsText());
    process.exit(ExitCode.ok);
  });
}

async function run(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  if (options.whatIfAtomic !== undefined) {
    const { runWithTurns } = await import('./run-with-turns.ts');
    await runWithTurns(script, args, { ...options, whatIfAtomic: options.whatIfAtomic });
    return;
  }
  const { recorded, instrument, live } = options;
  // A run that is over had its schedule, whatever a configuration says.
  const wasScheduled = recorded !== undefined && command.getOptionValueSource('schedule') !== 'cli';
  const schedule = wasScheduled ? null : chosenSchedule(options, options);
  const check = await ProgramCheck.open(script, args, options);
  const isFree = schedule === null && recorded === undefined;
  const provoking = isFree ? check.command({ kind: 'provoke', seed: 1 }) : undefined;
  const reports = await CheckReports.open(
    TOOL,
    { ...options, provoking },
    repeatedOptions(options),
    process.stderr,
  );
  const spool = recorded ?? (await scratchPath());
  const isOver = new AbortController();
  const announcing =
    recorded === undefined && live && !options.quiet
      ? announceFindings(check, spool, isOver.signal, (line) => process.stderr.write(line))
      : null;
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
            schedule,
            order: options.order,
            values: options.values,
            stores: options.stores,
            children: options.children,
            violationsOnly: check.needsViolationsOnly,
          },
          args,
        );
  isOver.abort();
  await announcing;
  const progress = new Progress(process.stderr, options);
  const whole = await wholeRun(spool);
  const checked = { spool: whole.path, code, schedule };
  const found = await check.results(checked, reports.showsSubtraces, progress);
  const results = found.map((result) => whole.certain(result));
  if (recorded !== undefined && (await isBystander(script, results))) return;
  await reports.trace(results);
  await reports.finish();
  // What the program says about itself comes first, and one that failed may not have got so far.
  if (code !== 0) process.exitCode = code;
  else if (recorded === undefined) complainOfUnmatched(check, command);
}

/** A name that is mistyped in the command is a mistake; a configuration may be for other programs, too. */
export function complainOfUnmatched(check: ProgramCheck, command: Command): void {
  const problem = check.unmatched();
  if (problem === null) return;
  const isTyped = ['atomic', 'only'].some((name) => command.getOptionValueSource(name) === 'cli');
  if (!isTyped) process.stderr.write(`warning: ${problemText(problem)}\n`);
  else {
    complain(problem);
    endWith(ExitCode.wrong);
  }
}

/**
 * Whether it is a package's command in which nothing of the program happened: with `NODE_OPTIONS`, `npx` and a test runner
 * are watched as well as the processes that they start.
 */
async function isBystander(script: string, results: readonly AnalysisResult[]): Promise<boolean> {
  if (results.some(({ events }) => events > 0)) return false;
  return /[\\/]node_modules[\\/]/.test(await realpath(script).catch(() => script));
}

/** Only the report, for a program that was started without this command: `node --import trackside/register`. */
function recordedOption(): Option {
  return new Option(
    '--recorded <trace>',
    'report on this trace of the program instead of running it',
  ).hideHelp();
}
