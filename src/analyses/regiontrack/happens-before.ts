import { grownInt32 } from '../../trace/growable.ts';
import { Knowledge, SINCE, SUBJECT, UP_TO, WIDTH } from './knowledge.ts';
import { NEVER, type WatchedBlocks } from './watched-blocks.ts';

/** Keeps the local times of threads. */
export interface Clock {
  now(thread: number, event: number): number;
  tick(thread: number): void;
}

/**
 * Which begins of watched blocks happen before what each thread does (RegionTrack §4.2). A thread knows what is
 * in its row of `Knowledge`; its own blocks; and what the thread that forked it knew at the fork, which is not
 * copied but looked up there. Local time ticks when a thread learns something, so that all events at one time
 * know the same: they are a subregion.
 */
export class HappensBefore {
  readonly #clock: Clock;
  readonly #blocks: WatchedBlocks;
  readonly #rows: Knowledge;

  /* Per thread. */
  /** Whose knowledge it was forked with, or -1: the forking thread, or one before it if that knew nothing itself. */
  #source = new Int32Array(16).fill(-1);
  /** The time of that thread up to which its knowledge counts. */
  #sourceTime = new Int32Array(16);
  /** Threads count up in the order of their forks; 0 for one that was not forked. */
  birth = new Int32Array(16);
  forks = 0;

  /* What was found by the last call of `learn`. */
  /** Up to which of its own times the earlier event knows the thread of the later one. */
  knowsOwn = 0;
  /** The thread from whose forks both have knowledge, or that is one of the two; -1 if there is none. */
  shared = -1;
  /** The time of that thread up to which the earlier event has its knowledge. */
  sharedTime = 0;

  /* Scratch per thread, each valid when its stamp is the present one. */
  #stamp = 0;
  /** Up to when the learning thread knows this one. */
  #knownStamp = new Int32Array(16);
  #known = new Int32Array(16);
  /** Up to when the earlier event knows this one. */
  #earlierStamp = new Int32Array(16);
  #earlier = new Int32Array(16);
  /** What is to be added to the learning thread's row. */
  #news = new Int32Array(32);
  #newsLength = 0;

  /** How often a thread learnt something, and so began a new subregion. */
  subregions = 0;
  #lastTick = 0;

  constructor(clock: Clock, blocks: WatchedBlocks) {
    this.#clock = clock;
    this.#blocks = blocks;
    this.#rows = new Knowledge(blocks);
  }

  reserveThread(thread: number): void {
    if (thread < this.birth.length) return;
    this.#source = grownInt32(this.#source, thread + 1, -1);
    this.#sourceTime = grownInt32(this.#sourceTime, thread + 1);
    this.birth = grownInt32(this.birth, thread + 1);
    this.#knownStamp = grownInt32(this.#knownStamp, thread + 1);
    this.#known = grownInt32(this.#known, thread + 1);
    this.#earlierStamp = grownInt32(this.#earlierStamp, thread + 1);
    this.#earlier = grownInt32(this.#earlier, thread + 1);
    this.#blocks.reserveThread(this.birth.length - 1);
    this.#rows.reserveThread(this.birth.length - 1);
  }

  fork(thread: number, child: number, time: number): void {
    this.birth[child] = ++this.forks;
    this.#source[child] = thread;
    this.#sourceTime[child] = time;
    this.#skipIdleSources(child);
  }

  /** Whether what `thread` did at `time` may know of a watched block. */
  matters(thread: number, time: number): boolean {
    return this.#source[thread] >= 0 || this.#knowsItself(thread, time);
  }

  /**
   * Gives `to`, which acts, what `from` knew at `time`. How far the earlier event knows the thread `to` itself,
   * and what the two know alike from forks, is left in the fields. False if the earlier event knows nothing.
   */
  learn(from: number, time: number, to: number, event: number): boolean {
    if (this.#source[from] < 0 && this.#rows.row[from] === 0 && time < this.#blocks.first[from]) return false;
    this.knowsOwn = 0;
    this.shared = -1;
    this.#newStamp();
    this.#newsLength = 0;
    this.#markKnown(to);
    const { birth } = this;
    let earlier = from;
    let later = to;
    let laterTime = NEVER;
    // Goes up from both events to the thread at whose forks both have got the same, nearest first.
    while (earlier >= 0) {
      if (earlier === later) {
        this.shared = earlier;
        this.sharedTime = time;
        this.#take(earlier, time, laterTime, to);
        break;
      }
      if (later < 0 || birth[earlier] >= birth[later]) {
        this.#take(earlier, time, 0, to);
        this.#skipIdleSources(earlier);
        time = this.#sourceTime[earlier];
        earlier = this.#source[earlier];
      } else {
        this.#skipIdleSources(later);
        laterTime = this.#sourceTime[later];
        later = this.#source[later];
      }
    }
    if (this.#newsLength > 0) this.#addNews(to, event);
    return true;
  }

  /** After `learn`: up to when the earlier event knows `thread`, leaving out what both know alike from forks. */
  earlierKnows(thread: number): number {
    return this.#earlierStamp[thread] === this.#stamp ? this.#earlier[thread] : 0;
  }

  /** Notes what `thread` knew itself at `time`, leaving out what it knew at `before`. */
  #take(thread: number, time: number, before: number, to: number): void {
    this.#noteEarlier(thread, time);
    if (thread === to) {
      if (time > this.knowsOwn) this.knowsOwn = time;
      return;
    }
    if (time <= before) return;
    const block = this.#blocks.latestUpTo(thread, time);
    if (block !== 0 && this.#blocks.time[block] > before)
      this.#consider(thread, this.#blocks.time[block], to);
    const row = this.#rows.row[thread];
    if (row === 0) return;
    const { cells } = this.#rows;
    let entry = this.#rows.rowEnd(row) - WIDTH;
    while (entry > row && cells[entry + SINCE] > time) entry -= WIDTH;
    for (; entry > row && cells[entry + SINCE] > before; entry -= WIDTH)
      this.#consider(cells[entry + SUBJECT], cells[entry + UP_TO], to);
  }

  #consider(subject: number, upTo: number, to: number): void {
    if (upTo < this.#blocks.first[subject]) return;
    this.#noteEarlier(subject, upTo);
    if (subject === to) {
      if (upTo > this.knowsOwn) this.knowsOwn = upTo;
      return;
    }
    const known = this.#knownStamp[subject] === this.#stamp ? this.#known[subject] : 0;
    if (upTo <= known) return;
    const block = this.#blocks.latestUpTo(subject, upTo);
    const begin = this.#blocks.time[block];
    if (block === 0 || begin <= known) return;
    this.#knownStamp[subject] = this.#stamp;
    this.#known[subject] = begin;
    if (this.#newsLength === this.#news.length) this.#news = grownInt32(this.#news, this.#newsLength + 2);
    this.#news[this.#newsLength++] = subject;
    this.#news[this.#newsLength++] = begin;
  }

  #noteEarlier(thread: number, upTo: number): void {
    if (this.#earlierStamp[thread] === this.#stamp && this.#earlier[thread] >= upTo) return;
    this.#earlierStamp[thread] = this.#stamp;
    this.#earlier[thread] = upTo;
  }

  #markKnown(thread: number): void {
    const row = this.#rows.row[thread];
    if (row === 0) return;
    const { cells } = this.#rows;
    for (let entry = this.#rows.rowEnd(row) - WIDTH; entry > row; entry -= WIDTH) {
      const subject = cells[entry + SUBJECT];
      if (this.#knownStamp[subject] === this.#stamp) continue;
      this.#knownStamp[subject] = this.#stamp;
      this.#known[subject] = cells[entry + UP_TO];
    }
  }

  /** What is learnt by one event holds from one time on, which is after everything the thread did before. */
  #addNews(to: number, event: number): void {
    if (this.#lastTick !== event) {
      this.#lastTick = event;
      this.#clock.tick(to);
      this.subregions++;
    }
    const since = this.#clock.now(to, event);
    for (let i = 0; i < this.#newsLength; i += 2) this.#rows.add(to, this.#news[i], this.#news[i + 1], since);
  }

  /** Whether the thread knew of a watched block at `time`, not counting what it was forked with. */
  #knowsItself(thread: number, time: number): boolean {
    return this.#blocks.latestUpTo(thread, time) !== 0 || this.#rows.knowsAny(thread, time);
  }

  /** Sources that know of no watched block never will again, and are left out once and for all. */
  #skipIdleSources(thread: number): void {
    let source = this.#source[thread];
    while (source >= 0 && !this.#knowsItself(source, this.#sourceTime[thread])) {
      this.#sourceTime[thread] = this.#sourceTime[source];
      source = this.#source[source];
      this.#source[thread] = source;
    }
  }

  #newStamp(): void {
    if (this.#stamp === NEVER) {
      this.#knownStamp.fill(0);
      this.#earlierStamp.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }
}
