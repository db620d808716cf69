import { types } from 'node:util';
import { UNKNOWN } from '../core/variable.ts';
import { bundleOf } from './code-values.ts';
import { isObject, recordOf } from './stamp.ts';

/** Longer strings are not kept, nor compared. */
const LONGEST = 64;

/** What stands for a value that was written, so that the next one can be compared: not an object, which it would keep alive. */
export function writtenValue(value: unknown): unknown {
  if (isObject(value)) return bundleOf(value) ?? recordOf(value);
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

/** So deep are results looked into: `response.data.token`. */
const DEEPEST = 2;

/** So many properties of a result are looked at. */
const MOST_PROPERTIES = 32;

/** Whether a value is the result, or a property of it; none of the program's code runs. */
export function isFoundIn(result: unknown, value: unknown, depth = DEEPEST): boolean {
  if (Object.is(result, value)) return true;
  if (depth === 0 || !isObject(result) || types.isProxy(result)) return false;
  const keys = Object.getOwnPropertyNames(result);
  for (let i = 0; i < keys.length && i < MOST_PROPERTIES; i++) {
    const descriptor = Object.getOwnPropertyDescriptor(result, keys[i]);
    if (descriptor !== undefined && 'value' in descriptor && isFoundIn(descriptor.value, value, depth - 1))
      return true;
  }
  return false;
}
