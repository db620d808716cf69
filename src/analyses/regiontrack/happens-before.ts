import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Knowledge, SINCE, SUBJECT, UP_TO, WIDTH } from './knowledge.ts';
import { ThreadTimes } from './thread-times.ts';
import { NEVER, type WatchedBlocks } from './watched-blocks.ts';

/** Keeps the local times of threads. */
export interface Clock {
  now(thread: number, event: number): number;
  tick(thread: number): void;
  /** The local time of a thread's last event; 0 or less if it has none. */
  lastTime(thread: number): number;
}

/**
 * Which begins of watched blocks happen before what each thread does (RegionTrack §4.2). A thread knows what is
 * in its row of `Knowledge`; its own blocks; and what the thread that forked it knew at the fork, which is not
 * copied but looked up there. Local time ticks when a thread learns something, so that all events at one time
 * know the same: they are a subregion.
 */
export class HappensBefore {
  readonly #clock: Clock;
  readonly #followsForks: boolean;
  readonly #blocks: WatchedBlocks;
  readonly #rows: Knowledge;

  /* Per thread. */
  /** Whose knowledge it was forked with, or -1: the forking thread, or one before it if that knew nothing itself. */
  #source = new Int32Array(16).fill(-1);
  /** The time of that thread up to which its knowledge counts. */
  #sourceTime = new Int32Array(16);
  /** Threads count up in the order of their forks; 0 for one that was not forked. */
  birth = new Int32Array(16);
  /** Whether it belongs, but for its own blocks, to the families that `#source` belonged to at that time. */
  #isAkin = new Uint8Array(16);
  /** Up to here its time was that of a thread that is forgotten: nothing is known of what that did. */
  #forgotten = new Int32Array(16);

  /* What was found by the last call of `learn`. */
  /** Up to which of its own times the earlier event knows the thread of the later one. */
  knowsOwn = 0;
  /** The thread from whose forks both have knowledge, or that is one of the two; -1 if there is none. */
  shared = -1;
  /** The time of that thread up to which the earlier event has its knowledge. */
  sharedTime = 0;

  /** Up to when the learning thread knew others before it learnt. */
  readonly #prior = new ThreadTimes();
  /** Up to when the earlier event knows others. */
  readonly #earlier = new ThreadTimes();
  /** What is to be added to the learning thread's row. */
  #news = new Int32Array(32);
  #newsLength = 0;
  /** How many threads had been forked when the oldest block among the news began. */
  #forksBeforeNews = NEVER;
  /** How far up from the thread that acts its knowledge from forks has been noted; -1 when all of it has. */
  #later = -1;

  /** How often a thread learnt something, and so began a new subregion. */
  subregions = 0;
  #lastTick = 0;

  /** `followsForks`: whether `shared` and `earlierKnows` are asked for. */
  constructor(clock: Clock, blocks: WatchedBlocks, followsForks: boolean) {
    this.#clock = clock;
    this.#followsForks = followsForks;
    this.#blocks = blocks;
    this.#rows = new Knowledge(blocks);
  }

  reserveThread(thread: number): void {
    if (thread < this.birth.length) return;
    this.#source = grownInt32(this.#source, thread + 1, -1);
    this.#sourceTime = grownInt32(this.#sourceTime, thread + 1);
    this.birth = grownInt32(this.birth, thread + 1);
    this.#isAkin = grownUint8(this.#isAkin, this.birth.length);
    this.#forgotten = grownInt32(this.#forgotten, this.birth.length);
    this.#prior.reserveThread(this.birth.length - 1);
    if (this.#followsForks) this.#earlier.reserveThread(this.birth.length - 1);
    this.#blocks.reserveThread(this.birth.length - 1);
    this.#rows.reserveThread(this.birth.length - 1);
  }

  fork(thread: number, child: number, time: number, isAkin: boolean): void {
    this.birth[child] = ++this.#blocks.forks;
    this.#source[child] = thread;
    this.#sourceTime[child] = time;
    this.#isAkin[child] = isAkin ? 1 : 0;
    this.#skipIdleSources(child);
  }

  /** Whether what `thread` did at `time` may know of a watched block. */
  matters(thread: number, time: number): boolean {
    if (this.#knowsItself(thread, time)) return true;
    if (time <= this.#forgotten[thread]) return false;
    this.#skipIdleSources(thread);
    return this.#source[thread] >= 0;
  }

  /** Whether what `thread` did at `time` cannot be told, by what may come of it, from the fork it comes from. */
  isAsItsFork(thread: number, time: number): boolean {
    if (this.#knowsItself(thread, time)) return false;
    this.#skipIdleSources(thread);
    return this.#isAkin[thread] === 1;
  }

  /** Adds to the list what stands for what `thread` did at `time`: that itself, the fork it comes from, or nothing. */
  addSource(thread: number, time: number, sources: ThreadTimes): void {
    if (!this.matters(thread, time)) return;
    if (this.isAsItsFork(thread, time)) sources.raise(this.#source[thread], this.#sourceTime[thread]);
    else sources.raise(thread, time);
  }

  /** Threads that were forked by one of these have their knowledge from where that had it. */
  passOverAll(threads: readonly number[]): void {
    const isLeaving = new Uint8Array(this.birth.length);
    for (const thread of threads) isLeaving[thread] = 1;
    for (let thread = 0; thread < this.birth.length; thread++) {
      this.#skipIdleSources(thread);
      while (this.#source[thread] >= 0 && isLeaving[this.#source[thread]] === 1) {
        this.#passOver(thread);
        this.#skipIdleSources(thread);
      }
    }
  }

  /** What the thread did up to `time`, its last one, is as good as never done. No other has it as its source. */
  forget(thread: number, time: number): void {
    this.#blocks.unwatchAll(thread);
    this.#rows.drop(thread);
    this.#source[thread] = -1;
    this.#forgotten[thread] = time;
  }

  /**
   * Gives `to`, which acts, what `from` knew at `time`. How far the earlier event knows the thread `to` itself,
   * and what the two know alike from forks, is left in the fields; the latter only about threads born at `oldest`
   * or later. False if the earlier event knows nothing.
   */
  learn(from: number, time: number, to: number, event: number, oldest: number): boolean {
    if (this.#source[from] < 0 && this.#rows.row[from] === 0 && time < this.#blocks.first[from]) return false;
    if (time <= this.#forgotten[from]) return false;
    this.knowsOwn = 0;
    this.shared = -1;
    this.#prior.clear();
    this.#earlier.clear();
    this.#newsLength = 0;
    this.#forksBeforeNews = NEVER;
    this.#notePrior(to, NEVER);
    this.#noteEarlierEvent(from, time, to, oldest);
    if (this.#newsLength > 0) this.#addNews(to, event);
    return true;
  }

  /** Goes up from both events to the thread at whose forks both have got the same, those born last first. */
  #noteEarlierEvent(from: number, time: number, to: number, oldest: number): void {
    const { birth } = this;
    let earlier = from;
    let forked = -1;
    let isAllKnown = false;
    this.#later = to;
    while (earlier >= 0) {
      const later = this.#later;
      if (later >= 0 && birth[earlier] < birth[later]) {
        this.#notePriorOfSource();
        continue;
      }
      const prior = this.#prior.of(earlier);
      if (earlier === later) {
        this.shared = earlier;
        this.sharedTime = time;
        if (earlier === to) this.#takeOwn(to, time);
        else if (isAllKnown) this.#noteEarlier(earlier, time);
        else this.#take(earlier, time, prior, to);
        return;
      }
      let isIdle = false;
      if (isAllKnown) this.#noteEarlier(earlier, time);
      else isIdle = !this.#take(earlier, time, prior, to);
      // Who knows a begin knows what was known at it: of this thread only the rest is new, of others nothing.
      if (prior > 0) isAllKnown = true;
      if (isAllKnown && birth[earlier] <= oldest) return;
      if (isIdle && forked >= 0) this.#passOver(forked);
      else forked = earlier;
      time = this.#sourceTime[forked];
      earlier = this.#source[forked];
    }
  }

  /** After `learn`: up to when the earlier event knows `thread`, leaving out what both know alike from forks. */
  earlierKnows(thread: number): number {
    return this.#earlier.of(thread);
  }

  /**
   * Notes what `thread` knew at `time` and not at `before`, leaving out what it was forked with. False if that
   * is nothing, and was nothing at `before`.
   */
  #take(thread: number, time: number, before: number, to: number): boolean {
    this.#noteEarlier(thread, time);
    if (time <= before) return true;
    const block = this.#blocks.latestUpTo(thread, time);
    if (this.#blocks.time[block] > before) this.#consider(thread, this.#blocks.time[block], to);
    let isIdle = block === 0 && before === 0;
    const row = this.#rows.row[thread];
    if (row === 0) return !isIdle;
    const { cells } = this.#rows;
    let entry = this.#rows.rowEnd(row) - WIDTH;
    while (entry > row && cells[entry + SINCE] > time) entry -= WIDTH;
    for (; entry > row && cells[entry + SINCE] > before; entry -= WIDTH)
      if (this.#consider(cells[entry + SUBJECT], cells[entry + UP_TO], to)) isIdle = false;
    return !isIdle;
  }

  /** Notes up to when the earlier event knows the thread that acts, from a fork by that thread. */
  #takeOwn(to: number, time: number): void {
    this.#noteEarlier(to, time);
    if (time > this.knowsOwn) this.knowsOwn = time;
  }

  /** Notes that the earlier event knows `subject` up to a time; false if that is to know no watched block. */
  #consider(subject: number, upTo: number, to: number): boolean {
    if (upTo < this.#blocks.first[subject]) return false;
    this.#noteEarlier(subject, upTo);
    if (subject === to) {
      if (upTo > this.knowsOwn) this.knowsOwn = upTo;
      return true;
    }
    const prior = this.#prior.of(subject);
    if (upTo <= prior) return true;
    const block = this.#blocks.latestUpTo(subject, upTo);
    if (block === 0) return false;
    const begin = this.#blocks.time[block];
    if (begin > prior) {
      if (this.#newsLength === this.#news.length) this.#news = grownInt32(this.#news, this.#newsLength + 2);
      this.#news[this.#newsLength++] = subject;
      this.#news[this.#newsLength++] = begin;
      this.#forksBeforeNews = Math.min(this.#forksBeforeNews, this.#blocks.forksBefore[block]);
    }
    return true;
  }

  #noteEarlier(thread: number, upTo: number): void {
    if (this.#followsForks) this.#earlier.raise(thread, upTo);
  }

  /** Notes what the thread that acts knows, as `thread` knew it itself at `time`. */
  #notePrior(thread: number, time: number): void {
    const row = this.#rows.row[thread];
    if (row === 0) return;
    const { cells } = this.#rows;
    for (let entry = this.#rows.rowEnd(row) - WIDTH; entry > row; entry -= WIDTH)
      if (cells[entry + SINCE] <= time && cells[entry + UP_TO] > this.#forgotten[cells[entry + SUBJECT]])
        this.#prior.raise(cells[entry + SUBJECT], cells[entry + UP_TO]);
  }

  /** Notes what the thread that acts knows from the next fork on the way up. */
  #notePriorOfSource(): void {
    const forked = this.#later;
    this.#skipIdleSources(forked);
    const source = this.#source[forked];
    this.#later = source;
    if (source < 0) return;
    this.#prior.raise(source, this.#sourceTime[forked]);
    this.#notePrior(source, this.#sourceTime[forked]);
  }

  /** What is learnt by one event holds from one time on, which is after everything the thread did before. */
  #addNews(to: number, event: number): void {
    // A thread forked before a block began knows nothing of it from its fork.
    while (this.#later >= 0 && this.birth[this.#later] > this.#forksBeforeNews) this.#notePriorOfSource();
    for (let i = 0; i < this.#newsLength; i += 2) {
      const subject = this.#news[i];
      const upTo = this.#news[i + 1];
      if (upTo <= this.#prior.of(subject)) continue;
      if (this.#lastTick !== event) {
        this.#lastTick = event;
        this.#clock.tick(to);
        this.subregions++;
      }
      this.#prior.raise(subject, upTo);
      this.#rows.add(to, subject, upTo, this.#clock.now(to, event));
    }
  }

  /** Whether the thread may have known of a watched block at `time`, not counting what it was forked with. */
  #knowsItself(thread: number, time: number): boolean {
    return time >= this.#blocks.first[thread] || this.#rows.knowsAny(thread, time);
  }

  #skipIdleSources(thread: number): void {
    for (;;) {
      const source = this.#source[thread];
      if (source < 0 || this.#knowsItself(source, this.#sourceTime[thread])) return;
      this.#passOver(thread);
    }
  }

  /** Leaves out, once and for all, a source that knew of no block that is still watched. */
  #passOver(thread: number): void {
    const source = this.#source[thread];
    this.#sourceTime[thread] = this.#sourceTime[source];
    this.#source[thread] = this.#source[source];
    this.#isAkin[thread] &= this.#isAkin[source];
  }
}
