import { createRequire } from 'node:module';
import type { SourceResult } from '../check/result.ts';

/** A file with colours for the lines of each of its excerpts: lengths and looks in turn, see viewer/highlighter.ts. */
export interface ColouredSource extends SourceResult {
  colours?: readonly (readonly number[])[][];
}

interface Highlighter {
  colours(path: string, lines: readonly string[]): number[][] | null;
}

let highlighter: Highlighter | null = null;

/** The source with colours, where its language is known. */
export function coloured(source: SourceResult): ColouredSource {
  // Only pages have colours: nothing else loads it.
  highlighter ??= createRequire(import.meta.url)('../../dist/viewer/highlighter.cjs') as Highlighter;
  const found: number[][][] = [];
  for (const { lines } of source.excerpts) {
    const own = highlighter.colours(source.path, lines);
    if (own === null) return source;
    found.push(own);
  }
  return { ...source, colours: found };
}
