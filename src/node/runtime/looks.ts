import type { Activation } from '../core/activation.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { KEYS } from '../core/object-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import { MOST_COPIED } from './ranges.ts';
import { findRecord, isObject } from './stamp.ts';

/** Something that the program was given, by this name in an object, which may be one of a list. */
export interface Given {
  /** Null for an object that the driver makes only for the program. */
  readonly row: object | null;
  readonly name: string;
  readonly rows: unknown;
  /** What that object is in, by which name: whoever hands it on as it is has looked at all that is in it. */
  readonly outer?: { readonly row: object; readonly name: string } | undefined;
  /** Whether what libraries make of it has the same names. */
  readonly isDocument?: boolean | undefined;
}

interface Noted extends Given {
  /** Whether the program itself has asked for it, so that nobody else makes something of it. */
  readonly isDirect: boolean;
  /** Who waits for it, if that is known. */
  readonly by: Activation | null;
  /** What a library has made of it for the program, once that is known. */
  made: unknown;
}

/** Results with more rows are taken for looked at, if a library has made something of them. */
const MOST_MADE = 200;

/** No more are remembered: what came before is taken for looked at. */
const MOST = 20_000;

/**
 * What the program was given together with other things, by entries of the log: `SELECT *` reads every column of a row, but only
 * those count by which the program goes.
 */
export class Looks {
  readonly #given = new Map<number, Noted>();
  #placed = 0;
  /** What was placed, by the variable and the entry of the log. */
  readonly #placedAt = new WeakMap<VariableRecord, Map<number, number>>();
  /** What libraries have been given, by who waits for what they make of it. */
  #onTheWay = new WeakMap<Activation, Noted[]>();

  /** `by`: who waits for it, if that is known; `isDirect`: whether the program itself has asked for it. */
  note(entry: number, given: Given, isDirect: boolean, by: Activation | null): void {
    if (this.#given.size >= MOST) this.#given.clear();
    const { row, name, rows, outer, isDocument } = given;
    const noted: Noted = { row, name, rows, isDirect, by, outer, isDocument, made: undefined };
    this.#given.set(entry, noted);
    if ((isDirect && row !== null) || by === null) return;
    const known = this.#onTheWay.get(by);
    if (known === undefined) this.#onTheWay.set(by, [noted]);
    else if (known.length < MOST_MADE) known.push(noted);
  }

  /** The same for what is logged at a place that was kept; gives the number by which to ask for it. */
  notePlaced(
    given: Given,
    isDirect: boolean,
    by: Activation | null,
    variable: VariableRecord,
    at: number,
  ): number {
    const entry = -++this.#placed;
    this.note(entry, given, isDirect, by);
    let placed = this.#placedAt.get(variable);
    if (placed === undefined) {
      placed = new Map();
      this.#placedAt.set(variable, placed);
    }
    placed.set(at, entry);
    return entry;
  }

  /** An activation goes on with what it has waited for. */
  handOver(activation: Activation, value: unknown): void {
    if (this.#given.size === 0) return;
    const noted = this.#onTheWay.get(activation);
    if (noted === undefined) return;
    this.#onTheWay.delete(activation);
    for (const each of noted) {
      each.made = value;
      if (each.isDocument && each.row !== null) madeOf.set(each.row, value);
    }
  }

  /** The program goes through a list, and may take what it wants of each element. */
  noteRound(list: object): void {
    if (this.#given.size > 0) rounds.add(list);
  }

  /** Whether a call that goes on has not looked yet at all that it was given: its answer may be held back, or it waits for more. */
  get isAwaited(): boolean {
    for (const noted of this.#given.values())
      if (noted.by !== null && !noted.by.isOver && isUnseen(noted)) return true;
    return false;
  }

  /** Whether the program has had what was read at this entry in its hands, and has not looked at it so far. */
  isUnseen(entry: number): boolean {
    const given = this.#given.get(entry);
    return given !== undefined && isUnseen(given);
  }

  /** Whether it is unseen for sure, as the program has looked at other things beside it, and is not what is written now. */
  isApart(variable: VariableRecord, entry: number, written: unknown): boolean {
    const given = this.#given.get(this.#placedAt.get(variable)?.get(entry) ?? entry);
    if (given === undefined || given.row === null || !isUnseen(given)) return false;
    const { row, name, isDocument } = given;
    const made = given.made ?? madeOf.get(row);
    const records = [row, isDocument && isObject(made) ? made : row].map(findRecord);
    if (!records.some((record) => record !== undefined && isTouched(record))) return false;
    return !isSame(Object.getOwnPropertyDescriptor(row, name)?.value, written);
  }

  /** The same, for the last time. */
  take(entry: number): boolean {
    if (this.#given.size === 0) return false;
    const isUnseenUntilNow = this.isUnseen(entry);
    this.#given.delete(entry);
    return isUnseenUntilNow;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other || (one == null && other == null)) return true;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (isObject(one) && isObject(other)) return true;
  return String(one) === String(other);
}

/** What libraries have made of documents, for what turns out later to have been looked for there. */
const madeOf = new WeakMap<object, unknown>();

/** Lists that the program has gone through. */
const rounds = new WeakSet<object>();

export function isUnseen(noted: Noted): boolean {
  const { row: given, name, rows, isDirect, outer } = noted;
  const made = noted.made ?? (given === null ? undefined : madeOf.get(given));
  if (outer !== undefined && given !== null) {
    const inner = findRecord(given);
    if (inner === undefined || !isTouched(inner)) return isUnseen({ ...noted, ...outer, outer: undefined });
  }
  const row = given ?? (isObject(made) && Object.hasOwn(made, name) ? made : null);
  if (row === null) return false;
  const record = findRecord(row);
  if (record !== undefined && isTouched(record)) {
    const own = record.find(name);
    return (own === null || isOnlyWritten(own)) && !isCopied(row, record);
  }
  if (isDirect || (isObject(made) && isUntouched(made, row))) return true;
  if (noted.isDocument && isObject(made) && !Array.isArray(made))
    return isUnseenIn(made, row, outer?.name ?? name);
  // A library that makes something of its own of the rows takes them itself.
  const list = isObject(rows) ? findRecord(rows) : undefined;
  return list !== undefined && !list.wasGoneThrough && isTouched(list);
}

/** Of what a library makes of a document, these are no data. */
const OWN_METHODS: ReadonlySet<unknown> = new Set(['save', '_id', 'id']);

/** Whether the program has only looked at other fields of what a library has made of a document. */
function isUnseenIn(made: object, row: object, name: string): boolean {
  const record = findRecord(made);
  if (record === undefined || record.find(KEYS) !== null || !(name in made)) return false;
  for (const variable of record.known()) {
    // `n = n - 1` is one access.
    if (variable.key === name) return false;
    // What else is done to it may look at anything.
    const isField = Object.hasOwn(row, String(variable.key)) || OWN_METHODS.has(variable.key);
    if (!isField && !isOnlyWritten(variable)) return false;
  }
  return true;
}

/** Whether all that is in it was taken. Who only asks for the names has not looked at what they stand for. */
function isCopied(row: object, record: ObjectRecord): boolean {
  return record.find(KEYS) !== null && Object.keys(row).length > MOST_COPIED;
}

/** Whether the program has the row itself, or has not touched anything of what a library has made of it. */
function isUntouched(made: object, row: object): boolean {
  const all: readonly unknown[] = Array.isArray(made) ? made : [made];
  if (all.includes(row)) return true;
  return (
    all.length > 0 &&
    !rounds.has(made) &&
    all.length <= MOST_MADE &&
    all.every((each) => {
      const record = isObject(each) ? findRecord(each) : undefined;
      return isObject(each) && (record === undefined || !isTouched(record));
    })
  );
}

function isTouched(record: ObjectRecord): boolean {
  for (const variable of record.known()) if (!isOnlyWritten(variable)) return true;
  return record.find(KEYS) !== null;
}

/** Whether it was given something once, and nobody has looked at it: `post.title = title`. */
function isOnlyWritten({ first, last, changedAt }: VariableRecord): boolean {
  return changedAt >= 0 && first === changedAt && last === changedAt;
}
