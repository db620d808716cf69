import { grownInt32 } from '../../trace/growable.ts';

/** A time for some threads; it is emptied in the time it takes to name those. */
export class ThreadTimes {
  #times = new Int32Array(16);
  #threads = new Int32Array(16);
  #count = 0;

  /** How many threads have a time. */
  get count(): number {
    return this.#count;
  }

  /** The thread that was the `index`-th to get one. */
  thread(index: number): number {
    return this.#threads[index];
  }

  reserveThread(thread: number): void {
    this.#times = grownInt32(this.#times, thread + 1);
  }

  /** 0 for a thread that has none. */
  of(thread: number): number {
    return this.#times[thread];
  }

  /** Gives the thread this time unless it has a later one. */
  raise(thread: number, time: number): void {
    const old = this.#times[thread];
    if (old >= time) return;
    this.#times[thread] = time;
    if (old !== 0) return;
    if (this.#count === this.#threads.length) this.#threads = grownInt32(this.#threads, this.#count + 1);
    this.#threads[this.#count++] = thread;
  }

  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#times[this.#threads[i]] = 0;
    this.#count = 0;
  }
}
