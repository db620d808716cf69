import { Op } from '../../trace/operation.ts';
import { type Activation, outermost } from './activation.ts';
import type { LockRecord } from './lock-record.ts';
import { RUNNING } from './task.ts';
import { Tasks } from './tasks.ts';
import { READ, UPDATE, type VariableRecord, WRITE } from './variable.ts';

export type AccessKind = typeof READ | typeof WRITE | typeof UPDATE;

/** By the bits of `variable.ts`. */
const OP_OF_KIND = [Op.read, Op.read, Op.write, Op.read, Op.update] as const;

/** Keeps the log of what tasks do. */
export class Recorder extends Tasks {
  /** Logs an access unless it repeats one of this epoch, which adds no order. */
  access(variable: VariableRecord, kind: AccessKind, site: number): void {
    const activation = this.acting();
    if (variable.epoch !== this.epoch) {
      variable.epoch = this.epoch;
      variable.kinds = 0;
    } else if ((variable.kinds & kind) !== 0) {
      return;
    }
    variable.kinds |= kind;
    const { task } = activation;
    const other = kind === READ ? variable.lastWriter : variable.lastTask;
    // It knows more from here on, so what it did before is worth an event again.
    if (other !== task && other !== null) variable.epoch = ++this.epoch;
    variable.lastTask = task;
    if (kind === READ) {
      variable.noteReader(outermost(activation), this.segment);
    } else {
      variable.noteWriter(outermost(activation), this.segment);
      variable.lastWriter = task;
    }
    const entry = this.log.push(OP_OF_KIND[kind], task, activation, variable, site);
    variable.last = entry;
    variable.noteTask(task, entry);
  }

  /** False, and nothing is logged, if another task holds the lock. */
  acquire(lock: LockRecord, activation: Activation, site: number): boolean {
    const { task } = activation;
    if (task.state !== RUNNING || (lock.holder !== null && lock.holder !== task)) return false;
    if (lock.holder === task) {
      lock.depth++;
      return true;
    }
    lock.holder = task;
    this.log.push(Op.acquire, task, activation, lock, site);
    this.epoch++;
    return true;
  }

  release(lock: LockRecord): void {
    const { holder } = lock;
    if (holder === null) return;
    if (lock.depth > 0) {
      lock.depth--;
      return;
    }
    lock.holder = null;
    this.epoch++;
    if (holder.state === RUNNING) {
      this.log.push(Op.release, holder, null, lock, 0);
      return;
    }
    // Its holder is gone, and nobody else may release it: from here on it is another lock.
    lock.name = `${lock.name}'`;
    lock.id = -1;
  }

  /**
   * An update that commutes with others, unless the block may act upon what it read before (SEMANTICS: `u`). What it
   * read in this very segment is still true: `if (active < limit) active++` is one step that nothing can come into.
   */
  update(variable: VariableRecord, site: number): void {
    const block = outermost(this.acting());
    if (block.isBlock && variable.isStaleFor(block, this.segment)) {
      this.access(variable, READ, site);
      this.access(variable, WRITE, site);
    } else {
      this.access(variable, UPDATE, site);
    }
  }
}
