import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { Decoration } from '../core/decoration.ts';
import { ObjectRecord } from '../core/object-record.ts';
import { NO_STORE, type OwnRecord } from '../core/own-record.ts';
import { UNKNOWN } from '../core/variable.ts';
import { PREFIX, type SiteNumber } from '../probes.ts';
import { notePromise, type Touch } from './touch.ts';
import { writtenValue } from './written-value.ts';

/*
 * Caches, stores and clients of databases: objects with methods to get and to set something by its key. What they keep may
 * lie in a structure that says little (a list in typed arrays, ordered by use), in a package that is not instrumented or in
 * another process. But whoever writes `cache.get(key)` and `cache.set(key, value)` means an entry, and so do we. The
 * call stands for the access, though the store may take some time for it. Only of the program's own classes, those that look
 * something up by its key tell better themselves what they access, and when.
 */

/** The methods that read an entry, with the one that writes it; objects must have both. */
const PAIRS: readonly (readonly [reader: string, writer: string])[] = [
  ['get', 'set'],
  ['get', 'put'],
  ['getItem', 'setItem'],
];

const READERS: ReadonlySet<string> = new Set(['get', 'getAll', 'has', 'getItem']);
const WRITERS: ReadonlySet<string> = new Set(['set', 'put', 'setItem']);
const REMOVERS: ReadonlySet<string> = new Set(['delete', 'del', 'removeItem']);
/** What adds to an entry, in whatever order: `Headers`, `FormData` and `URLSearchParams` have that. */
const ADDER = 'append';
/** What reads all entries of these. */
const WHOLE_READERS: ReadonlySet<string> = new Set(['entries', 'forEach', 'keys', 'toString', 'values']);

/** Values such as dates and immutable collections have such methods too, but `set` of those makes another one. */
const METHODS_OF_VALUES = ['equals', 'valueOf', 'withMutations'] as const;

/** Those of an object itself decide before those that it inherits. */
const DECISIVE = [...PAIRS.flat(), ...METHODS_OF_VALUES];

/** Whether entries of an object are got and set by methods of its own; null until somebody asks. */
const stores = new Decoration<ObjectRecord, StoreFacts>('object', () => ({
  isStore: null,
  isCaseless: false,
}));

interface StoreFacts {
  isStore: boolean | null;
  /** Whether `Content-Type` and `content-type` are one entry, as in headers. */
  isCaseless: boolean;
}

/**
 * A call with one argument, or with `last` as the last of several; `value` is the second one. Whether the object is known to be no
 * store.
 */
export function callOfStore(
  touch: Touch,
  object: object,
  record: ObjectRecord,
  name: string,
  site: SiteNumber,
  first: unknown,
  last: unknown,
  value: unknown,
): boolean {
  if (WHOLE_READERS.has(name)) readWhole(touch, object, record, site);
  if (!isOfEntry(first, last)) return false;
  const known = stores.in(record);
  if (known.isStore === null) {
    known.isStore = isStore(object);
    known.isCaseless = known.isStore && methodOf(object, 'getSetCookie') !== null;
  }
  if (!known.isStore) return true;
  const key = known.isCaseless ? String(first).toLowerCase() : (first as string | number);
  record.contents ??= new ObjectRecord('map');
  touch.name(object, record.contents, site, key);
  const isRemoval = REMOVERS.has(name);
  if (READERS.has(name) || isRemoval) touch.variable(object, record.contents, key, Op.read, site);
  if (WRITERS.has(name) || isRemoval)
    write(touch, object, record.contents, key, site, isRemoval ? undefined : value);
  else if (name === ADDER) touch.update(object, record.contents, key, site);
  return false;
}

/** `app.get('/path', handler)` keeps something, whatever it is called. */
function isOfEntry(first: unknown, last: unknown): boolean {
  return (typeof first === 'string' || typeof first === 'number') && typeof last !== 'function';
}

/** Whether a method of this name may look at all entries. */
export function isOfWhole(name: string): boolean {
  return WHOLE_READERS.has(name);
}

/** Whether a call of such a method is nothing but that, as the object is no store; what was put off of it stays so. */
export function isPlainCall(
  object: object,
  own: OwnRecord,
  name: string,
  first: unknown,
  last: unknown,
): boolean {
  if (!isOfEntry(first, last)) return own.before === null || !WHOLE_READERS.has(name);
  if ((own.is & NO_STORE) !== 0) return true;
  if (isStore(object)) return false;
  own.is |= NO_STORE;
  return true;
}

/** `params.toString()`: of lists that the program has got or set entries of. */
function readWhole(touch: Touch, object: object, { contents }: ObjectRecord, site: SiteNumber): void {
  if (contents === null || methodOf(object, ADDER) === null) return;
  for (const { key } of contents.known()) touch.variable(object, contents, key, Op.read, site);
}

/** The store may have lost what was put there, but nobody's work is: what is the same is noted as such. */
function write(
  touch: Touch,
  object: object,
  contents: ObjectRecord,
  key: string | number,
  site: SiteNumber,
  value: unknown,
): void {
  notePromise(value);
  const variable = contents.variable(key, site);
  const isSame = variable.value !== UNKNOWN && variable.value === writtenValue(value);
  const { recorder } = touch;
  const known = recorder.factsOfWrite(variable, value, isSame, () => false);
  touch.variable(object, contents, key, Op.write, site, known);
  variable.value = writtenValue(value);
}

/** The prototypes of clients that tell themselves what they do to which store. */
const followed = new WeakSet<object>();

/** Objects of this class are followed by what their driver sends: calls of `get` and `set` count for nothing. */
export function leaveToDriver(prototype: object): void {
  followed.add(prototype);
  inheriting = new WeakMap();
}

function isFollowed(object: object): boolean {
  for (let each: object | null = object; each !== null; each = Object.getPrototypeOf(each))
    if (followed.has(each)) return true;
  return false;
}

/** What is so of all objects with a prototype that have none of those methods of their own: there are many, and few prototypes. */
let inheriting = new WeakMap<object, boolean>();

function isStore(object: object): boolean {
  const prototype = types.isProxy(object) ? null : Object.getPrototypeOf(object);
  if (prototype === null || DECISIVE.some((name) => Object.hasOwn(object, name))) return hasEntries(object);
  let known = inheriting.get(prototype);
  if (known === undefined) {
    known = hasEntries(object);
    inheriting.set(prototype, known);
  }
  return known;
}

function hasEntries(object: object): boolean {
  if (isFollowed(object)) return false;
  if (METHODS_OF_VALUES.some((name) => methodOf(object, name) !== null)) return false;
  return PAIRS.some(([reader, writer]) => {
    const read = methodOf(object, reader);
    return read !== null && methodOf(object, writer) !== null && !isLookup(read);
  });
}

/** What it has, or inherits from a class of the program, by this name; none of its code runs. */
function methodOf(object: object, name: string): object | null {
  let holder: object | null = object;
  while (holder !== null && holder !== Object.prototype && !types.isProxy(holder)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor !== undefined) return typeof descriptor.value === 'function' ? descriptor.value : null;
    holder = Object.getPrototypeOf(holder);
  }
  return null;
}

const textOf = Function.prototype.toString;

/** Instrumented, as a file of the program. */
const OWN = new RegExp(`\\b${PREFIX}\\d*_base\\b`);
/** A probe of an access to something by its key. */
const KEYED = /(?:methodArguments?|superArgument|readKey|hasKey)\b/;

/** What is known of methods: there are many objects, and few of these. */
const lookups = new WeakMap<object, boolean>();

/** Whether code of the program itself looks something up in this method, as its text tells. */
function isLookup(method: object): boolean {
  let known = lookups.get(method);
  if (known === undefined) {
    const text = textOf.call(method);
    known = OWN.test(text) && KEYED.test(text);
    lookups.set(method, known);
  }
  return known;
}
