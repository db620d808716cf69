import { Given } from './given.ts';

/** The program may replace its own one. */
const { defineProperty } = Reflect;

/** Defines a property as it is said, whatever the program has put on `Object.prototype`; false if that is not possible. */
export function define(object: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean {
  return defineProperty(object, key, { __proto__: null, ...descriptor } as PropertyDescriptor);
}

/** What replacements stand for, as their texts tell. */
class Replacement extends Given {
  #original: object | undefined;

  static put(replacement: object, original: object): void {
    if (#original in replacement) (replacement as Replacement).#original = original;
    else new Replacement(replacement).#original = original;
  }

  static original(value: object): object | undefined {
    return #original in value ? (value as Replacement).#original : undefined;
  }
}

export function standsFor(replacement: object, original: object): void {
  Replacement.put(replacement, original);
}

export function originalOf(value: unknown): unknown {
  const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isObject ? (Replacement.original(value) ?? value) : value;
}

/** The replacement with the name, length and other properties of what it replaces. */
export function dressed<F extends (...values: never[]) => unknown>(replacement: F, original: object): F {
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'prototype' || key === 'caller' || key === 'arguments') continue;
    const descriptor = Object.getOwnPropertyDescriptor(original, key);
    if (descriptor !== undefined && !isSame(replacement, key, descriptor))
      define(replacement, key, descriptor);
  }
  standsFor(replacement, original);
  return replacement;
}

/** Whether it has that already: functions whose name and length are changed are slow, and take more room. */
function isSame(
  object: object,
  key: PropertyKey,
  { value, writable, enumerable, configurable }: PropertyDescriptor,
) {
  const known = Object.getOwnPropertyDescriptor(object, key);
  return (
    known !== undefined &&
    'value' in known &&
    known.value === value &&
    known.writable === writable &&
    known.enumerable === enumerable &&
    known.configurable === configurable
  );
}

/** The function without a `prototype`: as methods, async functions and most of what is built in. */
function asMethod(made: (...values: never[]) => unknown): (...values: never[]) => unknown {
  return {
    method(this: unknown, ...values: never[]) {
      return Reflect.apply(made, this, values);
    },
  }.method;
}

/** What was replaced, so that it can be put back. */
export class Patches {
  readonly #undo: (() => void)[] = [];

  /** Replaces a method by what `wrap` makes of it; does nothing if there is none, or it cannot be replaced. */
  replace(
    object: object,
    key: PropertyKey,
    wrap: (original: (...values: unknown[]) => unknown) => (...values: never[]) => unknown,
  ): void {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor === undefined || typeof descriptor.value !== 'function') return;
    const original = descriptor.value as (...values: unknown[]) => unknown;
    const made = wrap(original);
    const isAlike = Object.hasOwn(original, 'prototype') || !Object.hasOwn(made, 'prototype');
    const value = dressed(isAlike ? made : asMethod(made), original);
    if (!define(object, key, { ...descriptor, value })) return;
    this.#undo.push(() => {
      if (Object.getOwnPropertyDescriptor(object, key)?.value === value) define(object, key, descriptor);
    });
  }

  undo(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo.length = 0;
  }
}
