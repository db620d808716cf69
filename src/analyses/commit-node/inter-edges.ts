import { Op } from '../../trace/operation.ts';
import type { AccessGroups } from './access-groups.ts';
import type { AccessTrees } from './access-trees.ts';
import { LOCKING } from './codes.ts';

/**
 * Between which accesses of different threads there is an inter-edge, if they can happen at the same time
 * (Wang and Stoller, §3.2). Accesses are put into classes so that only their classes matter.
 */
export interface InterEdges {
  readonly kind: 'conflict' | 'view';
  /** The class of each access. */
  classesOf(trees: AccessTrees): Int32Array;
  /** Whether there is an edge between accesses of these classes to one variable. */
  connects(one: number, other: number): boolean;
  /** Told once, before anything is asked: all accesses there are. */
  see(groups: AccessGroups): void;
  /** Whether there is an edge because of what units other than these two read. */
  connectsByOthers(variable: number, one: Accessor, other: Accessor): boolean;
}

/** A class of accesses, the thread that makes them, and the earliest unit in which it does. */
export interface Accessor {
  class: number;
  thread: number;
  vertex: number;
}

export function conflicts(op: number, other: number): boolean {
  return op !== other || op === Op.write || op === LOCKING;
}

/** The conflict-forest (figure 3): accesses to a variable that do not commute. */
export class ConflictEdges implements InterEdges {
  readonly kind = 'conflict';

  /** Which kind of access it is, and which locks are held. */
  classesOf(trees: AccessTrees): Int32Array {
    return Int32Array.from(
      { length: trees.at.length },
      (_, access) => trees.chainOf(access) * 4 + trees.op.items[access],
    );
  }

  connects(one: number, other: number): boolean {
    return conflicts(one & 3, other & 3);
  }

  see(): void {}

  connectsByOthers(): boolean {
    return false;
  }
}
