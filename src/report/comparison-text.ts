import { type ComparedResult, compareResults } from '../check/comparison.ts';
import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { quoted } from '../trace/printable.ts';
import { type Column, duration, grouped, paragraph, size, table } from './layout.ts';
import type { ReportOptions } from './reporter.ts';

const COLUMNS: readonly Column[] = [
  { title: 'analysis', align: 'left' },
  { title: 'verdict', align: 'left' },
  { title: 'event', align: 'right' },
  { title: 'found', align: 'right' },
  { title: 'missed', align: 'right' },
  { title: 'wrong', align: 'right' },
  { title: 'time', align: 'right' },
  { title: 'memory', align: 'right' },
];

/** How many blocks are named where analyses differ; the JSON report has them all. */
const MOST_NAMED = 5;

/** Several analyses on one trace, side by side, and where they differ. */
export function* comparisonText(
  results: readonly AnalysisResult[],
  { style, width }: ReportOptions,
): Generator<string> {
  const compared = compareResults(results);
  const [header, ...rows] = table(COLUMNS, compared.map(row), '  ');
  yield `${style.faint(header)}\n`;
  for (const line of rows) yield `${line}\n`;
  for (const { result, missed, wronglyBlamed } of compared) {
    if (missed !== null && missed.length > 0) {
      yield `${paragraph(blockList(missed), width, `  ${result.analysis} missed `)}\n`;
    }
    if (wronglyBlamed !== null && wronglyBlamed.length > 0) {
      yield `${paragraph(blockList(wronglyBlamed), width, `  ${result.analysis} wrongly blamed `)}\n`;
    }
  }
  for (const { analysis, statistics } of results) {
    const figures = Object.entries(statistics).map(([name, value]) => `${name} ${grouped(value)}`);
    if (figures.length > 0) yield `${paragraph(figures.join(', '), width, `  ${analysis}: `)}\n`;
  }
}

function row({ result, missed, wronglyBlamed }: ComparedResult): string[] {
  const { analysis, verdict, firstEvent, violations, milliseconds } = result;
  const count = (blocks: readonly ViolationResult[] | null) =>
    blocks === null ? '-' : grouped(blocks.length);
  return [
    analysis,
    verdict,
    firstEvent === null ? '-' : String(firstEvent),
    grouped(violations.length),
    count(missed),
    count(wronglyBlamed),
    duration(milliseconds.analysis),
    result.allocatedBytes === null ? '-' : size(result.allocatedBytes),
  ];
}

function blockList(violations: readonly ViolationResult[]): string {
  const named = violations
    .slice(0, MOST_NAMED)
    .map(
      ({ block, thread }) =>
        `${quoted(block?.label ?? '', 30)} of ${quoted(thread, 20)} (event ${block?.begin})`,
    );
  const more = violations.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${grouped(more)} more` : named.join(', ');
}
