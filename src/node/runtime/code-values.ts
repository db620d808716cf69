import { types } from 'node:util';
import { isObject } from './stamp.ts';

/*
 * Values that are nothing but code: functions, classes, modules, and objects made of such. Whoever gets them from a module gets the
 * same ones as everybody else, however often it is asked for.
 */

/** Objects with more functions are not compared. */
const MOST_FUNCTIONS = 64;

/** Stands for all objects that hold the same functions under the same names. */
export class Bundle {
  readonly #more = new Map<string, WeakMap<object, Bundle>>();

  /** The bundle with one more function. */
  with(name: string, code: object): Bundle {
    let named = this.#more.get(name);
    if (named === undefined) {
      named = new WeakMap();
      this.#more.set(name, named);
    }
    let bundle = named.get(code);
    if (bundle === undefined) {
      bundle = new Bundle();
      named.set(code, bundle);
    }
    return bundle;
  }
}

const EMPTY = new Bundle();

/** The bundle that a plain object is; null for any other, and for one that is empty. None of the program's code runs. */
export function bundleOf(value: unknown): Bundle | null {
  if (!isObject(value) || types.isProxy(value)) return null;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  let bundle = EMPTY;
  let count = 0;
  for (const name in value) {
    const code: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
    if (typeof code !== 'function' || ++count > MOST_FUNCTIONS) return null;
    bundle = bundle.with(name, code);
  }
  return count === 0 ? null : bundle;
}

/** Whether two objects hold the same functions, and nothing else. */
export function areSameCode(one: unknown, other: unknown): boolean {
  const bundle = bundleOf(one);
  return bundle !== null && bundle === bundleOf(other);
}
