import { grownInt32 } from '../trace/growable.ts';
import { Op } from '../trace/operation.ts';
import type { EventColumns } from './chunk-codec.ts';

/** More lanes than these are as wide as a browser can count; beyond, threads share them. */
const MOST_LANES = 50_000;

/** When each thread was there, by its id; 0 is never. */
export class ThreadLives {
  first: Int32Array<ArrayBuffer> = new Int32Array(64);
  last: Int32Array<ArrayBuffer> = new Int32Array(64);
  /** The events that forked and joined it. */
  forked: Int32Array<ArrayBuffer> = new Int32Array(64);
  joined: Int32Array<ArrayBuffer> = new Int32Array(64);

  add({ length, op, thread, operand }: EventColumns, firstEvent: number, threads: number): void {
    this.first = grownInt32(this.first, threads);
    this.last = grownInt32(this.last, threads);
    this.forked = grownInt32(this.forked, threads);
    this.joined = grownInt32(this.joined, threads);
    for (let i = 0; i < length; i++) {
      const event = firstEvent + i;
      if (this.first[thread[i]] === 0) this.first[thread[i]] = event;
      this.last[thread[i]] = event;
      if (op[i] === Op.fork) this.forked[operand[i]] = event;
      else if (op[i] === Op.join) this.joined[operand[i]] = event;
    }
  }

  /**
   * A lane for each thread that has events, -1 for the others. A thread takes over the lane of one that has ended: of
   * a million short threads only those alive together lie beside each other.
   */
  lanes(threads: number): { lanes: Int32Array; count: number } {
    const lanes = new Int32Array(threads).fill(-1);
    const alive = Array.from({ length: threads }, (_, id) => id).filter((id) => this.first[id] > 0);
    const byEnd = [...alive].sort((a, b) => this.last[a] - this.last[b]);
    const free: number[] = [];
    let count = 0;
    let ended = 0;
    for (const id of alive.sort((a, b) => this.first[a] - this.first[b])) {
      while (this.last[byEnd[ended]] < this.first[id]) free.push(lanes[byEnd[ended++]]);
      lanes[id] = free.pop() ?? count++ % MOST_LANES;
    }
    return { lanes, count: Math.min(count, MOST_LANES) };
  }
}
