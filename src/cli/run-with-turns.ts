import { STEADY } from '../trace/schedule-options.ts';
import { CheckReports, type ReportingOptions } from './check-reports.ts';
import { ProgramCheck, type ProgramCheckOptions, repeatedOptions } from './program-check.ts';
import { existingScript } from './program-options.ts';
import { Progress } from './progress.ts';
import { RepeatedRuns } from './repeated-runs.ts';
import { chosenSchedule, type ScheduleCommandOptions } from './schedule-options.ts';
import { removeScratch } from './scratch.ts';
import { TOOL } from './tool.ts';
import { whatIfAtomic } from './what-if.ts';

interface Options extends ProgramCheckOptions, ReportingOptions, ScheduleCommandOptions {
  whatIfAtomic: readonly string[];
}

/** Seconds after which a run is ended. */
const TIMEOUT = 60;

/** `run --what-if-atomic`: the program as it is, and once more with calls of some blocks one at a time. */
export async function runWithTurns(script: string, args: readonly string[], options: Options): Promise<void> {
  const schedule = chosenSchedule(options, options) ?? STEADY;
  const check = await ProgramCheck.open(script, args, options);
  const reports = await CheckReports.open(TOOL, options, repeatedOptions(options), process.stderr);
  const progress = new Progress(process.stderr, options);
  const runs = new RepeatedRuns(
    await existingScript(script),
    args,
    { ...options, timeout: TIMEOUT },
    schedule,
  );
  progress.start(`running ${script}`, 'runs');
  const observed = await runs.observed();
  const { code, output } = observed.execution.outcome;
  progress.clear();
  if (output.length > 0) process.stdout.write(`${output.join('\n')}\n`);
  const results = await check.results(
    { spool: observed.spool, code, schedule },
    reports.showsSubtraces,
    progress,
  );
  await reports.trace(results);
  const whatIf = await whatIfAtomic(options.whatIfAtomic, results, observed, runs, check);
  await runs.finish();
  await removeScratch(observed.spool);
  await reports.finish({ whatIf });
  // What the program says about itself comes first.
  if (code !== 0) process.exitCode = code;
}
