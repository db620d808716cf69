import type {
  AnalysisResult,
  ConfirmationResult,
  RunData,
  SourceResult,
  SubtraceResult,
  ViolationResult,
} from '../check/result.ts';
import { type ColouredSource, coloured } from './colours.ts';
import { shown } from './well-formed-text.ts';

/** A confirmation without the order of its schedule, which the trace holds too. */
export type PageConfirmation = Omit<ConfirmationResult, 'order'>;

export interface PageViolation extends Omit<ViolationResult, 'confirmation'> {
  confirmation?: PageConfirmation;
}

type Shown =
  | 'trace'
  | 'origin'
  | 'schedule'
  | 'analysis'
  | 'verdict'
  | 'serializable'
  | 'predictive'
  | 'assumptions'
  | 'firstEvent'
  | 'events'
  | 'complete'
  | 'blocks'
  | 'known'
  | 'unfollowed'
  | 'switchedOff'
  | 'notUnderstood'
  | 'error';

/** What a page knows of an analysis of a trace: every name in it is short and safe to show. */
export interface PageResult extends Pick<AnalysisResult, Shown> {
  violations: PageViolation[];
  sources?: readonly ColouredSource[];
  /** How many violations more there are than a page holds. */
  leftOut: number;
}

/** How the results of a page came about. */
export interface PageAbout {
  version: string;
  run: RunData | null;
  /** See `ReportOptions`. */
  editor: string | null;
}

/** Longest name, longest line of a source, and longest sentence. */
const NAME = 200;
const LINE = 400;
const SENTENCE = 2000;

const TAB = '    ';

const LIMITS = new Map([
  ['lines', LINE],
  ['message', SENTENCE],
  ['replay', SENTENCE],
  ['command', SENTENCE],
  ['folder', SENTENCE],
  ['editor', SENTENCE],
  ['summary', SENTENCE],
]);

/** `result` with these of its violations, as JSON for a page. */
export function pageResult(
  result: AnalysisResult,
  violations: readonly ViolationResult[],
  leftOut: number,
): string {
  const { trace, analysis, verdict, serializable, predictive, assumptions, firstEvent, events } = result;
  const {
    complete,
    blocks,
    sources,
    known,
    error,
    origin,
    schedule,
    unfollowed,
    switchedOff,
    notUnderstood,
  } = result;
  const page: PageResult = {
    ...{ trace, analysis, verdict, serializable, predictive, assumptions, firstEvent, events },
    ...{ complete, blocks, leftOut },
    ...(origin === undefined ? {} : { origin }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(sources === undefined ? {} : { sources: sources.map(shownSource).map(coloured) }),
    ...(known === undefined ? {} : { known }),
    ...(unfollowed === undefined ? {} : { unfollowed }),
    ...(switchedOff === undefined ? {} : { switchedOff }),
    ...(notUnderstood === undefined ? {} : { notUnderstood }),
    ...(error === undefined ? {} : { error }),
    violations: violations.map(pageViolation),
  };
  return shownJson(page);
}

/** Colours go by what is shown. */
function shownSource(source: SourceResult): SourceResult {
  const excerpts = source.excerpts.map((excerpt) => ({
    ...excerpt,
    lines: excerpt.lines.map((line) => shown(line.replaceAll('\t', TAB), LINE)),
  }));
  return { ...source, excerpts };
}

function pageViolation({ confirmation, ...violation }: ViolationResult): PageViolation {
  if (confirmation === undefined) return violation;
  const { order: _, ...rest } = confirmation;
  return { ...violation, confirmation: rest };
}

/** JSON in which every text is safe to show, but for traces, which are there to be saved and checked again. */
export function shownJson(value: unknown): string {
  // A list's members come with their positions as keys: the key of the list is that of the last one entered.
  let list = '';
  return JSON.stringify(value, function (this: unknown, key, member: unknown) {
    if (Array.isArray(member)) list = key;
    if (typeof member !== 'string' || isWholeTrace(this, key)) return member;
    return shown(member, LIMITS.get(Array.isArray(this) ? list : key) ?? NAME);
  });
}

function isWholeTrace(holder: unknown, key: string): boolean {
  if (key !== 'trace') return false;
  const { minimal, status } = holder as Partial<SubtraceResult & ConfirmationResult>;
  return minimal !== undefined || status !== undefined;
}
