import type { Activation } from './activation.ts';
import type { Decorated } from './decoration.ts';
import type { OwnRecord } from './own-record.ts';
import { ENDED, SOME_ENDED, type Task } from './task.ts';
import { VariableRecord } from './variable.ts';

/** What a record stands for; decides how its variables are named. */
export type ObjectKind =
  | 'object'
  | 'array'
  | 'map'
  | 'set'
  | 'weak-map'
  | 'weak-set'
  | 'typed-array'
  | 'proxy'
  | 'scope'
  | 'file'
  | 'marked'
  | 'stored'
  | 'shared-memory';

/** Kinds of variables that are not properties. Each is a key of its own, which no property can be. */
export const SIZE = Symbol('size');
export const KEYS = Symbol('keys');

/** Up to here the variables of an object are a list. */
const LIST = 8;

/**
 * Of more variables than this the oldest are forgotten: elements of huge arrays would take a hundred times the memory of
 * the array itself, and a Map that lives as long as the program may have had any number of keys.
 */
const MOST_VARIABLES = 100_000;

/** From here on those are looked for that may be forgotten before that. */
const MANY_VARIABLES = 1024;

/** No more are kept than this whose tasks are over, though they may still have a part in a violation. */
const MOST_SETTLED = 16_384;

/** Makes variables of what was read of an object: of this key, or of all if there is none. */
export type MakeVariables = (object: ObjectRecord, key?: unknown) => void;

/** What is known of one object of the program: above all its variables. */
export class ObjectRecord implements Decorated {
  decorations: unknown[] | null = null;
  /** Null until somebody asks: finding it out takes longer than most accesses. */
  kind: ObjectKind | null;
  /** How reports call it; null until somebody asks. */
  name: string | null;
  /** The only task that has ever touched it; null at first, and once several have. */
  #owner: Task | null = null;
  /** Whether some of what that has done turned out to be by another one. */
  #isMoved = false;
  /** Whether several tasks have touched it, be it in different places. */
  isReached = false;
  /** Of a list: whether somebody has gone through it, who may have handed its elements on to anybody. */
  wasGoneThrough = false;
  /** For the variables of a function: the block in whose call they came to be. */
  owner: Activation | null = null;
  /** What has been put off. */
  own: OwnRecord | null = null;
  /** The epoch in which that was last wanted after all. */
  unfoldedIn = 0;
  /** Of a Map or Set: its entries, which are not its properties. */
  contents: ObjectRecord | null = null;
  /** The entry in the log of the last read of a variable that had no record then; -1 if there is none (`late-reads.ts`). */
  lastRead = -1;
  /** Makes records of those; null if there are none. */
  makeRead: MakeVariables | null = null;
  /** Whether several tasks have come to it at a time. */
  isMet = false;
  #first: VariableRecord | null = null;
  #count = 0;
  #byKey: Map<unknown, VariableRecord> | null = null;
  #many = MANY_VARIABLES;

  constructor(kind: ObjectKind | null, name: string | null = null) {
    this.kind = kind;
    this.name = name;
  }

  /** Whether other isolates can get at it, too: what it is called there is the same. */
  get isGlobal(): boolean {
    const { kind } = this;
    return kind === 'file' || kind === 'marked' || kind === 'stored' || kind === 'shared-memory';
  }

  /** The variable if it is known. */
  find(key: unknown): VariableRecord | null {
    const variable = this.made(key);
    if (variable !== null || this.makeRead === null) return variable;
    this.makeRead(this, key);
    return this.made(key);
  }

  /** Whether its variables are few. */
  get isSmall(): boolean {
    return this.#byKey === null;
  }

  /** The same if there is a record of it. */
  made(key: unknown): VariableRecord | null {
    if (this.#byKey !== null) return this.#byKey.get(key) ?? null;
    for (let variable = this.#first; variable !== null; variable = variable.next)
      if (variable.key === key) return variable;
    return null;
  }

  variable(key: unknown, site: number): VariableRecord {
    return this.find(key) ?? this.add(key, site);
  }

  /** All variables but those that are no properties or entries. */
  *known(): Generator<VariableRecord> {
    this.makeRead?.(this);
    if (this.#byKey !== null) {
      for (const variable of this.#byKey.values())
        if (variable.key !== SIZE && variable.key !== KEYS) yield variable;
      return;
    }
    for (let variable = this.#first; variable !== null; variable = variable.next)
      if (variable.key !== SIZE && variable.key !== KEYS) yield variable;
  }

  /** A task has come to a variable that it had not touched before. */
  noteTask(task: Task): void {
    if (this.isReached || this.#owner === task) return;
    if (this.#owner === null) this.#owner = task;
    else {
      this.isReached = true;
      this.#owner = null;
    }
  }

  /** Does not keep alive who has touched it and is over. */
  tidy(): void {
    if (this.#owner?.state === ENDED) this.#owner = SOME_ENDED;
  }

  /** What a task seemed to have done was by another one. */
  noteMoved(): void {
    this.#isMoved = true;
  }

  /** Whether nobody but this task has ever touched it, for sure. */
  isOwnedBy(task: Task): boolean {
    return this.#owner === task && !this.isReached && !this.#isMoved;
  }

  /** As if the variable had never been touched. */
  forget(variable: VariableRecord): void {
    if (this.#byKey !== null) {
      if (this.#byKey.get(variable.key) === variable) this.#byKey.delete(variable.key);
      return;
    }
    let before: VariableRecord | null = null;
    for (let other = this.#first; other !== null; before = other, other = other.next) {
      if (other !== variable) continue;
      if (before === null) this.#first = variable.next;
      else before.next = variable.next;
      this.#count--;
      return;
    }
  }

  /** Whether `forgetSettled` is worth its time. */
  get isLarge(): boolean {
    return this.#byKey !== null && this.#byKey.size > this.#many;
  }

  /** Forgets the variables whose tasks are over by this entry of the log, oldest first: keys of a Map come and go. */
  forgetSettled(entry: number, isNeeded: (variable: VariableRecord) => boolean): void {
    const byKey = this.#byKey;
    if (byKey === null) return;
    for (const variable of byKey.values()) {
      if (!variable.isSettled(entry)) continue;
      variable.tidy();
      if (!isNeeded(variable)) byKey.delete(variable.key);
    }
    if (byKey.size > MOST_SETTLED)
      for (const variable of byKey.values()) {
        if (variable.isSettled(entry)) byKey.delete(variable.key);
        if (byKey.size <= MOST_SETTLED) break;
      }
    this.#many = Math.max(MANY_VARIABLES, 2 * byKey.size);
  }

  /** A record of a variable that has none; `entry` is that of its first access, if others have been made since. */
  add(key: unknown, site: number, entry = Number.POSITIVE_INFINITY): VariableRecord {
    const variable = new VariableRecord(this, key, site);
    if (this.#byKey === null) {
      if (this.#count < LIST) {
        this.#count++;
        this.#insert(variable, entry);
        return variable;
      }
      this.#byKey = new Map();
      for (let other = this.#first; other !== null; other = other.next) this.#byKey.set(other.key, other);
      this.#first = null;
    }
    if (this.#byKey.size >= MOST_VARIABLES) this.#byKey.delete(this.#byKey.keys().next().value);
    this.#byKey.set(key, variable);
    return variable;
  }

  /** Into the list, which has the latest ones first. */
  #insert(variable: VariableRecord, entry: number): void {
    let later: VariableRecord | null = null;
    let before = this.#first;
    for (; before !== null && before.first > entry; before = before.next) later = before;
    variable.next = before;
    if (later === null) this.#first = variable;
    else later.next = variable;
  }
}
