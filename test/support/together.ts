import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERAND_KINDS } from '../../src/trace/operation.ts';
import type { Random } from './random-traces.ts';

/** Traces that have nothing in common, in one: their threads take turns, under names of their own. */
export function together(parts: readonly (readonly NamedEvent[])[], random: Random): NamedEvent[] {
  const events: NamedEvent[] = [];
  const done = parts.map(() => 0);
  const unfinished = [...parts.keys()].filter((part) => parts[part].length > 0);
  const patience = random.between(1, 30);
  let at = 0;
  while (unfinished.length > 0) {
    if (at >= unfinished.length || random.oneIn(patience)) at = random.below(unfinished.length);
    const part = unfinished[at];
    events.push(renamed(parts[part][done[part]++], `${part}.`));
    if (done[part] === parts[part].length) unfinished.splice(at, 1);
  }
  return events;
}

function renamed({ thread, op, operand }: NamedEvent, prefix: string): NamedEvent {
  // Labels may be the same: many blocks of a program have one.
  const isLabel = OPERAND_KINDS[op] === 'label';
  return { thread: prefix + thread, op, operand: isLabel ? operand : prefix + operand };
}
