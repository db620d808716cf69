import { grownInt32 } from '../../trace/growable.ts';
import { HeldLocks } from './held-locks.ts';
import { Locksets } from './locksets.ts';
import { PairTable } from './pair-table.ts';
import { ThreadPeriods } from './thread-periods.ts';

/**
 * The contexts in which threads act: a period and the set of locks held. They say all about an event's place that
 * holds in every schedule. Contexts are numbered from 0.
 */
export class Contexts {
  readonly periods = new ThreadPeriods();
  readonly locksets = new Locksets();
  readonly #held = new HeldLocks(this.locksets);
  readonly #numbers = new PairTable();
  /** Per thread: its present context plus one; 0 if that has to be worked out. */
  #current = new Int32Array(16);
  /* Per context. */
  #count = 0;
  #period = new Int32Array(64);
  #lockset = new Int32Array(64);

  of(thread: number, event: number): number {
    const context = thread < this.#current.length ? this.#current[thread] - 1 : -1;
    return context >= 0 ? context : this.#workOut(thread, event);
  }

  period(context: number): number {
    return this.#period[context];
  }

  lockset(context: number): number {
    return this.#lockset[context];
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#held.acquire(thread, lock, event);
    this.#forget(thread);
  }

  release(thread: number, lock: number): void {
    this.#held.release(thread, lock);
    this.#forget(thread);
  }

  fork(thread: number, child: number, event: number): void {
    this.periods.fork(thread, child, event);
    this.#forget(thread);
  }

  join(thread: number, child: number, event: number): void {
    this.periods.join(thread, child, event);
    this.#forget(thread);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.periods.arrive(thread, barrier, event);
    this.#forget(thread);
  }

  leave(thread: number, barrier: number): void {
    this.periods.leave(thread, barrier);
    this.#forget(thread);
  }

  send(thread: number, channel: number, event: number): void {
    this.periods.send(thread, channel, event);
    this.#forget(thread);
  }

  receive(thread: number, channel: number): void {
    this.periods.receive(thread, channel);
    this.#forget(thread);
  }

  #forget(thread: number): void {
    if (thread < this.#current.length) this.#current[thread] = 0;
  }

  #workOut(thread: number, event: number): number {
    const period = this.periods.of(thread, event);
    const lockset = this.#held.set(thread);
    let context = this.#numbers.get(period, lockset);
    if (context < 0) {
      context = this.#count++;
      this.#numbers.set(period, lockset, context);
      this.#period = grownInt32(this.#period, context + 1);
      this.#lockset = grownInt32(this.#lockset, context + 1);
      this.#period[context] = period;
      this.#lockset[context] = lockset;
    }
    this.#current = grownInt32(this.#current, thread + 1);
    this.#current[thread] = context + 1;
    return context;
  }
}
