import type { Command } from 'commander';
import { proofsOf, withProofs } from '../prove/proofs.ts';
import { encountersIn } from '../prove/rivals.ts';
import { STEADY } from '../trace/schedule-options.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { applyConfig } from './config-file.ts';
import { EXIT_CODES } from './exit.ts';
import { secondsOf } from './options.ts';
import {
  addProgramCheckOptions,
  ProgramCheck,
  type ProgramCheckOptions,
  repeatedOptions,
} from './program-check.ts';
import { addProgramArguments, existingScript } from './program-options.ts';
import { Progress } from './progress.ts';
import { RepeatedRuns } from './repeated-runs.ts';
import {
  chosenSchedule,
  type ScheduleCommandOptions,
  SEED_WORDS,
  scheduleOption,
  seedOption,
} from './schedule-options.ts';
import { removeScratch } from './scratch.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside prove app.mjs                    which violations change the outcome
  trackside prove --schedule provoke app.ts  in an order that breaks more
  trackside prove --fail-on proved app.ts    fail only for what was proved

For each violation the program is run again with the two calls one after the
other, in both orders. If it then never comes to the outcome that was observed
(output, exit code, errors, values, rows, files), the violation is proved harmful. The
program gets no input.

${EXIT_CODES}
`;

const USUAL_TIMEOUT = 60;
const USUAL_BUDGET = 120;

interface Options extends ProgramCheckOptions, ReportingOptions, ScheduleCommandOptions {
  timeout: number;
  budget: number;
}

export function addProveCommand(program: Command): void {
  const command = addProgramArguments(
    program
      .command('prove')
      .summary('show which violations change what the program does')
      .description(
        'Runs a program, and for each violation runs it again with the calls one after the other: a violation is proved harmful if the outcome is then another one.',
      ),
  )
    .addOption(scheduleOption())
    .addOption(seedOption(SEED_WORDS))
    .option(
      '--timeout <seconds>',
      `after which a run is ended (default: ${USUAL_TIMEOUT})`,
      (text: string) => secondsOf('--timeout', text),
      USUAL_TIMEOUT,
    )
    .option(
      '--budget <seconds>',
      `after which no other violation is tried (default: ${USUAL_BUDGET})`,
      (text: string) => secondsOf('--budget', text),
      USUAL_BUDGET,
    );
  addProgramCheckOptions(command);
  addReportingOptions(command, ['error', 'warning', 'proved'])
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => proveProgram(script, args, command));
}

async function proveProgram(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  const schedule = chosenSchedule(options, options) ?? STEADY;
  const check = await ProgramCheck.open(script, args, options);
  const reports = await CheckReports.open(TOOL, options, repeatedOptions(options), process.stderr);
  const progress = new Progress(process.stderr, options);
  const runs = new RepeatedRuns(await existingScript(script), args, options, schedule);
  progress.start(`running ${script}`, 'runs');
  const observed = await runs.observed();
  const results = await check.results(
    { spool: observed.spool, code: observed.execution.outcome.code, schedule },
    reports.showsSubtraces,
    progress,
  );
  const { isTimedOut } = observed.execution;
  if (isTimedOut) {
    progress.clear();
    process.stderr.write(
      `trackside: the program had not ended after ${options.timeout} s (--timeout), so that nothing can be proved\n`,
    );
  }
  const violations = isTimedOut ? [] : results.flatMap((result) => result.violations);
  progress.start('proving', 'violations');
  const proofs =
    violations.length === 0
      ? new Map()
      : await proofsOf(violations, {
          encounters: await encountersIn(observed.spool, violations),
          observed: observed.execution.outcome,
          execute: (turns) => runs.execute(turns),
          budget: options.budget,
          onTry: (i) => progress.update(i, { position: i, total: violations.length }),
        });
  await runs.finish();
  await removeScratch(observed.spool);
  progress.clear();
  await reports.trace(results.map((result) => withProofs(result, proofs)));
  await reports.finish();
}
