import type { EventResult, SourceResult, ViolationResult } from '../check/result.ts';
import { type SourcePlace, sourcePlace } from '../check/source-place.ts';
import { deedText } from './event-words.ts';
import { keyEvents } from './interleaving.ts';
import { clipped, displayWidth, fittedEnd, padStart, wrap } from './layout.ts';

/** Lines shown before and after those that events are at. */
const AROUND = 1;
/** More events are not shown in the code. */
const MOST_EVENTS = 8;
const TAB = 4;

interface Noted {
  event: EventResult;
  place: SourcePlace;
}

/** The code that the events of a violation are at, with what happened written below each line. */
export function* codeFrames(
  violation: ViolationResult,
  sources: readonly SourceResult[] | undefined,
  width: number,
): Generator<string> {
  if (sources === undefined) return;
  const byPath = new Map<string, Noted[]>();
  for (const event of [...beginOf(violation), ...keyEvents(violation)].slice(0, MOST_EVENTS)) {
    const place = sourcePlace(event.location);
    if (place === null) continue;
    const noted = byPath.get(place.path);
    if (noted === undefined) byPath.set(place.path, [{ event, place }]);
    else noted.push({ event, place });
  }
  for (const [path, noted] of byPath) {
    const source = sources.find((candidate) => candidate.path === path);
    if (source !== undefined) yield* frame(source, noted, width);
  }
}

/** What is meant to be atomic starts here. */
function beginOf({ block, thread }: ViolationResult): EventResult[] {
  if (block === null) return [];
  const { begin, label, location = null } = block;
  return [{ event: begin, thread, op: 'begin', operand: label, kind: 'label', location }];
}

function* frame(source: SourceResult, noted: readonly Noted[], width: number): Generator<string> {
  const lines = shownLines(source, noted);
  if (lines.length === 0) return;
  yield '';
  yield fittedEnd(source.path, width);
  const digits = Math.max(4, String(lines[lines.length - 1].number).length + 1);
  const room = width - digits - 3;
  const indent = Math.min(
    ...lines.filter(({ text }) => text.trim() !== '').map(({ text }) => indentOf(text)),
  );
  const bar = (number: string) => `${padStart(number, digits)} │`;
  let last = lines[0].number - 1;
  for (const { number, raw, text } of lines) {
    if (number !== last + 1) yield padStart('⋮', digits);
    last = number;
    const code = text.slice(Math.min(indent, indentOf(text)));
    yield `${bar(String(number))} ${clipped(code, room)}`.trimEnd();
    for (const { event, place } of noted) {
      if (place.line !== number) continue;
      const column = place.column === null ? null : withoutTabs(raw.slice(0, place.column - 1)).length + 1;
      const at = caret(code, column === null ? null : column - indent, room);
      const [note, ...rest] = wrap(`event ${event.event}: ${deedText(event)}`, room - at - 2);
      yield `${bar('')} ${' '.repeat(at)}^ ${clipped(note, room - at - 2)}`;
      for (const more of rest) yield `${bar('')} ${' '.repeat(at)}  ${clipped(more, room - at - 2)}`;
    }
  }
}

interface Line {
  number: number;
  raw: string;
  /** With tabs made spaces. */
  text: string;
}

/** The lines to show, as far as the source has them. */
function shownLines({ excerpts }: SourceResult, noted: readonly Noted[]): Line[] {
  const lines: Line[] = [];
  for (const { firstLine, lines: texts } of excerpts) {
    for (const [i, raw] of texts.entries()) {
      const number = firstLine + i;
      if (noted.some(({ place }) => Math.abs(place.line - number) <= AROUND))
        lines.push({ number, raw, text: withoutTabs(raw) });
    }
  }
  return lines;
}

function withoutTabs(text: string): string {
  return text.replaceAll('\t', ' '.repeat(TAB));
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** In which column to point: that of the location, or where the code starts. */
function caret(code: string, column: number | null, room: number): number {
  const start = Math.min(indentOf(code), Math.floor(room / 2));
  if (column === null || column <= start || column > code.length) return start;
  const before = displayWidth(code.slice(0, column - 1));
  return before < room / 2 ? before : start;
}
