import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { History } from './history.ts';
import { synchronisationOrder } from './synchronisation.ts';

/** The first race of a variable: the first access that races with earlier ones, and the numbers of those. */
export interface FirstRace {
  variable: string;
  event: number;
  rivals: number[];
}

/**
 * Two accesses of a variable race when they conflict and neither happens before the other along program order,
 * locks, forks and joins. In the order of the events.
 */
export function firstRaces(events: readonly NamedEvent[]): FirstRace[] {
  const history = new History(events);
  const before = synchronisationOrder(history, 'locks-and-threads');
  const races = new Map<string, FirstRace>();
  for (let j = 0; j < events.length; j++) {
    const variable = events[j].operand;
    if (events[j].op > Op.update || races.has(variable)) continue;
    const rivals: number[] = [];
    for (let i = 0; i < j; i++)
      if (events[i].op <= Op.update && history.conflict(i, j) && !before.has(j, i)) rivals.push(i + 1);
    if (rivals.length > 0) races.set(variable, { variable, event: j + 1, rivals });
  }
  return [...races.values()];
}
