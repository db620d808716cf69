import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { firstProblem } from './well-formed.ts';

/**
 * Makes a failing trace small: takes out threads, variables, locks, pairs and single events for as long as
 * what is left is well-formed and still fails.
 */
export function shrink(
  events: readonly NamedEvent[],
  stillFails: (events: readonly NamedEvent[]) => boolean,
): readonly NamedEvent[] {
  let smallest = events;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const candidate of smallerTraces(smallest)) {
      if (firstProblem(candidate) !== null || !stillFails(candidate)) continue;
      smallest = candidate;
      shrunk = true;
      break;
    }
  }
  return smallest;
}

function* smallerTraces(events: readonly NamedEvent[]): Generator<NamedEvent[]> {
  for (let length = events.length >> 1; length > 0; length >>= 1)
    yield events.slice(0, events.length - length);
  for (const thread of new Set(events.map((event) => event.thread)))
    yield events.filter((event) => event.thread !== thread && !isAbout(event, thread));
  for (const operand of new Set(events.map((event) => event.operand)))
    yield events.filter((event) => event.operand !== operand);
  for (let i = 0; i < events.length; i++) yield events.filter((_, at) => at !== i);
  for (let i = 0; i < events.length; i++) {
    const partner = partnerOf(events, i);
    if (partner !== null) yield events.filter((_, at) => at !== i && at !== partner);
  }
  // A thread fewer may do: let another do its work.
  const threads = [...new Set(events.map((event) => event.thread))];
  for (const from of threads)
    for (const to of threads)
      if (from !== to)
        yield events
          .filter((event) => !isAbout(event, from))
          .map((event) => (event.thread === from ? { ...event, thread: to } : event));
}

const CLOSING = new Map<Op, Op>([
  [Op.begin, Op.end],
  [Op.acquire, Op.release],
  [Op.arrive, Op.leave],
]);

function isAbout({ op, operand }: NamedEvent, thread: string): boolean {
  return (op === Op.fork || op === Op.join) && operand === thread;
}

/** What closes the block, releases the lock or leaves the barrier of event `i`; null for any other event. */
function partnerOf(events: readonly NamedEvent[], i: number): number | null {
  const { thread, op, operand } = events[i];
  const closing = CLOSING.get(op);
  if (closing === undefined) return null;
  let depth = 0;
  for (let j = i; j < events.length; j++) {
    if (events[j].thread !== thread || (op !== Op.begin && events[j].operand !== operand)) continue;
    if (events[j].op === op) depth++;
    if (events[j].op === closing && --depth === 0) return j;
  }
  return null;
}
