import type { VariableFacts } from '../../trace/facts.ts';
import type { ObjectRecord } from './object-record.ts';
import { ENDED, SOME_ENDED, type Task } from './task.ts';

/** In place of a value of which nothing is known. */
export const UNKNOWN = Symbol('unknown');

/** Makes room for a kind beside the number of a site. */
const PLACE = 8;

/** So many accesses from different places are logged of one epoch, besides the last two; more add nothing. */
const MOST_PLACES = 6;

const NO_PLACES: readonly number[] = [];

/** Stands for a few variables (`variable-lives.ts`), and knows none of them. */
export class Variables {}

/** One variable that was touched: a property, a binding, an entry of a container, a file. */
export class VariableRecord {
  readonly parent: ObjectRecord;
  readonly key: unknown;
  /** The next one of the same object. */
  next: VariableRecord | null = null;

  /** The epoch of the last access that was logged, and the kinds of access in it: `1 << Op.read` and the like. */
  epoch = 0;
  kinds = 0;
  /** The places of those accesses, each with its kind: of the last two, which mostly are all, and of those before them. */
  #place = -1;
  #placeBefore = -1;
  #places: readonly number[] = NO_PLACES;

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
  /** The entry in the log of the last change of any kind. */
  changedAt = -1;
  /** The segment of the last change that somebody may go by. */
  changedIn = 0;
  /** Whether anybody has added to it, and whether anybody has taken from it: the bits 1 and 2 (`counted.ts`). */
  counted = 0;
  /** How many of its values were noted (`Values`). */
  noted = 0;
  /**
   * How it was accessed lately, from which entry of the log on, and by whom, if it was one task; and the last entry by which
   * somebody conflicted with somebody else (`overlap.ts`).
   */
  accessedAs = 0;
  accessedFrom = -1;
  accessedBy: Task | null = null;
  contended = -1;
  /** Whether its name looks as if they were nobody's business; null until it has one. */
  isSecret: boolean | null = null;

  /** What was written last, as `writtenValue` has it, where nobody can look it up: private fields and bindings. */
  value: unknown = UNKNOWN;

  /** Whether there was nothing in it when it was first written, after somebody had looked. */
  wasAbsent = false;

  /** The entry in the log of the last read that is not noted yet; -1 if there is none (`unnoted-reads.ts`). */
  unnoted = -1;

  /** What the feature that follows its readers knows of it (`staleness.ts`); nothing of the core looks at it. */
  decoration: object | null = null;

  /** What the judgement has to know of it, where its record does not say so by itself. */
  facts: Partial<VariableFacts> | null = null;

  /** The site of the first access, whose source text names it. */
  readonly site: number;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;
  /** What it has in common with others that got theirs at about the same time: there as long as one of them is. */
  numberedWith: Variables | null = null;

  constructor(parent: ObjectRecord, key: unknown, site: number) {
    this.parent = parent;
    this.key = key;
    this.site = site;
  }

  /**
   * Whether such an access was logged in the present epoch, from the same place. From another place it says nothing new about
   * the order of things, but what is done may depend on what was read there.
   */
  isLogged(kind: number, site: number): boolean {
    if ((this.kinds & (1 << kind)) === 0) return false;
    const place = PLACE * site + kind;
    if (this.#place === place || this.#placeBefore === place) return true;
    return this.#places.length > 0 && (this.#places.length >= MOST_PLACES || this.#places.includes(place));
  }

  noteLogged(kind: number, site: number): void {
    if (this.kinds === 0) {
      this.#place = -1;
      this.#places = NO_PLACES;
    } else if (this.#placeBefore !== -1) this.#places = [...this.#places, this.#placeBefore];
    this.#placeBefore = this.#place;
    this.#place = PLACE * site + kind;
    this.kinds |= 1 << kind;
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
  relabel(from: number, old: Task, task: Task, entry: number, isRead: boolean): void {
    this.parent.noteMoved();
    if (this.owner === old) {
      if (this.first > from) this.owner = task;
      else this.noteTask(task, entry);
    }
    if (this.last > from) {
      if (this.lastTask === old) this.lastTask = task;
      if (this.lastWriter === old && !isRead) this.lastWriter = task;
    }
  }

  /** Whether nobody is at it: its last access was before this entry of the log, by a task that is over. */
  isSettled(entry: number): boolean {
    return this.last < entry && this.lastTask?.state === ENDED;
  }

  /** Keeps none of those tasks alive that have accessed it and are over. */
  tidy(): void {
    if (this.lastTask?.state === ENDED) this.lastTask = SOME_ENDED;
    if (this.lastWriter?.state === ENDED) this.lastWriter = SOME_ENDED;
    if (this.formerWriter?.state === ENDED) this.formerWriter = SOME_ENDED;
    if (this.owner?.state === ENDED) this.owner = SOME_ENDED;
    if (this.accessedBy?.state === ENDED) this.accessedBy = SOME_ENDED;
    this.parent.tidy();
  }
}
