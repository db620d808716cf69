import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { violatedBlocks } from '../check/violated-blocks.ts';
import { adviceFor } from './advice/index.ts';
import { codeFrames } from './code-frame.ts';
import { valuesSentence } from './event-words.ts';
import { interleaving } from './interleaving.ts';
import { counted, grouped } from './layout.ts';
import { runsSummary, titleOf } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { groupedByLabel } from './violation-groups.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';

/** For places that show Markdown: the summary of a job, an issue, a comment. */
export const markdown: Reporter = {
  name: 'markdown',
  summary: 'Markdown, for summaries of CI jobs and for issues',
  start: () => new MarkdownReport(),
};

const WIDTH = 96;
/** A summary of a job holds a megabyte; nobody reads so much. */
const MOST_EXAMPLES = 10;
const MESSAGE = 2000;

class MarkdownReport implements Report {
  *trace(results: readonly AnalysisResult[]): Generator<string> {
    for (const result of results) {
      const { analysis, violations, error, known = 0, blocks, complete } = result;
      const of = complete ? ` of ${grouped(blocks.checked)}` : '';
      const violated = `${grouped(violatedBlocks(violations))}${of} blocks violated`;
      yield `## ${plain(`${titleOf(result)} (${analysis})`)}\n\n`;
      yield `${error === undefined ? violated : plain(shown(error.message, MESSAGE))}${known === 0 ? '' : `, ${counted(known, 'known violation')} not shown`}\n\n`;
      const groups = groupedByLabel(violations);
      for (const { example, count } of groups.slice(0, MOST_EXAMPLES)) {
        yield `${violationMarkdown(example, result)}\n\n`;
        if (count > 1) yield `and ${counted(count - 1, 'more violation')} of the same block\n\n`;
      }
      const rest = groups.length - MOST_EXAMPLES;
      if (rest > 0) yield `${counted(rest, 'more block')} with violations\n\n`;
    }
  }

  *finish({ fixed = [], runs = [] }: ReportEnd = {}): Generator<string> {
    for (const line of runsSummary(runs)) yield `${plain(line)}\n\n`;
    if (fixed.length > 0)
      yield `${counted(fixed.length, 'known violation')} fixed, or at least not seen in this run\n`;
  }
}

/** A violation: what is wrong, how it came about, what to do, and how to see it again. */
export function violationMarkdown(
  violation: ViolationResult,
  { origin, sources, schedule }: Pick<AnalysisResult, 'origin' | 'sources' | 'schedule'>,
): string {
  const { why, fix, sketch } = adviceFor(violation, origin);
  const story = interleaving(violation, WIDTH, origin).join('\n');
  const code = [...codeFrames(violation, sources, WIDTH)].join('\n');
  const parts = [
    `### ${plain(headline(violation, origin))}`,
    plain(violation.message),
    plain(valuesSentence(violation) ?? ''),
    fenced(`${story}\n${code}`.trim(), 'text'),
    why === null ? '' : `**Why:** ${plain(why)}`,
    `**What to do:** ${plain(fix)}`,
    sketch.length === 0 ? '' : fenced(sketch.join('\n'), 'js'),
    schedule === undefined ? '' : `To run it in this order again:\n\n${fenced(schedule.replay, 'sh')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Text in which nothing is markup, and nobody is notified. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&').replaceAll('@', '@\u200b');
}

/** A block of code, whatever is in it. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
