import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { ThreadClocks } from '../shared/thread-clocks.ts';

/**
 * The last acquire and the last release of each lock (A and R of SideTrack's figure 6). Of an acquire, its
 * slot and its number say all: a clock that reaches the number knows of it. Of a release, what its thread
 * knew then.
 */
export class LockHistory {
  readonly #clocks: ThreadClocks;
  /** Who acquired it last, plus one; 0 if nobody did. */
  #acquirer = new Int32Array(16);
  #acquirerSlot = new Int32Array(16);
  #acquired = new Float64Array(16);
  /** 0 if it was never released. */
  #releaserSlot = new Int32Array(16);
  #released = new Float64Array(16);
  #tree = new Int32Array(16);

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  reserveLock(lock: number): void {
    if (lock < this.#acquirer.length) return;
    this.#acquirer = grownInt32(this.#acquirer, lock + 1);
    this.#acquirerSlot = grownInt32(this.#acquirerSlot, lock + 1);
    this.#acquired = grownFloat64(this.#acquired, lock + 1);
    this.#releaserSlot = grownInt32(this.#releaserSlot, lock + 1);
    this.#released = grownFloat64(this.#released, lock + 1);
    this.#tree = grownInt32(this.#tree, lock + 1);
  }

  /** The number of the last acquire, and of the last release. */
  acquired(lock: number): number {
    return this.#acquired[lock];
  }

  released(lock: number): number {
    return this.#released[lock];
  }

  /** The slot of who acquired it last. */
  acquirerSlot(lock: number): number {
    return this.#acquirerSlot[lock];
  }

  /** What was known at the last release; 0 if there was none, or none by another slot. */
  releasedByOther(lock: number, slot: number): number {
    return this.#releaserSlot[lock] === slot ? 0 : this.#tree[lock];
  }

  /** Whether another thread acquired it last. */
  wasOthers(lock: number, thread: number): boolean {
    const acquirer = this.#acquirer[lock];
    return acquirer !== 0 && acquirer !== thread + 1;
  }

  /** Whether the thread knows of the last acquire, other than by the lock itself. */
  isKnown(lock: number, thread: number, slot: number): boolean {
    const acquirer = this.#acquirerSlot[lock];
    return acquirer === slot || this.#clocks.knows(thread, acquirer, this.#acquired[lock]);
  }

  acquire(thread: number, slot: number, lock: number, event: number): void {
    const releaser = this.#releaserSlot[lock];
    // Whoever knows of the release knows all that its thread knew then.
    if (releaser !== 0 && releaser !== slot && !this.#clocks.knows(thread, releaser, this.#released[lock]))
      this.#clocks.learn(thread, this.#tree[lock]);
    this.#acquirer[lock] = thread + 1;
    this.#acquirerSlot[lock] = slot;
    this.#acquired[lock] = event;
  }

  release(thread: number, lock: number, event: number): void {
    const { trees } = this.#clocks;
    trees.drop(this.#tree[lock]);
    this.#tree[lock] = trees.keep(this.#clocks.publish(thread, event));
    this.#releaserSlot[lock] = this.#clocks.acting(thread);
    this.#released[lock] = event;
  }
}
