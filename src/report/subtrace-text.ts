import type { SubtraceResult } from '../check/result.ts';
import { clipped, grouped, padStart, paragraph } from './layout.ts';
import type { ReportOptions } from './reporter.ts';

/** More lines are not worth to be read; the file has them all. */
const MOST_LINES = 60;

/** The smallest trace that shows a violation, with the number that each event has in the observed trace. */
export function* subtraceText(
  { trace, events, minimal }: SubtraceResult,
  of: number,
  { style, width }: ReportOptions,
): Generator<string> {
  const what = minimal
    ? 'The smallest part of the trace that still shows it, none of which can be left out'
    : 'A part of the trace that still shows it';
  const said = `${what}: ${grouped(events.length)} of ${grouped(of)} events, as STD.`;
  yield `\n${style.bold(paragraph(said, width, '  '))}\n\n`;
  const lines = trace.split('\n').slice(0, events.length);
  const numberWidth = Math.max('event'.length, String(events.at(-1) ?? '').length);
  for (const [i, line] of lines.slice(0, MOST_LINES).entries()) {
    const number = style.faint(padStart(String(events[i]), numberWidth));
    yield `    ${number}  ${clipped(line, width - numberWidth - 6)}\n`;
  }
  const more = lines.length - MOST_LINES;
  if (more > 0) yield `    and ${grouped(more)} more\n`;
}
