/*
 * `// trackside-ignore-next-line reason`: the accesses of the next line are not recorded, and a function that begins
 * there is no block. The reason is for whoever reads the code, so a comment without one is answered by a warning.
 */

import type { Lines } from './lines.ts';

const MARK = 'trackside-ignore-next-line';

interface Comment {
  value: string;
  start: number;
  end: number;
}

/** Where `withTestsMarked` puts it, there may be nothing to ignore. */
const OWN_REASON = 'a test is not meant to be atomic';

interface IgnoredLines {
  lines: ReadonlySet<number>;
  warnings: string[];
  /** Of the comments before lines that are not among `spared`. */
  unused(spared: ReadonlySet<number>): string[];
}

export function ignoredLines(comments: readonly Comment[], lines: Lines, displayPath: string): IgnoredLines {
  const ignored = new Set<number>();
  const warnings: string[] = [];
  const places = new Map<number, string>();
  for (const comment of comments) {
    const text = comment.value.trim();
    if (!text.startsWith(MARK)) continue;
    const rest = text.slice(MARK.length);
    if (rest !== '' && !/^[\s:]/.test(rest)) continue;
    const line = lines.line(comment.end) + 1;
    ignored.add(line);
    const at = `${displayPath}:${lines.line(comment.start)}:${lines.column(comment.start)}`;
    const reason = rest.replace(/^[\s:-]+/, '');
    if (reason === '')
      warnings.push(`${at}: ${MARK} without a reason; write why this line may be ignored after it`);
    if (reason !== OWN_REASON) places.set(line, at);
  }
  const unused = (spared: ReadonlySet<number>) =>
    [...places]
      .filter(([line]) => !spared.has(line))
      .map(([, at]) => `${at}: ${MARK} is not used: nothing on the next line is watched; remove it`);
  return { lines: ignored, warnings, unused };
}
