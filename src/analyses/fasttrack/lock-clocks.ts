import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { ThreadClocks } from '../shared/thread-clocks.ts';

/** Orders each release of a lock before the next acquire (FastTrack §2, rules for acquire and release). */
export class LockClocks {
  readonly #clocks: ThreadClocks;
  /* Per lock: what its last releaser knew, who that was, and the number of the release. */
  #tree = new Int32Array(16);
  #slot = new Int32Array(16);
  #released = new Float64Array(16);

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  acquire(thread: number, lock: number): void {
    const slot = this.#clocks.acting(thread);
    const releaser = lock < this.#slot.length ? this.#slot[lock] : 0;
    if (releaser === 0 || releaser === slot) return;
    // Whoever knows of the release knows all that its thread knew then.
    if (this.#clocks.knows(thread, releaser, this.#released[lock])) return;
    this.#clocks.learn(thread, this.#tree[lock]);
  }

  release(thread: number, lock: number, event: number): void {
    if (lock >= this.#slot.length) {
      this.#tree = grownInt32(this.#tree, lock + 1);
      this.#slot = grownInt32(this.#slot, lock + 1);
      this.#released = grownFloat64(this.#released, lock + 1);
    }
    const { trees } = this.#clocks;
    trees.drop(this.#tree[lock]);
    this.#tree[lock] = trees.keep(this.#clocks.publish(thread, event));
    this.#slot[lock] = this.#clocks.acting(thread);
    this.#released[lock] = event;
  }
}
