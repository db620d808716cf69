import { types } from 'node:util';
import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { isPartOf, MOST_ANCESTORS, nearestOpen, outermost, starterOf } from '../core/ancestry.ts';
import { holdLock, type LockRecord } from '../core/lock-record.ts';
import { PLACE } from '../core/log.ts';
import { Place } from '../core/place.ts';
import { RUNNING } from '../core/task.ts';
import { READ, UNKNOWN, UPDATE, type VariableRecord, WRITE } from '../core/variable.ts';
import { isGivenBack } from './counted.ts';
import { hasFailedIn, noteFailure } from './failures.ts';
import { leftTo } from './handover.ts';
import { IsolateTasks } from './isolate-tasks.ts';
import { Looks } from './looks.ts';
import { isSharedResult } from './single-flight.ts';
import type { Values } from './values.ts';
import { isFlag } from './written-value.ts';

/** What is known of an access besides (`EventFlag`), and whether it has changed nothing that anybody goes by. */
export interface WriteFacts {
  flags: number;
  isIdle: boolean;
}

export const NOTHING_KNOWN: WriteFacts = { flags: 0, isIdle: false };

export type AccessKind = typeof READ | typeof WRITE | typeof UPDATE;

/** By the bits of `variable.ts`. */
const OP_OF_KIND = [Op.read, Op.read, Op.write, Op.read, Op.update] as const;

/** Keeps the log of what tasks do. */
export class Recorder extends IsolateTasks {
  /** The current task writes a file by other means than `fs`; for models of packages. */
  fileWritten: (path: unknown) => void = () => {};

  /** What was read and written; null where nobody wants to know. */
  values: Values | null = null;

  /** Of what was given to the program, whether it has looked at it. */
  readonly looks = new Looks();

  /** How many statements have been sent to stores whose answers are still to come. */
  unanswered = 0;

  /** Whether what is read at a place is only told to somebody. */
  isMention: (site: number) => boolean = () => false;

  /** Whether anybody waits for what came of an update that was done elsewhere. */
  hasAnswers = false;
  readonly #answers = new WeakMap<Activation, { entry: number; variable: VariableRecord; ifUsed: Op }>();

  /**
   * Logs an access unless it repeats one of this epoch, which adds no order. `known`: what else is known of it, for whoever
   * judges.
   */
  access(variable: VariableRecord, kind: AccessKind, site: number, known: WriteFacts = NOTHING_KNOWN): void {
    const activation = this.acting();
    let sequence = 0;
    if (this.isolate !== null && variable.parent.isGlobal) {
      // Other isolates may have come in between, which nobody here can see.
      variable.isShared = true;
      variable.kinds = 0;
      sequence = this.isolate.clock.take();
    } else if (variable.epoch !== this.epoch) {
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
    const entry = this.log.push(OP_OF_KIND[kind], task, activation, variable, site, sequence);
    if (known.flags !== 0) {
      this.log.annotate(entry, known.flags);
      // The next one may be another.
      variable.kinds &= ~kind;
    }
    if (kind !== READ) variable.changedAt = entry;
    if (kind === READ) {
      this.#noteRead(variable, activation, entry, site);
    } else if (!known.isIdle) {
      const block = outermost(activation);
      variable.noteWriter(block, this.segment, kind === UPDATE);
      let around = starterOf(block);
      for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
        variable.noteWriter(around, this.segment, false);
      if (kind === WRITE) variable.replacedAt = entry;
      if (variable.lastWriter !== task) variable.formerWriter = variable.lastWriter;
      variable.lastWriter = task;
      variable.value = UNKNOWN;
      variable.version++;
      activation.changed = entry;
    }
    if (sequence !== 0) variable.kinds = 0;
    variable.last = entry;
    variable.noteTask(task, entry);
  }

  /** Keeps a place in the log for what turns out later to have happened now. */
  place(activation: Activation): Place {
    const place = new Place(this.log.next, this.segment);
    this.log.push(PLACE, activation.task, activation, place, 0);
    return place;
  }

  /** Logs an access at a place; false if it is too late for that. */
  accessAt(
    place: Place,
    by: Activation,
    variable: VariableRecord,
    kind: AccessKind,
    site: number,
    flags: number,
  ): boolean {
    // The order of several isolates is decided at once.
    if (place.isGone || this.isolate !== null) return false;
    const { task } = by;
    place.accesses.push({ op: OP_OF_KIND[kind], task, by, variable, site, flags });
    if (kind === READ) {
      this.#noteRead(variable, by, place.entry, site);
    } else {
      variable.changedAt = Math.max(variable.changedAt, place.entry);
      variable.lastWriter = task;
      variable.version++;
    }
    if (variable.lastTask === null) variable.lastTask = task;
    variable.last = Math.max(variable.last, place.entry);
    variable.noteTask(task, place.entry);
    // What is the same again is told again: others may have come in between.
    variable.epoch = 0;
    return true;
  }

  /** What a task finds out, it does for the block that has started it, and for those that have led to that. */
  #noteRead(variable: VariableRecord, activation: Activation, entry: number, site: number): void {
    const { segment } = this;
    const { task } = activation;
    const block = outermost(activation);
    const isMention = this.isMention(site);
    // Whoever only mentions it goes by what it had read before.
    if (block.isBlock && !(isMention && variable.wasReadBy(block)))
      variable.noteReader(block, activation, entry, segment, task);
    let around = starterOf(block);
    for (let i = 0; around !== null && i < MOST_ANCESTORS; i++, around = starterOf(around))
      if (around.isBlock && !(isMention && variable.wasReadBy(around)))
        variable.noteReaderFor(around, activation, entry, segment, task);
  }

  /**
   * What is known of a write besides. `isSame`: whether it leaves the value as it was; `isReset`: whether it takes back
   * something that is set.
   */
  factsOfWrite(
    variable: VariableRecord,
    value: unknown,
    isSame: boolean,
    isReset: () => boolean,
  ): WriteFacts {
    if (this.current === null) return NOTHING_KNOWN;
    const activation = this.acting();
    const left = isSame ? 0 : this.#leftFlags(variable, activation, isReset);
    if (!isSame) return left === 0 ? NOTHING_KNOWN : { flags: left, isIdle: false };
    let flags: number = EventFlag.same;
    if (isSharedResult(activation, value)) flags |= EventFlag.sharedResult;
    const isFailure = isFlag(value) ? hasFailedIn(activation, this.segment) : types.isNativeError(value);
    if (isFailure) flags |= EventFlag.failure;
    return { flags, isIdle: this.#isIdle(variable, activation) };
  }

  /** Whether a write of what is there already leaves things as they are for everybody: nobody acts upon it. */
  #isIdle(variable: VariableRecord, activation: Activation): boolean {
    const { lastWriter } = variable;
    // Nobody has changed it, and the block only puts back what it found.
    if (lastWriter === null) return variable.wasReadBy(outermost(activation));
    // What a task had written before the other one did is its own again.
    if (lastWriter === activation.task || variable.formerWriter === activation.task) return false;
    return !this.#isStale(variable, activation);
  }

  /** Whether a block that was woken by another task goes on with what that has left in the variable: see `handover.ts`. */
  #leftFlags(variable: VariableRecord, activation: Activation, isReset: () => boolean): number {
    const { lastWriter } = variable;
    if (lastWriter === null || lastWriter === activation.task) return 0;
    return leftTo(outermost(activation), variable, isReset) === null ? 0 : EventFlag.handOff;
  }

  /** The innermost block that is running, if there is one. */
  innermostBlock(): Activation | null {
    let block = this.current;
    while (block !== null && !block.isBlock) block = block.outer;
    return block;
  }

  /** Something that the current activation waited for has failed. */
  noteFailure(): void {
    if (this.current !== null) noteFailure(this.current, this.segment);
  }

  /** Whether only one other task has ever touched the one variable, and that after the current block had read the other one. */
  isMadeSinceRead({ owner, first }: VariableRecord, other: VariableRecord): boolean {
    if (owner === null) return false;
    const activation = this.acting();
    const block = outermost(activation);
    return owner !== activation.task && block.isBlock && other.wasReadBefore(block, first);
  }

  /**
   * Whether the block may act upon what it read in an earlier segment; or one that has started this task and is still going
   * on, unless the last change was part of it as well. `by` is what the block adds, if it does, or NaN; then a block that has
   * changed something upon what it read is done with that.
   */
  #isStale(variable: VariableRecord, activation: Activation, by?: number, isElsewhere = false): boolean {
    if (!variable.isWatched) return false;
    let block = outermost(activation);
    if (block.isBlock && variable.isStaleFor(block, this.segment, by ?? Number.NaN)) return true;
    for (let parent = nearestOpen(block.caller); parent !== null; parent = nearestOpen(block.caller)) {
      block = outermost(parent);
      if (block.isBlock && variable.isStaleFor(block, this.segment, by ?? Number.NaN))
        return (
          (by === undefined || isElsewhere || !variable.isActedUpon(block)) &&
          !isPartOf(variable.lastWriter, block)
        );
    }
    return false;
  }

  /** The number of the acquisition, for `release`; null, and nothing is logged, if another task holds the lock. */
  acquire(lock: LockRecord, activation: Activation, site: number): number | null {
    const { task } = activation;
    if (task.state !== RUNNING || (lock.holder !== null && lock.holder !== task)) return null;
    if (lock.holder === task) {
      lock.depth++;
      return lock.acquisition;
    }
    holdLock(lock, task);
    this.log.push(Op.acquire, task, activation, lock, site);
    this.epoch++;
    return ++lock.acquisition;
  }

  release(lock: LockRecord, acquisition: number): void {
    if (lock.holder === null || lock.acquisition !== acquisition) return;
    if (lock.depth > 0) lock.depth--;
    else this.freeLock(lock);
  }

  /**
   * An update that commutes with others, unless the block may act upon what it read before (SEMANTICS: `u`). What it
   * read in this very segment is still true: `if (active < limit) active++` is one step that nothing can come into. `by` is
   * how much a number changes, if it is one.
   */
  update(variable: VariableRecord, site: number, by?: number): void {
    const { version, replacedAt } = variable;
    const activation = this.acting();
    const isSettled = by !== undefined && isGivenBack(activation, variable, by, this.segment);
    if (!isSettled && this.#isStale(variable, activation, by ?? Number.NaN)) {
      this.access(variable, READ, site);
      this.access(variable, WRITE, site);
    } else {
      this.access(variable, UPDATE, site);
    }
    if (by === undefined) {
      variable.replacedAt = variable.last;
      return;
    }
    variable.version = version;
    variable.replacedAt = replacedAt;
    variable.sum += by;
  }

  /**
   * The same for one that is done elsewhere, in one step: if it does not commute, it is a write, and no second look.
   * `ifUsed`: what it is if whoever asked goes by the answer, which tells what came of it.
   */
  updateElsewhere(variable: VariableRecord, site: number, ifUsed: Op | null = null): void {
    const isStale = this.#isStale(variable, this.acting(), Number.NaN, true) && !this.#isUnseen(variable);
    this.access(variable, isStale ? WRITE : UPDATE, site);
    if (isStale && ifUsed !== null) this.awaitAnswer(variable, ifUsed);
  }

  /** Whether the block has been given what is there, and has not looked at it. */
  #isUnseen(variable: VariableRecord): boolean {
    let isUnseen = false;
    let block: Activation | null = outermost(this.acting());
    for (let i = 0; block !== null && i < MOST_ANCESTORS; i++, block = starterOf(block)) {
      const entry = variable.readAt(block);
      if (entry === null) continue;
      if (!this.looks.isUnseen(entry)) return false;
      isUnseen = true;
    }
    return isUnseen;
  }

  /** The access that was recorded last is another one if whoever asked for it goes by the answer. */
  awaitAnswer(variable: VariableRecord, ifUsed: Op): void {
    this.hasAnswers = true;
    this.#answers.set(this.acting(), { entry: this.log.next - 1, variable, ifUsed });
  }

  /** An activation goes on with what it has waited for, and uses it or not. */
  answered(activation: Activation, isUsed: boolean): void {
    const answer = this.#answers.get(activation);
    if (answer === undefined) return;
    this.#answers.delete(activation);
    if (isUsed) this.log.become(answer.entry, answer.ifUsed, answer.variable);
  }
}
