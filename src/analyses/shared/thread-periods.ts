import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { ThreadClocks } from './thread-clocks.ts';

/**
 * The periods of threads: what a thread does between two of its forks, joins, barriers and messages (Wang and
 * Stoller §7.4). Whatever those say about one event of a period they say about all of them, so that it is enough to order
 * periods. Locks order nothing here: they may be acquired in another order in another schedule.
 *
 * Periods are numbered from 0, in the order of their first events.
 */
export class ThreadPeriods {
  readonly #clocks = new ThreadClocks();
  /* Per thread. */
  /** Its present period plus one; 0 if that has no event yet. */
  #current = new Int32Array(16);
  #acted = new Uint8Array(16);
  /* Per period. */
  #count = 0;
  #slot = new Int32Array(16);
  #tree = new Int32Array(16);
  /** A number that no event of the period is smaller than, and no fork or join before it larger. */
  #start = new Float64Array(16);

  get count(): number {
    return this.#count;
  }

  /** The period in which a thread performs an event. */
  of(thread: number, event: number): number {
    const period = thread < this.#current.length ? this.#current[thread] - 1 : -1;
    return period >= 0 ? period : this.#create(thread, event);
  }

  /** The thread performs an event for which no period is asked. One without events orders nothing. */
  act(thread: number): void {
    if (thread < this.#acted.length && this.#acted[thread] === 1) return;
    this.#current = grownInt32(this.#current, thread + 1);
    this.#acted = grownUint8(this.#acted, this.#current.length);
    this.#acted[thread] = 1;
    this.#clocks.acting(thread);
  }

  hasActed(thread: number): boolean {
    return thread < this.#acted.length && this.#acted[thread] === 1;
  }

  fork(thread: number, child: number, event: number): void {
    this.act(thread);
    this.#clocks.fork(thread, child, event);
    this.#current[thread] = 0;
  }

  join(thread: number, child: number, event: number): void {
    this.act(thread);
    if (this.#clocks.join(thread, child, event)) this.#current[thread] = 0;
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.act(thread);
    this.#clocks.arrive(thread, barrier, event);
    this.#current[thread] = 0;
  }

  leave(thread: number, barrier: number): void {
    this.act(thread);
    this.#clocks.leave(thread, barrier);
    this.#current[thread] = 0;
  }

  send(thread: number, channel: number, event: number): void {
    this.act(thread);
    this.#clocks.channels.send(thread, channel, event);
    this.#current[thread] = 0;
  }

  receive(thread: number, channel: number): void {
    this.act(thread);
    this.#clocks.channels.receive(thread, channel);
    this.#current[thread] = 0;
  }

  /** A number for threads of which no two are ever concurrent; periods of one slot are ordered by their starts. */
  slot(period: number): number {
    return this.#slot[period];
  }

  start(period: number): number {
    return this.#start[period];
  }

  /** The periods of another slot that start at this event or before are over before the given one starts. */
  endedBefore(period: number, slot: number): number {
    return this.#clocks.trees.at(this.#tree[period], slot);
  }

  isBefore(a: number, b: number): boolean {
    if (this.#slot[a] === this.#slot[b]) return this.#start[a] < this.#start[b];
    return this.endedBefore(b, this.#slot[a]) >= this.#start[a];
  }

  areConcurrent(a: number, b: number): boolean {
    return a !== b && !this.isBefore(a, b) && !this.isBefore(b, a);
  }

  #create(thread: number, event: number): number {
    this.act(thread);
    const period = this.#count++;
    this.#slot = grownInt32(this.#slot, period + 1);
    this.#tree = grownInt32(this.#tree, period + 1);
    this.#start = grownFloat64(this.#start, period + 1);
    this.#slot[period] = this.#clocks.acting(thread);
    this.#tree[period] = this.#clocks.trees.keep(this.#clocks.treeOf(thread));
    this.#start[period] = event;
    this.#current[thread] = period + 1;
    return period;
  }
}
