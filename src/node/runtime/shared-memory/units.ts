import { Op } from '../../../trace/operation.ts';
import { Activation, MARKED, outermost } from '../activation.ts';
import { SLOT } from '../log.ts';
import type { Recorder } from '../recorder.ts';
import type { Task } from '../task.ts';

/** A call of a plain function that is a block as soon as it touches shared memory. */
export class Unit {
  readonly site: number;
  /** Its block; null as long as it has none. */
  block: Activation | null = null;

  constructor(site: number) {
    this.site = site;
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

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  enter(site: number): Unit {
    const unit = new Unit(site);
    this.#running.push(unit);
    this.#pending++;
    return unit;
  }

  exit(unit: Unit): void {
    const at = this.#running.lastIndexOf(unit);
    if (at < 0) return;
    this.#running.length = at;
    if (unit.block === null) this.#pending--;
    else this.#end(unit.block, this.#recorder.acting().task);
  }

  /** A thread is about to be started, which goes its own way: nothing that is running is one unit any more. */
  endAll(): void {
    for (const { block } of this.#running.toReversed())
      if (block !== null) this.#end(block, this.#recorder.acting().task);
    this.#running.length = 0;
    this.#pending = 0;
  }

  /** Shared memory is about to be touched. */
  begin(by: Activation): void {
    if (this.#pending === 0) return;
    for (const unit of this.#running) {
      if (unit.block !== null) continue;
      unit.block = new Activation(MARKED, by.task, by, unit.site);
      this.#recorder.log.push(Op.begin, by.task, unit.block, null, unit.site);
      this.#recorder.epoch++;
    }
    this.#pending = 0;
  }

  /** The innermost block of plain functions, or the activation itself. */
  innermost(by: Activation): Activation {
    return this.#running.at(-1)?.block ?? by;
  }

  /** The outermost block that is running in its task, or null. */
  outermost(by: Activation): Activation | null {
    const around = outermost(by);
    return around.isBlock ? around : (this.#running[0]?.block ?? null);
  }

  isInBlock(by: Activation): boolean {
    return this.#running.length > 0 || outermost(by).isBlock;
  }

  /** An access that is logged as several events is a block of its own where there is no other. */
  beginStep(by: Activation, site: number): Activation | null {
    if (this.isInBlock(by)) return null;
    const block = new Activation(MARKED, by.task, by, site);
    this.#recorder.log.push(Op.begin, by.task, block, null, site);
    return block;
  }

  endStep(block: Activation): void {
    this.#end(block, block.task);
  }

  /** A change of one element begins (`a[i] += 1`): a block of its own where there is no other. */
  beginChange(by: Activation, site: number): Change | null {
    if (this.isInBlock(by)) return null;
    const block = new Activation(MARKED, by.task, by, site);
    this.#recorder.epoch++;
    return { block, slot: this.#recorder.log.push(SLOT, by.task, block, null, site) };
  }

  /** The second step is about to come. */
  confirmChange({ block, slot }: Change): boolean {
    return this.#recorder.log.become(slot, Op.begin, null) && !block.isOver;
  }

  endChange({ block }: Change): void {
    this.#end(block, this.#recorder.acting().task);
  }

  #end(block: Activation, task: Task): void {
    this.#recorder.log.push(Op.end, task, block, null, block.site);
    block.isOver = true;
    this.#recorder.epoch++;
  }
}
