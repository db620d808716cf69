import { grownInt32 } from '../../trace/growable.ts';
import type { Cells } from '../shared/cells.ts';
import type { LateBlocks } from '../shared/late-blocks.ts';
import { BlockClocks } from './block-clocks.ts';
import { KnownTogether } from './known-together.ts';
import type { ThreadTimes } from './thread-times.ts';
import { Versions } from './versions.ts';
import { NEVER, type WatchedBlocks } from './watched-blocks.ts';

/** Keeps the local times of threads. */
export interface Clock {
  now(thread: number, event: number): number;
  tick(thread: number): void;
  /** The local time of a thread's last event; 0 or less if it has none. */
  lastTime(thread: number): number;
}

/**
 * Which begins of watched blocks happen before what each thread does (RegionTrack §4.2). A thread knows what `Versions`
 * says, and its own blocks. Local time ticks when a thread learns something, so that all events at one time know the
 * same: they are a subregion.
 */
export class HappensBefore {
  readonly #clock: Clock;
  readonly #blocks: WatchedBlocks;
  readonly #late: LateBlocks;
  readonly #clocks: BlockClocks;
  readonly #versions: Versions;

  /* Per thread. */
  /** Who forked it, or -1, and when. */
  #source = new Int32Array(16).fill(-1);
  #sourceTime = new Int32Array(16);
  /** Up to here its time was that of a thread that is forgotten: nothing is known of what that did. */
  #forgotten = new Int32Array(16);

  /* What the earlier event knows that is being looked at: a tree, and the block it is in itself. */
  #earlier = 0;
  #earlierThread = 0;
  #earlierValue = 0;

  /** How often a thread learnt something, and so began a new subregion. */
  subregions = 0;
  #lastTick = 0;

  constructor(clock: Clock, blocks: WatchedBlocks, late: LateBlocks, cells: Cells) {
    this.#clock = clock;
    this.#late = late;
    this.#blocks = blocks;
    this.#clocks = new BlockClocks(blocks);
    this.#versions = new Versions(this.#clocks, cells);
  }

  reserveThread(thread: number): void {
    if (thread < this.#source.length) return;
    this.#source = grownInt32(this.#source, thread + 1, -1);
    const last = this.#source.length - 1;
    this.#sourceTime = grownInt32(this.#sourceTime, last + 1);
    this.#forgotten = grownInt32(this.#forgotten, last + 1);
    this.#blocks.reserveThread(last);
    this.#versions.reserveThread(last);
  }

  /** The child knows what the thread knows, which acts at `time`. */
  fork(thread: number, child: number, time: number): void {
    this.#source[child] = thread;
    this.#sourceTime[child] = time;
    const tree = this.#clocks.keep(this.#versions.latest(thread));
    const known = this.#withOwn(tree, thread);
    if (known !== 0) this.#versions.add(child, this.#forgotten[child], known);
  }

  /** Whether what `thread` did at `time` may know of a watched block. */
  matters(thread: number, time: number): boolean {
    if (time >= this.#blocks.first[thread]) return true;
    return time > this.#forgotten[thread] && this.#clocks.isLive(this.#versions.at(thread, time));
  }

  /** Whether it is easily seen that it does not. */
  isPast(thread: number, time: number): boolean {
    return !this.#versions.hasAny(thread) && !this.#late.isRunning(thread, time);
  }

  /** Whether what `thread` did at `time` cannot be told, by what may come of it, from the fork it comes from. */
  isAsItsFork(thread: number, time: number): boolean {
    if (this.#source[thread] < 0 || time >= this.#blocks.first[thread]) return false;
    const initial = this.#versions.at(thread, this.#forgotten[thread]);
    return !this.#clocks.hasNews(initial, this.#versions.at(thread, time));
  }

  /** Adds to the list what stands for what `thread` did at `time`: that itself, the fork it comes from, or nothing. */
  addSource(thread: number, time: number, sources: ThreadTimes): void {
    if (!this.matters(thread, time)) return;
    while (this.isAsItsFork(thread, time)) {
      this.#passOver(thread);
      time = this.#sourceTime[thread];
      thread = this.#source[thread];
    }
    sources.raise(thread, time);
  }

  /**
   * The thread has its source where its source has it, if that was as its fork when it forked this one, and so will ever be. A chain of
   * threads, each forked by the one before it, is halved whenever it is walked along.
   */
  #passOver(thread: number): void {
    const source = this.#source[thread];
    if (!this.isAsItsFork(source, this.#sourceTime[thread])) return;
    this.#sourceTime[thread] = this.#sourceTime[source];
    this.#source[thread] = this.#source[source];
  }

  /** The threads that were forked by one of these have their source where that had it, if it cannot be told from it. */
  passOverAll(threads: readonly number[]): void {
    const isLeaving = new Uint8Array(this.#source.length);
    for (const thread of threads) isLeaving[thread] = 1;
    for (let thread = 0; thread < this.#source.length; thread++) {
      while (this.#source[thread] >= 0 && isLeaving[this.#source[thread]] === 1) {
        const source = this.#source[thread];
        const isSame = this.isAsItsFork(source, this.#sourceTime[thread]);
        this.#sourceTime[thread] = this.#sourceTime[source];
        this.#source[thread] = isSame ? this.#source[source] : -1;
      }
    }
  }

  /** What the thread did up to `time`, its last one, is as good as never done. No other has it as its source. */
  forget(thread: number, time: number): void {
    this.#versions.drop(thread);
    this.#source[thread] = -1;
    this.#forgotten[thread] = time;
  }

  /** Looks at what `from` did at `time`. False if that comes after no begin of a watched block. */
  lookAt(from: number, time: number): boolean {
    if (time <= this.#forgotten[from]) return false;
    this.#late.catchUp(from);
    const tree = this.#versions.at(from, time);
    const own = this.#blocks.latestUpTo(from, time);
    if (own === 0 && !this.#clocks.isLive(tree)) {
      this.#versions.dropDead(from);
      return false;
    }
    this.#earlier = tree;
    this.#earlierThread = from;
    this.#earlierValue = own === 0 ? 0 : this.#blocks.value[own];
    return true;
  }

  /** Whether the event that is looked at comes after the begin of the block, which is watched. */
  earlierKnows(block: number): boolean {
    const thread = this.#blocks.thread[block];
    const known =
      thread === this.#earlierThread
        ? this.#earlierValue
        : this.#clocks.get(this.#earlier, this.#blocks.slot[thread]);
    return known >= this.#blocks.value[block];
  }

  /**
   * The thread, which acts, learns what the event that is looked at knows. What is learnt by one event holds from one time on, which is after
   * everything the thread did before.
   */
  learn(to: number, event: number): void {
    const clocks = this.#clocks;
    const known = this.#versions.latest(to);
    let more = clocks.join(known, this.#earlier);
    // The block may have been refuted by this very event.
    if (this.#earlierValue > 0 && this.#blocks.slot[this.#earlierThread] >= 0) {
      const joined = more;
      more = clocks.raised(joined, this.#blocks.slot[this.#earlierThread], this.#earlierValue);
      clocks.drop(joined);
    }
    this.#knowFromNow(to, known, more, event);
  }

  gather(): KnownTogether {
    return new KnownTogether(this, this.#clocks);
  }

  addTo(together: KnownTogether, thread: number, time: number): void {
    if (!this.lookAt(thread, time)) return;
    const clocks = this.#clocks;
    const { ofOthers, own } = together;
    together.ofOthers = clocks.join(ofOthers, this.#earlier);
    clocks.drop(ofOthers);
    if (this.#earlierValue === 0) return;
    together.own = clocks.raised(own, this.#blocks.slot[thread], this.#earlierValue);
    clocks.drop(own);
  }

  /** Looks at what events know of other threads than their own. */
  lookAtAll(together: KnownTogether): void {
    this.#earlier = together.ofOthers;
    this.#earlierThread = -1;
    this.#earlierValue = 0;
  }

  /** The thread, which acts, learns what the events know. */
  learnFromAll(together: KnownTogether, to: number, event: number): void {
    const clocks = this.#clocks;
    const known = this.#versions.latest(to);
    const more = clocks.join(known, together.ofOthers);
    let all = clocks.join(more, together.own);
    // Of its own blocks a thread does not keep what it knows.
    const slot = this.#blocks.slot[to];
    if (slot >= 0) all = clocks.lowered(all, slot, clocks.get(more, slot));
    clocks.drop(more);
    this.#knowFromNow(to, known, clocks.hasNews(known, all) ? all : clocks.instead(all, known), event);
  }

  /** Takes over the use of what the thread, which acts, knows from now on. */
  #knowFromNow(to: number, known: number, more: number, event: number): void {
    if (more === known) {
      this.#clocks.drop(more);
      return;
    }
    if (this.#lastTick !== event) {
      this.#lastTick = event;
      this.#clock.tick(to);
      this.subregions++;
    }
    this.#versions.add(to, this.#clock.now(to, event), more);
  }

  /** Takes over the use of a tree, and gives one of it with the latest block of the thread. */
  #withOwn(tree: number, thread: number): number {
    const own = this.#blocks.latestUpTo(thread, NEVER);
    if (own === 0) return tree;
    const raised = this.#clocks.raised(tree, this.#blocks.slot[thread], this.#blocks.value[own]);
    this.#clocks.drop(tree);
    return raised;
  }
}
