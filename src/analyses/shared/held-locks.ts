import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import { EMPTY, type Locksets } from './locksets.ts';

const UNKNOWN = -1;

/**
 * The locks that each thread holds, as a list with the one acquired last first. An entry of it is a number; 0 is
 * the end of every list. The set of an entry's locks and those acquired before it is worked out when it is
 * asked for: most locks are released without anyone asking.
 */
export class HeldLocks {
  readonly #sets: Locksets;
  #last = new Int32Array(16);
  /* Per entry. */
  #lock = new Int32Array(16);
  #before = new Int32Array(16);
  #event = new Float64Array(16);
  #set = new Int32Array(16);
  #end = 1;
  #free = 0;
  readonly #pending: number[] = [];

  constructor(sets: Locksets) {
    this.#sets = sets;
    this.#set[0] = EMPTY;
  }

  /** The entry of the lock that a thread acquired last of those it holds. */
  last(thread: number): number {
    return thread < this.#last.length ? this.#last[thread] : 0;
  }

  before(entry: number): number {
    return this.#before[entry];
  }

  lock(entry: number): number {
    return this.#lock[entry];
  }

  /** The number of the acquire. */
  event(entry: number): number {
    return this.#event[entry];
  }

  acquire(thread: number, lock: number, event: number): void {
    const entry = this.#create();
    this.#last = grownInt32(this.#last, thread + 1);
    this.#lock[entry] = lock;
    this.#event[entry] = event;
    this.#set[entry] = UNKNOWN;
    this.#before[entry] = this.#last[thread];
    this.#last[thread] = entry;
  }

  release(thread: number, lock: number): void {
    let above = 0;
    let entry = this.#last[thread];
    for (; this.#lock[entry] !== lock; entry = this.#before[entry]) {
      this.#set[entry] = UNKNOWN;
      above = entry;
    }
    if (above === 0) this.#last[thread] = this.#before[entry];
    else this.#before[above] = this.#before[entry];
    this.#before[entry] = this.#free;
    this.#free = entry;
  }

  /** The set of the locks that a thread holds. */
  set(thread: number): number {
    const last = this.last(thread);
    return this.#set[last] === UNKNOWN ? this.#workOut(last) : this.#set[last];
  }

  #workOut(last: number): number {
    let entry = last;
    for (; this.#set[entry] === UNKNOWN; entry = this.#before[entry]) this.#pending.push(entry);
    let set = this.#set[entry];
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      set = this.#sets.with(set, this.#lock[next]);
      this.#set[next] = set;
    }
    return set;
  }

  #create(): number {
    const entry = this.#free;
    if (entry !== 0) {
      this.#free = this.#before[entry];
      return entry;
    }
    this.#lock = grownInt32(this.#lock, this.#end + 1);
    this.#before = grownInt32(this.#before, this.#end + 1);
    this.#event = grownFloat64(this.#event, this.#end + 1);
    this.#set = grownInt32(this.#set, this.#end + 1);
    return this.#end++;
  }
}
