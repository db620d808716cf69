import { types } from 'node:util';
import type { ObjectRecord } from '../core/object-record.ts';
import { SIZE } from '../core/object-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import { UNKNOWN } from '../core/variable.ts';
import { LONGEST_VALUE, shortValue } from './short-value.ts';
import { kindOf, recordOf } from './stamp.ts';

/*
 * What was read and written, for reports to show. It is noted only where an access is logged, and only so often in a while: so it
 * takes a hundredth or two of the time at most, however much a program does.
 */

/** Of one variable in all, and of all of them until the next `refill`. */
const MOST_OF_VARIABLE = 200;
const MOST = 2000;

/** The program may replace its own ones. */
const { getOwnPropertyDescriptor } = Object;
const { get: mapGet } = Map.prototype;

/** Values by entries of the log, until those are handed over. */
export class Values {
  readonly #noted = new Map<number, unknown>();
  #left = MOST;

  /** Whether more is to be noted of a variable. */
  wants(variable: VariableRecord): boolean {
    return variable.noted < MOST_OF_VARIABLE && this.#left > 0;
  }

  /** Whether more is to be noted of any variable. */
  get hasRoom(): boolean {
    return this.#left > 0;
  }

  /** Some time has passed. */
  refill(): void {
    this.#left = MOST;
  }

  /** A variable was read, and that was logged. */
  noteRead(variable: VariableRecord, object: object, record: ObjectRecord, key: unknown): void {
    this.#note(variable, variable.last, valueIn(variable, object, record, key));
  }

  /** A variable was read, that was logged, and this is what was in it; undefined if that is not known. */
  noteSeen(variable: VariableRecord, value: unknown): void {
    if (value !== undefined) this.#note(variable, variable.last, value);
  }

  /** A variable is going to hold this value; the last one of a segment counts. */
  noteChange(variable: VariableRecord, value: unknown): void {
    // What only one task has touched may be written again and again without being looked at.
    if (variable.isShared) this.#note(variable, variable.changedAt, value);
  }

  #note(variable: VariableRecord, entry: number, value: unknown): void {
    if (!isTold(value)) {
      // What was noted before is no longer so.
      this.#noted.delete(entry);
      return;
    }
    variable.noted++;
    this.#left--;
    const isLong = typeof value === 'string' && value.length > LONGEST_VALUE;
    this.#noted.set(entry, isLong ? value.slice(0, LONGEST_VALUE + 1) : value);
  }

  /** What was noted of an entry, in a few characters; null if nothing was. It is forgotten. */
  take(entry: number): string | null {
    if (this.#noted.size === 0 || !this.#noted.has(entry)) return null;
    const value = this.#noted.get(entry);
    this.#noted.delete(entry);
    return shortValue(value);
  }
}

/** Objects are not told, nor symbols, of which `UNKNOWN` is one. */
function isTold(value: unknown): boolean {
  const type = typeof value;
  return value === null || (type !== 'object' && type !== 'function' && type !== 'symbol');
}

/** What is in a variable, as far as it is found without running the program's code. */
function valueIn(variable: VariableRecord, object: object, record: ObjectRecord, key: unknown): unknown {
  if (record.kind === 'scope') return variable.value;
  const kind = kindOf(object, record);
  if (key === SIZE) return kind === 'array' ? (object as unknown[]).length : UNKNOWN;
  // A Map may have properties of its own, too.
  if (kind === 'map' && record !== recordOf(object)) {
    // What only has methods like those of a Map tells by its own code what it holds.
    const isTellable = types.isMap(object) && (typeof key === 'string' || typeof key === 'number');
    return isTellable ? Reflect.apply(mapGet, object, [key]) : UNKNOWN;
  }
  if (kind === 'proxy' || kind === 'set' || (typeof key !== 'string' && typeof key !== 'number'))
    return UNKNOWN;
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && 'value' in descriptor ? descriptor.value : UNKNOWN;
}
