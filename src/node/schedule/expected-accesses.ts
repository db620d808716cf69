import { VariableProtection } from '../../analyses/atomizer/variable-protection.ts';
import { HeldLocks } from '../../analyses/shared/held-locks.ts';
import { EMPTY, Locksets } from '../../analyses/shared/locksets.ts';
import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { isCalledBy, MOST_ANCESTORS } from '../core/ancestry.ts';
import type { LockRecord } from '../core/lock-record.ts';
import { CALL, type Log } from '../core/log.ts';
import type { Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';
import { Numbers } from './numbers.ts';

/** What a block has done to a variable: bits. */
const HAS_READ = 1;
const HAS_WRITTEN = 2;
const HAS_UPDATED = 4;

/** Of a block that touches more variables than this, only the first ones are remembered. */
const MOST_TOUCHED = 1000;

/**
 * Of the open blocks that touch a variable, the first so many are remembered: each change looks at all of them, and where functions
 * wait for each other by polling there are thousands.
 */
const MOST_TOUCHING = 1000;

/** What so many blocks have read and nobody has changed is not going to be changed. */
const MANY_READERS = 4;

/** What a block has done to a variable, and in which turn it did so last. */
interface Touched {
  did: number;
  turn: number;
  /** Whether it did so itself, and not only a block inside of it. */
  isDirect: boolean;
}

/** A block that is open. */
export class OpenBlock {
  readonly activation: Activation;
  readonly task: Task;
  /** The one around it in its task. */
  readonly outer: OpenBlock | null;
  /**
   * What it has done to which variables that no lock protects, as far as is known, and that no rival has
   * changed since.
   */
  readonly touched = new Map<VariableRecord, Touched>();
  /** For how many milliseconds it has been held back. */
  held = 0;
  hasChanged = false;

  constructor(activation: Activation, task: Task, outer: OpenBlock | null) {
    this.activation = activation;
    this.task = task;
    this.outer = outer;
  }

  /** Whether it, or one around it, has changed the variable. */
  hasSet(variable: VariableRecord): boolean {
    const touched = this.touched.get(variable);
    if (touched !== undefined) return (touched.did & ~HAS_READ) !== 0;
    return this.outer?.hasSet(variable) === true;
  }

  /** Whether it has only looked at the variable, so that it may be about to act upon what it saw. */
  hasOnlyRead(variable: VariableRecord): boolean {
    return this.touched.get(variable)?.did === HAS_READ;
  }

  /** Whether the task is the block's own, or was forked by it, or by one that was. */
  hasTask(task: Task): boolean {
    return task === this.task || isCalledBy(task.root?.caller ?? null, this.activation);
  }
}

/** A rival has come into the block: it has changed this variable, which the block had touched. */
export type OnRival = (block: OpenBlock, variable: VariableRecord) => void;

/**
 * Tells what may come in between: which variables the open blocks have touched that others may touch as well, by the
 * movers of the Atomizer (locksets). It reads the log, in which a task is told from its caller when a segment is over.
 */
export class ExpectedAccesses {
  readonly #log: Log;
  readonly #onRival: OnRival;
  readonly #locksets = new Locksets();
  readonly #held = new HeldLocks(this.#locksets);
  readonly #protection = new VariableProtection(this.#locksets);
  readonly #threads = new Numbers<Task>();
  readonly #variables = new Numbers<VariableRecord>();
  readonly #locks = new Numbers<LockRecord>();
  /** The innermost ones. */
  readonly #open = new WeakMap<Task, OpenBlock>();
  /** The open blocks that have touched a variable. */
  readonly #touching = new Map<VariableRecord, Set<OpenBlock>>();
  /** How many blocks have touched a variable, roughly. */
  readonly #readers = new WeakMap<VariableRecord, { last: OpenBlock; count: number }>();
  #read = 0;
  #turn = 0;

  constructor(log: Log, onRival: OnRival) {
    this.#log = log;
    this.#onRival = onRival;
  }

  /** Takes note of what has been logged since. */
  catchUp(): void {
    if (this.#read === this.#log.next) return;
    this.#turn++;
    this.#log.forEachFrom(this.#read, (chunk, i) => {
      const task = chunk.task[i] as Task;
      const subject = chunk.subject[i];
      switch (chunk.op[i]) {
        case Op.read:
        case Op.write:
        case Op.update:
          this.#access(chunk.op[i], task, subject as VariableRecord);
          break;
        case Op.acquire:
          this.#held.acquire(this.#threads.of(task), this.#locks.of(subject as LockRecord), 0);
          break;
        case Op.release:
          this.#held.release(this.#threads.of(task), this.#locks.of(subject as LockRecord));
          break;
        case CALL:
          this.#begin((subject as Task | null) ?? task, chunk.by[i] as Activation);
          break;
        case Op.begin:
          this.#begin(task, chunk.by[i] as Activation);
          break;
        case Op.end:
          this.#end(task);
          break;
      }
    });
    this.#read = this.#log.next;
  }

  /** The blocks that the activation is in, innermost first: those of its task, and those of who started that. */
  blocksOf(activation: Activation): OpenBlock[] {
    const blocks: OpenBlock[] = [];
    let at: Activation | null = activation;
    for (let i = 0; at !== null && i < MOST_ANCESTORS; i++) {
      for (let block = this.#open.get(at.task) ?? null; block !== null; block = block.outer)
        blocks.push(block);
      at = at.task.root?.caller ?? null;
    }
    return blocks;
  }

  /**
   * Whether several tasks have touched the variable in blocks of theirs, and none has changed it: it is a
   * constant.
   */
  isConstant(variable: VariableRecord): boolean {
    return !this.isContended(variable) && (this.#readers.get(variable)?.count ?? 0) >= MANY_READERS;
  }

  /** Whether several tasks have touched the variable, one of them to change it. */
  isContended(variable: VariableRecord): boolean {
    return this.#protection.isContended(this.#variables.of(variable));
  }

  #access(op: number, task: Task, variable: VariableRecord): void {
    const thread = this.#threads.of(task);
    const number = this.#variables.of(variable);
    const did = op === Op.read ? HAS_READ : op === Op.write ? HAS_WRITTEN : HAS_UPDATED;
    const isOwn = this.#protection.isOwn(thread, number);
    const locks = this.#held.set(thread);
    const isMover = isOwn || this.#protection.access(op, thread, number, locks);
    if (did !== HAS_READ) this.#interfere(variable, did, task);
    const innermost = this.#open.get(task) ?? null;
    if (did !== HAS_READ)
      for (let block = innermost; block?.hasChanged === false; block = block.outer) block.hasChanged = true;
    // What is one task's own may turn out to be shared, but not what a lock has protected so far.
    if (isMover && (locks !== EMPTY || this.isContended(variable))) return;
    if (innermost !== null) this.#noteReader(innermost, variable);
    for (let block = innermost; block !== null; block = block.outer)
      this.#touch(block, variable, did, block === innermost);
  }

  #noteReader(block: OpenBlock, variable: VariableRecord): void {
    const readers = this.#readers.get(variable);
    if (readers === undefined) this.#readers.set(variable, { last: block, count: 1 });
    else if (readers.last !== block) {
      readers.last = block;
      readers.count++;
    }
  }

  #touch(block: OpenBlock, variable: VariableRecord, did: number, isDirect: boolean): void {
    const before = block.touched.get(variable);
    if (before !== undefined) {
      before.isDirect ||= isDirect;
      // Whoever looks again later goes by what it sees then.
      before.did = did === HAS_READ && before.turn !== this.#turn ? did : before.did | did;
      before.turn = this.#turn;
      return;
    }
    const touching = this.#touching.get(variable);
    if (block.touched.size >= MOST_TOUCHED || (touching?.size ?? 0) >= MOST_TOUCHING) return;
    block.touched.set(variable, { did, turn: this.#turn, isDirect });
    if (touching === undefined) this.#touching.set(variable, new Set([block]));
    else touching.add(block);
  }

  #interfere(variable: VariableRecord, did: number, task: Task): void {
    for (const block of this.#touching.get(variable) ?? []) {
      if (!isRival(block.touched.get(variable) as Touched, did) || block.hasTask(task)) continue;
      this.#forget(block, variable);
      this.#onRival(block, variable);
    }
  }

  #forget(block: OpenBlock, variable: VariableRecord): void {
    block.touched.delete(variable);
    const touching = this.#touching.get(variable);
    touching?.delete(block);
    if (touching?.size === 0) this.#touching.delete(variable);
  }

  #begin(task: Task, activation: Activation): void {
    this.#open.set(task, new OpenBlock(activation, task, this.#open.get(task) ?? null));
  }

  #end(task: Task): void {
    const block = this.#open.get(task);
    if (block === undefined) return;
    const { outer } = block;
    if (outer === null) this.#open.delete(task);
    else this.#open.set(task, outer);
    // Whoever was asked for something has acted upon what it saw itself; unless it only looked.
    if (outer !== null && block.hasChanged)
      for (const variable of block.touched.keys()) {
        const touched = outer.touched.get(variable);
        if (touched !== undefined && !touched.isDirect) touched.did |= HAS_WRITTEN;
      }
    for (const variable of block.touched.keys()) this.#forget(block, variable);
  }
}

/** Whether a change of a variable by another task may break a block that has done this to it. */
function isRival({ did: hasDone }: Touched, did: number): boolean {
  return did === HAS_WRITTEN || (hasDone & ~HAS_UPDATED) !== 0;
}
