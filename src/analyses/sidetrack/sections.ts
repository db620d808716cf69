import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { ClockTrees } from '../shared/clock-trees.ts';
import type { Windows } from './windows.ts';

/**
 * What depends on how the sections go on that are being executed, a section being what a thread does from an
 * acquire of a lock to its release.
 *
 * A section that could have come earlier than an acquire of its lock that it came after must also get to its
 * end there. It does not if it acquires another lock, or joins a thread, that it got only thanks to that
 * acquire: the two would wait for each other (the paper assumes that sections terminate, §1). So whatever is
 * learnt within a section, other than by its lock, is held against what the section was to come before.
 */
export class Sections {
  readonly #windows: Windows;
  readonly #trees: ClockTrees;

  /** Per thread: one of its sections that something depends on, by the lock plus one; the others are linked. */
  #first = new Int32Array(16);

  /* Per lock. */
  #next = new Int32Array(16);
  /** How many windows, the newest ones, the section may fit into. */
  #windowsAhead = new Int32Array(16);
  /** The slot of the rival: the acquire before that of the section, if the two may change places; 0 if not. */
  #rivalSlot = new Int32Array(16);
  #rivalAcquired = new Float64Array(16);
  #rivalReleased = new Float64Array(16);

  constructor(windows: Windows, trees: ClockTrees) {
    this.#windows = windows;
    this.#trees = trees;
  }

  reserveThread(thread: number): void {
    this.#first = grownInt32(this.#first, thread + 1);
  }

  reserveLock(lock: number): void {
    if (lock < this.#next.length) return;
    this.#next = grownInt32(this.#next, lock + 1);
    this.#windowsAhead = grownInt32(this.#windowsAhead, lock + 1);
    this.#rivalSlot = grownInt32(this.#rivalSlot, lock + 1);
    this.#rivalAcquired = grownFloat64(this.#rivalAcquired, lock + 1);
    this.#rivalReleased = grownFloat64(this.#rivalReleased, lock + 1);
  }

  /** Whether the thread is in a section that something depends on. */
  isWatched(thread: number): boolean {
    return this.#first[thread] !== 0;
  }

  windowsAhead(lock: number): number {
    return this.#windowsAhead[lock];
  }

  hasRival(lock: number): boolean {
    return this.#rivalSlot[lock] !== 0;
  }

  rivalAcquired(lock: number): number {
    return this.#rivalAcquired[lock];
  }

  rivalReleased(lock: number): number {
    return this.#rivalReleased[lock];
  }

  /** A section begins that may fit into windows, or change places with a rival, or both. */
  open(
    thread: number,
    lock: number,
    windowsAhead: number,
    rivalSlot: number,
    acquired: number,
    released: number,
  ): void {
    this.#windowsAhead[lock] = windowsAhead;
    this.#rivalSlot[lock] = rivalSlot;
    this.#rivalAcquired[lock] = acquired;
    this.#rivalReleased[lock] = released;
    this.#next[lock] = this.#first[thread];
    this.#first[thread] = lock + 1;
  }

  /** The thread learns, within its sections, what is in the clock of a slot. */
  learn(thread: number, tree: number, slot: number): void {
    for (let lock = this.#first[thread] - 1; lock >= 0; lock = this.#next[lock] - 1) {
      const rival = this.#rivalSlot[lock];
      if (rival !== 0 && (rival === slot || this.#trees.at(tree, rival) >= this.#rivalAcquired[lock]))
        this.#rivalSlot[lock] = 0;
      this.#windowsAhead[lock] = this.#windows.unknownTo(tree, slot, lock, this.#windowsAhead[lock]);
    }
  }

  /** The section ends, if it was watched. Sections mostly end in the reverse order of their begins. */
  close(thread: number, lock: number): void {
    let link = this.#first[thread];
    if (link === lock + 1) {
      this.#first[thread] = this.#next[lock];
    } else {
      while (link !== 0 && this.#next[link - 1] !== lock + 1) link = this.#next[link - 1];
      if (link === 0) return;
      this.#next[link - 1] = this.#next[lock];
    }
    this.#windowsAhead[lock] = 0;
    this.#rivalSlot[lock] = 0;
  }
}
