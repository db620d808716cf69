import { Op } from '../../../trace/operation.ts';
import { Activation, MARKED } from '../../core/activation.ts';
import { outermost } from '../../core/ancestry.ts';
import { SLOT } from '../../core/log.ts';
import type { Task } from '../../core/task.ts';
import type { Recorder } from '../recorder.ts';

/** A call of a plain function, or a step of a loop, that is a block as soon as it touches shared memory. */
export class Unit {
  readonly site: number;
  /** The first of the sites in it; its own is behind the last. */
  readonly firstSite: number;
  /** Whether it is what a loop does once, which is no block within another. */
  readonly isStep: boolean;
  /** Its block; null as long as it has none. */
  block: Activation | null = null;

  constructor(site: number, ownSites: number, isStep: boolean) {
    this.site = site;
    this.firstSite = site - ownSites;
    this.isStep = isStep;
  }

  /** Whether an access at this site is made by its own code. */
  contains(site: number): boolean {
    return site >= this.firstSite && (site < this.site || this.firstSite === Number.NEGATIVE_INFINITY);
  }
}

/** A change in two steps, of which nobody knows yet whether the second one comes. */
export interface Change {
  block: Activation;
  /** The place in the log that becomes the begin of the block. */
  slot: number;
}

/**
 * The blocks of code that runs without giving up control. Other threads can come between its accesses to shared memory,
 * and nobody else, so such a block begins with the first of those.
 */
export class Units {
  readonly #recorder: Recorder;
  /** Those that are running, innermost last. */
  readonly #running: Unit[] = [];
  #pending = 0;
  /** The latest block of one access. */
  #short: Activation | null = null;
  /** The change that has begun outside of all blocks, and is not over. */
  changing: Change | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  enter(site: number, ownSites: number, isStep: boolean): Unit {
    const unit = new Unit(site, ownSites, isStep);
    this.#running.push(unit);
    this.#pending++;
    return unit;
  }

  exit(unit: Unit): void {
    const at = this.#running.lastIndexOf(unit);
    if (at < 0) return;
    this.#running.length = at;
    if (unit.block === null) this.#pending--;
    else this.#end(unit.block, this.#recorder.tasks.acting().task);
  }

  /** A thread is about to be started, which goes its own way: nothing that is running is one unit any more. */
  endAll(): void {
    for (const { block } of this.#running.toReversed())
      if (block !== null) this.#end(block, this.#recorder.tasks.acting().task);
    this.#running.length = 0;
    this.#pending = 0;
  }

  /**
   * Shared memory is about to be touched. A look at a word by `Atomics`, or a change of one, begins the blocks of those
   * functions only that do it themselves: what they call may be about to get a lock, which others hold.
   */
  begin(by: Activation, site: number, isPlain: boolean): void {
    if (this.#pending === 0) return;
    const running = this.#running;
    for (let i = 0; i < running.length; i++) {
      const unit = running[i];
      if (unit.block !== null || !(isPlain || unit.contains(site))) continue;
      if (unit.isStep && this.isInBlock(by)) continue;
      // Blocks have to be nested.
      if (running.some((inner, j) => j > i && inner.block !== null)) continue;
      unit.block = new Activation(MARKED, by.task, by, unit.site);
      this.#recorder.tasks.log.push(Op.begin, by.task, unit.block, null, unit.site);
      this.#recorder.tasks.newEpoch();
      this.#pending--;
    }
  }

  /** The innermost block of plain functions, or the activation itself. */
  innermost(by: Activation): Activation {
    return this.#running.findLast(({ block }) => block !== null)?.block ?? by;
  }

  /** The outermost block that is running in its task, or null. */
  outermost(by: Activation): Activation | null {
    const around = outermost(by);
    return around.isBlock ? around : (this.#running.find(({ block }) => block !== null)?.block ?? null);
  }

  isInBlock(by: Activation): boolean {
    return this.#running.length > this.#pending || outermost(by).isBlock;
  }

  /** An access that is logged as several events is a block of its own where there is no other. */
  beginStep(by: Activation, site: number): Activation | null {
    if (this.isInBlock(by)) return null;
    const block = this.#blockAt(by, site);
    this.#recorder.tasks.log.push(Op.begin, by.task, block, null, site);
    return block;
  }

  /** A block of one access, which may come any number of times. */
  #blockAt(by: Activation, site: number): Activation {
    const last = this.#short;
    if (last?.site === site && last.caller === by && last.task === by.task) return last;
    this.#short = new Activation(MARKED, by.task, by, site);
    return this.#short;
  }

  endStep(block: Activation): void {
    this.#end(block, block.task);
  }

  /** A change of one element begins (`a[i] += 1`): a block of its own where there is no other. */
  beginChange(by: Activation, site: number): Change | null {
    this.begin(by, site, true);
    if (this.isInBlock(by)) return null;
    const block = this.#blockAt(by, site);
    this.#recorder.tasks.newEpoch();
    this.changing = { block, slot: this.#recorder.tasks.log.push(SLOT, by.task, block, null, site) };
    return this.changing;
  }

  /** The second step is about to come. */
  confirmChange({ slot }: Change): boolean {
    return this.#recorder.tasks.log.become(slot, Op.begin, null);
  }

  /** The second step is over; `isBlock` says whether it was confirmed. */
  endChange({ block }: Change, isBlock: boolean): void {
    this.changing = null;
    if (isBlock) this.#end(block, this.#recorder.tasks.acting().task);
  }

  #end(block: Activation, task: Task): void {
    this.#recorder.tasks.log.push(Op.end, task, block, null, block.site);
    this.#recorder.tasks.newEpoch();
  }
}
