import { isObject, recordOf } from './stamp.ts';

/** In place of a value of which nothing is known. */
export const UNKNOWN = Symbol('unknown');

/** Longer strings are not kept, nor compared. */
const LONGEST = 64;

/** What stands for a value that was written, so that the next one can be compared: not an object, which it would keep alive. */
export function writtenValue(value: unknown): unknown {
  if (isObject(value)) return recordOf(value);
  return typeof value === 'string' && value.length > LONGEST ? UNKNOWN : value;
}

/** Whether a value says only that something is so, or that nothing is there. */
export function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || value === null || value === undefined;
}

/** Whether a value that was written is known, and says that something is so or is there. */
export function isSomething(written: unknown): boolean {
  return written !== UNKNOWN && Boolean(written);
}
