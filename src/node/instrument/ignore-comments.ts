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

interface IgnoredLines {
  lines: ReadonlySet<number>;
  warnings: string[];
}

export function ignoredLines(comments: readonly Comment[], lines: Lines, displayPath: string): IgnoredLines {
  const ignored = new Set<number>();
  const warnings: string[] = [];
  for (const comment of comments) {
    const text = comment.value.trim();
    if (!text.startsWith(MARK)) continue;
    const rest = text.slice(MARK.length);
    if (rest !== '' && !/^[\s:]/.test(rest)) continue;
    ignored.add(lines.line(comment.end) + 1);
    if (rest.replace(/^[\s:-]+/, '') === '') {
      const at = `${displayPath}:${lines.line(comment.start)}:${lines.column(comment.start)}`;
      warnings.push(`${at}: ${MARK} without a reason; write why this line may be ignored after it`);
    }
  }
  return { lines: ignored, warnings };
}
