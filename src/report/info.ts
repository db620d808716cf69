import type { InfoReport, InspectionResult } from '../check/inspect.ts';
import type { TraceStatistics } from '../trace/statistics.ts';
import { jsonText } from './json-text.ts';
import { counted, displayWidth, fittedPath, grouped, padEnd, padStart, paragraph } from './layout.ts';
import type { Style } from './style.ts';

/** The rows of the table, in order, under the names that people use. */
const ROWS: readonly [keyof TraceStatistics, string][] = [
  ['events', 'events'],
  ['threads', 'threads'],
  ['locks', 'locks'],
  ['barriers', 'barriers'],
  ['messages', 'messages'],
  ['conditions', 'conditions'],
  ['variables', 'variables'],
  ['labels', 'labels'],
  ['transactions', 'transactions'],
  ['unaryTransactions', '  of one event'],
  ['reads', 'reads'],
  ['writes', 'writes'],
  ['updates', 'updates'],
  ['acquires', 'acquires'],
  ['releases', 'releases'],
  ['forks', 'forks'],
  ['joins', 'joins'],
  ['arrivals', 'arrivals'],
  ['leaves', 'leaves'],
  ['volatileReads', 'volatile reads'],
  ['volatileWrites', 'volatile writes'],
  ['volatileUpdates', 'volatile updates'],
  ['sends', 'sends'],
  ['receives', 'receives'],
  ['notifies', 'notifies'],
  ['waits', 'waits'],
  ['begins', 'begins'],
  ['ends', 'ends'],
];

const NAME_WIDTH = Math.max(...ROWS.map(([, name]) => name.length));
const GAP = '  ';
/** Wide enough for a hundred billion with its separators. */
const NARROWEST = 15;
const WIDEST = 30;

/** Statistics as tables, one column a trace, as many beside each other as fit. */
export function* infoText(report: InfoReport, style: Style, width: number): Generator<string> {
  const widths = report.traces.map(columnWidth);
  for (let first = 0; first < report.traces.length; ) {
    let used = NAME_WIDTH;
    let next = first;
    while (next < report.traces.length && (next === first || used + GAP.length + widths[next] <= width)) {
      used += GAP.length + widths[next++];
    }
    if (first > 0) yield '\n';
    yield* tableOf(report.traces.slice(first, next), widths.slice(first, next), style);
    first = next;
  }
  for (const { trace, repairs } of report.traces) {
    for (const { what, count } of repairs) {
      yield `${paragraph(`repaired ${counted(count, 'time')}: ${what}`, width, `${fittedPath(trace, 30)}: `)}\n`;
    }
  }
}

function* tableOf(
  traces: readonly InspectionResult[],
  widths: readonly number[],
  style: Style,
): Generator<string> {
  const line = (name: string, cells: readonly string[]) =>
    `${padEnd(name, NAME_WIDTH)}${cells.map((cell, i) => GAP + padStart(cell, widths[i])).join('')}`;
  yield `${style.bold(
    line(
      '',
      traces.map(({ trace }, i) => fittedPath(trace, widths[i])),
    ),
  )}\n`;
  yield `${line(
    'format',
    traces.map(({ format }) => format ?? '-'),
  )}\n`;
  for (const [key, name] of ROWS)
    yield `${line(
      name,
      traces.map((trace) => grouped(trace[key])),
    )}\n`;
  if (traces.some(({ error }) => error !== undefined)) {
    yield `${line(
      'read to',
      traces.map(({ error }) => (error === undefined ? 'the end' : 'an error')),
    )}\n`;
  }
}

function columnWidth({ trace }: InspectionResult): number {
  return Math.max(NARROWEST, Math.min(WIDEST, displayWidth(fittedPath(trace, WIDEST))));
}

export function* infoJson(report: InfoReport): Generator<string> {
  yield `${jsonText(report)}\n`;
}
