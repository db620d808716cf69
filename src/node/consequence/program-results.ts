import { mnemonicOf, operandOf } from '../../check/operation-text.ts';
import type { AnalysisResult, BlockResult, EventResult, ViolationResult } from '../../check/result.ts';
import { printable } from '../../trace/printable.ts';
import { type Finding, findings } from './findings.ts';

const NAME = 80;

/** So much of the name of a thread is in a message. */
const THREAD_NAME = 60;

/** The results of the check of a program's trace, put as its author has to know them. */
export async function programResults(
  results: readonly AnalysisResult[],
  trace: string,
  absent: ReadonlySet<string>,
): Promise<AnalysisResult[]> {
  const put: AnalysisResult[] = [];
  for (const result of results) {
    const found = result.predictive ? null : await findings(trace, result.violations, absent);
    put.push({
      ...result,
      origin: 'program',
      violations: (found === null ? result.violations : found.map(violationOf)).map(inWordsOfPrograms),
      // Nothing is left of what was not serializable by the letter only.
      ...(found?.length === 0 && result.verdict === 'violation' ? { verdict: 'ok' as const } : {}),
    });
  }
  return put;
}

function violationOf({
  violation,
  severity,
  pattern,
  consequence,
  interference,
  facts,
  around,
  alike,
}: Finding): ViolationResult {
  const more = {
    severity,
    pattern,
    ...(consequence === null ? {} : { consequence }),
    ...(facts === null ? {} : { facts }),
    ...(around.length === 0 ? {} : { around: [...around] }),
    ...(alike === 0 ? {} : { alike }),
  };
  if (interference === null || violation.block === null) return { ...violation, ...more };
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

/** Messages that were made for traces speak of threads; those of a program are its tasks. */
function inWordsOfPrograms(violation: ViolationResult): ViolationResult {
  let { message } = violation;
  for (const name of threadsOf(violation)) {
    const shown = printable(name, THREAD_NAME);
    message = message.replaceAll(`thread ${shown}`, () => `task ${shown}`);
  }
  return { ...violation, message: message.replaceAll(' other threads', ' other tasks') };
}

function threadsOf({ thread, cycle, related }: ViolationResult): Set<string> {
  const events = [...cycle.flatMap(({ from, to }) => [from, to]), ...related];
  return new Set([thread, ...events.map((event) => event.thread)]);
}

function sentence(
  { label }: BlockResult,
  thread: string,
  consequence: Finding['consequence'],
  { first, between, last }: NonNullable<Finding['interference']>,
): string {
  const block = `${printable(label, NAME)} (task ${printable(thread, NAME)})`;
  const variable = printable(operandOf(first.op), NAME);
  const other = printable(between.thread, NAME);
  if (consequence === 'duplicate-work')
    return `${block} did work twice: it found ${variable} missing${at(first)} and made it${at(last)}, but ${other} had found it missing too, and had made it in between${at(between)}`;
  const [did, came, then] = [first, between, last].map(verb);
  const again = did === then ? ' again' : '';
  return `${block} is not atomic: it ${did} ${variable}${at(first)} and ${then} it${again}${at(last)}, and ${other} ${came} it in between${at(between)}`;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['r', 'read'],
  ['w', 'wrote'],
  ['u', 'changed'],
]);

function verb({ op }: EventResult): string {
  return VERBS.get(mnemonicOf(op)) ?? 'used';
}

function at({ location }: EventResult): string {
  return location === null ? '' : ` (${printable(location, NAME)})`;
}
