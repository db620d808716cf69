import type { ViolationKind } from '../analyses/analysis.ts';
import type {
  AnalysisResult,
  ConfirmationResult,
  EventResult,
  InterferenceResult,
  ViolationResult,
} from '../check/result.ts';
import { printable, quoted } from '../trace/printable.ts';
import { type Advice, adviceFor } from './advice/index.ts';
import { codeFrames } from './code-frame.ts';
import { type Origin, threadWord, valuesSentence } from './event-words.ts';
import { eventColumns, interleaving } from './interleaving.ts';
import { clipped, hanging, paragraph } from './layout.ts';
import { proofText } from './proof-text.ts';
import type { ReportOptions } from './reporter.ts';

/** Longest name in a sentence. */
const NAME = 40;
/** So many events of a schedule are shown. */
const MOST_SCHEDULED = 30;
/** More threads are counted, not named. */
const MOST_THREADS = 4;
/** The message is a sentence of ours with names in it that are already short; this only guards the layout. */
const MESSAGE = 1000;

/** One violation for people: a headline, a sentence, the events that prove it, the code, and what to do. */
export function* violationText(
  violation: ViolationResult,
  options: ReportOptions,
  { sources, origin }: Pick<AnalysisResult, 'sources' | 'origin'> = {},
): Generator<string> {
  const { style, width } = options;
  const { severity } = violation;
  const emphasis = severity === 'error' ? style.bad : style.doubtful;
  const [first, ...rest] = hanging(`${severity}: ${headline(violation, origin)}`, width).split('\n');
  yield `${emphasis(severity)}${style.bold(first.slice(severity.length))}\n`;
  for (const line of rest) yield `${style.bold(line)}\n`;
  // What it costs is what people want to know first.
  const isProved = violation.proof?.verdict === 'harmful';
  if (violation.proof !== undefined && isProved) {
    yield* proofText(violation.proof, options);
    yield '\n';
  }
  if (violation.message !== '') yield `${paragraph(printable(violation.message, MESSAGE), width, '  ')}\n`;
  const values = valuesSentence(violation);
  if (values !== null) yield `${paragraph(values, width, '  ')}\n`;
  if (violation.because !== undefined) {
    const { rule, sentence } = violation.because;
    yield `${paragraph(`${severity} because ${sentence} (${rule})`, width, '  ')}\n`;
  }
  yield* tableText(interleaving(violation, width - 4, origin), options);
  yield* aroundText(violation, width);
  yield* codeText([...codeFrames(violation, sources, width - 4)], options);
  if (violation.confirmation !== undefined)
    yield* confirmationText(violation, violation.confirmation, options, origin);
  if (violation.proof !== undefined && !isProved) {
    yield '\n';
    yield* proofText(violation.proof, options);
  }
  yield* adviceText(adviceFor(violation, origin), options);
}

/** The same in two lines, for what may be meant to be so. */
export function* briefText(violation: ViolationResult, { style }: ReportOptions): Generator<string> {
  const { severity, block, interference, because } = violation;
  const emphasis = severity === 'error' ? style.bad : style.doubtful;
  const story =
    interference === null
      ? printable(violation.message, MESSAGE)
      : `${style.bold(quoted(block?.label ?? '', NAME))} ${storyOf(interference)}`;
  yield `${emphasis(severity)}${style.bold(':')} ${story}\n`;
  if (because !== undefined) yield `  ${severity} because ${because.sentence} (${because.rule})\n`;
}

const DONE: ReadonlyMap<string, string> = new Map([
  ['r', 'read'],
  ['vr', 'read'],
  ['w', 'wrote'],
  ['vw', 'wrote'],
]);

function storyOf({ first, between, last }: InterferenceResult): string {
  const did = (event: EventResult) =>
    `${DONE.get(event.op) ?? 'changed'} it${event.location === null ? '' : ` (${printable(event.location, NAME)})`}`;
  const variable = printable(first.operand, NAME);
  return `and ${variable}: ${did(first)}, ${quoted(between.thread, NAME)} ${did(between)}, then it ${did(last)}`;
}

/** The blocks around the blamed one that are violated with it. */
function* aroundText({ around = [] }: ViolationResult, width: number): Generator<string> {
  if (around.length === 0) return;
  const named = around.slice(0, MOST_THREADS).map(({ label }) => quoted(label, NAME));
  if (around.length > named.length) named.push(`${around.length - named.length} more`);
  const blocks = around.length === 1 ? 'The enclosing block is' : 'The enclosing blocks are';
  yield `\n${paragraph(`${blocks} violated, too: ${named.join(', ')}.`, width, '  ')}\n`;
}

function* codeText(lines: readonly string[], { style }: ReportOptions): Generator<string> {
  for (const line of lines) yield `    ${/^ *│/.test(line) ? style.bold(line) : line}`.trimEnd().concat('\n');
}

function* adviceText({ why, fix, sketch }: Advice, { style, width }: ReportOptions): Generator<string> {
  const told = (label: string, text: string) => {
    const lines = paragraph(text, width, `  ${label}: `);
    return `  ${style.bold(`${label}:`)}${lines.slice(label.length + 3)}\n`;
  };
  yield '\n';
  if (why !== null) yield told('why', why);
  yield told('fix', fix);
  if (sketch.length > 0) yield '\n';
  // Code is not broken into lines, only cut.
  for (const line of sketch) yield `         ${clipped(line, width - 9)}\n`;
}

/** The schedule that shows a prediction, from where it leaves the order of the trace. */
function* confirmationText(
  { thread }: ViolationResult,
  { status, message, window }: ConfirmationResult,
  options: ReportOptions,
  origin: Origin,
): Generator<string> {
  const { style, width } = options;
  const emphasis = status === 'confirmed' ? style.bold : style.faint;
  yield `\n${emphasis(paragraph(printable(message, MESSAGE), width, '  '))}\n`;
  const shown = window.slice(-MOST_SCHEDULED);
  yield* tableText(eventColumns(shown, thread, width - 4, origin), options);
  if (shown.length < window.length)
    yield `    the last ${shown.length} events; --reporter json has the whole schedule\n`;
}

function* tableText([header, ...rows]: readonly string[], { style }: ReportOptions): Generator<string> {
  if (header === undefined) return;
  yield `\n    ${style.faint(header)}\n`;
  for (const row of rows) yield `    ${row}\n`;
}

/** What other schedules would do, by kind; the block comes before it where there is one. */
const PREDICTIONS: Partial<Record<ViolationKind, string>> = {
  before: 'would be broken by another schedule',
  in: 'would be broken by another schedule',
  after: 'would be broken by another schedule',
  conflict: 'can be interleaved in a way that no serial order is equivalent to',
  view: 'can be interleaved in a way that no serial order has the same view as',
  reduction: 'does not follow a pattern that guarantees atomicity',
  block: 'can be interleaved in a way that no serial order explains',
};

/** What is wrong, in a few words for a title. Everything in it is safe to print. */
export function headline(violation: ViolationResult, origin?: Origin): string {
  const { kind, block, event } = violation;
  // What came of it says more than how it came about.
  const pattern = violation.consequence === 'duplicate-work' ? violation.consequence : violation.pattern;
  const word = threadWord(origin);
  const thread = `${word} ${quoted(violation.thread, NAME)}`;
  if (kind === 'race') return `race${between(violation, word)}, seen at event ${event} of ${thread}`;
  if (kind === 'deadlock')
    return `potential deadlock${between(violation, word)}, seen at event ${event} of ${thread}`;
  if (kind === 'failure') return 'the program fails in this order of its tasks';
  const prediction = PREDICTIONS[kind];
  if (prediction !== undefined) {
    return block === null
      ? `what ${thread} does at event ${event} ${prediction}`
      : `block ${quoted(block.label, NAME)} of ${thread} ${prediction}`;
  }
  const name = pattern === null ? '' : ` (${patternWords(pattern)})`;
  if (block === null)
    return `a cycle of transactions closes at event ${event}, and no block is blamed for it${name}`;
  const label = quoted(block.label, NAME);
  if (kind === 'trace') {
    return `the trace is not serializable: block ${label} of ${thread} closes a cycle${name}`;
  }
  const other = intruder(violation);
  const by = other === null ? 'is not atomic' : `is broken by ${word} ${quoted(other, NAME)}`;
  return `block ${label} of ${thread} ${by}${name}`;
}

/** The threads that a race or a deadlock is between; empty where the analysis did not name its events. */
function between({ related }: ViolationResult, word: string): string {
  const threads = [...new Set(related.map(({ thread }) => thread))];
  if (threads.length < 2) return '';
  if (threads.length > MOST_THREADS) return ` between ${threads.length} ${word}s`;
  const named = threads.map((thread) => quoted(thread, NAME));
  return ` between ${word}s ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** The thread that came between: that of the access which names the pattern, else the first on the cycle. */
function intruder({ thread, cycle, interference }: ViolationResult): string | null {
  if (interference !== null) return interference.between.thread;
  return cycle.find(({ to }) => to.thread !== thread)?.to.thread ?? null;
}

/** `lost-update` as people say it. */
export function patternWords(pattern: string): string {
  return pattern.replaceAll('-', ' ').replace('multi variable', 'multi-variable');
}
