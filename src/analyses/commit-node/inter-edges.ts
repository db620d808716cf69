import { Op } from '../../trace/operation.ts';
import type { AccessTrees } from './access-trees.ts';
import { LOCKING } from './codes.ts';

/**
 * Between which accesses of different threads to one variable there is an inter-edge, if they can happen at the
 * same time (Wang and Stoller, §3.2). Accesses are put into classes so that only their classes matter.
 */
export interface InterEdges {
  readonly kind: 'conflict' | 'view';
  /** The class of each access. */
  classesOf(trees: AccessTrees): Int32Array;
  /** Whether there is an edge between accesses of these classes. */
  connects(one: number, other: number): boolean;
}

/** The conflict-forest (figure 3): accesses that do not commute. */
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
    const op = one & 3;
    return op !== (other & 3) || op === Op.write || op === LOCKING;
  }
}
