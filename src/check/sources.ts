import type { AnalysisResult, ExcerptResult, SourceResult, ViolationResult } from './result.ts';
import type { SourceFiles } from './source-files.ts';
import { sourcePlace } from './source-place.ts';

export { SourceFiles } from './source-files.ts';

/** So many lines before and after one that an event is at. */
const AROUND = 3;
/** Longer lines are cut: they were made by a program. */
const LONGEST_LINE = 300;
/** What a result may hold in all. */
const MOST_FILES = 200;
const MOST_PLACES = 2000;

/** The result with the source lines that the events of its violations are at, as far as they can be found. */
export async function withSources(result: AnalysisResult, files: SourceFiles): Promise<AnalysisResult> {
  const sources: SourceResult[] = [];
  for (const [path, lines] of linesNamed(result.violations)) {
    const text = await files.lines(path);
    const excerpts = text === null ? [] : excerptsOf(text, lines);
    if (excerpts.length > 0) sources.push({ path, excerpts });
  }
  return sources.length === 0 ? result : { ...result, sources };
}

/** The lines that locations name, by path. */
function linesNamed(violations: readonly ViolationResult[]): Map<string, Set<number>> {
  const named = new Map<string, Set<number>>();
  const seen = new Set<string>();
  for (const violation of violations) {
    for (const location of locationsOf(violation)) {
      if (location === null || seen.has(location)) continue;
      const place = sourcePlace(location);
      if (place === null) continue;
      seen.add(location);
      const lines = named.get(place.path);
      if (lines !== undefined) lines.add(place.line);
      else if (named.size < MOST_FILES) named.set(place.path, new Set([place.line]));
      if (seen.size === MOST_PLACES) return named;
    }
  }
  return named;
}

function* locationsOf({ cycle, interference, related, block }: ViolationResult): Generator<string | null> {
  if (interference !== null) {
    yield interference.first.location;
    yield interference.between.location;
    yield interference.last.location;
  }
  for (const { from, to } of cycle) {
    yield from.location;
    yield to.location;
  }
  for (const { location } of related) yield location;
  yield block?.location ?? null;
}

/** The lines around those named, neighbouring ones together. */
function excerptsOf(text: readonly string[], named: ReadonlySet<number>): ExcerptResult[] {
  const excerpts: { firstLine: number; lines: string[] }[] = [];
  let next = 1;
  for (const line of [...named].sort((a, b) => a - b)) {
    if (line > text.length) break;
    const first = Math.max(next, line - AROUND);
    const last = Math.min(text.length, line + AROUND);
    const lines = text.slice(first - 1, last).map(cut);
    const before = excerpts.at(-1);
    if (before !== undefined && first === next) before.lines.push(...lines);
    else excerpts.push({ firstLine: first, lines });
    next = last + 1;
  }
  return excerpts;
}

function cut(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  // Never half of a character that takes two code units.
  return `${line.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}
