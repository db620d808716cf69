import { Op } from '../../src/trace/operation.ts';
import { type History, isBoundary } from './history.ts';
import { Relation } from './relation.ts';

/** What orders events of different threads: locks, forks, joins and barriers; or all of these but locks. */
export type Synchronisation = 'locks-and-threads' | 'threads';

/**
 * Row j holds the events that happen before event j along program order and synchronisation. It is the order of
 * conflicts without those between accesses, and without those between lock operations if so wanted.
 */
export function synchronisationOrder(history: History, by: Synchronisation): Relation {
  const before = new Relation(history.length);
  for (let j = 0; j < history.length; j++) {
    if (history.counts[j] === 0) continue;
    for (let i = j - 1; i >= 0; i--) {
      if (history.counts[i] === 0 || before.has(j, i) || !orders(history, i, j, by)) continue;
      before.addAll(j, i);
      before.add(j, i);
    }
  }
  return before;
}

function orders(history: History, i: number, j: number, by: Synchronisation): boolean {
  if (!history.conflict(i, j)) return false;
  if (history.thread[i] === history.thread[j]) return true;
  if (isBoundary(history.op[i]) || isBoundary(history.op[j])) return true;
  return by === 'locks-and-threads' && history.op[i] >= Op.acquire;
}
