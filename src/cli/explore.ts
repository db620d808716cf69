import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { AnalysisResult, RunResult, Shard } from '../check/result.ts';
import { scheduleWords } from '../check/schedules.ts';
import { isViolation } from '../check/worst.ts';
import { counted, duration, grouped } from '../report/layout.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { type ScheduleKind, type ScheduleOptions, USUAL_SEED } from '../trace/schedule-options.ts';
import { addReportingOptions, CheckReports, type ReportingOptions } from './check-reports.ts';
import { applyConfig } from './config-file.ts';
import { EXIT_CODES, ExitCode } from './exit.ts';
import {
  type ExplorationPlan,
  explorationDigest,
  failedResult,
  failureOf,
  plannedRuns,
  type RunEnd,
  runsInShard,
} from './exploration.ts';
import type { KeptOutput } from './kept-output.ts';
import { countOf, secondsOf, shardOption } from './options.ts';
import {
  addProgramCheckOptions,
  ProgramCheck,
  type ProgramCheckOptions,
  repeatedOptions,
} from './program-check.ts';
import { addProgramArguments, existingScript } from './program-options.ts';
import { type BoundedRun, runBounded, wasKilled } from './program-process.ts';
import { Progress } from './progress.ts';
import { complainOfUnmatched } from './run.ts';
import { schedulesOption, seedOption } from './schedule-options.ts';
import { removeScratch, scratchPath } from './scratch.ts';
import { TOOL } from './tool.ts';

const EXAMPLES = `
Examples:
  trackside explore app.mjs                  up to 100 runs, each in another
                                             order, until one breaks something
  trackside explore --runs 1000 --schedule random,pct app.ts --port 0
  trackside explore --keep-going --reporter html=report.html app.mjs
                                             all that 100 runs show
  trackside explore --shard 1/4 --reporter json=1.json app.mjs
                                             a part, for trackside merge

The program is run once without a schedule first. A run that ends with another
exit code than that one, or not in time, counts as a violation. The program
gets no input, and what it says is shown for the runs that are reported.

${EXIT_CODES}  A program that fails without a schedule keeps its own exit code.
`;

interface Options extends ProgramCheckOptions, ReportingOptions {
  runs: number;
  schedule: readonly ScheduleKind[];
  seed?: number;
  timeout: number;
  keepGoing: boolean;
  showOutput: boolean;
  shard?: Shard;
}

const USUAL_RUNS = 100;
const USUAL_TIMEOUT = 60;

export function addExploreCommand(program: Command): void {
  const command = addProgramArguments(
    program
      .command('explore')
      .summary('run a program in many orders until one breaks it')
      .description(
        'Runs a program again and again, each time in another order of its tasks that is possible anyway; stops at the first violation and prints the command that replays it.',
      ),
  )
    .option('--runs <number>', `how many runs (default: ${USUAL_RUNS})`, runsOf, USUAL_RUNS)
    .addOption(schedulesOption())
    .addOption(seedOption(`the first seed (default: ${USUAL_SEED})`))
    .option(
      '--timeout <seconds>',
      `after which a run is ended (default: ${USUAL_TIMEOUT})`,
      (text: string) => secondsOf('--timeout', text),
      USUAL_TIMEOUT,
    )
    .option('--keep-going', 'do all runs, whatever is found', false)
    .option('--show-output', "show the program's output as it comes", false)
    .addOption(shardOption('runs'));
  addProgramCheckOptions(command);
  addReportingOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((script: string, args: string[]) => explore(script, args, command));
}

/** More would take weeks. */
const MOST_RUNS = 1_000_000;

function runsOf(text: string): number {
  const runs = countOf('--runs', text);
  if (runs >= 1 && runs <= MOST_RUNS) return runs;
  throw new InputProblem('--runs takes a number of runs', {
    found: quoted(text),
    expected: `from 1 to ${MOST_RUNS}`,
  });
}

async function explore(script: string, args: string[], command: Command): Promise<void> {
  await applyConfig(command, process.cwd());
  const options: Options = command.opts();
  const plan: ExplorationPlan = {
    kinds: options.schedule,
    seed: options.seed ?? USUAL_SEED,
    runs: options.runs,
  };
  const all = plannedRuns(plan);
  const shard = options.shard && { ...options.shard, corpus: explorationDigest(script, args, plan) };
  const check = await ProgramCheck.open(script, args, options);
  const entry = await existingScript(script);
  const reports = await CheckReports.open(
    TOOL,
    { ...options, parts: { shard } },
    repeatedOptions(options),
    process.stderr,
  );
  const exploration = new Exploration(script, entry, args, options, check, reports);
  const part = shard === undefined ? all : runsInShard(all, shard);
  if (shard !== undefined && !options.quiet) {
    const { index, of } = shard;
    process.stderr.write(
      `shard ${index} of ${of}: ${grouped(part.length)} of ${counted(all.length, 'run')}\n`,
    );
  }
  const isWhole = await exploration.explore(part);
  await reports.finish({ runs: exploration.runs, isWhole });
  if (exploration.code !== 0) process.exitCode ||= exploration.code;
  else if (isWhole) complainOfUnmatched(check, command);
}

interface Run extends BoundedRun, RunEnd {
  spool: string;
}

/** Runs one program again and again, and reports the runs in which there is something to see. */
class Exploration {
  readonly runs: RunResult[] = [];
  /** That of the program without a schedule, or what tells that the exploration was interrupted. */
  code = 0;
  readonly #script: string;
  readonly #entry: string;
  readonly #args: readonly string[];
  readonly #options: Options;
  readonly #check: ProgramCheck;
  readonly #reports: CheckReports;
  readonly #progress: Progress;

  constructor(
    script: string,
    entry: string,
    args: readonly string[],
    options: Options,
    check: ProgramCheck,
    reports: CheckReports,
  ) {
    this.#script = script;
    this.#entry = entry;
    this.#args = args;
    this.#options = options;
    this.#check = check;
    this.#reports = reports;
    this.#progress = new Progress(process.stderr, options);
  }

  /** Gives whether all runs were done, as nothing came up before. */
  async explore(schedules: readonly ScheduleOptions[]): Promise<boolean> {
    this.#progress.start(`exploring ${this.#script}`, 'runs');
    const plain = await this.#run(null);
    await removeScratch(plain.spool);
    if (plain.isInterrupted) return false;
    this.#tellOfPlain(plain);
    for (const [i, schedule] of schedules.entries()) {
      this.#progress.update(i, { position: i, total: schedules.length });
      const run = await this.#run(schedule);
      if (run.isInterrupted || (await this.#isEnough(schedule, run, plain))) return false;
    }
    this.#progress.clear();
    return true;
  }

  async #run(schedule: ScheduleOptions | null): Promise<Run> {
    const spool = await scratchPath();
    const { instrument, atomic, order, stores, values, timeout, showOutput } = this.#options;
    const started = performance.now();
    const run = await runBounded(
      {
        cwd: process.cwd(),
        entry: this.#entry,
        instrument,
        atomic,
        spool,
        schedule,
        order,
        values,
        stores,
      },
      this.#args,
      { milliseconds: timeout * 1000, shows: showOutput },
    );
    if (run.isInterrupted) {
      this.#progress.clear();
      this.code = run.code;
    }
    return { ...run, spool, milliseconds: performance.now() - started, error: run.output.lastError() };
  }

  /** What the analyses say of a run; nothing, if they have found nothing. */
  async #results(schedule: ScheduleOptions, { spool, code, isTimedOut }: Run): Promise<AnalysisResult[]> {
    // A program that is ended early may have left nothing.
    const isThere = !isTimedOut || existsSync(spool);
    const results = isThere
      ? await this.#check.results({ spool, code, schedule }, this.#reports.showsSubtraces, QUIET)
      : [];
    await removeScratch(spool);
    return results.some((result) => isViolation(result) || result.error !== undefined) ? results : [];
  }

  /** Reports what a run has shown, if anything; gives whether nothing more needs to be known. */
  async #isEnough(schedule: ScheduleOptions, run: Run, plain: RunEnd): Promise<boolean> {
    const results = await this.#results(schedule, run);
    const failure = failureOf(run, plain);
    if (failure !== null) {
      const scheduled = { ...schedule, replay: this.#check.command(schedule) };
      results.push(failedResult(this.#script, scheduled, failure.message, run.milliseconds));
    }
    const outcome = failure?.outcome ?? (results.length === 0 ? 'silent' : 'violation');
    this.runs.push({ trace: this.#script, schedule, outcome });
    if (results.length === 0) return false;
    this.#progress.clear();
    const isFound = this.#reports.codeOf(results) !== ExitCode.ok;
    if (isFound && !this.#options.quiet) showOutput(run.output, schedule);
    await this.#reports.trace(results);
    return isFound && !this.#options.keepGoing;
  }

  /** What a user should know before all the other runs do the same. */
  #tellOfPlain({ code, isTimedOut, milliseconds, error }: RunEnd): void {
    if (code !== 0 && !isTimedOut) this.code = code;
    if (this.#options.quiet || (code === 0 && !isTimedOut)) return;
    this.#progress.clear();
    const why = error === null ? '' : ` (${error})`;
    const said = isTimedOut
      ? `without a schedule, the program had not ended after ${duration(milliseconds)}: every run is ended then (--timeout)`
      : `without a schedule, the program ${wasKilled(code) ? 'was killed' : 'fails'}, with exit code ${code}${why}`;
    process.stderr.write(`trackside: ${said}\n`);
  }
}

const NEWLINE = 10;

function showOutput(output: KeptOutput, schedule: ScheduleOptions): void {
  const said = output.bytes();
  if (said === null) return;
  process.stderr.write(`--- output of the program (${scheduleWords(schedule)}):\n`);
  process.stderr.write(said);
  process.stderr.write(said.at(-1) === NEWLINE ? '---\n' : '\n---\n');
}

/** The progress that counts is that of the runs. */
const QUIET = Progress.silent();
