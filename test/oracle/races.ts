import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { History, isAccess, isVolatile } from './history.ts';
import { synchronisationOrder } from './synchronisation.ts';

/** The first race of a variable: the first access that races with earlier ones, and the numbers of those. */
export interface FirstRace {
  variable: string;
  event: number;
  rivals: number[];
}

/**
 * Two accesses of a variable race when they conflict and neither happens before the other along program order,
 * locks, forks, joins, barriers, messages and volatile accesses. Two volatile accesses do not race. In the order of
 * the events.
 */
export function firstRaces(events: readonly NamedEvent[]): FirstRace[] {
  const history = new History(events);
  const before = synchronisationOrder(history, 'locks-and-threads');
  const mayRace = (i: number, j: number) => !isVolatile(events[i].op) || !isVolatile(events[j].op);
  const races = new Map<string, FirstRace>();
  for (let j = 0; j < events.length; j++) {
    const variable = events[j].operand;
    if (!isAccess(events[j].op) || races.has(variable)) continue;
    const rivals: number[] = [];
    for (let i = 0; i < j; i++)
      if (isAccess(events[i].op) && mayRace(i, j) && history.conflict(i, j) && !before.has(j, i))
        rivals.push(i + 1);
    if (rivals.length > 0) races.set(variable, { variable, event: j + 1, rivals });
  }
  return [...races.values()];
}
