import type { DifferenceResult, ProofResult } from '../check/result.ts';
import { printable } from '../trace/printable.ts';
import { clipped, paragraph } from './layout.ts';
import type { ReportOptions } from './reporter.ts';

/** The message is a sentence of ours with names in it; this only guards the layout. */
const MESSAGE = 1000;
/** So many lines of each side are shown. */
const MOST_LINES = 5;

/** What the two sides of a difference are. */
const LEGENDS: ReadonlyMap<ProofResult['verdict'], string> = new Map([
  ['harmful', '- as it ran   + one after the other'],
  ['not-deterministic', '- the first time   + once more'],
]);

/** What came of the attempt to show that a violation does harm. */
export function* proofText(
  { verdict, message, differences }: ProofResult,
  options: ReportOptions,
): Generator<string> {
  const { style, width } = options;
  const emphasis = verdict === 'harmful' ? style.bad : style.faint;
  yield `${emphasis(paragraph(printable(message, MESSAGE), width, '  '))}\n`;
  const legend = LEGENDS.get(verdict);
  if (differences.length > 0 && legend !== undefined) yield `    ${style.faint(legend)}\n`;
  for (const difference of differences) yield* differenceText(difference, options);
}

/** As `diff` has it: `-` for the observed run, `+` for the other one. */
export function* differenceText(
  { what, name, observed, serial }: DifferenceResult,
  { style, width }: ReportOptions,
): Generator<string> {
  const title =
    name === undefined ? what : `${what === 'file' ? what : `${what} of`} ${printable(name, MESSAGE)}`;
  yield `    ${style.faint(title)}\n`;
  for (const line of observed.slice(0, MOST_LINES))
    yield `    ${style.bad(clipped(`- ${line}`, width - 4))}\n`;
  for (const line of serial.slice(0, MOST_LINES))
    yield `    ${style.good(clipped(`+ ${line}`, width - 4))}\n`;
  const more = Math.max(observed.length, serial.length) - MOST_LINES;
  if (more > 0) yield `      and ${more} more; --reporter json has them\n`;
}
