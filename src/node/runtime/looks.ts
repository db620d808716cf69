import type { ObjectRecord } from '../core/object-record.ts';
import { KEYS } from '../core/object-record.ts';
import { findRecord, isObject } from './stamp.ts';

/** Something that the program was given, by this name in an object, which may be one of a list. */
export interface Given {
  readonly row: object;
  readonly name: string;
  readonly rows: unknown;
  /** Whether the program itself has asked for it, so that nobody else makes something of it. */
  readonly isDirect: boolean;
}

/** No more are remembered: what came before is taken for looked at. */
const MOST = 20_000;

/**
 * What the program was given together with other things, by entries of the log: `SELECT *` reads every column of a row, but only
 * those count by which the program goes.
 */
export class Looks {
  readonly #given = new Map<number, Given>();

  note(entry: number, given: Given): void {
    if (this.#given.size >= MOST) this.#given.clear();
    this.#given.set(entry, given);
  }

  /** Whether the program has had what was read at this entry in its hands, and has not looked at it so far. */
  isUnseen(entry: number): boolean {
    const given = this.#given.get(entry);
    return given !== undefined && isUnseen(given);
  }

  /** The same, for the last time. */
  take(entry: number): boolean {
    if (this.#given.size === 0) return false;
    const isUnseenUntilNow = this.isUnseen(entry);
    this.#given.delete(entry);
    return isUnseenUntilNow;
  }
}

export function isUnseen({ row, name, rows, isDirect }: Given): boolean {
  const record = findRecord(row);
  if (record !== undefined && isTouched(record))
    return record.find(name) === null && record.find(KEYS) === null;
  if (isDirect) return true;
  // A library that makes something of its own of the rows takes them itself.
  const list = isObject(rows) ? findRecord(rows) : undefined;
  return list !== undefined && !list.wasGoneThrough && isTouched(list);
}

function isTouched(record: ObjectRecord): boolean {
  for (const _ of record.known()) return true;
  return record.find(KEYS) !== null;
}
