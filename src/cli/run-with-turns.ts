import { callsByLabel } from '../prove/rivals.ts';
import { matchesGlob } from '../spec/glob.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
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
  const { isTimedOut, outcome } = observed.execution;
  const { code, output } = outcome;
  progress.clear();
  if (isTimedOut)
    process.stderr.write(
      `trackside: the program had not ended after ${TIMEOUT} s: a run with --what-if-atomic is ended then\n`,
    );
  if (output.length > 0) process.stdout.write(`${output.join('\n')}\n`);
  await refuseUnknown(options.whatIfAtomic, observed.spool);
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

const MOST_NAMED = 12;

/** A label that no block has would change nothing, which looks as if a lock did not help. */
async function refuseUnknown(labels: readonly string[], spool: string): Promise<void> {
  const given = labels.filter((label) => label !== '');
  if (given.length === 0) return;
  const called = [...(await callsByLabel(spool)).keys()];
  for (const glob of given) {
    if (called.some((label) => matchesGlob(glob, label))) continue;
    throw new InputProblem(`no block that ran is called ${quoted(glob, 200)}`, {
      expected:
        called.length === 0
          ? 'a program with blocks'
          : `one of ${called
              .slice(0, MOST_NAMED)
              .map((label) => quoted(label, 60))
              .join(', ')}${called.length > MOST_NAMED ? ', …' : ''}`,
    });
  }
}
