import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { ClockTrees } from '../shared/clock-trees.ts';
import { LockOrder } from './lock-order.ts';
import type { Windows } from './windows.ts';

/**
 * The sections that are being executed, a section being what a thread does from an acquire of a lock to its
 * release, and what depends on how they go on.
 *
 * A section that could have come earlier than an acquire of its lock that it came after must also get to its
 * end there. The paper assumes that it does (§1); it does not if it waits for a lock or a thread that it
 * would get only thanks to that acquire. So whatever is learnt within a section, other than by its lock, is
 * held against what the section was to come before. If a lock inside was released by somebody who came after
 * that, the section can only come first on both locks, and only if the inner lock is sure to be free there.
 */
export class Sections {
  readonly #windows: Windows;
  readonly #trees: ClockTrees;
  readonly #order = new LockOrder();

  /** Per thread: the lock that it acquired last of those that it holds, plus one; the others are linked. */
  #last = new Int32Array(16);

  /* Per lock, while it is held. */
  #outer = new Int32Array(16);
  /** How many windows, the newest ones, the section may fit into. */
  #windowsAhead = new Int32Array(16);
  /**
   * The slot of the rival: the acquire before that of the section, if the two may change places; 0 if not.
   */
  #rivalSlot = new Int32Array(16);
  #rivalAcquired = new Float64Array(16);
  #rivalReleased = new Float64Array(16);
  /** How many locks inside the section have to come earlier together with it. */
  #moved = new Int32Array(16);

  constructor(windows: Windows, trees: ClockTrees) {
    this.#windows = windows;
    this.#trees = trees;
  }

  reserveThread(thread: number): void {
    this.#last = grownInt32(this.#last, thread + 1);
  }

  reserveLock(lock: number): void {
    if (lock < this.#outer.length) return;
    this.#outer = grownInt32(this.#outer, lock + 1);
    const size = this.#outer.length;
    this.#windowsAhead = grownInt32(this.#windowsAhead, size);
    this.#rivalSlot = grownInt32(this.#rivalSlot, size);
    this.#rivalAcquired = grownFloat64(this.#rivalAcquired, size);
    this.#rivalReleased = grownFloat64(this.#rivalReleased, size);
    this.#moved = grownInt32(this.#moved, size);
    this.#order.reserveLock(size - 1);
  }

  /** Whether the thread holds a lock. */
  isInside(thread: number): boolean {
    return thread < this.#last.length && this.#last[thread] !== 0;
  }

  windowsAhead(lock: number): number {
    return this.#windowsAhead[lock];
  }

  /**
   * Whether the section, which is about to end, can change places with its rival. It cannot if it keeps a
   * lock that has to come earlier with it: the rival may need that.
   */
  hasRival(thread: number, lock: number): boolean {
    return this.#rivalSlot[lock] !== 0 && (this.#moved[lock] === 0 || this.#last[thread] === lock + 1);
  }

  rivalAcquired(lock: number): number {
    return this.#rivalAcquired[lock];
  }

  rivalReleased(lock: number): number {
    return this.#rivalReleased[lock];
  }

  /**
   * The thread, which holds a lock, acquires another; `tree` is what was known at its last release by another
   * slot, or 0.
   */
  acquireInside(thread: number, lock: number, tree: number): void {
    const order = this.#order;
    order.nest(this.#last[thread] - 1, lock);
    if (tree === 0) return;
    for (let held = this.#last[thread] - 1; held >= 0; held = this.#outer[held] - 1) {
      const ahead = this.#windowsAhead[held];
      if (ahead !== 0) {
        const unknown = this.#windows.unknownTo(tree, 0, held, ahead);
        if (unknown !== ahead && !this.#isSureToBeFree(thread, lock)) this.#windowsAhead[held] = unknown;
      }
      if (this.#rivalSlot[held] !== 0 && this.#knowsRival(tree, 0, held)) {
        if (order.isLeaf(lock)) this.#moved[held]++;
        else this.#rivalSlot[held] = 0;
      }
    }
  }

  /**
   * The thread, which holds a lock, has waited for others. `tree` is what they knew; `slot` is that of a thread
   * that is over, or 0.
   */
  waitInside(thread: number, tree: number, slot: number): void {
    for (let held = this.#last[thread] - 1; held >= 0; held = this.#outer[held] - 1) {
      this.#order.wait(held);
      this.#windowsAhead[held] = this.#windows.unknownTo(tree, slot, held, this.#windowsAhead[held]);
      if (this.#rivalSlot[held] !== 0 && this.#knowsRival(tree, slot, held)) this.#rivalSlot[held] = 0;
    }
  }

  /**
   * A section begins. It may fit into windows, or change places with a rival that has this slot and acquire.
   */
  open(thread: number, lock: number, windowsAhead: number, rivalSlot: number): void {
    this.#windowsAhead[lock] = windowsAhead;
    this.#rivalSlot[lock] = rivalSlot;
    this.#moved[lock] = 0;
    this.#outer[lock] = this.#last[thread];
    this.#last[thread] = lock + 1;
  }

  /** The acquire and the release of the rival. */
  setRival(lock: number, acquired: number, released: number): void {
    this.#rivalAcquired[lock] = acquired;
    this.#rivalReleased[lock] = released;
  }

  /** The section ends. Sections mostly end in the reverse order of their begins. */
  close(thread: number, lock: number): void {
    if (this.#last[thread] === lock + 1) {
      this.#last[thread] = this.#outer[lock];
      return;
    }
    let inner = this.#last[thread] - 1;
    while (this.#outer[inner] !== lock + 1) inner = this.#outer[inner] - 1;
    this.#outer[inner] = this.#outer[lock];
  }

  #knowsRival(tree: number, slot: number, lock: number): boolean {
    const rival = this.#rivalSlot[lock];
    return rival === slot || this.#trees.at(tree, rival) >= this.#rivalAcquired[lock];
  }

  /** Whether whoever may hold the lock releases it without any of the locks that the thread holds. */
  #isSureToBeFree(thread: number, lock: number): boolean {
    const order = this.#order;
    order.startSearch();
    for (let held = this.#last[thread] - 1; held >= 0; held = this.#outer[held] - 1) order.avoid(held);
    return order.isClear(lock);
  }
}
