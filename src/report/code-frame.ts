import type { EventResult, SourceResult, ViolationResult } from '../check/result.ts';
import { type SourcePlace, sourcePlace } from '../check/source-place.ts';
import { printable } from '../trace/printable.ts';
import { deedText } from './event-words.ts';
import { keyEvents } from './interleaving.ts';
import { columns, displayWidth, fittedEnd, padStart, wrap } from './layout.ts';

/** Lines shown before and after those that events are at. */
const AROUND = 1;
/** More events are not shown in the code. */
const MOST_EVENTS = 8;
const TAB = 4;
/** A note that is broken into lines needs so much room. */
const LEAST_NOTE = 24;

/** What is said about a place in the code. */
interface Note {
  place: SourcePlace;
  text: string;
}

/** A note, and in which column of the shown line it points at something. */
interface Mark {
  at: number;
  text: string;
}

/** The code that the events of a violation are at, with what happened written below each line. */
export function* codeFrames(
  violation: ViolationResult,
  sources: readonly SourceResult[] | undefined,
  width: number,
): Generator<string> {
  if (sources === undefined) return;
  const byPath = new Map<string, Note[]>();
  for (const note of notesOf(violation)) {
    const there = byPath.get(note.place.path);
    if (there === undefined) byPath.set(note.place.path, [note]);
    else there.push(note);
  }
  for (const [path, notes] of byPath) {
    const source = sources.find((candidate) => candidate.path === path);
    if (source !== undefined) yield* frame(source, notes, width);
  }
}

function* notesOf(violation: ViolationResult): Generator<Note> {
  for (const event of [...beginOf(violation), ...keyEvents(violation)].slice(0, MOST_EVENTS)) {
    const place = sourcePlace(event.location);
    if (place !== null) yield { place, text: `event ${event.event}: ${deedText(event)}` };
  }
  for (const location of violation.facts?.awaits ?? []) {
    const place = sourcePlace(location);
    if (place !== null) yield { place, text: 'other tasks run here' };
  }
}

/** What is meant to be atomic starts here. */
function beginOf({ block, thread }: ViolationResult): EventResult[] {
  if (block === null) return [];
  const { begin, label, location = null } = block;
  return [{ event: begin, thread, op: 'begin', operand: label, kind: 'label', location }];
}

function* frame(source: SourceResult, notes: readonly Note[], width: number): Generator<string> {
  const lines = shownLines(source, notes);
  if (lines.length === 0) return;
  yield '';
  yield fittedEnd(source.path, width);
  const digits = Math.max(4, String(lines[lines.length - 1].number).length + 1);
  const room = width - digits - 3;
  const indent = Math.min(...lines.filter(({ raw }) => raw.trim() !== '').map(({ raw }) => indentOf(raw)));
  const bar = (number: string) => `${padStart(number, digits)} │`;
  let last = lines[0].number - 1;
  for (const { number, raw, skipped } of lines) {
    if (number !== last + 1) yield padStart('⋮', digits);
    last = number;
    const code = shown(raw).slice(Math.min(indent, indentOf(raw)));
    const marks = notes
      .filter(({ place }) => place.line === number)
      .map(({ place, text }) => ({ text, at: markColumn(raw, skipped, place.column, indent) }));
    for (const { from, own } of windows(code, marks, room)) {
      yield `${bar(String(number))} ${columns(code, from, room)}`.trimEnd();
      for (const { at, text } of own)
        for (const line of marked(text, at - from, room)) yield `${bar('')} ${line}`.trimEnd();
    }
  }
}

interface Line {
  number: number;
  raw: string;
  /** How many characters were left out at its start. */
  skipped: number;
}

/** The lines to show, as far as the source has them. */
function shownLines({ excerpts }: SourceResult, notes: readonly Note[]): Line[] {
  const lines: Line[] = [];
  for (const { firstLine, lines: texts, skipped } of excerpts) {
    for (const [i, raw] of texts.entries()) {
      const number = firstLine + i;
      if (notes.some(({ place }) => Math.abs(place.line - number) <= AROUND))
        lines.push({ number, raw, skipped: skipped?.[i] ?? 0 });
    }
  }
  return lines;
}

/** A line, or a part of one, as it is printed. */
function shown(raw: string): string {
  return printable(raw.replaceAll('\t', ' '.repeat(TAB)), Number.POSITIVE_INFINITY);
}

function indentOf(raw: string): number {
  return shown(/^[ \t]*/.exec(raw)?.[0] ?? '').length;
}

/** In which column to point: that of the place, or where the code starts. */
function markColumn(raw: string, skipped: number, column: number | null, indent: number): number {
  // Instead of what was left out stands one character.
  const before = column === null ? -1 : column - 1 - skipped + (skipped > 0 ? 1 : 0);
  const isThere = before >= 0 && before < raw.length;
  const width = isThere ? displayWidth(shown(raw.slice(0, before))) : indentOf(raw);
  return Math.max(0, width - indent);
}

/** The parts of a line to show, by their first columns, with the marks that lie in each. */
function windows(code: string, marks: readonly Mark[], room: number): { from: number; own: Mark[] }[] {
  const isShort = displayWidth(code) <= room;
  const found: { from: number; own: Mark[] }[] = [];
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    const last = found.at(-1);
    // Neither the first nor the last column, where a cut is shown.
    const fits = last !== undefined && mark.at < last.from + room - 1;
    if (isShort && last !== undefined) last.own.push(mark);
    else if (last !== undefined && fits) last.own.push(mark);
    else found.push({ from: isShort || mark.at < room - 1 ? 0 : mark.at - (room >> 1), own: [mark] });
  }
  return found.length === 0 ? [{ from: 0, own: [] }] : found;
}

/** A caret with its note: behind it, or before it, or below, wherever there is room. */
function marked(text: string, at: number, room: number): string[] {
  const behind = room - at - 2;
  const width = displayWidth(text);
  if (width > behind && width < at) return [`${padStart(text, at - 1)} ^`];
  if (width > behind && behind < LEAST_NOTE) return [`${' '.repeat(at)}^`, ...wrap(text, room)];
  const [first, ...rest] = wrap(text, behind);
  return [`${' '.repeat(at)}^ ${first}`, ...rest.map((line) => `${' '.repeat(at)}  ${line}`)];
}
