import type { AnalysisResult } from '../check/result.ts';
import { cycleGraph } from './cycle-graph.ts';
import { counted, wrap } from './layout.ts';
import { runsSummary, titleOf } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { type Figure, figureOf, LINE, textLines } from './svg-figure.ts';
import { groupedByLabel } from './violation-groups.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';
import { xmlAttributes } from './xml.ts';

/** The same graphs as `dot`, drawn: one picture with an example of each violated block. */
export const svg: Reporter = {
  name: 'svg',
  summary: 'a drawing of the cycle of each violated block',
  start: () => new SvgReport(),
};

/** A picture of more is no picture. */
const MOST_FIGURES = 50;
const TITLE = 1000;
const MARGIN = 16;
const GAP = 32;
/** Titles are broken into lines of so many columns. */
const COLUMNS = 80;

/** Without variables, which viewers other than browsers do not know. */
const STYLE = `
    svg { background: #fff }
    text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #59636e }
    .title, .name { font-weight: bold; fill: #1f2328 }
    .end { text-anchor: end }
    rect { fill: #f6f8fa; stroke: #818b98 }
    rect.blamed { fill: #fff1f0; stroke: #c62828; stroke-width: 3 }
    path { fill: none; stroke: #818b98; stroke-width: 1.5 }
    .closing { stroke: #c62828; stroke-dasharray: 6 4 }
    .onward { stroke-dasharray: 2 3 }
    .head { fill: #818b98; stroke: none }
    .head.closing { fill: #c62828 }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117 }
      text { fill: #9198a1 }
      .title, .name { fill: #f0f6fc }
      rect { fill: #151b23; stroke: #656c76 }
      rect.blamed { fill: #2a1517; stroke: #ff7b72 }
      path { stroke: #656c76 }
      .closing { stroke: #ff7b72 }
      .head { fill: #656c76; stroke: none }
      .head.closing { fill: #ff7b72 }
    }
  `;

/** A picture has to say how large it is before anything in it, so that it is kept until the end. */
class SvgReport implements Report {
  readonly #figures: Figure[] = [];
  #leftOut = 0;

  trace(results: readonly AnalysisResult[]): string[] {
    for (const { trace, analysis, violations, origin, schedule } of results) {
      for (const { example, count } of groupedByLabel(violations)) {
        if (example.cycle.length === 0 || this.#figures.length === MOST_FIGURES) {
          this.#leftOut++;
          continue;
        }
        const more = count === 1 ? '' : `, and ${counted(count - 1, 'more violation')} of the same block`;
        const title = wrap(shown(headline(example, origin), TITLE), COLUMNS);
        const source = wrap(`${titleOf({ trace, schedule })}, ${shown(analysis)}${more}`, COLUMNS);
        this.#figures.push(figureOf(cycleGraph(example, origin), title, source));
      }
    }
    return [];
  }

  *finish({ runs = [] }: ReportEnd = {}): Generator<string> {
    const remark = this.#leftOut === 0 ? [] : [`${counted(this.#leftOut, 'more block')} without a drawing`];
    if (this.#figures.length === 0) remark.unshift('no cycle to draw');
    remark.push(...runsSummary(runs));
    const tall = this.#figures.reduce((sum, { height }) => sum + height + GAP, 0);
    const width = 2 * MARGIN + Math.max(300, ...this.#figures.map((figure) => figure.width));
    const height = 2 * MARGIN + tall + remark.length * LINE;
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    yield `<svg xmlns="http://www.w3.org/2000/svg" role="img"${xmlAttributes(size)}>\n`;
    yield `  <title>trackside: cycles of transactions</title>\n  <style>${STYLE}</style>\n`;
    let y = MARGIN;
    for (const { content, height } of this.#figures) {
      yield `  <g transform="translate(${MARGIN} ${y})">\n${content}  </g>\n`;
      y += height + GAP;
    }
    yield textLines(remark, { x: MARGIN, y });
    yield '</svg>\n';
  }
}
