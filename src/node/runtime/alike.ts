import { types } from 'node:util';
import { isObject } from './stamp.ts';
import { isFlag, isFoundIn, writtenValue } from './written-value.ts';

/*
 * Compares what two tasks have made of one result, each for itself: `{ value, until: Date.now() + ttl }`. The objects are not kept, only
 * what stands for their parts.
 */

/** So deep are they looked into: `{ data, meta: { at } }`. */
const DEEPEST = 2;

/** Objects with more properties are not compared. */
const MOST_PROPERTIES = 32;

/** Who waited for the same promise goes on at about the same time, in milliseconds. */
const ABOUT_THE_SAME = 60_000;

/** A number is taken for a time if it is not further off than this, in milliseconds. */
const YEAR = 366 * 86_400_000;

const ISO_TIME = /^\d{4}-\d\d-\d\dT/;

/** A point in time, in milliseconds. */
class Time {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }
}

/** What stands for the parts of a value that holds the result, or a part of it, or is a time; null for any other. */
export function partsOf(value: unknown, result: unknown): readonly unknown[] | null {
  const time = timeOf(value);
  if (time !== null) return [writtenValue(result), time];
  const parts: unknown[] = [];
  return isObject(value) && addParts(parts, value, result, DEEPEST) ? parts : null;
}

export function areAlike(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((part, i) => isAlike(part, others[i]));
}

function isAlike(part: unknown, other: unknown): boolean {
  if (part instanceof Time && other instanceof Time) return Math.abs(part.at - other.at) <= ABOUT_THE_SAME;
  return Object.is(part, other);
}

/** Whether the result was found among the properties; none of the program's code runs. */
function addParts(parts: unknown[], object: object, result: unknown, depth: number): boolean {
  if (types.isProxy(object)) return false;
  let isFound = false;
  const keys = Object.getOwnPropertyNames(object);
  if (keys.length > MOST_PROPERTIES) return false;
  for (const key of keys) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    const value: unknown = descriptor?.value;
    if (!isFlag(value) && isFoundIn(result, value)) {
      isFound = true;
      parts.push(key, writtenValue(value));
      continue;
    }
    const time = timeOf(value);
    if (time === null && isObject(value) && depth > 1) {
      parts.push(key);
      if (addParts(parts, value, result, depth - 1)) isFound = true;
    } else {
      parts.push(key, time ?? writtenValue(value));
    }
  }
  return isFound;
}

function timeOf(value: unknown): Time | null {
  if (types.isDate(value)) return new Time(Date.prototype.getTime.call(value));
  if (typeof value === 'string') return ISO_TIME.test(value) ? new Time(Date.parse(value)) : null;
  if (typeof value !== 'number') return null;
  const now = Date.now();
  const at = [value, value * 1000].find((milliseconds) => Math.abs(milliseconds - now) < YEAR);
  return at === undefined ? null : new Time(at);
}
