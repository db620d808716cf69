import { grownInt32 } from '../../trace/growable.ts';
import type { ConflictOrder } from './conflict-order.ts';

/**
 * Turns lock operations into conflicts. All operations on a lock conflict, but each acquire follows the last
 * release and each release the acquire of its own thread, so that the edge from release to acquire implies the
 * others.
 */
export class LockTable {
  readonly #order: ConflictOrder;
  /** Per lock: who released it last, plus one, and when. */
  #released = new Int32Array(32);

  constructor(order: ConflictOrder) {
    this.#order = order;
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#order.now(thread, event);
    const at = lock * 2;
    if (at >= this.#released.length) return;
    const releaser = this.#released[at] - 1;
    if (releaser >= 0 && releaser !== thread)
      this.#order.conflict(releaser, this.#released[at + 1], thread, event);
  }

  release(thread: number, lock: number, event: number): void {
    const now = this.#order.now(thread, event);
    const at = lock * 2;
    this.#released = grownInt32(this.#released, at + 2);
    this.#released[at] = thread + 1;
    this.#released[at + 1] = now;
  }

  /** As if it had never been released. */
  forget(lock: number): void {
    if (2 * lock < this.#released.length) this.#released[2 * lock] = 0;
  }
}
