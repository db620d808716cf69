import { grownInt32 } from '../../trace/growable.ts';
import type { Clock } from './happens-before.ts';
import { NEVER } from './watched-blocks.ts';

/**
 * The local times of threads whose numbers may be used again. Time goes on where it was with the thread that had the
 * number before, so that what is still known of that one is told from what the new one does.
 */
export class LocalTimes implements Clock {
  #time = new Int32Array(16);
  /** The last time of the thread that had the number before. */
  #before = new Int32Array(16);

  now(thread: number): number {
    if (thread >= this.#time.length) this.#reserveThread(thread);
    if (this.#time[thread] === this.#before[thread]) this.#time[thread]++;
    return this.#time[thread];
  }

  /** 0 if the thread has done nothing. */
  lastTime(thread: number): number {
    if (thread >= this.#time.length || this.#time[thread] === this.#before[thread]) return 0;
    return this.#time[thread];
  }

  tick(thread: number): void {
    if (++this.#time[thread] === NEVER)
      throw new RangeError(`a thread has more than ${NEVER - 1} steps of local time`);
  }

  /** From here on the number is that of another thread; returns the last time of the one that it was. */
  forget(thread: number): number {
    if (thread >= this.#time.length) this.#reserveThread(thread);
    this.#before[thread] = this.#time[thread];
    return this.#time[thread];
  }

  #reserveThread(thread: number): void {
    this.#time = grownInt32(this.#time, thread + 1);
    this.#before = grownInt32(this.#before, thread + 1);
  }
}
