import { BarrierRounds } from '../trace/barrier-rounds.ts';
import type { NamedEvent } from '../trace/memory-trace.ts';
import { isAccess, Op } from '../trace/operation.ts';

/**
 * The trace with a volatile variable for each round of a barrier: who arrives updates it, and who leaves reads it. That is
 * what a barrier is made of, and it orders the same events.
 */
export function withRoundsAsVariables(events: readonly NamedEvent[]): NamedEvent[] {
  const taken = new Set(events.filter(({ op }) => isAccess(op)).map(({ operand }) => operand));
  const rounds = new BarrierRounds();
  const threads = new Numbers();
  const barriers = new Numbers();
  const names = new Map<number, string>();
  const counts = new Map<string, number>();
  const nameOf = (round: number, barrier: string): string => {
    const known = names.get(round);
    if (known !== undefined) return known;
    const count = (counts.get(barrier) ?? 0) + 1;
    counts.set(barrier, count);
    let name = `round ${count} of ${barrier}`;
    while (taken.has(name)) name += '~';
    taken.add(name);
    names.set(round, name);
    return name;
  };
  return events.map((event) => {
    const { thread, op, operand } = event;
    if (op !== Op.arrive && op !== Op.leave) return event;
    const round = rounds[op === Op.arrive ? 'arrive' : 'leave'](threads.of(thread), barriers.of(operand));
    return {
      thread,
      op: op === Op.arrive ? Op.volatileUpdate : Op.volatileRead,
      operand: nameOf(round, operand),
    };
  });
}

/** Numbers for names, from 0. */
class Numbers {
  readonly #byName = new Map<string, number>();

  of(name: string): number {
    const number = this.#byName.get(name) ?? this.#byName.size;
    this.#byName.set(name, number);
    return number;
  }
}
