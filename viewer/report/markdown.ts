import type { ViolationResult } from '../../src/check/result.ts';
import { adviceFor } from '../../src/report/advice/index.ts';
import { codeFrames } from '../../src/report/code-frame.ts';
import { valuesSentence } from '../../src/report/event-words.ts';
import type { PageAbout } from '../../src/report/html-data.ts';
import { interleaving } from '../../src/report/interleaving.ts';
import { headline } from '../../src/report/violation-text.ts';
import type { Item } from './items.ts';

const WIDTH = 96;

/** A violation for an issue: what is wrong, how it came about, what to do, and how to see it again. */
export function markdownOf({ violation, result }: Item, { version, run }: PageAbout): string {
  const { why, fix, sketch } = adviceFor(violation, result.origin);
  const whole: ViolationResult = violation;
  const story = interleaving(whole, WIDTH, result.origin).join('\n');
  const code = [...codeFrames(whole, result.sources, WIDTH)].join('\n');
  const parts = [
    `### ${plain(headline(violation, result.origin))}`,
    plain(violation.message),
    plain(valuesSentence(violation) ?? ''),
    fenced(`${story}\n${code}`.trim(), 'text'),
    why === null ? '' : `**Why:** ${plain(why)}`,
    `**What to do:** ${plain(fix)}`,
    sketch.length === 0 ? '' : fenced(sketch.join('\n'), 'js'),
    result.schedule === undefined
      ? ''
      : `To run it in this order again:\n\n${fenced(result.schedule.replay, 'sh')}`,
    run === null
      ? ''
      : `Found by\n\n${fenced(run.command, 'sh')}\n\nTrackside ${version}, Node ${run.node}, ${run.date}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Text in which nothing is markup, and nobody is notified. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&').replaceAll('@', '@\u200b');
}

/** A block of code, whatever is in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
