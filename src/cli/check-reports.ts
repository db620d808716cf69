import type { Command } from 'commander';
import type { Baseline } from '../check/baseline.ts';
import { areFailing, type FailOn } from '../check/failing.ts';
import type { AnalysisResult, PartsResult, RunData, RunResult, Tool, WhatIfResult } from '../check/result.ts';
import { compareSchedules } from '../check/schedules.ts';
import { missingShards, shardsOf } from '../check/shard.ts';
import { REPORTER_NAMES, refuseOtherThanReporters } from '../report/names.ts';
import type { Report } from '../report/reporter.ts';
import { InputProblem } from '../trace/problem.ts';
import { ExitCode, endWith } from './exit.ts';
import type { ExportedViolations } from './exported-violations.ts';
import { openOption, openPage, withPage } from './opened-page.ts';
import {
  baselineOption,
  editorOption,
  exportOption,
  failOnOption,
  noColorOption,
  quietOption,
} from './options.ts';
import type { Output } from './output.ts';
import {
  openOutput,
  type ReportRequest,
  reporterOption,
  reportRequests,
  styleFor,
  widthFor,
  withoutQuieted,
  writeAll,
} from './reports.ts';
import { thisRun } from './this-run.ts';

export interface ReportingOptions {
  failOn?: FailOn;
  baseline?: string;
  updateBaseline: boolean;
  open: boolean;
  exportViolations?: string;
  reporter: string[];
  quiet: boolean;
  /** Whether warnings and notes are told as fully as errors. */
  details?: boolean;
  color: boolean;
  editor: string;
  /** Of which of the traces the results are, if not of all. */
  parts?: PartsResult;
  /** How they came about, if not by this command; null where that was not one command. */
  run?: RunData | null | undefined;
  /** What makes the program run in other orders. */
  provoking?: string | undefined;
}

/** The options of every command that reports results of checks. */
export function addReportingOptions(command: Command, failOn?: readonly FailOn[]): Command {
  return command
    .addOption(failOnOption(failOn))
    .addOption(baselineOption())
    .option('--update-baseline', 'write what is found into the baseline, and fail for none of it', false)
    .addOption(reporterOption(REPORTER_NAMES))
    .addOption(openOption())
    .addOption(exportOption())
    .addOption(editorOption())
    .addOption(quietOption())
    .addOption(noColorOption());
}

interface OpenReport {
  report: Report;
  output: Output;
}

/** The reports that were asked for, all about the same results, and the exit code that follows from those. */
export class CheckReports {
  readonly #reports: readonly OpenReport[];
  readonly #baseline: Baseline | null;
  /** Where the baseline is to be written anew, if it is. */
  readonly #baselineFile: string | null;
  readonly #tool: Tool;
  /** The page to be opened when it is written, if any. */
  readonly #page: string | null;
  readonly #failOn: FailOn | undefined;
  readonly #exported: ExportedViolations | null;
  readonly #quiet: boolean;
  /** Whether these are the results of all traces: what is not among those of a part may be in another. */
  readonly #whole: boolean;
  /** Whether anybody wants to see the smallest sub-traces. */
  readonly showsSubtraces: boolean;

  /** Refuses what cannot be done before anything is checked. `text` is where text goes that has no file. */
  static async open(
    tool: Tool,
    options: ReportingOptions,
    repeated: readonly string[] = [],
    text?: NodeJS.WriteStream,
  ): Promise<CheckReports> {
    const requests = requestsOf(options).map((request) =>
      request.name === 'text' && request.path === null
        ? { ...request, stream: text ?? process.stdout }
        : request,
    );
    const { baseline, updateBaseline, parts = {} } = options;
    const run = (options.run === undefined ? thisRun() : options.run) ?? undefined;
    const editor = options.editor === 'none' ? null : options.editor;
    if (updateBaseline && (baseline === undefined || baseline === '-'))
      throw new InputProblem('--update-baseline needs a file to write', { expected: '--baseline <file>' });
    const known = baseline === undefined ? null : await openBaseline(baseline, updateBaseline);
    const reports: OpenReport[] = [];
    let showsSubtraces = false;
    for (const request of requests) {
      // Only if anything is reported at all: to load all reporters takes as long as to check a short trace.
      const { reporterNamed } = await import('../report/registry.ts');
      const reporter = reporterNamed(request.name);
      showsSubtraces ||= reporter.showsSubtraces === true;
      const style = styleFor(request, options.color);
      const { failOn } = options;
      const layout = {
        tool,
        style,
        width: widthFor(request),
        failOn,
        repeated,
        parts,
        run,
        editor,
        details: options.details === true,
        provoking: options.provoking,
      };
      const report = reporter.start(layout);
      const isLog = inWorkflow() && request.name === 'text' && request.path === null;
      reports.push({
        report: isLog ? await inLog(report) : report,
        output: await openOutput(request),
      });
    }
    const { exportViolations } = options;
    const exported = exportViolations === undefined ? null : await openExported(exportViolations);
    const page = options.open ? (requests.find(({ name }) => name === 'html')?.path ?? null) : null;
    return new CheckReports(reports, known, exported, showsSubtraces, tool, page, options);
  }

  private constructor(
    reports: readonly OpenReport[],
    baseline: Baseline | null,
    exported: ExportedViolations | null,
    showsSubtraces: boolean,
    tool: Tool,
    page: string | null,
    options: ReportingOptions,
  ) {
    this.#page = page;
    this.#tool = tool;
    this.#baselineFile = options.updateBaseline ? (options.baseline ?? null) : null;
    this.#reports = reports;
    this.#baseline = baseline;
    this.#failOn = options.failOn;
    this.#quiet = options.quiet;
    this.#whole = missingShards(shardsOf(options.parts ?? {})).length === 0;
    this.#exported = exported;
    this.showsSubtraces = showsSubtraces || exported !== null;
  }

  /** Whether it makes a difference to anything but the exit code what the lines are that locations name. */
  get needsSources(): boolean {
    return this.#reports.length > 0 || this.#exported !== null || this.#baseline !== null;
  }

  /** The exit code that follows from results. */
  codeOf(found: readonly AnalysisResult[]): ExitCode {
    return this.#codeOf(this.#withoutKnown(found));
  }

  #withoutKnown(found: readonly AnalysisResult[]): readonly AnalysisResult[] {
    const baseline = this.#baseline;
    return baseline === null ? found : found.map((result) => baseline.hide(result));
  }

  #codeOf(results: readonly AnalysisResult[]): ExitCode {
    const code = exitCodeOf(results, this.#failOn);
    // What is found is known from now on.
    return this.#baselineFile !== null && code === ExitCode.found ? ExitCode.ok : code;
  }

  /** Reports the results of all analyses on one trace. */
  async trace(found: readonly AnalysisResult[]): Promise<void> {
    const results = this.#withoutKnown(found);
    // Set at once, in case whoever reads the report stops reading.
    endWith(this.#codeOf(results));
    for (const { report, output } of this.#reports) await writeAll(output, report.trace(results));
    await this.#exported?.add(results);
  }

  /** Reports saved results, trace by trace. */
  async saved(results: readonly AnalysisResult[]): Promise<void> {
    for (const ofTrace of byTrace(results)) await this.trace(ofTrace);
  }

  /** `runs` of a program, if it was run more than once, and whether those are all that there should have been. */
  async finish({
    runs,
    whatIf,
    isWhole = true,
  }: {
    runs?: readonly RunResult[] | undefined;
    whatIf?: readonly WhatIfResult[] | undefined;
    isWhole?: boolean;
  } = {}): Promise<void> {
    const isAll = this.#whole && isWhole;
    const fixed = isAll ? this.#baseline?.gone() : undefined;
    for (const { report, output } of this.#reports) {
      await writeAll(output, report.finish({ fixed, runs, whatIf }));
      await output.finish();
    }
    if (this.#page !== null) await openPage(this.#page);
    if (this.#baseline !== null && this.#baselineFile !== null) {
      const { writeBaseline } = await import('./written-baseline.ts');
      const said = await writeBaseline(this.#baselineFile, this.#tool, this.#baseline.updated(isAll));
      if (!this.#quiet) process.stderr.write(`${said}\n`);
    }
    if (this.#exported !== null && !this.#quiet) process.stderr.write(`${this.#exported.summary()}\n`);
  }
}

/** The text of a report in the log of a workflow, which must not take it for commands. */
async function inLog(report: Report): Promise<Report> {
  const { withoutCommands } = await import('../report/github.ts');
  const { randomUUID } = await import('node:crypto');
  return withoutCommands(report, randomUUID());
}

async function openBaseline(path: string, mayLack: boolean): Promise<Baseline> {
  const { Baseline } = await import('../check/baseline.ts');
  const { readBaseline } = await import('./saved-results.ts');
  return new Baseline(await readBaseline(path, mayLack));
}

async function openExported(folder: string): Promise<ExportedViolations> {
  const { ExportedViolations } = await import('./exported-violations.ts');
  return ExportedViolations.open(folder);
}

/** Results of one trace follow each other; an analysis that comes again is of the next, even of the same name. */
function byTrace(results: readonly AnalysisResult[]): AnalysisResult[][] {
  const traces: AnalysisResult[][] = [];
  for (const result of results) {
    const last = traces.at(-1);
    const belongs =
      last?.[0].trace === result.trace &&
      compareSchedules(last[0].schedule, result.schedule) === 0 &&
      last.every(({ analysis }) => analysis !== result.analysis);
    if (last !== undefined && belongs) last.push(result);
    else traces.push([result]);
  }
  return traces;
}

/** Where nothing else was asked for, a workflow of GitHub gets annotations beside the text. */
function requestsOf({ reporter, quiet, open }: ReportingOptions): ReportRequest[] {
  const asked = reportRequests(reporter, refuseOtherThanReporters);
  const requests = withoutQuieted(open ? withPage(asked) : asked, quiet);
  const annotated = reporter.length === 0 && !quiet && inWorkflow();
  return annotated ? [...requests, { name: 'github', path: null }] : requests;
}

function inWorkflow(): boolean {
  return process.env.GITHUB_ACTIONS === 'true';
}

function exitCodeOf(results: readonly AnalysisResult[], failOn: FailOn | undefined): ExitCode {
  if (results.some(({ verdict }) => verdict === 'error')) return ExitCode.wrong;
  return areFailing(results, failOn) ? ExitCode.found : ExitCode.ok;
}
