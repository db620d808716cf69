import { operationText } from '../check/operation-text.ts';
import type { ConflictResult, CycleEventResult, ViolationResult } from '../check/result.ts';
import { type Origin, threadWord } from './event-words.ts';
import { displayWidth, fittedEnd } from './layout.ts';
import { shown, wellFormed } from './well-formed-text.ts';

/** A transaction on a cycle, in words that are safe to show. */
export interface TransactionBox {
  lines: string[];
  /** Whether the violated block is it, or lies in it. */
  isBlamed: boolean;
}

export interface ConflictArrow {
  /** Positions in the list of boxes. */
  from: number;
  to: number;
  lines: string[];
  /** `closing`: the conflict that was observed last. `onward`: no conflict, the path goes on elsewhere. */
  role: 'conflict' | 'closing' | 'onward';
}

/** A cycle of transactions as Velodrome draws it (§5): boxes and arrows, in the order of the cycle. */
export interface CycleGraph {
  boxes: TransactionBox[];
  arrows: ConflictArrow[];
}

/** Longer names are shortened, so that boxes and labels stay side by side. */
const NAME = 40;
/** An event and its location stand on one line up to so many columns. */
const LINE = 48;

export function cycleGraph(violation: ViolationResult, origin: Origin): CycleGraph {
  const { cycle } = violation;
  const word = threadWord(origin);
  const transactions = new Map<string, CycleEventResult[]>();
  const positions = new Map<string, number>();
  const positionOf = (event: CycleEventResult): number => {
    const key = keyOf(event);
    const events = transactions.get(key);
    if (events === undefined) {
      positions.set(key, transactions.size);
      transactions.set(key, [event]);
    } else {
      events.push(event);
    }
    return positions.get(key) as number;
  };
  const closing = closingConflict(cycle);
  const arrows: ConflictArrow[] = [];
  for (const [i, conflict] of cycle.entries()) {
    const from = positionOf(conflict.from);
    const to = positionOf(conflict.to);
    const lines = [...eventLines('', conflict.from), ...eventLines('before ', conflict.to)];
    arrows.push({ from, to, lines, role: conflict === closing ? 'closing' : 'conflict' });
    const next = cycle[(i + 1) % cycle.length].from;
    const onward = positionOf(next);
    // A path may go on in a later transaction of the thread, or in a forked one, from that where it arrived.
    if (onward === to) continue;
    const how = next.thread === conflict.to.thread ? `later in the ${word}` : 'of the same family';
    arrows.push({ from: to, to: onward, lines: [how], role: 'onward' });
  }
  return { boxes: [...transactions.values()].map((events) => box(events, violation, word)), arrows };
}

/** Which transaction an event belongs to; where that is not known, its thread stands for it. */
function keyOf({ thread, transaction, event }: CycleEventResult): string {
  const number = transaction === undefined ? '' : transaction === null ? `event ${event}` : transaction.begin;
  return `${number} ${thread}`;
}

/** Without the conflict that was observed last there would be no cycle yet. */
function closingConflict(cycle: readonly ConflictResult[]): ConflictResult | null {
  return cycle.reduce<ConflictResult | null>(
    (last, conflict) => (last === null || conflict.to.event > last.to.event ? conflict : last),
    null,
  );
}

function box(
  events: readonly CycleEventResult[],
  { thread, block }: ViolationResult,
  word: string,
): TransactionBox {
  const [first] = events;
  const { transaction, thread: own, event } = first;
  const name = shown(own, NAME);
  const lines =
    transaction === undefined
      ? [`${word} ${name}`]
      : transaction === null
        ? [shown(operationText(first), NAME), `${word} ${name}, event ${event}`]
        : [shown(transaction.label, NAME), `${word} ${name}, begun at event ${transaction.begin}`];
  const isBlamed =
    block !== null &&
    own === thread &&
    events.some(({ event }) => event >= block.begin && (block.end === null || event <= block.end));
  if (isBlamed && transaction != null && transaction.begin !== block.begin) {
    lines.push(`violated: ${shown(block.label, NAME)}, begun at event ${block.begin}`);
  }
  return { lines, isBlamed };
}

function eventLines(before: string, event: CycleEventResult): string[] {
  const { location } = event;
  const what = `${before}${event.event}: ${shown(operationText(event), NAME)}`;
  if (location === null) return [what];
  const name = wellFormed(fittedEnd(location, NAME));
  const where = /^\d+$/.test(location) ? `at location ${name}` : `at ${name}`;
  const line = `${what} ${where}`;
  return displayWidth(line) <= LINE ? [line] : [what, where];
}
