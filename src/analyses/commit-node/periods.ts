import { grownInt32 } from '../../trace/growable.ts';
import { IntList } from './int-list.ts';

/** More cells of clocks than these are not kept. */
const MOST_CELLS = 1 << 25;
/** Without clocks, so many forks or joins are followed. */
const LONGEST_CHAIN = 32;

const FORK = 0;
const JOIN = 1;
const NOBODY = -1;

/**
 * Which parts of threads can run at the same time (Wang and Stoller, §7.4). A thread's execution is cut into
 * periods by its forks and joins, numbered from 0. What is before what follows from those alone: locks only
 * say that two things do not overlap, not which comes first.
 *
 * Each thread has a clock of all others. With thousands of threads these are too many; then only those orders are
 * known that follow by going from a thread to the one that joins it and so on, and from there to one that forks
 * and so on. What is not known to be ordered counts as concurrent, so that nothing is missed.
 */
export class Periods {
  readonly #mostCells: number;
  /** The present period of each thread. */
  #period = new Int32Array(16);
  #hasEvents = new Int32Array(16);
  #threads = 0;
  /** Four for each fork and join: which it is, the thread and its period before, the other thread. */
  readonly #log = new IntList();

  /* Known after `settle`. */
  /** For each period of a thread, which of its clocks holds; the periods of thread t are at `#periodStart[t]`. */
  #clockOf = new Int32Array(0);
  #periodStart = new Int32Array(0);
  /** A row for each clock: for each thread, how many of its periods are over. Null if there are too many. */
  #clocks: Int32Array | null = null;
  /* For each thread, who forked it and who joined it first, and in which period of theirs. */
  #forker = new Int32Array(0);
  #forkedIn = new Int32Array(0);
  #joiner = new Int32Array(0);
  #joinedIn = new Int32Array(0);

  constructor(mostCells = MOST_CELLS) {
    this.#mostCells = mostCells;
  }

  /** The threads seen so far are those below this. */
  get threads(): number {
    return this.#threads;
  }

  hasEvents(thread: number): boolean {
    return thread < this.#threads && this.#hasEvents[thread] === 1;
  }

  /** The thread acts; returns its period. */
  enter(thread: number): number {
    if (thread >= this.#threads) this.#see(thread);
    this.#hasEvents[thread] = 1;
    return this.#period[thread];
  }

  fork(thread: number, child: number): void {
    this.enter(thread);
    this.#see(child);
    this.#cut(FORK, thread, child);
  }

  /** False if the child has no events, and the join therefore orders nothing. */
  join(thread: number, child: number): boolean {
    this.enter(thread);
    if (!this.hasEvents(child)) return false;
    this.#cut(JOIN, thread, child);
    return true;
  }

  #cut(kind: number, thread: number, child: number): void {
    this.#log.push(kind);
    this.#log.push(thread);
    this.#log.push(this.#period[thread]++);
    this.#log.push(child);
  }

  /** To be called once, when all forks and joins are known. */
  settle(): void {
    const threads = this.#threads;
    this.#periodStart = new Int32Array(threads + 1);
    for (let t = 0; t < threads; t++) this.#periodStart[t + 1] = this.#periodStart[t] + this.#period[t] + 1;
    this.#clockOf = new Int32Array(this.#periodStart[threads]);
    const log = this.#log.items;
    let clocks = threads;
    for (let at = 0; at < this.#log.length; at += 4) if (log[at] === JOIN) clocks++;
    if (clocks * threads > this.#mostCells) {
      this.#linkThreads();
      return;
    }

    // Each thread starts with a clock; a join gives it a new one. A fork completes that of the child.
    const table = new Int32Array(clocks * threads);
    const clock = Int32Array.from({ length: threads }, (_, t) => t);
    let used = threads;
    for (let t = 0; t < threads; t++) this.#clockOf[this.#periodStart[t]] = t;
    for (let at = 0; at < this.#log.length; at += 4) {
      const thread = log[at + 1];
      const period = log[at + 2];
      const child = log[at + 3];
      if (log[at] === FORK) {
        join(table, clock[child] * threads, clock[thread] * threads, threads);
        table[clock[child] * threads + thread] = period + 1;
      } else {
        const row = used++ * threads;
        join(table, row, clock[thread] * threads, threads);
        join(table, row, clock[child] * threads, threads);
        table[row + child] = this.#period[child] + 1;
        clock[thread] = used - 1;
      }
      this.#clockOf[this.#periodStart[thread] + period + 1] = clock[thread];
    }
    this.#clocks = table;
  }

  /** How many periods of `other` are over when `thread` starts its `period`. */
  over(other: number, thread: number, period: number): number {
    if (this.#clocks === null) return this.#overByLinks(other, thread, period);
    return this.#clocks[this.#clockOf[this.#periodStart[thread] + period] * this.#threads + other];
  }

  /** Whether all of the first period is before all of the second, of another thread. */
  precedes(thread: number, period: number, other: number, otherPeriod: number): boolean {
    return this.over(thread, other, otherPeriod) > period;
  }

  /** Whether neither of two periods of different threads is before the other. */
  areConcurrent(thread: number, period: number, other: number, otherPeriod: number): boolean {
    return (
      !this.precedes(thread, period, other, otherPeriod) && !this.precedes(other, otherPeriod, thread, period)
    );
  }

  #linkThreads(): void {
    this.#forker = new Int32Array(this.#threads).fill(NOBODY);
    this.#forkedIn = new Int32Array(this.#threads);
    this.#joiner = new Int32Array(this.#threads).fill(NOBODY);
    this.#joinedIn = new Int32Array(this.#threads);
    const log = this.#log.items;
    for (let at = 0; at < this.#log.length; at += 4) {
      const child = log[at + 3];
      if (log[at] === FORK) {
        this.#forker[child] = log[at + 1];
        this.#forkedIn[child] = log[at + 2];
      } else if (this.#joiner[child] === NOBODY) {
        this.#joiner[child] = log[at + 1];
        this.#joinedIn[child] = log[at + 2];
      }
    }
  }

  #overByLinks(other: number, thread: number, period: number): number {
    // What `thread` comes after: its own earlier periods, those of its forker up to the fork, and so on.
    let later = thread;
    let upTo = period;
    for (let i = 0; later !== NOBODY && i < LONGEST_CHAIN; i++) {
      if (later === other) return upTo;
      // What comes after all of `other`: its joiner from the join on, that one's joiner, and so on.
      let earlier = other;
      for (let j = 0; this.#joiner[earlier] !== NOBODY && j < LONGEST_CHAIN; j++) {
        if (this.#joiner[earlier] === later && this.#joinedIn[earlier] < upTo) return this.#period[other] + 1;
        earlier = this.#joiner[earlier];
      }
      upTo = this.#forkedIn[later] + 1;
      later = this.#forker[later];
    }
    return 0;
  }

  #see(thread: number): void {
    if (thread < this.#threads) return;
    this.#threads = thread + 1;
    this.#period = grownInt32(this.#period, thread + 1);
    this.#hasEvents = grownInt32(this.#hasEvents, thread + 1);
  }
}

/** Takes the later time of each thread. */
function join(table: Int32Array, into: number, from: number, width: number): void {
  for (let i = 0; i < width; i++) if (table[from + i] > table[into + i]) table[into + i] = table[from + i];
}
