import type { ViolationFact } from '../analyses/analysis.ts';
import { channelOf, isAccess, isDispatch, isReceipt, Op } from '../trace/operation.ts';
import type { RecordedTrace } from './recorded-trace.ts';

/** A part of what one thread does, from one event to another. */
export interface Stretch {
  thread: number;
  first: number;
  last: number;
}

/** How many units of other threads are tried, beside those that the prediction names. */
const MOST_CANDIDATES = 8;

/** The block that is said to be violated by some schedule. */
export function blockStretch(trace: RecordedTrace, begin: number): Stretch {
  return { thread: trace.thread[begin], first: begin, last: trace.lastOf(begin) };
}

/** What could come in between: first all that the prediction names, then those alone, then what is near. */
export function intruders(trace: RecordedTrace, block: Stretch, { related }: ViolationFact): Stretch[][] {
  const named = new Map<number, Stretch>();
  for (const { event } of related ?? []) {
    const thread = trace.thread[event];
    if (event > trace.length || trace.op[event] === Op.skip || thread === block.thread) continue;
    const unit = unitOf(trace, event);
    const known = named.get(thread);
    if (known === undefined) named.set(thread, unit);
    else {
      known.first = Math.min(known.first, unit.first);
      known.last = Math.max(known.last, unit.last);
    }
  }
  const together = [...named.values()];
  const groups = together.length > 0 ? [together] : [];
  if (together.length > 1) groups.push(...together.map((unit) => [unit]));
  const candidates = nearest(trace, block).filter(
    (unit) => !together.some((other) => other.first <= unit.first && unit.last <= other.last),
  );
  groups.push(...candidates.slice(0, MOST_CANDIDATES).map((unit) => [unit]));
  return groups;
}

/** The transaction that an event is in; outside every block, the sections around it, if it is in some. */
function unitOf(trace: RecordedTrace, event: number): Stretch {
  const thread = trace.thread[event];
  const begin = trace.outermost[event];
  if (begin !== 0) return { thread, first: begin, last: trace.lastOf(begin) };
  const program = trace.program(thread);
  let first = event;
  let last = Math.max(event, trace.release[event]);
  for (let i = trace.position[event] - 1; i >= 0 && trace.outermost[program[i]] === 0; i--) {
    const release = trace.release[program[i]];
    if (trace.op[program[i]] === Op.acquire && release > event) {
      first = program[i];
      last = Math.max(last, release);
    }
    // Sections are short; what is far away belongs to something else.
    if (trace.position[event] - i > 100) break;
  }
  return { thread, first, last };
}

/** The units of other threads that conflict with something in the block, the nearest first. */
function nearest(trace: RecordedTrace, block: Stretch): Stretch[] {
  const touched = new Set<number>();
  const program = trace.program(block.thread);
  for (let i = trace.position[block.first]; i <= trace.position[block.last]; i++) {
    const object = objectOf(trace, program[i]);
    if (object >= 0) touched.add(object);
  }
  const units = new Map<number, Stretch>();
  const look = (event: number) => {
    if (trace.op[event] === Op.skip || trace.thread[event] === block.thread) return;
    if (!touched.has(objectOf(trace, event))) return;
    const unit = unitOf(trace, event);
    if (!units.has(unit.first)) units.set(unit.first, unit);
  };
  const middle = block.first;
  for (let distance = 1; distance <= trace.length && units.size < 2 * MOST_CANDIDATES; distance++) {
    if (middle + distance <= trace.length) look(middle + distance);
    if (middle - distance > 0) look(middle - distance);
  }
  return [...units.values()];
}

/** A number for the variable, lock or channel of an event; -1 if it has none. */
function objectOf(trace: RecordedTrace, event: number): number {
  const op = trace.op[event];
  const operand = trace.operand[event];
  if (isAccess(op)) return 3 * operand;
  if (op === Op.acquire || op === Op.release) return 3 * operand + 1;
  return isDispatch(op) || isReceipt(op) ? 3 * channelOf(op, operand) + 2 : -1;
}
