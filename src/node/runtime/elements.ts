import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { KEYS, type ObjectKind, type ObjectRecord, SIZE } from '../core/object-record.ts';
import type { SiteNumber, TakenKey } from '../probes.ts';
import { readView } from './byte-views.ts';
import { MOST_COPIED, MOST_KNOWN } from './ranges.ts';
import { findKind, isObject, kindOf, recordOf } from './stamp.ts';
import { contentsOf, entryKey, type Touch } from './touch.ts';

/*
 * Reads of objects as a whole: all elements, entries or properties. Of what has many, only those count that somebody has
 * touched by themselves: the rest is a table, which whoever changes it changes elsewhere, too.
 */

/** So many objects are looked into where all that can be reached is read. */
const MOST_REACHED = 64;

/** `most` elements, if not all. */
export function readElements(
  touch: Touch,
  array: readonly unknown[],
  record: ObjectRecord,
  site: SiteNumber,
  most = Number.POSITIVE_INFINITY,
): void {
  touch.variable(array, record, SIZE, Op.read, site);
  record.wasGoneThrough = true;
  const count = Math.min(array.length, most);
  if (count <= MOST_COPIED) {
    for (let i = 0; i < count; i++) touch.variable(array, record, i, Op.read, site);
    return;
  }
  let known = 0;
  for (const { key } of record.known()) {
    if (++known > MOST_KNOWN) return;
    if (typeof key === 'number' && key < count) touch.variable(array, record, key, Op.read, site);
  }
}

const sizeIn = (prototype: object) =>
  Object.getOwnPropertyDescriptor(prototype, 'size')?.get as (this: unknown) => number;
const mapSize = sizeIn(Map.prototype);
const setSize = sizeIn(Set.prototype);
const mapKeys = Map.prototype.keys;
const setKeys = Set.prototype.keys;
const nextOf = Object.getPrototypeOf(new Map().keys()).next;
const nextOfSet = Object.getPrototypeOf(new Set().keys()).next;

/** The keys of a Map or Set, whatever the program has made of their methods. */
function* keysOf(object: Map<unknown, unknown> | Set<unknown>): Generator<unknown> {
  const isMap = types.isMap(object);
  const keys = isMap ? mapKeys.call(object) : setKeys.call(object as Set<unknown>);
  const next = isMap ? nextOf : nextOfSet;
  for (let step = next.call(keys); step.done !== true; step = next.call(keys)) yield step.value;
}

export function readEntries(
  touch: Touch,
  object: Map<unknown, unknown> | Set<unknown>,
  contents: ObjectRecord,
  site: SiteNumber,
  most = Number.POSITIVE_INFINITY,
): void {
  touch.variable(object, contents, SIZE, Op.read, site);
  if (most === 0 || most > MOST_COPIED)
    for (const { key } of contents.known()) touch.variable(object, contents, key, Op.read, site);
  const all = (types.isMap(object) ? mapSize : setSize).call(object);
  const count = Math.min(all, most);
  if (count > MOST_COPIED) return;
  const keys = keysOf(object);
  for (let i = 0; i < count; i++)
    touch.variable(object, contents, entryKey(keys.next().value), Op.read, site);
}

/** `for (x of o)` and the like; `most` says how many elements are read, if not all. */
export function iterate(touch: Touch, object: object, site: SiteNumber, most?: number): void {
  if (Array.isArray(object) && touch.recorder.own.lists.iterate(object, site, most)) return;
  const record = recordOf(object);
  const kind = kindOf(object, record);
  if (kind === 'array') readElements(touch, object as unknown[], record, site, most);
  else if (kind === 'typed-array') readView(touch, object as ArrayBufferView, site);
  else if (kind === 'map' || kind === 'set')
    readEntries(touch, object as Map<unknown, unknown>, contentsOf(object, record), site, most);
}

/** The keys of an object, and with `values` also what is behind them. */
export function enumerate(touch: Touch, object: object, site: SiteNumber, values: boolean): void {
  if (values && touch.recorder.own.enumerate(object, site)) return;
  const record = recordOf(object);
  touch.variable(object, record, KEYS, Op.read, site);
  if (!values) return;
  for (const variable of record.known()) touch.recorder.access(variable, Op.read, site);
  if (types.isProxy(object)) return;
  const keys = Object.keys(object);
  if (keys.length <= MOST_COPIED) for (const key of keys) touch.property(object, key, Op.read, site);
}

/** Reads of what a pattern takes; within values only as far as they are found without running the program's code. */
export function take(touch: Touch, object: object, keys: readonly TakenKey[], site: SiteNumber): void {
  for (const key of keys) {
    if (typeof key === 'string') {
      touch.property(object, key, Op.read, site);
      continue;
    }
    const [outer, inner] = key;
    touch.property(object, outer, Op.read, site);
    const value: unknown = types.isProxy(object)
      ? undefined
      : Object.getOwnPropertyDescriptor(object, outer)?.value;
    if (isObject(value)) take(touch, value, inner, site);
  }
}

/** All that can be reached from an object, without running the program's code; the object itself does not count if it `isFresh`. */
export function readDeep(touch: Touch, root: object, site: SiteNumber, isFresh = false): void {
  if (isFresh && isFlat(root)) return;
  const seen = new Set([root]);
  for (const object of seen) {
    if (isFresh && object === root) {
      addInner(seen, object, findKind(object));
      continue;
    }
    const kind = findKind(object);
    if (kind === 'object' && typeof object !== 'function') enumerate(touch, object, site, true);
    else iterate(touch, object, site);
    if (seen.size < MOST_REACHED) addInner(seen, object, kind);
  }
}

/** Whether nothing is to be found in an object that a literal has made, without accessors. */
function isFlat(object: object): boolean {
  if (Object.getPrototypeOf(object) === Object.prototype) {
    // Takes a third of the time of `Object.values`.
    for (const key in object)
      if (Object.hasOwn(object, key) && isInner((object as Record<string, unknown>)[key])) return false;
    return true;
  }
  if (types.isMap(object) || types.isSet(object)) return false;
  const values: readonly unknown[] = Array.isArray(object) ? object : Object.values(object);
  for (let i = 0; i < values.length; i++) if (isInner(values[i])) return false;
  return true;
}

function isInner(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

function addInner(seen: Set<object>, object: object, kind: ObjectKind): void {
  const add = (value: unknown) => {
    if (typeof value === 'object' && value !== null && seen.size < MOST_REACHED) seen.add(value);
  };
  if (kind === 'map') mapForEach.call(object as Map<unknown, unknown>, add);
  else if (kind === 'set') setForEach.call(object as Set<unknown>, add);
  else if (kind === 'object' || kind === 'array')
    for (const key of Object.keys(object).slice(0, MOST_REACHED))
      add(Object.getOwnPropertyDescriptor(object, key)?.value);
}
