import { types } from 'node:util';
import type { SiteNumber } from '../probes.ts';
import { ObjectRecord } from './object-record.ts';
import type { Touch } from './touch.ts';
import { READ, WRITE } from './variable.ts';

/*
 * Caches, stores and clients of databases: objects with methods to get and to set something by its key. What they keep may
 * lie in a structure that says little (a list in typed arrays, ordered by use), in a package that is not instrumented or in
 * another process. But whoever writes `cache.get(key)` and `cache.set(key, value)` means an entry, and so do we. The
 * call stands for the access, though the store may take some time for it.
 */

/** The methods that read an entry, with the one that writes it; objects must have both. */
const PAIRS: readonly (readonly [reader: string, writer: string])[] = [
  ['get', 'set'],
  ['get', 'put'],
  ['getItem', 'setItem'],
];

const READERS: ReadonlySet<string> = new Set(['get', 'has', 'getItem']);
const WRITERS: ReadonlySet<string> = new Set(['set', 'put', 'setItem']);
const REMOVERS: ReadonlySet<string> = new Set(['delete', 'del', 'removeItem']);

/** Values such as dates and immutable collections have such methods too, but `set` of those makes another one. */
const METHODS_OF_VALUES = ['equals', 'valueOf', 'withMutations'] as const;

/** A call with one argument, or with `last` as the last of several. */
export function callOfStore(
  touch: Touch,
  object: object,
  record: ObjectRecord,
  name: string,
  site: SiteNumber,
  first: unknown,
  last: unknown,
): void {
  if (typeof first !== 'string' && typeof first !== 'number') return;
  // `app.get('/path', handler)` keeps something, whatever it is called.
  if (typeof last === 'function') return;
  record.isStore ??= isStore(object);
  if (!record.isStore) return;
  record.contents ??= new ObjectRecord('map');
  touch.name(object, record.contents, site, first);
  if (READERS.has(name) || REMOVERS.has(name)) touch.variable(object, record.contents, first, READ, site);
  if (WRITERS.has(name) || REMOVERS.has(name)) touch.variable(object, record.contents, first, WRITE, site);
}

function isStore(object: object): boolean {
  if (METHODS_OF_VALUES.some((name) => hasMethod(object, name))) return false;
  return PAIRS.some(([reader, writer]) => hasMethod(object, reader) && hasMethod(object, writer));
}

/** Whether it has, or inherits from a class of the program, such a method; none of its code runs. */
function hasMethod(object: object, name: string): boolean {
  let holder: object | null = object;
  while (holder !== null && holder !== Object.prototype && !types.isProxy(holder)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor !== undefined) return typeof descriptor.value === 'function';
    holder = Object.getPrototypeOf(holder);
  }
  return false;
}
