import type { EventResult, ViolationResult } from '../check/result.ts';
import { displayWidth, fitted, fittedEnd, padEnd, padStart } from './layout.ts';

/** A thread's column may not get narrower; with more threads the events are listed instead. */
const NARROWEST = 20;
const GAP = '  ';

/**
 * The events of a violation in the order in which they happened, threads as columns, time downwards; the
 * thread of the violated block comes first.
 */
export function interleaving(violation: ViolationResult, width: number): string[] {
  return eventColumns(eventsOf(violation), violation.thread, width);
}

/** Events in the order given, threads as columns, this thread first. */
export function eventColumns(events: readonly ToldEvent[], thread: string, width: number): string[] {
  if (events.length === 0) return [];
  const numbers = events.map(({ event }) => String(event));
  const numberWidth = Math.max('event'.length, ...numbers.map((number) => number.length));
  const threads = [...new Set([thread, ...events.map((event) => event.thread)])];
  const room = Math.floor((width - numberWidth) / threads.length) - GAP.length;
  const numbered = (number: string, rest: string) => padStart(number, numberWidth) + GAP + rest.trimEnd();
  if (room < NARROWEST) {
    const threadWidth = Math.min(16, Math.max(...threads.map((name) => displayWidth(fitted(name, 16)))));
    const rest = width - numberWidth - threadWidth - 2 * GAP.length;
    return [
      numbered('event', 'thread'),
      ...events.flatMap((event, i) =>
        cell(event, rest).map((line, part) =>
          part === 0
            ? numbered(numbers[i], padEnd(fitted(event.thread, threadWidth), threadWidth) + GAP + line)
            : numbered('', ' '.repeat(threadWidth) + GAP + line),
        ),
      ),
    ];
  }
  const before = (column: number) => ' '.repeat(column * (room + GAP.length));
  const header = threads.map((thread) => padEnd(fitted(thread, room), room)).join(GAP);
  return [
    numbered('event', header),
    ...events.flatMap((event, i) => {
      const indent = before(threads.indexOf(event.thread));
      return cell(event, room).map((line, part) => numbered(part === 0 ? numbers[i] : '', indent + line));
    }),
  ];
}

/** What happened, where, and its part in the story: on one line if it fits, else on lines of their own. */
function cell(event: ToldEvent, width: number): string[] {
  const lines = [fitted(event.op, width)];
  const add = (part: string) => {
    const joined = `${lines[lines.length - 1]}${GAP}${part}`;
    if (displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else if (displayWidth(part) <= width - GAP.length) lines.push(GAP + part);
  };
  if (event.location !== null) add(fittedEnd(event.location, width - GAP.length));
  if (event.role !== undefined) add(`(${event.role})`);
  return lines;
}

export interface ToldEvent extends EventResult {
  role?: string;
}

/** Each event once, in trace order, with the begin and the end of the block around them. */
export function eventsOf({ cycle, interference, related, block, thread }: ViolationResult): ToldEvent[] {
  const events = new Map<number, ToldEvent>();
  const add = (event: ToldEvent) => events.set(event.event, event);
  for (const { from, to } of cycle) {
    add(from);
    add(to);
  }
  for (const event of related) add(event);
  if (interference !== null) {
    add(interference.first);
    add(interference.between);
    add(interference.last);
  }
  if (events.size === 0) return [];
  if (block !== null) {
    const edge = (event: number, word: string) => {
      if (!events.has(event)) add({ event, thread, op: `${word}(${block.label})`, location: null });
    };
    edge(block.begin, 'begin');
    if (block.end !== null) edge(block.end, 'end');
  }
  return [...events.values()].sort((a, b) => a.event - b.event);
}
