import { parseOperation } from '../../src/check/operation-text.ts';
import type { CycleEventResult, EventResult } from '../../src/check/result.ts';
import type { PageViolation } from '../../src/report/html-data.ts';
import { eventsOf } from '../../src/report/interleaving.ts';
import { shown } from '../../src/report/well-formed-text.ts';
import { type Operation, operation } from '../shared/words.ts';

/** One event of an interleaving, in its lane. */
export interface Step extends Operation {
  event: number;
  thread: string;
  lane: number;
  location: string | null;
  /** What was read or written, where that is known. */
  value: string | null;
  /** Its part in what a prediction tells. */
  role: string | null;
  /** Its part in the pattern. */
  part: 'first' | 'between' | 'last' | null;
  /** In how many of the drawn blocks it lies. */
  depth: number;
}

/** A block, from one row to another. */
export interface Box {
  lane: number;
  depth: number;
  from: number;
  to: number;
  label: string;
  isViolated: boolean;
  /** Its end is not among the steps. */
  isOpen: boolean;
}

/** A conflict, from a row to a later one. */
export interface Edge {
  from: number;
  to: number;
  /** `pattern`: between the accesses that name it. `cycle`: on the cycle only. */
  kind: 'pattern' | 'cycle';
  /** Without it there would be no cycle yet. */
  isClosing: boolean;
  /** Its place along the cycle, from 1; 0 for one that is not on it. */
  number: number;
}

/** An interleaving to be drawn: threads as lanes, events as rows. */
export interface Story {
  lanes: string[];
  steps: Step[];
  boxes: Box[];
  edges: Edge[];
}

interface Told extends EventResult {
  role?: string;
}

/** All that is known of how it came about. */
export function storyOf(violation: PageViolation): Story {
  return told(violation, () => true);
}

/** The rivals side by side: without those who only started them, and without how they were started. */
export function essenceOf(violation: PageViolation): Story {
  const key = new Map<number, string>();
  const { cycle, interference, related, event, thread } = violation;
  key.set(event, thread);
  for (const { from, to } of cycle) for (const one of [from, to]) key.set(one.event, one.thread);
  for (const one of related) key.set(one.event, one.thread);
  if (interference !== null)
    for (const part of ['first', 'between', 'last'] as const)
      key.set(interference[part].event, interference[part].thread);
  const rivals = new Set(key.values());
  return told(
    violation,
    ({ event, thread, kind }) => key.has(event) || (rivals.has(thread) && kind !== 'thread'),
  );
}

function told(violation: PageViolation, isTold: (event: Told) => boolean): Story {
  const events = new Map<number, Told>();
  const starts = transactionStarts(violation);
  for (const event of subtraceEvents(violation)) events.set(event.event, event);
  for (const event of eventsOf(violation)) {
    // The sub-trace may know where a block begins or ends, which the witness does not.
    const known = events.get(event.event);
    events.set(event.event, { ...event, location: event.location ?? known?.location ?? null });
  }
  for (const [begin, { thread, label }] of starts) {
    if (!events.has(begin))
      events.set(begin, { event: begin, thread, op: 'begin', operand: label, kind: 'label', location: null });
  }
  const shown = [...events.values()].filter(isTold).sort((a, b) => a.event - b.event);
  const story = laidOut(shown, rivalsOf(violation), new Set(starts.keys()), violation.block?.begin ?? null);
  addParts(story, violation);
  addEdges(story, violation);
  return story;
}

/** The schedule that shows a prediction, in its own order. */
export function scheduleOf({ confirmation, thread, block }: PageViolation): Story | null {
  if (confirmation === undefined || confirmation.window.length === 0) return null;
  return laidOut(confirmation.window, [thread], new Set(), block?.begin ?? null);
}

/** Where the transactions begin that the cycle goes through. */
function transactionStarts({ cycle }: PageViolation): Map<number, { thread: string; label: string }> {
  const starts = new Map<number, { thread: string; label: string }>();
  const add = ({ transaction, thread }: CycleEventResult) => {
    if (transaction != null) starts.set(transaction.begin, { thread, label: transaction.label });
  };
  for (const { from, to } of cycle) {
    add(from);
    add(to);
  }
  return starts;
}

const STD_LINE = /^([^|]*)\|([a-z]+\(.*\))(?:\|(.*))?$/;
const MOST_LINES = 20_000;

function* subtraceEvents({ subtrace }: PageViolation): Generator<Told> {
  if (subtrace === undefined) return;
  for (const [i, line] of subtrace.trace.split('\n', MOST_LINES).entries()) {
    const match = STD_LINE.exec(line);
    const event = subtrace.events[i];
    if (match === null || event === undefined) continue;
    const [, thread, text, location] = match;
    const parsed = parseOperation(text);
    if (parsed === null) continue;
    yield {
      event,
      thread: shown(thread),
      ...parsed,
      operand: shown(parsed.operand),
      location: location === undefined ? null : shown(location),
    };
  }
}

/** The thread of the violated block, and the one that came between. */
function rivalsOf({ thread, interference, cycle }: PageViolation): string[] {
  const other = interference?.between.thread ?? cycle.find(({ to }) => to.thread !== thread)?.to.thread;
  return other === undefined ? [thread] : [thread, other];
}

/** These threads come first, the others as they appear. */
function laidOut(
  told: readonly Told[],
  foremost: readonly string[],
  starts: ReadonlySet<number>,
  violated: number | null,
): Story {
  const lanes = [
    ...new Set([
      ...foremost.filter((thread) => told.some((event) => event.thread === thread)),
      ...told.map((event) => event.thread),
    ]),
  ];
  const laneOf = new Map(lanes.map((name, lane) => [name, lane]));
  const boxes: Box[] = [];
  const open: Box[][] = lanes.map(() => []);
  const lastRow = lanes.map(() => 0);
  const steps = told.map(({ event, thread, location, role, value = null, ...done }, row): Step => {
    const lane = laneOf.get(thread) as number;
    const stack = open[lane];
    const parts = operation(done);
    // A transaction begins outside of every other, wherever the one before it has ended.
    if (starts.has(event)) while (stack.length > 0) (stack.pop() as Box).to = lastRow[lane];
    const closes = parts.op === 'end';
    if (parts.op === 'begin') {
      const box = { lane, depth: stack.length, from: row, to: row, label: parts.operand, isOpen: true };
      stack.push({ ...box, isViolated: event === violated });
      boxes.push(stack[stack.length - 1]);
    }
    const depth = stack.length;
    for (const box of stack) box.to = row;
    if (closes && stack.length > 0) (stack.pop() as Box).isOpen = false;
    lastRow[lane] = row;
    return { ...parts, event, thread, lane, location, value, role: role ?? null, part: null, depth };
  });
  return { lanes, steps, boxes, edges: [] };
}

function addParts({ steps }: Story, { interference }: PageViolation): void {
  if (interference === null) return;
  for (const part of ['first', 'between', 'last'] as const) {
    const step = steps.find(({ event }) => event === interference[part].event);
    if (step !== undefined) step.part = part;
  }
}

function addEdges({ steps, edges }: Story, { cycle, interference }: PageViolation): void {
  const rows = new Map(steps.map(({ event }, row) => [event, row]));
  const isPair = (edge: { from: EventResult; to: EventResult }, a: EventResult, b: EventResult) =>
    edge.from.event === a.event && edge.to.event === b.event;
  const pattern =
    interference === null
      ? []
      : [
          { from: interference.first, to: interference.between },
          { from: interference.between, to: interference.last },
        ];
  const closing = Math.max(0, ...cycle.map(({ to }) => to.event));
  for (const [i, conflict] of cycle.entries()) {
    const isPattern = pattern.some(({ from, to }) => isPair(conflict, from, to));
    add(conflict, isPattern ? 'pattern' : 'cycle', conflict.to.event === closing, i + 1);
  }
  for (const pair of pattern) {
    if (cycle.some((conflict) => isPair(conflict, pair.from, pair.to))) continue;
    add(pair, 'pattern', pair.to === interference?.last, 0);
  }

  function add(
    { from, to }: { from: EventResult; to: EventResult },
    kind: Edge['kind'],
    isClosing: boolean,
    number: number,
  ): void {
    const ends = [rows.get(from.event), rows.get(to.event)].sort((a, b) => (a ?? 0) - (b ?? 0));
    const [first, last] = ends;
    if (first === undefined || last === undefined || first === last) return;
    edges.push({ from: first, to: last, kind, isClosing, number });
  }
}
