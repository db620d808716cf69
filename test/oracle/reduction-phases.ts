import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { accessKind, Op } from '../../src/trace/operation.ts';
import { History, isAccess } from './history.ts';

/*
 * Which blocks do not follow the pattern of Lipton's reduction, with movers told by what the trace has shown up to
 * the event: Atomizer's discipline, said without states.
 */

export type Mover = 'both' | 'right' | 'left' | 'non';

/** A block that does not follow the pattern: its begin, its commit point and the step that comes too late. */
export interface Irreducible {
  begin: number;
  commit: number;
  late: number;
}

/** In the order in which the late steps come. Events are given by their numbers. */
export function irreducibleBlocks(events: readonly NamedEvent[]): Irreducible[] {
  const movers = moversOf(events);
  const found: Irreducible[] = [];
  events.forEach(({ op }, begin) => {
    if (op !== Op.begin) return;
    const steps = stepsOf(events, begin);
    const commit = steps.find((step) => movers[step] === 'non' || movers[step] === 'left');
    if (commit === undefined) return;
    const late = steps.find((step) => step > commit && (movers[step] === 'non' || movers[step] === 'right'));
    if (late !== undefined) found.push({ begin: begin + 1, commit: commit + 1, late: late + 1 });
  });
  return found.sort((a, b) => a.late - b.late || a.begin - b.begin);
}

/** The events of the block's thread from its begin to its end. */
function stepsOf(events: readonly NamedEvent[], begin: number): number[] {
  const steps: number[] = [];
  let depth = 0;
  for (let i = begin; i < events.length; i++) {
    if (events[i].thread !== events[begin].thread) continue;
    if (events[i].op === Op.begin) depth++;
    if (events[i].op === Op.end && --depth === 0) break;
    steps.push(i);
  }
  return steps;
}

export function moversOf(events: readonly NamedEvent[]): Mover[] {
  const history = new History(events);
  const held = heldLocks(events);
  return events.map(({ op, operand }, j): Mover => {
    if (history.counts[j] === 0) return 'both';
    if (isAccess(op)) return isProtectedAccess(events, held, j) ? 'both' : 'non';
    if (op === Op.acquire || op === Op.release) {
      if (isProtectedLock(events, history, held, j)) return 'both';
      return op === Op.acquire ? 'right' : 'left';
    }
    if (op === Op.fork || op === Op.arrive || op === Op.send || op === Op.notify) return 'left';
    if (op === Op.leave || op === Op.receive || op === Op.wait) return 'right';
    if (op === Op.join && events.slice(0, j).some(({ thread }) => thread === operand)) return 'right';
    return 'both';
  });
}

/** The locks that the thread of each event holds at it, the lock that it acquires or releases left out. */
function heldLocks(events: readonly NamedEvent[]): Set<string>[] {
  return events.map(({ thread, op, operand }, j) => {
    const depths = new Map<string, number>();
    for (const event of events.slice(0, j)) {
      if (event.thread !== thread) continue;
      const depth = depths.get(event.operand) ?? 0;
      if (event.op === Op.acquire) depths.set(event.operand, depth + 1);
      if (event.op === Op.release) depths.set(event.operand, depth - 1);
    }
    if (op === Op.acquire || op === Op.release) depths.delete(operand);
    return new Set([...depths].flatMap(([lock, depth]) => (depth > 0 ? [lock] : [])));
  });
}

/** Those up to event j that `counts` allows, from the first by a second thread on. */
function sinceShared(
  events: readonly NamedEvent[],
  j: number,
  counts: (event: NamedEvent, i: number) => boolean,
): number[] {
  const all = [...events.keys()].filter((i) => i <= j && counts(events[i], i));
  const second = all.findIndex((i) => events[i].thread !== events[all[0]].thread);
  return second < 0 ? [] : all.slice(second);
}

function common(sets: readonly ReadonlySet<string>[]): string[] {
  return sets.length === 0 ? [] : [...sets[0]].filter((lock) => sets.every((set) => set.has(lock)));
}

function isProtectedAccess(
  events: readonly NamedEvent[],
  held: readonly ReadonlySet<string>[],
  j: number,
): boolean {
  const kind = (i: number) => accessKind(events[i].op);
  const accesses = sinceShared(events, j, ({ op, operand }) => isAccess(op) && operand === events[j].operand);
  if (accesses.every((i) => kind(i) === Op.read)) return true;
  if (accesses.every((i) => kind(i) === Op.update)) return true;
  if (common(accesses.map((i) => held[i])).length > 0) return true;
  if (kind(j) !== Op.read) return false;
  const changes = accesses.filter((i) => kind(i) !== Op.read);
  return common(changes.map((i) => held[i])).some((lock) => held[j].has(lock));
}

function isProtectedLock(
  events: readonly NamedEvent[],
  history: History,
  held: readonly ReadonlySet<string>[],
  j: number,
): boolean {
  const uses = sinceShared(
    events,
    j,
    ({ op, operand }, i) =>
      (op === Op.acquire || op === Op.release) && history.counts[i] === 1 && operand === events[j].operand,
  );
  return uses.length === 0 || common(uses.map((i) => held[i])).length > 0;
}
