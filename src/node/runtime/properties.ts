import { types } from 'node:util';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { ADD, kindOfUpdate, READ } from '../core/history.ts';
import { UNKNOWN } from '../core/variable.ts';
import type { Key, Probes, SiteNumber } from '../probes.ts';
import type { Counted } from './counted.ts';
import { enumerate, iterate, readDeep, take } from './elements.ts';
import { changeBy, decremented, incremented, minus, plus, step } from './operators.ts';
import { writeProperty } from './property-writes.ts';
import type { Element } from './shared-memory/shared-memory.ts';
import { placeOf, readStandIn } from './shared-memory/stand-ins.ts';
import type { SiteCache } from './site-cache.ts';
import { addAgain } from './staleness.ts';
import { isObject, recordOf } from './stamp.ts';
import { bufferOf, byteOffsetOf, lengthOf, notePromise, type Touch } from './touch.ts';

type PropertyProbes = Pick<
  Probes,
  | 'read'
  | 'readKey'
  | 'write'
  | 'writeIn'
  | 'written'
  | 'writtenKey'
  | 'deleted'
  | 'deletedKey'
  | 'changed'
  | 'readIn'
  | 'target'
  | 'tested'
  | 'changedIn'
  | 'writtenIn'
  | 'added'
  | 'subtracted'
  | 'incremented'
  | 'decremented'
  | 'hasKey'
  | 'taken'
  | 'enumerated'
  | 'assigned'
  | 'iterated'
  | 'copied'
>;

/** The program may replace its own one. */
const { isView } = ArrayBuffer;
const { isTypedArray } = types;

export function propertyProbes(touch: Touch): PropertyProbes {
  const { memory } = touch;
  const { recorder } = touch;
  const { tasks, own } = recorder;
  const { lists } = own;
  const { reads, writes } = tasks;

  /** The element of shared memory that an access by a key is to; null for everything else. */
  function shared(object: unknown, key: Key, site: SiteNumber): Element | null {
    return memory.isActive && isView(object) ? memory.elementAt(object, key, site) : null;
  }

  function read(object: unknown, key: Key, site: SiteNumber): void {
    if (reads.object[site] === object || !isObject(object)) return;
    if (typeof key === 'string' && own.read(object, key, site)) return;
    touch.property(object, key, Op.read, site);
    reads.noteObject(site, object);
  }

  /** Reads an element of an array, unless it is a proxy of one; loops read one after the other of one array at a site. */
  function readElement(array: readonly unknown[], index: number, site: SiteNumber): boolean {
    const elements = lists.element(array, index, READ, site);
    if (elements !== null) {
      reads.noteElements(site, array, elements);
      return true;
    }
    if (types.isProxy(array)) return false;
    const { epoch } = tasks;
    touch.variable(array, recordOf(array), index, Op.read, site);
    reads.noteElement(site, array, index, tasks.epoch === epoch);
    return true;
  }

  /** Whether an element of the list that was touched last at the site is put off with those before it. */
  function isPutOffThere(cache: SiteCache, key: number, length: number, site: SiteNumber): boolean {
    const elements = cache.elements[site];
    if (elements === null || elements.isGone || memory.isActive) return false;
    if (!(key >= 0 && key < length && Number.isInteger(key))) return false;
    const offset = cache.offset[site];
    elements.add(key + offset);
    if (elements.isWhole) {
      cache.from[site] = elements.from - offset;
      cache.to[site] = elements.to - offset;
    }
    return true;
  }

  /** What was put off of an element of memory. */
  function noteInView(
    cache: SiteCache,
    view: ArrayBufferView,
    buffer: object,
    index: number,
    kind: AccessKind,
    site: SiteNumber,
  ): boolean {
    if (memory.isActive) return false;
    const length = lengthOf.call(view) as number;
    if (index >= length) return true;
    const { BYTES_PER_ELEMENT } = view as Uint8Array;
    const offset = (byteOffsetOf.call(view) as number) / BYTES_PER_ELEMENT;
    const elements = lists.byte(buffer, (offset + index) * BYTES_PER_ELEMENT, BYTES_PER_ELEMENT, kind, site);
    if (elements === null) return false;
    cache.noteElements(site, view, elements, offset, length, buffer);
    return true;
  }

  /** The same for a view of memory. */
  function readInView(view: ArrayBufferView, index: number, site: SiteNumber): void {
    const buffer = memoryOf(view, reads, site);
    if (noteInView(reads, view, buffer, index, Op.read, site)) return;
    const { epoch } = tasks;
    if (touch.element(view, buffer, index, Op.read, site))
      reads.noteElement(site, view, index, tasks.epoch === epoch, buffer);
  }

  /** A view holds numbers and nothing else, so of what is to be known of a write nothing applies. */
  function writeInView(view: ArrayBufferView, index: number, site: SiteNumber): void {
    const buffer = memoryOf(view, writes, site);
    if (noteInView(writes, view, buffer, index, Op.write, site)) return;
    touch.element(view, buffer, index, Op.write, site);
    writes.note(site, view, buffer);
  }

  function memoryOf(view: ArrayBufferView, cache: SiteCache, site: SiteNumber): object {
    const known = cache.object[site] === view ? cache.key[site] : null;
    // It may also be a name that was used there before.
    return isObject(known) ? known : bufferOf(view);
  }

  function readElsewhere<T>(object: T, key: Key, site: SiteNumber): T {
    if (isIndex(key) && Array.isArray(object) && readElement(object, key, site)) return object;
    const element = shared(object, key, site);
    if (element !== null) return readStandIn(memory, element, site) as typeof object;
    if (isIndex(key) && isTypedArray(object)) readInView(object, key, site);
    else readKeyed(object, key, site);
    return object;
  }

  /** An element of the list whose element was written last at the site. */
  function writeAgain(list: object, key: number, site: SiteNumber, value: unknown): void {
    const length = Array.isArray(list) ? list.length : writes.length[site];
    const isThere = value !== null && value !== undefined && isPutOffThere(writes, key, length, site);
    if (isThere) notePromise(value);
    else write(list, key, site, value);
  }

  function write(object: unknown, key: Key, site: SiteNumber, value: unknown): void {
    if (writes.object[site] === object && writes.key[site] === key) return;
    if (!isObject(object) || shared(object, key, site) !== null) return;
    if (isIndex(key) && isTypedArray(object)) {
      writeInView(object, key, site);
      return;
    }
    if (isIndex(key) && Array.isArray(object)) {
      const elements = lists.write(object, key, site, value);
      if (elements !== null) {
        writes.noteElements(site, object, elements);
        return;
      }
    }
    const isPutOff = typeof key === 'string' && own.write(object, key, site, value);
    if (isPutOff !== false ? isPutOff : writeProperty(touch, object, key, site, value))
      writes.note(site, object, key);
  }

  /** A write of something, by a key that may be another one each time. */
  function writeKeyed(object: unknown, key: Key, site: SiteNumber): void {
    if (!isObject(object)) return;
    const isPutOff =
      typeof key === 'string'
        ? own.write(object, key, site, UNKNOWN) !== false
        : isIndex(key) && lists.write(object, key, site, UNKNOWN) !== null;
    if (!isPutOff) writeProperty(touch, object, key, site, UNKNOWN);
  }

  /** Removes a property, if it is there at all. */
  function remove(object: unknown, key: Key, site: SiteNumber): void {
    if (isObject(object)) write(object, key, site, isMissing(object, key) ? undefined : UNKNOWN);
  }

  function update(object: unknown, key: Key, site: SiteNumber, by: number | null, value: unknown): void {
    const kind = by === null ? 0 : kindOfUpdate(by);
    if (writes.object[site] === object && writes.from[site] === kind && writes.key[site] === key) {
      const counted = writes.counted[site];
      if (counted === null || addsAgain(counted, by as number)) return;
    }
    updateElsewhere(object, key, site, by, kind, value);
  }

  /** An update of something else than the last one at its place that was put off, or of another kind. */
  function updateElsewhere(
    object: unknown,
    key: Key,
    site: SiteNumber,
    by: number | null,
    kind: number,
    value: unknown,
  ): void {
    if (shared(object, key, site) !== null) return;
    if (by !== null) {
      if (isObject(object) && own.updatesAgain(object, key, site, kind)) return;
      const { epoch } = tasks;
      const isNoted = isObject(object) && isPutOff(object, key, site, by);
      const variable = isNoted ? null : touch.updateProperty(object, key, site, by, value);
      const counted = variable === null || !own.isOn ? null : recorder.countedNow(variable, by);
      if ((isNoted || counted !== null) && tasks.epoch === epoch)
        writes.noteUpdate(site, object, key, kind, counted);
    } else if (!isSumPutOff(object, key, site, value)) {
      touch.property(object, key, Op.read, site);
      touch.property(object, key, Op.write, site, undefined, value);
    }
  }

  /** Of texts, for example. */
  function isSumPutOff(object: unknown, key: Key, site: SiteNumber, value: unknown): boolean {
    if (!isObject(object) || typeof key !== 'string') return false;
    return own.readKeyed(object, key, site) && own.write(object, key, site, value) !== false;
  }

  function isPutOff(object: object, key: Key, site: SiteNumber, by: number): boolean {
    if (typeof key === 'string') return own.update(object, key, site, by);
    return isIndex(key) && lists.element(object, key, ADD, site) !== null;
  }

  /** A read by a key that may be another one each time. */
  function readKeyed(object: unknown, key: Key, site: SiteNumber): void {
    if (!isObject(object)) return;
    const isPutOff =
      typeof key === 'string'
        ? own.readKeyed(object, key, site)
        : isIndex(key) && lists.element(object, key, READ, site) !== null;
    if (!isPutOff) touch.property(object, key, Op.read, site);
  }

  return {
    read(object, key, site) {
      read(object, key, site);
      return object;
    },
    readKey(object, key, site) {
      readKeyed(object, key, site);
      return key;
    },
    write(object, key, site, value) {
      if (writes.object[site] !== object) write(object, key, site, value);
      return value;
    },
    writeIn(object, key, site, value) {
      if (typeof key !== 'number' || writes.object[site] !== object) {
        write(object, key, site, value);
      } else if (!(key >= writes.from[site] && key < writes.to[site] && isNumberOrText(value))) {
        writeAgain(object as object, key, site, value);
      }
      return value;
    },
    written(object, key, site) {
      write(object, key, site, UNKNOWN);
      return object;
    },
    writtenKey(object, key, site) {
      writeKeyed(object, key, site);
      return key;
    },
    deleted(object, key, site) {
      remove(object, key, site);
      return object;
    },
    deletedKey(object, key, site) {
      if (isObject(key)) writeProperty(touch, object, key, site, UNKNOWN);
      else remove(object, key as Key, site);
      return key;
    },
    changed(object, key, site) {
      read(object, key, site);
      write(object, key, site, UNKNOWN);
      return object;
    },
    readIn(object, key, site) {
      if (typeof key === 'number' && reads.object[site] === object) {
        if (key >= reads.from[site] && key < reads.to[site]) return object;
        if (isPutOffThere(reads, key, reads.length[site], site)) return object;
      }
      return readElsewhere(object, key, site);
    },
    target(object, key, site) {
      if (!memory.isActive) return object;
      const element = shared(object, key, site);
      return element === null ? object : (placeOf(memory, element, site) as typeof object);
    },
    tested(object, key, site) {
      const element = shared(object, key, site);
      if (element !== null) return placeOf(memory, element, site) as typeof object;
      readKeyed(object, key, site);
      return object;
    },
    changedIn(object, key, site) {
      const element = shared(object, key, site);
      if (element !== null) return placeOf(memory, element, site) as typeof object;
      readKeyed(object, key, site);
      writeKeyed(object, key, site);
      return object;
    },
    writtenIn(object, key, site) {
      if (typeof key === 'number' && writes.elements[site] !== null && writes.object[site] === object) {
        writeAgain(object as object, key, site, UNKNOWN);
        return object;
      }
      const element = shared(object, key, site);
      if (element !== null) return placeOf(memory, element, site) as typeof object;
      write(object, key, site, UNKNOWN);
      return object;
    },
    added(object, key, site, old, by) {
      const value = plus(old, by);
      update(object, key, site, changeBy(old, by, 1), value);
      return value;
    },
    subtracted(object, key, site, old, by) {
      const value = minus(old, by);
      update(object, key, site, changeBy(old, by, -1), value);
      return value;
    },
    incremented(object, key, site, old) {
      const value = incremented(old);
      update(object, key, site, step(old, 1), value);
      return value;
    },
    decremented(object, key, site, old) {
      const value = decremented(old);
      update(object, key, site, step(old, -1), value);
      return value;
    },
    hasKey(object, key, site) {
      readKeyed(object, key, site);
      return object;
    },
    taken(object, keys, site) {
      if (!isObject(object)) return object;
      if (keys === undefined) enumerate(touch, object, site, true);
      else if (!own.take(object, keys, site)) take(touch, object, keys, site);
      return object;
    },
    enumerated(object, site, values) {
      if (isObject(object)) enumerate(touch, object, site, values);
      return object;
    },
    assigned(target, source, site) {
      if (!isObject(source)) return source;
      enumerate(touch, source, site, true);
      if (isObject(target) && !types.isProxy(source))
        for (const key of Reflect.ownKeys(source)) writeProperty(touch, target, key, site, UNKNOWN);
      return source;
    },
    iterated(object, site, most) {
      if (!isObject(object)) return object;
      if (!most) touch.recorder.looks.noteRound(object);
      iterate(touch, object, site, most);
      return object;
    },
    copied(object, site, isFresh) {
      if (isObject(object)) readDeep(touch, object, site, isFresh);
      return object;
    },
  };
}

/** So much is added once more, and that is all there is to be noted of it. */
function addsAgain(counted: Counted, by: number): boolean {
  if (counted.isGone || counted.by !== by || !addAgain(counted.variable, by)) return false;
  counted.count++;
  counted.left++;
  return true;
}

function isNumberOrText(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function isIndex(key: unknown): key is number {
  return typeof key === 'number' && key >= 0 && Number.isInteger(key);
}

function isMissing(object: object, key: Key): boolean {
  return !types.isProxy(object) && !Object.hasOwn(object, key as PropertyKey);
}
