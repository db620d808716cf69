import { types } from 'node:util';
import { type ObjectKind, ObjectRecord } from '../core/object-record.ts';
import { OwnRecord } from '../core/own-record.ts';
import type { Stretch } from '../core/stretch.ts';
import { Given } from '../support/given.ts';

/**
 * Ties a record to an object by a private field: no code of the program can see it, no trap of a proxy notices, and
 * frozen objects take it too. A WeakMap took 1.8 µs for an object that soon dies where this takes 0.12 µs, most of
 * it in the garbage collector (bench/javascript/stamp.mjs).
 */
class Stamp extends Given {
  #record: ObjectRecord | OwnRecord | undefined;

  static find(object: object): ObjectRecord | OwnRecord | undefined {
    return #record in object ? (object as Stamp).#record : undefined;
  }

  /*
   * The same once more, and not by a call of the other one: the engine keeps which shapes it has seen for each place in the code, and finds the
   * field at once where there are few.
   */
  static ofPromise(promise: object): ObjectRecord | OwnRecord | undefined {
    return #record in promise ? (promise as Stamp).#record : undefined;
  }

  static ofRead(object: object): ObjectRecord | OwnRecord | undefined {
    return #record in object ? (object as Stamp).#record : undefined;
  }

  static ofList(list: object): ObjectRecord | OwnRecord | undefined {
    return #record in list ? (list as Stamp).#record : undefined;
  }

  /** What is put off of it, whether it stands for itself or is kept by a record. */
  static own(object: object): OwnRecord | null {
    return #record in object ? ((object as Stamp).#record?.own ?? null) : null;
  }

  static put(object: object, record: ObjectRecord | OwnRecord): void {
    new Stamp(object).#record = record;
  }

  static replace(object: object, record: ObjectRecord): void {
    (object as Stamp).#record = record;
  }
}

/** For objects that take no more private fields: the language may come to refuse them on frozen ones. */
const unstamped = new WeakMap<object, ObjectRecord>();

/** The record of an object, if it has one. */
export function findRecord(object: object): ObjectRecord | undefined {
  return wholeRecord(object, Stamp.find(object));
}

/** The same for an object that is known to be a promise. */
export function findRecordOfPromise(promise: object): ObjectRecord | undefined {
  return wholeRecord(promise, Stamp.ofPromise(promise));
}

function wholeRecord(object: object, known: ObjectRecord | OwnRecord | undefined): ObjectRecord | undefined {
  if (known === undefined) return stampsFail ? unstamped.get(object) : undefined;
  if (known instanceof OwnRecord) return unfoldNew(object, known);
  if (known.own !== null) unfold(object, known);
  return known;
}

/** Somebody wants to know what is known of an object: what was put off is put into its record. */
export function unfold(object: object, record: ObjectRecord): void {
  const { own } = record;
  if (own === null) return;
  record.own = null;
  record.unfoldedIn = own.stretch.epoch;
  forgetElements(own);
  own.stretch.unfold(object, own, record);
}

/** Places that know them have to ask again. */
function forgetElements(own: OwnRecord): void {
  for (let each = own.elements; each !== null; each = each.next) each.isGone = true;
}

function unfoldNew(object: object, own: OwnRecord): ObjectRecord {
  const record = new ObjectRecord(null);
  Stamp.replace(object, record);
  record.unfoldedIn = own.stretch.epoch;
  forgetElements(own);
  own.stretch.unfold(object, own, record);
  return record;
}

/** What was put off of an object in this epoch or an earlier one; null if nothing was. */
export function putOffOf(object: object): OwnRecord | null {
  return Stamp.own(object);
}

/** What is known of an object, be it in a record or put off. */
export function knownOf(object: object): ObjectRecord | OwnRecord | undefined {
  return Stamp.find(object);
}

/** The same for an object of which a property is read, as most are. */
export function knownWhereRead(object: object): ObjectRecord | OwnRecord | undefined {
  return Stamp.ofRead(object);
}

/** The same for an object that is known to be an array. */
export function knownOfList(list: object): ObjectRecord | OwnRecord | undefined {
  return Stamp.ofList(list);
}

/** What is put off of an object in this epoch, where nothing is so far; null if nothing can be. `known`: what is known of it. */
export function ownRecordOf(
  object: object,
  known: ObjectRecord | OwnRecord | undefined,
  stretch: Stretch,
  remember: (object: object) => void,
): OwnRecord | null {
  if (known === undefined) {
    if (stampsFail) return null;
    const own = new OwnRecord(stretch, null);
    Stamp.put(object, own);
    remember(object);
    return own;
  }
  if (!(known instanceof OwnRecord)) return ownRecordIn(known, object, stretch, remember);
  return ownRecordIn(unfoldNew(object, known), object, stretch, remember);
}

/** The same for one that has a record. */
export function ownRecordIn(
  record: ObjectRecord,
  object: object,
  stretch: Stretch,
  remember: (object: object) => void,
): OwnRecord | null {
  if (record.own !== null) {
    if (record.own.stretch.epoch === stretch.epoch) return record.own;
    unfold(object, record);
  }
  if (record.unfoldedIn === stretch.epoch || !record.isOwnedBy(stretch.task)) return null;
  record.own = new OwnRecord(stretch, record);
  remember(object);
  return record.own;
}

let stampsFail = false;

export function recordOf(object: object): ObjectRecord {
  const known = findRecord(object);
  if (known !== undefined) return known;
  const record = new ObjectRecord(null);
  try {
    Stamp.put(object, record);
  } catch {
    stampsFail = true;
    unstamped.set(object, record);
  }
  return record;
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** What kind of object it is; none of its code runs. */
export function kindOf(object: object, record: ObjectRecord): ObjectKind {
  record.kind ??= findKind(object);
  return record.kind;
}

/** Objects that inherit from none of these have no methods of the language to get at entries or elements. */
const WITH_ENTRIES: ReadonlySet<object> = new Set([
  ...[Map, Set, WeakMap, WeakSet, Array, RegExp, SharedArrayBuffer].map(
    ({ prototype }) => prototype as object,
  ),
  Object.getPrototypeOf(Uint8Array.prototype),
]);

/** What is known of that by the prototypes of objects, of which there are many. */
const inheritingNone = new WeakMap<object, boolean>();

/** Whether an object has no entries or elements, and is no regular expression, as far as its class tells. */
export function hasNoEntries(object: object): boolean {
  if (types.isProxy(object)) return false;
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype) return true;
  if (prototype === null) return false;
  let known = inheritingNone.get(prototype);
  if (known === undefined) {
    known = inheritsNone(prototype);
    inheritingNone.set(prototype, known);
  }
  return known;
}

function inheritsNone(prototype: object): boolean {
  for (let each: object | null = prototype; each !== null; each = Object.getPrototypeOf(each))
    if (WITH_ENTRIES.has(each) || types.isProxy(each)) return false;
  return true;
}

/** Made by a literal or the like: most objects are, and to ask for each kind of container takes a while. */
function isPlain(object: object): boolean {
  return !types.isProxy(object) && Object.getPrototypeOf(object) === Object.prototype;
}

export function findKind(object: object): ObjectKind {
  if (typeof object === 'function') return 'object';
  // Of a proxy for an array, `Array.isArray` says that it is one.
  if (Array.isArray(object)) return types.isProxy(object) ? 'proxy' : 'array';
  if (isPlain(object)) return 'object';
  if (types.isMap(object)) return 'map';
  if (types.isSet(object)) return 'set';
  if (types.isTypedArray(object)) return 'typed-array';
  if (types.isSharedArrayBuffer(object)) return 'shared-memory';
  if (types.isWeakMap(object)) return 'weak-map';
  if (types.isWeakSet(object)) return 'weak-set';
  return types.isProxy(object) ? 'proxy' : 'object';
}
