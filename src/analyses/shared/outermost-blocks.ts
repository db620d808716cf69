import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';

/** The outermost open block of each thread: what a report about an event says it happened in. */
export class OutermostBlocks {
  #depth = new Int32Array(16);
  #label = new Int32Array(16);
  #begin = new Float64Array(16);

  begin(thread: number, label: number, event: number): void {
    if (thread >= this.#depth.length) {
      this.#depth = grownInt32(this.#depth, thread + 1);
      this.#label = grownInt32(this.#label, thread + 1);
      this.#begin = grownFloat64(this.#begin, thread + 1);
    }
    if (this.#depth[thread]++ > 0) return;
    this.#label[thread] = label;
    this.#begin[thread] = event;
  }

  end(thread: number): void {
    this.#depth[thread]--;
  }

  /** The number of the begin of the thread's outermost open block; 0 if it has none open. */
  beginOf(thread: number): number {
    return thread < this.#depth.length && this.#depth[thread] > 0 ? this.#begin[thread] : 0;
  }

  of(thread: number): BlockFact | null {
    const begin = this.beginOf(thread);
    return begin === 0 ? null : { label: this.#label[thread], begin, depth: 0 };
  }
}
