import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { type ConflictArrow, cycleGraph, type TransactionBox } from './cycle-graph.ts';
import type { Origin } from './event-words.ts';
import { runsSummary, titleOf } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';

/** Error graphs in the language of Graphviz, one for each violation that has a cycle. */
export const dot: Reporter = {
  name: 'dot',
  summary: 'a graph for each cycle of transactions, for Graphviz',
  start: () => new DotReport(),
};

const TITLE = 1000;

class DotReport implements Report {
  #graphs = 0;

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    for (const { trace, analysis, violations, origin, schedule } of results) {
      let without = 0;
      for (const violation of violations) {
        if (violation.cycle.length === 0) without++;
        else yield graph(`violation ${++this.#graphs}`, violation, origin);
      }
      const found = violations.length - without;
      yield `// ${titleOf({ trace, schedule })}, ${shown(analysis)}: ${found} with a cycle, ${without} without\n`;
    }
  }

  *finish({ runs = [] }: ReportEnd = {}): Generator<string> {
    for (const line of runsSummary(runs)) yield `// ${line}\n`;
  }
}

function graph(name: string, violation: ViolationResult, origin: Origin): string {
  const { boxes, arrows } = cycleGraph(violation, origin);
  const title = shown(headline(violation, origin), TITLE);
  return `digraph ${quoted(name)} {
  graph [label=${quoted(title)}, labelloc="t", rankdir="TB"];
  node [shape="box", fontname="monospace"];
  edge [fontname="monospace"];
${[...boxes.map(node), ...arrows.map(edge)].map((line) => `  ${line}\n`).join('')}}
`;
}

function node({ lines, isBlamed }: TransactionBox, position: number): string {
  const outline = isBlamed ? { style: 'bold', penwidth: '3' } : {};
  return `t${position} [${attributes({ label: lines.join('\n'), ...outline })}];`;
}

const STYLES: Readonly<Record<ConflictArrow['role'], { style?: string }>> = {
  conflict: {},
  closing: { style: 'dashed' },
  onward: { style: 'dotted' },
};

function edge({ from, to, lines, role }: ConflictArrow): string {
  return `t${from} -> t${to} [${attributes({ label: lines.join('\n'), ...STYLES[role] })}];`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ');
}

/** A quoted string of DOT; labels also know escapes such as `\N`, and the entities of HTML. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('&', '&amp;')
    .replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
