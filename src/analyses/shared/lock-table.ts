import { type Cells, RELEASED, type Table } from './cells.ts';
import type { ConflictOrder } from './conflict-order.ts';

/**
 * Turns lock operations into conflicts. All operations on a lock conflict, but each acquire follows the last
 * release and each release the acquire of its own thread, so that the edge from release to acquire implies the
 * others.
 */
export class LockTable {
  readonly #order: ConflictOrder;
  /** Per lock: who released it last, plus one, and when. */
  readonly #released: Table;

  constructor(order: ConflictOrder, cells: Cells) {
    this.#order = order;
    this.#released = cells.table(RELEASED);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#order.now(thread, event);
    const at = lock * 2;
    const { view } = this.#released;
    if (at >= view.length) return;
    const releaser = view[at] - 1;
    if (releaser >= 0 && releaser !== thread) this.#order.conflict(releaser, view[at + 1], thread, event);
  }

  release(thread: number, lock: number, event: number): void {
    const now = this.#order.now(thread, event);
    const at = lock * 2;
    this.#released.reserve(at + 2);
    const { view } = this.#released;
    view[at] = thread + 1;
    view[at + 1] = now;
  }

  /** As if it had never been released. */
  forget(lock: number): void {
    const { view } = this.#released;
    if (2 * lock < view.length) view[2 * lock] = 0;
  }
}
