import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { ViolationSink } from '../analysis.ts';

/**
 * The phase of each open block, nested ones included: before its commit point or after it. A block is reported
 * once, at the first step that would have to come before the commit point and does not.
 *
 * The blocks of a thread that have committed are those it began first, as a step commits all that are open; and
 * of these the reported ones come first again.
 */
export class BlockPhases {
  readonly #report: ViolationSink;
  /* Per thread. */
  #innermost = new Int32Array(16);
  /** How many open blocks have committed but were not reported. */
  #late = new Int32Array(16);
  /* Per block, from 1. */
  #end = 1;
  #free = 0;
  #outer = new Int32Array(16);
  #label = new Int32Array(16);
  #begin = new Float64Array(16);
  #depth = new Int32Array(16);
  /** The event that committed it; 0 if none did. */
  #commit = new Float64Array(16);
  #isReported = new Uint8Array(16);
  #reported = 0;

  constructor(report: ViolationSink) {
    this.#report = report;
  }

  get reported(): number {
    return this.#reported;
  }

  begin(thread: number, label: number, event: number): void {
    if (thread >= this.#innermost.length) {
      this.#innermost = grownInt32(this.#innermost, thread + 1);
      this.#late = grownInt32(this.#late, thread + 1);
    }
    const outer = this.#innermost[thread];
    const block = this.#create();
    this.#outer[block] = outer;
    this.#label[block] = label;
    this.#begin[block] = event;
    this.#depth[block] = outer === 0 ? 0 : this.#depth[outer] + 1;
    this.#commit[block] = 0;
    this.#isReported[block] = 0;
    this.#innermost[thread] = block;
  }

  end(thread: number): void {
    const block = this.#innermost[thread];
    if (this.#commit[block] > 0 && this.#isReported[block] === 0) this.#late[thread]--;
    this.#innermost[thread] = this.#outer[block];
    this.#outer[block] = this.#free;
    this.#free = block;
  }

  rightMover(thread: number, event: number): void {
    if (thread < this.#late.length && this.#late[thread] > 0)
      this.#reportLate(thread, event, 'right-mover after the commit point');
  }

  leftMover(thread: number, event: number): void {
    if (thread < this.#late.length) this.#commitAll(thread, event);
  }

  nonMover(thread: number, event: number): void {
    if (thread >= this.#late.length) return;
    if (this.#late[thread] > 0) this.#reportLate(thread, event, 'non-mover after the commit point');
    this.#commitAll(thread, event);
  }

  #commitAll(thread: number, event: number): void {
    for (let block = this.#innermost[thread]; block !== 0 && this.#commit[block] === 0; ) {
      this.#commit[block] = event;
      this.#late[thread]++;
      block = this.#outer[block];
    }
  }

  #reportLate(thread: number, event: number, role: string): void {
    for (let block = this.#innermost[thread]; block !== 0 && this.#isReported[block] === 0; ) {
      if (this.#commit[block] > 0) {
        this.#isReported[block] = 1;
        this.#reported++;
        this.#report({
          kind: 'reduction',
          event,
          thread,
          block: { label: this.#label[block], begin: this.#begin[block], depth: this.#depth[block] },
          related: [
            { event: this.#commit[block], role: 'commit point' },
            { event, role },
          ],
        });
      }
      block = this.#outer[block];
    }
    this.#late[thread] = 0;
  }

  #create(): number {
    const block = this.#free;
    if (block !== 0) {
      this.#free = this.#outer[block];
      return block;
    }
    const end = ++this.#end;
    this.#outer = grownInt32(this.#outer, end);
    this.#label = grownInt32(this.#label, end);
    this.#begin = grownFloat64(this.#begin, end);
    this.#depth = grownInt32(this.#depth, end);
    this.#commit = grownFloat64(this.#commit, end);
    this.#isReported = grownUint8(this.#isReported, end);
    return end - 1;
  }
}
