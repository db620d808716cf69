import type { VariableFacts } from '../../trace/facts.ts';
import { type Activation, CALLBACK, isForgotten, PROMISING } from './activation.ts';
import { isCalledBy } from './ancestry.ts';
import { type ObjectRecord, SIZE } from './object-record.ts';
import { ENDED, SOME_ENDED, type Task } from './task.ts';

/** In place of a value of which nothing is known. */
export const UNKNOWN = Symbol('unknown');

/** What an access did, as bits: a variable remembers which it has seen in the present epoch. */
export const READ = 1;
export const WRITE = 2;
export const UPDATE = 4;

/** In place of the segment of a read: the block has acted upon it before anybody could come in between. */
const ACTED = -1;

/** How many readers are remembered before those are looked for that need not be. */
const FEW_READERS = 4;

/** The last read by a block. */
interface Read {
  /** The segment, or `ACTED`. */
  readIn: number;
  /** The activation that did it, in this block or for it. */
  by: Activation;
  /** Its entry in the log. */
  entry: number;
  /** What the sum of all updates was. */
  sum: number;
}

/** One variable that was touched: a property, a binding, an entry of a container, a file. */
export class VariableRecord {
  readonly parent: ObjectRecord;
  readonly key: unknown;
  /** The next one of the same object. */
  next: VariableRecord | null = null;

  /** The epoch of the last access that was logged, and the kinds of access in it. */
  epoch = 0;
  kinds = 0;

  /** The only task that has ever touched it; null at first, and once it is shared. */
  owner: Task | null = null;
  isShared = false;
  /** The entries in the log of the first access, as long as it is not shared, and of the last one. */
  first = -1;
  last = -1;
  lastTask: Task | null = null;
  lastWriter: Task | null = null;
  /** The last writer before that one. */
  formerWriter: Task | null = null;
  /** The entry in the log of the last change that was no update, even if it is logged as a read and a write. */
  replacedAt = -1;
  /** The entry in the log of the last change of any kind. */
  changedAt = -1;
  /** How many of its values were noted (`Values`). */
  noted = 0;
  /** Whether its name looks as if they were nobody's business; null until it has one. */
  isSecret: boolean | null = null;

  /**
   * The blocks, each the outermost of its task, that have read it and may still update it, and how; mostly there is but one.
   */
  #reader: Activation | null = null;
  #read: Read | null = null;
  #readers: Map<Activation, Read> | null = null;
  #manyReaders = FEW_READERS;
  /** Is another one whenever something is written, but for updates, whose sum is the other half of what is in it. */
  version = 0;
  sum = 0;
  /** The segment of the last change. */
  #writtenIn = 0;

  /** What was written last, as `writtenValue` has it, where nobody can look it up: private fields and bindings. */
  value: unknown = UNKNOWN;

  /** Whether there was nothing in it when it was first written, after somebody had looked. */
  wasAbsent = false;

  /** What the judgement has to know of it, where its record does not say so by itself. */
  facts: Partial<VariableFacts> | null = null;

  /** The site of the first access, whose source text names it. */
  readonly site: number;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;

  constructor(parent: ObjectRecord, key: unknown, site: number) {
    this.parent = parent;
    this.key = key;
    this.site = site;
  }

  /** A task has accessed the variable, by this entry of the log. */
  noteTask(task: Task, entry: number): void {
    if (this.isShared || this.owner === task) return;
    this.parent.noteTask(task);
    if (this.owner === null) {
      this.owner = task;
      this.first = entry;
    } else {
      this.owner = null;
      this.isShared = true;
    }
  }

  /** An access was not by the task that it seemed to be by; `from` is where what was mistaken begins. */
  relabel(
    from: number,
    old: Task,
    task: Task,
    entry: number,
    isRead: boolean,
    block: Activation,
    by: Activation,
    segment: number,
  ): void {
    if (this.owner === old) {
      if (this.first > from) this.owner = task;
      else this.noteTask(task, entry);
    }
    if (this.last > from) {
      if (this.lastTask === old) this.lastTask = task;
      if (this.lastWriter === old && !isRead) this.lastWriter = task;
    }
    if (isRead) this.noteReader(block, by, entry, segment, task);
    else this.noteWriter(block, segment, false);
  }

  /** What a task reads where it has just changed it itself is the outcome of that, and no reason for the next change. */
  noteReader(block: Activation, by: Activation, entry: number, segment: number, task: Task): void {
    const isOutcome = this.lastWriter === task && this.#writtenIn === segment;
    this.#setReader(block, { readIn: isOutcome ? ACTED : segment, by, entry, sum: this.sum });
  }

  /** The same for the block that has started the task; what that has read itself it knows for certain. */
  noteReaderFor(block: Activation, by: Activation, entry: number, segment: number, task: Task): void {
    const isOwn = this.#lastReadOf(block)?.by.task === block.task;
    if (!isOwn || !isCallOfItsOwn(task)) this.noteReader(block, by, entry, segment, task);
  }

  #setReader(block: Activation, read: Read): void {
    const reader = this.#reader;
    if (reader === null || reader === block || reader.isOver) {
      this.#reader = block;
      this.#read = read;
      return;
    }
    this.#readers ??= new Map();
    this.#readers.set(block, read);
    if (this.#readers.size <= this.#manyReaders) return;
    for (const other of this.#readers.keys()) if (other.isOver) this.#readers.delete(other);
    this.#manyReaders = Math.max(FEW_READERS, 2 * this.#readers.size);
  }

  /**
   * The block changes the variable: what it read in this segment has not become stale, and never will. `isUpdate`: nor has
   * what it read before.
   */
  noteWriter(block: Activation, segment: number, isUpdate: boolean): void {
    this.#writtenIn = segment;
    const read = this.#readOf(block);
    if (read !== undefined && (isUpdate || read.readIn === segment)) read.readIn = ACTED;
  }

  /**
   * Whether this block, or one that it was part of, may act upon what it read in an earlier segment, by adding so much. What
   * others have taken away since then may be added again: whoever waits for its turn takes what another one gives back.
   */
  isStaleFor(block: Activation | null, segment: number, by: number): boolean {
    for (; block !== null; block = block.origin) {
      const read = this.#readOf(block);
      if (read === undefined) continue;
      if (read.readIn === ACTED || read.readIn === segment) return false;
      const since = this.sum - read.sum;
      const isGivenBack = since * by < 0 && Math.abs(since) >= Math.abs(by);
      return !(isGivenBack && this.replacedAt < read.entry);
    }
    return false;
  }

  /** What the block has read is no reason for what it is going to do. */
  settle(block: Activation): void {
    const read = this.#readOf(block);
    if (read !== undefined) read.readIn = ACTED;
  }

  /** Whether what the block knows of it was found by a callback that this activation has registered, and is still so. */
  isFoundFor(block: Activation, maker: Activation | null): boolean {
    const read = this.#readOf(block);
    if (read === undefined || read.by.kind !== CALLBACK || !isCalledBy(read.by, maker)) return false;
    return read.sum === this.sum && this.replacedAt < read.entry;
  }

  isChangedIn(segment: number): boolean {
    return this.#writtenIn === segment;
  }

  /** Whether it was this activation which read it last of all in the block. */
  isReadBy(block: Activation, by: Activation): boolean {
    return this.#lastReadOf(block)?.by === by;
  }

  /**
   * Whether the block, or who has read it for that, has changed anything since; or at all, if it is a plain function, whose own
   * code is one step.
   */
  isActedUpon(block: Activation): boolean {
    const read = this.#readOf(block);
    if (read === undefined) return false;
    const { by, entry } = read;
    return by.changed > (by.kind === PROMISING ? -1 : entry) || block.changed > entry;
  }

  /** The entry in the log of the last read by the block; null if it has not read it. */
  readAt(block: Activation): number | null {
    return this.#readOf(block)?.entry ?? null;
  }

  wasReadBy(block: Activation): boolean {
    return this.#readOf(block) !== undefined;
  }

  /** Whether the block has last read it before this entry of the log. */
  wasReadBefore(block: Activation, entry: number): boolean {
    return (this.#readOf(block)?.entry ?? entry) < entry;
  }

  /** Whether nobody is at it: its last access was before this entry of the log, by a task that is over. */
  isSettled(entry: number): boolean {
    return this.last < entry && this.lastTask?.state === ENDED;
  }

  /** Whether a block that has read it may still act upon that. */
  get isWatched(): boolean {
    return this.#reader !== null || this.#readers !== null;
  }

  /** Keeps none of those alive who have accessed it and are over. */
  tidy(): void {
    if (this.#reader !== null && !mayAct(this.#reader)) {
      this.#reader = null;
      this.#read = null;
    }
    if (this.#readers !== null) {
      for (const reader of this.#readers.keys()) if (!mayAct(reader)) this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#readers = null;
    }
    if (this.lastTask?.state === ENDED) this.lastTask = SOME_ENDED;
    if (this.lastWriter?.state === ENDED) this.lastWriter = SOME_ENDED;
    if (this.owner?.state === ENDED) this.owner = SOME_ENDED;
  }

  /** Undefined if the block has not read it, or nothing of that is left. */
  #readOf(block: Activation): Read | undefined {
    const read = this.#lastReadOf(block);
    if (read === undefined || !hasReached(read.by.task, block)) return undefined;
    return isForgotten(read.by, read.entry, this.key === SIZE) ? undefined : read;
  }

  #lastReadOf(block: Activation): Read | undefined {
    return (this.#reader === block ? this.#read : this.#readers?.get(block)) ?? undefined;
  }
}

/** Whether the task is that of a function that was called and not awaited at once; others are callbacks. */
function isCallOfItsOwn(task: Task): boolean {
  return task.root?.isCall === true;
}

/** Whether what a task has found out can have come to the block: by a callback, or if somebody has waited for the call. */
function hasReached(task: Task, block: Activation): boolean {
  return task === block.task || !isCallOfItsOwn(task) || task.isJoined;
}

function mayAct(reader: Activation): boolean {
  return !reader.isOver || reader.isOrigin;
}
