/*
 * The way from a trace to what is reported of it: check, explain, confirm, judge, find the sources. The command line and the
 * plugins for test runners go it alike; they differ in where traces come from, and in what becomes of the results.
 */

import type { TraceSection } from '../formats/format.ts';
import type { TraceInput } from '../formats/inputs.ts';
import type { ReadOptions } from '../formats/read.ts';
import { now } from '../trace/clock.ts';
import { decodeProgram } from '../trace/facts.ts';
import { InputProblem } from '../trace/problem.ts';
import { type CheckOptions, checkTrace, failedCheck, type TraceCheck } from './check.ts';
import type { Confirmations } from './confirming.ts';
import type { AnalysisResult } from './result.ts';
import { resultsOf } from './results.ts';
import {
  BLOCKS_PER_LABEL,
  type Explanations,
  explainViolations,
  type SecondLookOptions,
  unexplained,
} from './second-look.ts';
import type { SourceRoots } from './source-files.ts';

/** The results of a check, as whoever knows more of the trace's origin puts them: for a program, what they mean for it. */
export type Judge = (results: AnalysisResult[], path: string) => Promise<AnalysisResult[]>;

export type Stage = 'check' | 'explain' | 'confirm';

/** Told how far the work is. */
export interface PipelineObserver {
  enter?(stage: Stage): void;
  /** So many events, or predictions where those are confirmed, of which that part is done. */
  advance?(done: number, progress: { position: number; total: number | null }): void;
  /** What is wrong with the trace; what was found before is reported all the same. */
  problem?(problem: InputProblem): void;
  /** An analysis has failed, or explaining has, by a bug of ours; the rest goes on. */
  failed?(what: string, error: unknown): void;
}

export interface PipelineOptions extends Omit<CheckOptions, 'onProgress'> {
  /** Whether to find the smallest sub-traces. */
  subtraces: boolean;
  /** Whether to find out what the violations consist of; if not, they are only named. */
  explain?: boolean;
  /** Whether to look for schedules that show what was predicted, by looking at so many states in all. */
  confirm?: boolean;
  confirmBudget?: number;
  /** Drops what is not to be explained. */
  select?: (found: TraceCheck) => void;
  /** `program` if the trace is of a JavaScript or TypeScript program. */
  origin?: AnalysisResult['origin'];
  judge?: Judge;
  /** Where to look for the sources that locations name; null if nobody is going to see them. */
  sources: SourceRoots | null;
}

/** Of a trace that cannot be read twice, what is written of it as it is read. */
export interface Copy {
  readonly path: string;
  readonly readOptions: ReadOptions;
}

/** The results of one trace, one for each analysis. */
export async function resultsOfTrace(
  input: TraceInput,
  options: PipelineOptions,
  observer: PipelineObserver = {},
  copy: Copy | null = null,
): Promise<AnalysisResult[]> {
  const started = now();
  const again = copy?.path ?? input.path;
  const texts = new Map<string, string>();
  const watched: CheckOptions = {
    ...options,
    onSection: (section) => {
      options.onSection?.(section);
      takeTexts(section, texts);
    },
    onProgress: (events, { reader }) => observer.advance?.(events, reader.progress),
  };
  observer.enter?.('check');
  const found =
    input.problem === null
      ? await checkTrace(input.path, { ...watched, ...copy?.readOptions })
      : failedCheck(options, input.problem);
  if (found.problem !== null) observer.problem?.(found.problem);
  options.select?.(found);
  for (const run of found.runs)
    if (run.failure !== null) observer.failed?.(run.description.name, run.failure);
  observer.enter?.('explain');
  const explanations = await explained(
    again,
    found,
    {
      ...watched,
      // They were shown when the trace was checked.
      onSection: undefined,
      subtraces: options.subtraces,
      ...(options.origin === 'program' ? { perLabel: BLOCKS_PER_LABEL } : {}),
    },
    options,
    observer,
  );
  const confirmations = options.confirm ? await confirmed(again, found, options, observer) : null;
  const total = now() - started;
  const results = await resultsOf(input.path, found, explanations, confirmations, total, options.origin);
  const judged = options.judge === undefined ? results : await options.judge(results, again);
  return options.sources === null ? judged : withCode(judged, { ...options.sources, texts });
}

/** Sources of a program that are only in its source map. */
function takeTexts(section: TraceSection, texts: Map<string, string>): void {
  const sources = decodeProgram(section)?.sources;
  if (!Array.isArray(sources)) return;
  for (const [path, text] of sources)
    if (typeof path === 'string' && typeof text === 'string') texts.set(path, text);
}

/** What was found is reported also if it cannot be explained. */
async function explained(
  path: string,
  found: TraceCheck,
  look: SecondLookOptions,
  { explain = true }: PipelineOptions,
  observer: PipelineObserver,
): Promise<Explanations> {
  try {
    return explain ? await explainViolations(path, found, look) : await unexplained(path, found, look);
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    observer.failed?.('explaining', error);
    return unexplained(path, found, look);
  }
}

async function confirmed(
  path: string,
  found: TraceCheck,
  options: PipelineOptions,
  observer: PipelineObserver,
): Promise<Confirmations | null> {
  observer.enter?.('confirm');
  const { confirmViolations } = await import('./confirming.ts');
  return confirmViolations(path, found, {
    ...options,
    onConfirmed: (done, all) => observer.advance?.(done, { position: done, total: all }),
  });
}

/** Adds the source lines that locations name, as far as they can be found. */
async function withCode(results: AnalysisResult[], roots: SourceRoots): Promise<AnalysisResult[]> {
  if (results.every(({ violations }) => violations.length === 0)) return results;
  const { SourceFiles, withSources } = await import('./sources.ts');
  const files = new SourceFiles(roots);
  return Promise.all(results.map((result) => withSources(result, files)));
}
