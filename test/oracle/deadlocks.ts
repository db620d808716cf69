import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { History } from './history.ts';
import type { Relation } from './relation.ts';
import { synchronisationOrder } from './synchronisation.ts';

/** A thread acquires `wanted` at event `to` while it holds `held` since event `from`. */
export interface LockEdge {
  thread: string;
  held: string;
  wanted: string;
  from: number;
  to: number;
  /** All the locks that it holds then. */
  guards: ReadonlySet<string>;
}

/**
 * The potential deadlocks of a trace, by definition: the cycles of edges, each wanting the lock that the next one
 * holds, by pairwise different threads that hold no lock in common and of which no fork or join orders the
 * acquires. By the locks along the cycle, from the one whose name comes first.
 */
export function potentialDeadlocks(events: readonly NamedEvent[]): Map<string, LockEdge[][]> {
  const order = synchronisationOrder(new History(events), 'threads');
  const edges = lockEdges(events);
  const found = new Map<string, LockEdge[][]>();
  const follow = (way: readonly LockEdge[]) => {
    const last = way[way.length - 1];
    if (last.wanted === way[0].held) {
      const name = way.map(({ held }) => held).join(' ');
      found.set(name, [...(found.get(name) ?? []), [...way]]);
      return;
    }
    for (const edge of edges)
      if (
        edge.held === last.wanted &&
        edge.held > way[0].held &&
        way.every((one) => canMeet(one, edge, order))
      )
        follow([...way, edge]);
  };
  for (const edge of edges) follow([edge]);
  return found;
}

function canMeet(a: LockEdge, b: LockEdge, order: Relation): boolean {
  return (
    a.thread !== b.thread &&
    [...a.guards].every((lock) => !b.guards.has(lock)) &&
    !order.has(a.to - 1, b.to - 1) &&
    !order.has(b.to - 1, a.to - 1)
  );
}

function lockEdges(events: readonly NamedEvent[]): LockEdge[] {
  const edges: LockEdge[] = [];
  /** For each thread, the locks that it holds: the number of the acquire, and how often it was acquired since. */
  const locksOf = new Map<string, Map<string, { since: number; times: number }>>();
  events.forEach(({ thread, op, operand }, i) => {
    const locks = locksOf.get(thread) ?? new Map();
    locksOf.set(thread, locks);
    const own = locks.get(operand);
    if (op === Op.acquire && own !== undefined) own.times++;
    else if (op === Op.acquire) {
      const guards = new Set(locks.keys());
      for (const [held, { since }] of locks)
        edges.push({ thread, held, wanted: operand, from: since, to: i + 1, guards });
      locks.set(operand, { since: i + 1, times: 1 });
    } else if (op === Op.release && --own!.times === 0) locks.delete(operand);
  });
  return edges;
}
