import type { Command } from 'commander';
import type { AnalysisDescription, ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import type { TraceCheck } from '../check/check.ts';
import { PASSED_OVER } from '../check/prepared-trace.ts';
import { RecordedProgram } from '../check/recorded-program.ts';
import type { AnalysisResult } from '../check/result.ts';
import { scheduleArguments } from '../check/schedules.ts';
import { programResults } from '../node/judgement/program-results.ts';
import { programCommand } from '../report/suggested-command.ts';
import { matchesLabel, type SpecificationParts, specificationFrom } from '../spec/specification.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import type { ScheduleOptions } from '../trace/schedule-options.ts';
import { nearest } from '../trace/unknown-name.ts';
import { checkInput } from './check.ts';
import {
  addSpecificationOptions,
  collect,
  forkJoinOption,
  type SpecificationOptions,
  specificationParts,
} from './options.ts';
import type { ProgramCommandOptions } from './program-options.ts';
import { wasKilled } from './program-process.ts';
import type { Progress } from './progress.ts';

/** Options of commands that run a program and check what it did. */
export interface ProgramCheckOptions extends SpecificationOptions, ProgramCommandOptions {
  analysis: string;
  forkJoin: ForkJoin;
  first: boolean;
  atomic: string[];
  /** Whether notes are among what is reported. */
  notes: boolean;
}

const USUAL_ANALYSIS = 'regiontrack';
/** So many labels are named where one is mistyped, and so much of each. */
const MOST_LABELS = 5;
const NAME = 60;

const FAST_ORDER =
  '--order fast: threads took their places in the order of accesses to shared memory without a lock, so that two accesses at the same time may stand here the wrong way round';

const CUT_OFF = 'a signal ended the program: what it did right before that may be missing here';

export function addProgramCheckOptions(command: Command): Command {
  command
    .option(
      '--atomic <glob>',
      'functions with such labels are meant to be atomic, plain ones too, and nothing else is; --only picks among the blocks there are (repeatable)',
      collect,
      [],
    )
    .option('--analysis <names>', 'which analyses to run, separated by commas, or all', USUAL_ANALYSIS);
  return addSpecificationOptions(command)
    .addOption(forkJoinOption('family'))
    .option('--first', 'stop checking at the first violation', false)
    .option('--notes', 'also report what is most likely meant to be so', false);
}

/** One run of a program, which has left a trace. */
export interface RecordedRun {
  spool: string;
  /** How the program ended. */
  code: number;
  schedule: ScheduleOptions | null;
}

/** Checks traces of runs of one program. */
export class ProgramCheck {
  readonly #script: string;
  readonly #args: readonly string[];
  readonly #options: ProgramCheckOptions;
  readonly #analyses: AnalysisDescription[];
  /** Which blocks are meant to be atomic. */
  readonly meant: SpecificationParts;
  /** The globs of `--atomic` and `--only` that have named no block so far, and the labels of those that were run. */
  readonly #unmatched: Set<string>;
  readonly #labels = new Set<string>();

  /** Refuses what cannot be done before anything is run. */
  static async open(
    script: string,
    args: readonly string[],
    options: ProgramCheckOptions,
  ): Promise<ProgramCheck> {
    const analyses = await loadAnalyses(options.analysis, options.forkJoin);
    const only = [...options.only, ...options.atomic];
    return new ProgramCheck(script, args, options, analyses, await specificationParts({ ...options, only }));
  }

  private constructor(
    script: string,
    args: readonly string[],
    options: ProgramCheckOptions,
    analyses: AnalysisDescription[],
    meant: SpecificationParts,
  ) {
    this.#script = script;
    this.#args = args;
    this.#options = options;
    this.#analyses = analyses;
    this.meant = meant;
    this.#unmatched = new Set(meant.only);
  }

  /** Whether it looks for nothing but what was violated in this run; other analyses look at what else could have been. */
  get needsViolationsOnly(): boolean {
    const { analysis, forkJoin } = this.#options;
    return analysis === USUAL_ANALYSIS && forkJoin === 'family';
  }

  async results(
    { spool, code, schedule }: RecordedRun,
    subtraces: boolean,
    progress: Progress,
  ): Promise<AnalysisResult[]> {
    // What is left out by name is silenced; what is only not asked for may still break what is.
    const leftOut = specificationFrom({ ...this.meant, only: [] });
    const isMeant = (label: string) => leftOut.isAtomic(label);
    const program = new RecordedProgram();
    const watched = specificationFrom(this.meant);
    const results = await checkInput(
      { path: spool, rereadable: true, problem: null },
      {
        ...this.#options,
        analyses: this.#analyses,
        specification: watched,
        format: 'trk',
        lenient: wasKilled(code),
        confirm: false,
        sourceRoot: [],
        subtraces,
        select: (found) => this.#match(found),
        origin: 'program',
        onSection: (section) => program.take(section),
        judge: (found, trace) =>
          programResults(found, trace, {
            withNotes: this.#options.notes,
            isMeant,
            isWatched: (label) => watched.isAtomic(label),
          }),
      },
      progress,
    );
    return results.map((result) => ({
      ...program.with(result, (label) => watched.isAtomic(label)),
      trace: this.#script,
      ...this.#remarks(result, code),
      ...(schedule === null ? {} : { schedule: { ...schedule, replay: this.command(schedule) } }),
    }));
  }

  /** A trace that a signal has cut off is not damaged. */
  #remarks(
    { repairs, blocks, notes = [] }: AnalysisResult,
    code: number,
  ): Pick<AnalysisResult, 'repairs' | 'notes'> {
    const isCutOff =
      wasKilled(code) && (blocks.checked === 0 || repairs.some(({ what }) => what === PASSED_OVER));
    const told = [...(this.#options.order === 'fast' ? [FAST_ORDER] : []), ...(isCutOff ? [CUT_OFF] : [])];
    return {
      repairs: isCutOff ? repairs.filter(({ what }) => what !== PASSED_OVER) : repairs,
      ...(told.length > 0 ? { notes: [...notes, ...told] } : {}),
    };
  }

  #match({ trace, complete }: TraceCheck): void {
    if (trace === null) return;
    const { labels } = trace.names;
    for (let id = 0; id < labels.size; id++) this.#labels.add(labels.text(id));
    // What was not looked at to its end may have had such blocks.
    if (!complete) this.#unmatched.clear();
    for (const glob of this.#unmatched)
      if ([...this.#labels].some((label) => matchesLabel(glob, label))) this.#unmatched.delete(glob);
  }

  /** Globs that have named nothing in any run: a name that is mistyped would pass for "nothing found". */
  unmatched(): InputProblem | null {
    const [glob] = this.#unmatched;
    if (glob === undefined) return null;
    const option = this.#options.atomic.includes(glob) ? '--atomic' : '--only';
    const meant = nearest(glob.replace(/[*?\\]/g, ''), [...this.#labels]);
    const labels = [...this.#labels].slice(0, MOST_LABELS).map((label) => quoted(label, NAME));
    return new InputProblem(`no block that was run is named by ${option} ${quoted(glob, NAME)}`, {
      expected:
        labels.length === 0
          ? 'a label of a function that the program calls'
          : `a label such as ${(meant === null ? labels : [quoted(meant, NAME)]).join(', ')}`,
    });
  }

  /** The command that runs the program in this order, and finds the same. */
  command(schedule: ScheduleOptions | null): string {
    const { analysis } = this.#options;
    return programCommand([
      'run',
      ...(analysis === USUAL_ANALYSIS ? [] : ['--analysis', analysis]),
      ...repeatedOptions(this.#options),
      ...scheduleArguments(schedule),
      this.#script,
      ...this.#args,
    ]);
  }
}

/** What has to be said again for another command to find the same. */
export function repeatedOptions(options: ProgramCheckOptions): string[] {
  const { instrument, atomic, only, exclude, spec, forkJoin, order } = options;
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
