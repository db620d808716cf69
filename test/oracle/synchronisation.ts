import { Op } from '../../src/trace/operation.ts';
import { type History, isAccess, isBoundary, isVolatile } from './history.ts';
import { Relation } from './relation.ts';

/**
 * What orders events of different threads: locks, volatile accesses, forks, joins, barriers and messages; or all of
 * these but locks and accesses.
 */
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

function isWrite(op: number): boolean {
  return op === Op.volatileWrite || op === Op.volatileUpdate;
}

function isRead(op: number): boolean {
  return op === Op.volatileRead || op === Op.volatileUpdate;
}

function orders(history: History, i: number, j: number, by: Synchronisation): boolean {
  // Two updates do not conflict, and yet the later one reads what the earlier one wrote.
  const isPassedOn =
    isWrite(history.op[i]) && isRead(history.op[j]) && history.operand[i] === history.operand[j];
  // Nobody joins a thread before it is forked, whether or not it does anything.
  const isForkAndJoin =
    history.op[i] === Op.fork && history.op[j] === Op.join && history.operand[i] === history.operand[j];
  if (isForkAndJoin && by === 'locks-and-threads') return true;
  if (!history.conflict(i, j) && !(isPassedOn && by === 'locks-and-threads')) return false;
  if (history.thread[i] === history.thread[j]) return true;
  if (isBoundary(history.op[i]) || isBoundary(history.op[j])) return true;
  if (by === 'threads') return false;
  // A volatile write orders later reads after it; an update is both.
  if (isVolatile(history.op[i]) && isVolatile(history.op[j]))
    return isWrite(history.op[i]) && isRead(history.op[j]);
  return !isAccess(history.op[i]);
}
