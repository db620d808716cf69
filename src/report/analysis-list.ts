import type { AnalysisDescription } from '../analyses/analysis.ts';
import type { Tool } from '../check/result.ts';
import { jsonText } from './json-text.ts';
import { paragraph } from './layout.ts';
import type { Style } from './style.ts';

/** The analyses for people: name, what it does, what it promises, where it comes from. */
export function* analysisListText(
  analyses: readonly AnalysisDescription[],
  style: Style,
  width: number,
): Generator<string> {
  for (const [i, { name, summary, promise, source }] of analyses.entries()) {
    if (i > 0) yield '\n';
    yield `${style.bold(name)}\n`;
    yield `${paragraph(summary, width, '  ')}\n`;
    yield `${paragraph(promise, width, '  promises: ')}\n`;
    if (source !== null) yield `${style.faint(paragraph(source, width, '  from: '))}\n`;
  }
}

export function* analysisListJson(analyses: readonly AnalysisDescription[], tool: Tool): Generator<string> {
  const listed = analyses.map(({ name, summary, promise, source }) => ({ name, summary, promise, source }));
  yield `${jsonText({ tool, analyses: listed })}\n`;
}
