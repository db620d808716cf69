import type { PageAbout } from '../../src/report/html-data.ts';
import { fenced, violationMarkdown } from '../../src/report/markdown.ts';
import type { Item } from './items.ts';

/** A violation for an issue, with the command that found it. */
export function markdownOf({ violation, result }: Item, { version, run }: PageAbout): string {
  const found =
    run === null
      ? ''
      : `\n\nFound by\n\n${fenced(run.command, 'sh')}\n\nTrackside ${version}, Node ${run.node}, ${run.date}`;
  return `${violationMarkdown(violation, result)}${found}\n`;
}
