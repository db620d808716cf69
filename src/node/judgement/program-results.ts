import type { AnalysisResult, BlockResult, EventResult, ViolationResult } from '../../check/result.ts';
import type { Mnemonic } from '../../trace/operation.ts';
import { printable, printableEnd } from '../../trace/printable.ts';
import { type Finding, findings } from './findings.ts';
import type { IsWatched } from './overlooked.ts';

const NAME = 80;

/** The analysis whose results are added to: the others are there to be compared with each other. */
const JUDGING = 'regiontrack';

export interface JudgeOptions {
  withNotes?: boolean;
  /** Whether blocks of a label are meant to be atomic. */
  isMeant?: (label: string) => boolean;
  /** Whether anybody has asked for them. */
  isWatched?: IsWatched;
  /** What no cycle shows counts only if it was done after this event. */
  from?: number;
}

/** The results of the check of a program's trace, put as its author has to know them. */
export async function programResults(
  results: readonly AnalysisResult[],
  trace: string,
  { withNotes = false, isMeant, isWatched, from }: JudgeOptions = {},
): Promise<AnalysisResult[]> {
  const put: AnalysisResult[] = [];
  for (const result of results) {
    const isAsked = result.analysis === JUDGING;
    const found = result.predictive
      ? null
      : await findings(trace, result.violations, isMeant, isAsked ? isWatched : () => false, from);
    const all = found === null ? result.violations : found.map(violationOf);
    const violations = withNotes ? all : all.filter(({ severity }) => severity !== 'note');
    const left = all.length - violations.length;
    put.push({
      ...result,
      violations: worstFirst(violations),
      ...(left === 0 ? {} : { noted: left }),
      ...(found !== null ? { verdict: verdictOf(result, violations) } : {}),
    });
  }
  return put;
}

/** By what is left of what was not serializable by the letter only, and by what else was found. */
function verdictOf(
  { verdict }: AnalysisResult,
  violations: readonly ViolationResult[],
): AnalysisResult['verdict'] {
  if (verdict !== 'ok' && verdict !== 'violation') return verdict;
  return violations.length === 0 ? 'ok' : 'violation';
}

const RANKS = ['error', 'warning', 'note'];

function worstFirst(violations: readonly ViolationResult[]): ViolationResult[] {
  return [...violations].sort((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity));
}

function violationOf({
  violation,
  severity,
  because,
  pattern,
  consequence,
  interference,
  facts,
  around,
  alike,
}: Finding): ViolationResult {
  const more = {
    severity,
    ...(because === null ? {} : { because }),
    pattern,
    ...(consequence === null ? {} : { consequence }),
    ...(facts === null ? {} : { facts }),
    ...(around.length === 0 ? {} : { around: [...around] }),
    ...(alike === 0 ? {} : { alike }),
  };
  if (violation.block === null) return { ...violation, ...more };
  if (interference === null) {
    const message = violation.message || skewSentence(violation.block, violation.thread, violation.cycle);
    return { ...violation, ...more, message };
  }
  const { first, between, last } = interference;
  return {
    ...violation,
    ...more,
    interference,
    // These three conflict with each other, so that they are a cycle by themselves, and the one that counts.
    cycle: [
      { from: { ...first, transaction: null }, to: { ...between, transaction: null } },
      { from: { ...between, transaction: null }, to: { ...last, transaction: null } },
    ],
    message: sentence(violation.block, violation.thread, consequence, interference),
  };
}

function sentence(
  { label }: BlockResult,
  thread: string,
  consequence: Finding['consequence'],
  { first, between, last }: NonNullable<Finding['interference']>,
): string {
  const block = `${printable(label, NAME)} (task ${printable(thread, NAME)})`;
  const variable = printable(first.operand, NAME);
  const other = printable(between.thread, NAME);
  if (consequence === 'duplicate-work')
    return `${block} did work twice: it found ${variable} missing${at(first)} and made it${at(last)}, but ${other} had found it missing too, and had made it in between${at(between)}`;
  const [did, came, then] = [first, between, last].map(verb);
  const again = did === then ? ' again' : '';
  const what = between.operand === first.operand ? 'it' : printable(between.operand, NAME);
  return `${block} is not atomic: it ${did} ${variable}${at(first)} and ${then} it${again}${at(last)}, and ${other} ${came} ${what} in between${at(between)}`;
}

/** The block and another task have each read what the other has changed after that. */
function skewSentence({ label }: BlockResult, thread: string, [out, back]: ViolationResult['cycle']): string {
  const block = `${printable(label, NAME)} (task ${printable(thread, NAME)})`;
  const [read, act] = [printable(out.from.operand, NAME), printable(back.to.operand, NAME)];
  const other = printable(out.to.thread, NAME);
  return `${block} is not atomic: it read ${read}${at(out.from)} and wrote ${act}${at(back.to)}, and in between ${other} read ${act}${at(back.from)} and ${verb(out.to)} ${read}${at(out.to)}`;
}

const VERBS: Partial<Record<Mnemonic, string>> = { r: 'read', w: 'wrote', u: 'changed' };

function verb({ op }: EventResult): string {
  return VERBS[op] ?? 'used';
}

function at({ location, statement }: EventResult): string {
  if (location === null) return '';
  const place = printableEnd(location, NAME);
  return statement === undefined ? ` (${place})` : ` (${printable(statement, NAME)}, at ${place})`;
}
