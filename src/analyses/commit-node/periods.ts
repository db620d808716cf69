import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import { IntList } from '../shared/int-list.ts';
import { ThreadClocks } from '../shared/thread-clocks.ts';

/**
 * Which parts of threads can run at the same time (Wang and Stoller, §7.4). A thread's execution is cut into
 * periods by its forks, joins, barriers and messages, numbered from 0 in each thread. What is before what follows from those
 * alone: locks only say that two things do not overlap, not which comes first.
 */
export class Periods {
  readonly #clocks = new ThreadClocks();
  /** The present period of each thread. */
  #period = new Int32Array(16);
  #hasEvents = new Uint8Array(16);
  #threads = 0;
  /** Whether threads are ordered by anything but forks and joins. */
  hasMessages = false;
  /** Three for each period: its thread, where it starts, and what is known there. */
  readonly #log = new IntList();

  /* Known after `settle`, for each period; those of thread t are from `#first[t]` on. */
  #first = new Int32Array(0);
  /** A number that no event of the period is smaller than, and no cut before it larger. */
  #start = new Int32Array(0);
  #tree = new Int32Array(0);

  /** The threads seen so far are those below this. */
  get threads(): number {
    return this.#threads;
  }

  hasEvents(thread: number): boolean {
    return thread < this.#threads && this.#hasEvents[thread] === 1;
  }

  /** The thread acts; returns its period. */
  enter(thread: number, event: number): number {
    if (!this.hasEvents(thread)) {
      this.#see(thread);
      this.#hasEvents[thread] = 1;
      this.#clocks.acting(thread);
      this.#note(thread, event);
    }
    return this.#period[thread];
  }

  fork(thread: number, child: number, event: number): void {
    this.enter(thread, event);
    this.#see(child);
    this.#clocks.fork(thread, child, event);
    this.#cut(thread, event);
  }

  /** False if the child has no events, and the join therefore orders nothing. */
  join(thread: number, child: number, event: number): boolean {
    this.enter(thread, event);
    this.#clocks.join(thread, child, event);
    if (!this.hasEvents(child)) return false;
    this.#cut(thread, event);
    return true;
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.enter(thread, event);
    this.#clocks.arrive(thread, barrier, event);
    this.#cut(thread, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    this.enter(thread, event);
    this.hasMessages = true;
    this.#clocks.leave(thread, barrier);
    this.#cut(thread, event);
  }

  send(thread: number, channel: number, event: number): void {
    this.enter(thread, event);
    this.#clocks.channels.send(thread, channel, event);
    this.#cut(thread, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.enter(thread, event);
    this.hasMessages = true;
    this.#clocks.channels.receive(thread, channel);
    this.#cut(thread, event);
  }

  /** To be called once, when all periods are known. */
  settle(): void {
    const log = this.#log.items;
    const periods = this.#log.length / 3;
    this.#first = new Int32Array(this.#threads + 1);
    this.#start = new Int32Array(periods);
    this.#tree = new Int32Array(periods);
    for (let at = 0; at < this.#log.length; at += 3) this.#first[log[at] + 1]++;
    for (let thread = 0; thread < this.#threads; thread++) this.#first[thread + 1] += this.#first[thread];
    const next = this.#first.slice();
    for (let at = 0; at < this.#log.length; at += 3) {
      const place = next[log[at]]++;
      this.#start[place] = log[at + 1];
      this.#tree[place] = log[at + 2];
    }
  }

  /** The last period of a thread that acts. */
  lastOf(thread: number): number {
    return this.#first[thread + 1] - this.#first[thread] - 1;
  }

  /** How many periods of `other` are over when `thread` starts its `period`. */
  over(other: number, thread: number, period: number): number {
    if (!this.hasEvents(other)) return 0;
    const ended = this.#endedBefore(other, thread, period);
    let low = this.#first[other];
    let high = this.#first[other + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#start[middle] <= ended) low = middle + 1;
      else high = middle;
    }
    return low - this.#first[other];
  }

  /** Whether all of the first period is before all of the second, of another thread. */
  precedes(thread: number, period: number, other: number, otherPeriod: number): boolean {
    return this.#endedBefore(thread, other, otherPeriod) >= this.#start[this.#first[thread] + period];
  }

  /** Whether neither of two periods of different threads is before the other. */
  areConcurrent(thread: number, period: number, other: number, otherPeriod: number): boolean {
    return (
      !this.precedes(thread, period, other, otherPeriod) && !this.precedes(other, otherPeriod, thread, period)
    );
  }

  /** The periods of `other` that start at this event or before are over when `thread` starts its `period`. */
  #endedBefore(other: number, thread: number, period: number): number {
    const tree = this.#tree[this.#first[thread] + period];
    return this.#clocks.trees.at(tree, this.#clocks.acting(other));
  }

  #cut(thread: number, event: number): void {
    this.#period[thread]++;
    this.#note(thread, event + 1);
  }

  #note(thread: number, start: number): void {
    this.#log.push(thread);
    this.#log.push(start);
    this.#log.push(this.#clocks.trees.keep(this.#clocks.treeOf(thread)));
  }

  #see(thread: number): void {
    if (thread < this.#threads) return;
    this.#threads = thread + 1;
    this.#period = grownInt32(this.#period, thread + 1);
    this.#hasEvents = grownUint8(this.#hasEvents, thread + 1);
  }
}
