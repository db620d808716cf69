import type { AnalysisResult, ExcerptResult, SourceResult, ViolationResult } from './result.ts';
import type { SourceFiles } from './source-files.ts';
import { sourcePlace } from './source-place.ts';

export { SourceFiles } from './source-files.ts';

/** So many lines before and after one that an event is at. */
const AROUND = 3;
/** Longer lines are cut, at both ends if need be: they were made by a program. */
const LONGEST_LINE = 300;
/** So much is kept before the first column of interest. */
const BEFORE = 100;
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

/** Lines that are named, each with the first column that is. */
type NamedLines = Map<number, number>;

/** The lines that locations name, by path. */
function linesNamed(violations: readonly ViolationResult[]): Map<string, NamedLines> {
  const named = new Map<string, NamedLines>();
  const seen = new Set<string>();
  for (const violation of violations) {
    for (const location of locationsOf(violation)) {
      if (location === null || seen.has(location)) continue;
      const place = sourcePlace(location);
      if (place === null) continue;
      seen.add(location);
      const column = place.column ?? 1;
      const lines = named.get(place.path);
      if (lines !== undefined) lines.set(place.line, Math.min(column, lines.get(place.line) ?? column));
      else if (named.size < MOST_FILES) named.set(place.path, new Map([[place.line, column]]));
      if (seen.size === MOST_PLACES) return named;
    }
  }
  return named;
}

function* locationsOf({
  cycle,
  interference,
  related,
  block,
  facts,
}: ViolationResult): Generator<string | null> {
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
  yield* facts?.awaits ?? [];
}

/** The lines around those named, neighbouring ones together. */
function excerptsOf(text: readonly string[], named: NamedLines): ExcerptResult[] {
  const excerpts: { firstLine: number; lines: string[]; skipped: number[] }[] = [];
  let next = 1;
  for (const line of [...named.keys()].sort((a, b) => a - b)) {
    if (line > text.length) break;
    const first = Math.max(next, line - AROUND);
    const last = Math.min(text.length, line + AROUND);
    const before = excerpts.at(-1);
    const excerpt =
      before !== undefined && first === next ? before : { firstLine: first, lines: [], skipped: [] };
    if (excerpt !== before) excerpts.push(excerpt);
    for (let number = first; number <= last; number++) {
      const [shown, skipped] = cut(text[number - 1], named.get(number) ?? 1);
      excerpt.lines.push(shown);
      excerpt.skipped.push(skipped);
    }
    next = last + 1;
  }
  return excerpts.map(({ skipped, ...excerpt }) =>
    skipped.some((count) => count > 0) ? { ...excerpt, skipped } : excerpt,
  );
}

/** A line around a column, and how many characters were left out before. */
function cut(line: string, column: number): [shown: string, skipped: number] {
  if (line.length <= LONGEST_LINE) return [line, 0];
  let from = column < LONGEST_LINE ? 0 : column - 1 - BEFORE;
  // Never half of a character that takes two code units.
  if (/^[\udc00-\udfff]/.test(line.slice(from, from + 1))) from++;
  const end = line.slice(from, from + LONGEST_LINE).replace(/[\ud800-\udbff]$/, '');
  return [`${from > 0 ? '…' : ''}${end}${from + end.length < line.length ? '…' : ''}`, from];
}
