import { createHash } from 'node:crypto';
import type { AnalysisResult, EventResult, ViolationResult } from './result.ts';
import { type SourcePlace, sourcePlace } from './source-place.ts';

/*
 * What stays the same about a violation when the program is edited elsewhere and runs again. Threads, event numbers and
 * objects' numbers differ from run to run; lines and columns with every line that is inserted above; files when code moves.
 * So what counts is the label of the block, and for each access its kind, its variable and the text of its line. Where the
 * text is not at hand, how many lines below the begin of the block it is stands for it.
 */

/** Of an `AnalysisResult`, what says how its violations are to be read. */
type Context = Pick<AnalysisResult, 'analysis' | 'origin' | 'sources'>;

export function fingerprintOf(context: Context, violation: ViolationResult): string {
  const { kind, pattern, block, cycle, interference, related, message } = violation;
  const deed = (event: EventResult) => deedOf(event, violation, context);
  const facts = [
    context.analysis,
    kind,
    pattern,
    block === null ? null : labelOf(block.label, context),
    // The accesses that name the pattern say it all; a longer way around is chance.
    interference === null
      ? // And so is where a cycle starts, if no block is to blame.
        cycle.map(({ from, to }) => JSON.stringify([deed(from), deed(to)])).sort()
      : [interference.first, interference.between, interference.last].map(deed),
    related.map((event) => JSON.stringify([event.role, deed(event)])).sort(),
    // There is nothing else to tell one from another.
    ...(kind === 'failure' ? [message] : []),
  ];
  // As JSON, in which no name can pass for two, or for a part of another field.
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}

/** A function without a name is called by its line, which the next edit changes. */
function labelOf(label: string, { origin }: Context): string {
  return origin === 'program' ? label.replace(/(?<= at .*):\d+$/, '') : label;
}

/** The file that a violation is in: that of the access which makes it wrong. */
export function fileOf({ interference, cycle, related, block }: ViolationResult): string | null {
  const events = [interference?.last, interference?.first, cycle.at(-1)?.to, cycle.at(0)?.from, ...related];
  for (const location of [...events.map((event) => event?.location), block?.location]) {
    const place = sourcePlace(location ?? null);
    if (place !== null) return place.path;
  }
  return null;
}

function deedOf(
  { op, operand, location }: EventResult,
  { block }: ViolationResult,
  { origin, sources }: Context,
): [string, string, string | null] {
  const variable = origin === 'program' ? withoutNumbers(operand) : operand;
  const place = sourcePlace(location);
  if (place === null) return [op, variable, location];
  const text = lineAt(place, sources);
  if (text !== null) return [op, variable, `text ${text}`];
  const begin = sourcePlace(block?.location ?? null);
  const isBelow = begin !== null && begin.path === place.path && begin.line <= place.line;
  return [op, variable, isBelow ? `line +${place.line - begin.line}` : location];
}

/** `Stock#2.left`, `count (src/a.ts:3)` and `count~2`, without what the next run or edit changes. */
function withoutNumbers(name: string): string {
  return name
    .replace(/ \([^()]*:\d+\)/g, '')
    .replace(/#\d+/g, '#')
    .replace(/~\d+$/, '');
}

function lineAt({ path, line }: SourcePlace, sources: Context['sources']): string | null {
  for (const { firstLine, lines } of sources?.find((source) => source.path === path)?.excerpts ?? []) {
    const text = lines[line - firstLine];
    // However it is indented: code moves into blocks and out of them.
    if (text !== undefined) return text.trim().replace(/\s+/g, ' ');
  }
  return null;
}
