import { operationText } from '../check/operation-text.ts';
import type { EventResult, ViolationResult } from '../check/result.ts';
import { sourcePlace } from '../check/source-place.ts';
import { printableEnd } from '../trace/printable.ts';
import { type Arrow, Arrows } from './arrows.ts';
import { isLocking, type Origin, threadWord, valueText } from './event-words.ts';
import { displayWidth, fitted, fittedEnd, padEnd, padStart } from './layout.ts';

/** A thread's column may not get narrower; with more threads the events are listed instead. */
const NARROWEST = 20;
const GAP = '  ';
/** Longer ones are cut after all, at the front. */
const LONGEST_PLACE = 400;

/**
 * The events of a violation in the order in which they happened, threads as columns, time downwards; the
 * thread of the violated block comes first. Arrows lead along the conflicts.
 */
export function interleaving(violation: ViolationResult, width: number, origin: Origin): string[] {
  return eventColumns(eventsOf(violation), violation.thread, width, origin, arrowsOf(violation));
}

/** Events in the order given, threads as columns, this thread first. */
export function eventColumns(
  events: readonly ToldEvent[],
  thread: string,
  width: number,
  origin: Origin,
  conflicts: readonly Arrow[] = [],
): string[] {
  if (events.length === 0) return [];
  const numbers = events.map(({ event }) => String(event));
  const numberWidth = Math.max('event'.length, ...numbers.map((number) => number.length));
  const threads = [...new Set([thread, ...events.map((event) => event.thread)])];
  const arrows = new Arrows(
    events.map(({ event }) => event),
    conflicts,
  );
  const rest = width - numberWidth - GAP.length - arrows.width;
  const columns = columnsFor(threads, events, rest);
  const threadWidth = Math.min(16, Math.max(...threads.map((name) => displayWidth(fitted(name, 16)))));
  const line = (number: string, gutter: string, text: string) =>
    (padStart(number, numberWidth) + GAP + gutter + text).trimEnd();
  const header =
    columns === null
      ? padEnd(threadWord(origin), threadWidth)
      : threads.map((name, i) => padEnd(fitted(name, columns[i].width), columns[i].width)).join(GAP);
  const lines = [line('event', ' '.repeat(arrows.width), header)];
  for (const [row, event] of events.entries()) {
    const column = columns?.[threads.indexOf(event.thread)];
    const name = column === undefined ? padEnd(fitted(event.thread, threadWidth), threadWidth) + GAP : '';
    const indent = (column?.indent ?? 0) + displayWidth(name);
    for (const [part, text] of cell(event, column?.width ?? rest - displayWidth(name)).entries()) {
      if (part === 0) lines.push(line(numbers[row], arrows.at(row, column?.indent ?? 0), name + text));
      // A place is never cut: where its column is too narrow, it starts further left.
      else
        lines.push(
          line('', arrows.below(row, Math.max(0, Math.min(indent, rest - displayWidth(text)))), text),
        );
    }
  }
  return lines;
}

interface ThreadColumn {
  indent: number;
  width: number;
}

/** As wide as the events of each thread need, or equally wide; null if there is no room for columns. */
function columnsFor(
  threads: readonly string[],
  events: readonly ToldEvent[],
  room: number,
): ThreadColumn[] | null {
  const equal = Math.floor((room + GAP.length) / threads.length) - GAP.length;
  if (equal < NARROWEST) return null;
  const needed = threads.map((thread) =>
    Math.max(
      displayWidth(fitted(thread, room)),
      ...events.map((event) => (event.thread === thread ? displayWidth(cell(event, room)[0]) : 0)),
    ),
  );
  const spare = room - needed.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  // A long name in one column must not squeeze the others out: then they share the room.
  const widths = spare < 0 ? threads.map(() => equal) : needed.map((width) => Math.max(width, NARROWEST));
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (total > room) widths.fill(equal);
  let indent = 0;
  return widths.map((width) => {
    const column = { indent, width };
    indent += width + GAP.length;
    return column;
  });
}

/** What happened, where, and its part in the story: on one line if it fits, else on lines of their own. */
function cell(event: ToldEvent, width: number): string[] {
  const value = valueText(event);
  const lines = [`${fitted(operationText(event), width - displayWidth(value))}${value}`];
  const add = (part: string, isWhole: boolean) => {
    const joined = `${lines[lines.length - 1]}${GAP}${part}`;
    if (displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (isWhole || displayWidth(part) <= width - GAP.length) lines.push(GAP + part);
  };
  const { location } = event;
  if (location !== null && sourcePlace(location) !== null) add(printableEnd(location, LONGEST_PLACE), true);
  else if (location !== null) add(fittedEnd(location, width - GAP.length), false);
  if (event.role !== undefined) add(`(${event.role})`, false);
  return lines;
}

export interface ToldEvent extends EventResult {
  role?: string;
}

/** The events that show what is wrong: those that name the pattern, or else those along the cycle. */
export function keyEvents({ cycle, interference, related }: ViolationResult): ToldEvent[] {
  const { first, between, last } = interference ?? {};
  const events =
    first !== undefined && between !== undefined && last !== undefined
      ? [first, between, last]
      : [...cycle.flatMap(({ from, to }) => [from, to]), ...related];
  return inOrder(events);
}

/** What was observed has an order along the conflicts; of what other schedules do, only the events are known. */
function arrowsOf({ kind, cycle, interference }: ViolationResult): Arrow[] {
  if (kind !== 'transaction' && kind !== 'trace') return [];
  if (interference !== null) {
    const { first, between, last } = interference;
    return [
      { from: first.event, to: between.event },
      { from: between.event, to: last.event },
    ];
  }
  return cycle
    .filter(({ from, to }) => from.thread !== to.thread)
    .map(({ from, to }) => ({ from: from.event, to: to.event }));
}

/** Each event once, in trace order, with the begin and the end of the block around them. */
export function eventsOf(violation: ViolationResult): ToldEvent[] {
  const { cycle, interference, related, block, thread } = violation;
  const events = keyEvents(violation);
  if (interference !== null) {
    // Locks that were taken and given back in between tell why they did not help; what came before tells nothing.
    const { first, last } = interference;
    const isInBetween = (other: EventResult) =>
      other.event > first.event && other.event < last.event && isLocking(other);
    events.push(...cycle.flatMap(({ from, to }) => [from, to]).filter(isInBetween), ...related);
  }
  const edges: ToldEvent[] = [];
  if (block === null) {
    // No block is to blame alone: each one on the cycle is part of it.
    for (const { from } of cycle) {
      const { transaction } = from;
      if (transaction != null) edges.push(edge('begin', from.thread, transaction.label, transaction.begin));
    }
  } else if (events.length > 0) {
    const { label, end, location = null } = block;
    edges.push({ ...edge('begin', thread, label, block.begin), location });
    if (end !== null) edges.push(edge('end', thread, label, end));
  }
  return inOrder([...edges, ...events]);
}

function edge(op: 'begin' | 'end', thread: string, label: string, event: number): ToldEvent {
  return { event, thread, op, operand: label, kind: 'label', location: null };
}

/** Each event once, in the order of the trace; what is told of an event later counts. */
function inOrder(events: readonly ToldEvent[]): ToldEvent[] {
  return [...new Map(events.map((event) => [event.event, event])).values()].sort((a, b) => a.event - b.event);
}
