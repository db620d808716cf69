import { types } from 'node:util';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { isWithin, outermost } from '../core/ancestry.ts';
import {
  ADD,
  ALL,
  DOWN,
  EMPTY,
  FILL,
  FIRST,
  History,
  IDLE,
  READ,
  SAME,
  UP,
  UPDATE,
  WRITE,
} from '../core/history.ts';
import { PLACE } from '../core/log.ts';
import { KEYS, ObjectRecord, SIZE } from '../core/object-record.ts';
import { OwnElements, type OwnRecord } from '../core/own-record.ts';
import { Place } from '../core/place.ts';
import { type DoneBy, Stretch, type Unfold } from '../core/stretch.ts';
import { RUNNING } from '../core/task.ts';
import { UNKNOWN } from '../core/variable.ts';
import type { TakenKey } from '../probes.ts';
import { replay } from './own-replay.ts';
import { MOST_COPIED } from './ranges.ts';
import type { Recorder } from './recorder.ts';
import { isStale } from './staleness.ts';
import { findRecord, ownRecordIn, ownRecordOf, ownRecordOfList, unfold } from './stamp.ts';
import { isAlike, isPrivate, notePromise } from './touch.ts';

/*
 * What a task does to objects that nobody else has touched, put off until somebody comes: "Own objects" in
 * docs/explanation/javascript-internals.md.
 */

/** So many accesses of a segment are logged before any is put off: most segments are over by then. */
const FROM = 1000;

/** So many objects are remembered that were the last ones to be touched for the first time. */
const RECENT = 64;

/** Elements further behind are logged at once. */
const MOST_ELEMENTS = 1 << 22;

/** Elements of one list may be accessed at so many places. */
const MOST_PLACES = 16;

/** So many keys are known that are not written down in the program. */
const MOST_KEYS = 10_000;

export class OwnObjects {
  readonly #recorder: Recorder;
  readonly #from: number;
  readonly #unfold: Unfold;
  readonly #start = new History();
  #stretch: Stretch | null = null;
  /** The key of each site; those of sites that have several are numbered. */
  readonly #keys: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #recent: (object | null)[] = new Array(RECENT).fill(null);
  #next = 0;

  constructor(recorder: Recorder, from = FROM) {
    this.#recorder = recorder;
    this.#from = from;
    this.#unfold = (object, own, record) => replay(recorder, object, own, record, this.#doneBy(own.stretch));
  }

  // ---- Properties ----------------------------------------------------------------------------------------------

  /** Whether the access need not be logged for now. */
  read(object: object, key: string, site: number): boolean {
    const own = this.#own(object);
    return own !== null && this.#note(own, READ, site, key);
  }

  /** The same; undefined if the next one at the same place may be another one. */
  write(object: object, key: string, site: number, value: unknown): boolean | undefined {
    const own = this.#own(object);
    if (own === null) return false;
    const before = own.before === null ? NEW : stateBefore(own.before, object, key);
    if (before === UNCERTAIN) return false;
    let kind = WRITE;
    if (value === null || value === undefined) kind = before === NEW && isMissing(object, key) ? IDLE : EMPTY;
    if (before === READ_ONLY || !this.#note(own, kind, site, key)) {
      const first = kindOfFirst(object, key, value);
      if (first === null || !this.#note(own, first, site, key)) return false;
      kind = first;
    }
    if (kind === IDLE || kind === SAME) return undefined;
    notePromise(value);
    return true;
  }

  update(object: object, key: string, site: number, by: number): boolean {
    const own = this.#own(object);
    if (own === null || mayBeStale(own, key)) return false;
    return this.#note(own, by === 1 ? UP : by === -1 ? DOWN : ADD, site, key);
  }

  #note(own: OwnRecord, kind: number, site: number, key: string): boolean {
    const number = this.#keys[site] === key ? 0 : this.#numberOf(site, key);
    const after = number < 0 ? null : own.history.after(kind, site, key, number);
    if (after === null) return false;
    own.history = after;
    return true;
  }

  /** 0 for the first key of a site. */
  #numberOf(site: number, key: string): number {
    if (this.#keys[site] === undefined) {
      this.#keys[site] = key;
      return 0;
    }
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      if (number > MOST_KEYS) return -1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** What a pattern takes; only names by themselves. */
  take(object: object, keys: readonly TakenKey[], site: number): boolean {
    const own = this.#own(object);
    if (own === null) return false;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (typeof key !== 'string') return false;
      const after = own.history.after(READ, site, key, i);
      if (after === null) return false;
      own.history = after;
    }
    return true;
  }

  /** All properties of an object that is none of the containers. */
  enumerate(object: object, site: number): boolean {
    const own = Array.isArray(object) || types.isProxy(object) ? null : this.#own(object);
    return own !== null && note(own, ALL, site, undefined);
  }

  // ---- Bindings of a scope -------------------------------------------------------------------------------------

  readBinding(scope: ObjectRecord, name: string, site: number): boolean {
    const own = this.#ownScope(scope);
    return own !== null && this.#note(own, READ, site, name);
  }

  updateBinding(scope: ObjectRecord, name: string, site: number, by: number): boolean {
    const own = this.#ownScope(scope);
    if (own === null || mayBeStale(own, name)) return false;
    return this.#note(own, by === 1 ? UP : by === -1 ? DOWN : ADD, site, name);
  }

  // ---- Elements ------------------------------------------------------------------------------------------------

  element(object: object, index: number, kind: number, site: number): boolean {
    const own = this.#ownArray(object);
    if (own === null || (kind === ADD && mayBeStale(own, index))) return false;
    return noteElement(own, index, kind, site);
  }

  /** An element of memory, which several views may share; of so many bytes. */
  byte(buffer: object, at: number, size: number, kind: AccessKind, site: number): boolean {
    const own = this.#own(buffer);
    if (own === null || (own.elements === null && types.isSharedArrayBuffer(buffer))) return false;
    if (kind === Op.update && mayBeStale(own, at)) return false;
    return noteElement(own, at / size, kind === Op.update ? UPDATE : kind, site, size);
  }

  writeElement(object: object, index: number, site: number, value: unknown): boolean {
    const own = this.#ownArray(object);
    const array = object as readonly unknown[];
    if (own === null || ((value ?? null) === null && !Object.hasOwn(array, index))) return false;
    if (index >= array.length && (mayBeStale(own, SIZE) || !note(own, UPDATE, site, 'length'))) return false;
    if (!noteElement(own, index, WRITE, site)) return false;
    notePromise(value);
    return true;
  }

  /** Something is put at the end of a list, or at its begin. */
  grow(array: readonly unknown[], site: number, isUsed: boolean): boolean {
    const own = this.#ownArray(array);
    if (own === null) return false;
    if (!isUsed) return !mayBeStale(own, SIZE) && note(own, UPDATE, site, 'length');
    return note(own, READ, site, 'length') && noteChange(own, site, 'length');
  }

  takeLast(array: readonly unknown[], site: number): boolean {
    const own = array.length === 0 ? null : this.#ownArray(array);
    if (own === null || !note(own, READ, site, 'length') || !noteChange(own, site, 'length')) return false;
    const last = array.length - 1;
    if (own.before !== null && own.before.find(last) !== null) return noteElement(own, last, WRITE, site);
    for (let known = own.elements; known !== null; known = known.next)
      if (known.has(last)) return noteElement(own, last, WRITE, site);
    return true;
  }

  /** The length of a list, and all of its elements. */
  iterate(array: readonly unknown[], site: number, most = Number.POSITIVE_INFINITY): boolean {
    const own = this.#ownArray(array);
    if (own === null) return false;
    const count = Math.min(array.length, most);
    if (count > MOST_COPIED && count < array.length) return false;
    if (!note(own, count > MOST_COPIED ? ALL : READ, site, 'length')) return false;
    own.wasGoneThrough = true;
    if (count <= MOST_COPIED)
      for (let i = 0; i < count; i++) if (!noteElement(own, i, READ, site)) return false;
    return true;
  }

  // ---- Stretches -----------------------------------------------------------------------------------------------

  /** Somebody wants to know what was done last: those objects get records. */
  unfoldRecent(): void {
    for (let i = 0; i < RECENT; i++) {
      const object = this.#recent[i];
      if (object instanceof ObjectRecord) unfold(object, object);
      else if (object !== null) findRecord(object);
      this.#recent[i] = null;
    }
  }

  /** Keeps none of those objects alive any longer. */
  forgetRecent(): void {
    if (this.#next === 0) return;
    this.#recent.fill(null);
    this.#next = 0;
    this.#stretch = null;
  }

  #ownArray(object: object): OwnRecord | null {
    const stretch = Array.isArray(object) ? this.#now() : null;
    const own = stretch === null ? undefined : ownRecordOfList(object, stretch);
    if (own === undefined) return null;
    if (own.isNew) this.#remember(own, object);
    if (own.isList) return own;
    own.isList = !types.isProxy(object);
    return own.isList ? own : null;
  }

  /** What was put off of an object; null if it cannot be. */
  #own(object: object): OwnRecord | null {
    const stretch = this.#now();
    const own = stretch === null ? undefined : ownRecordOf(object, stretch);
    if (own === undefined) return null;
    if (own.isNew) this.#remember(own, object);
    return own;
  }

  #ownScope(scope: ObjectRecord): OwnRecord | null {
    const stretch = this.#now();
    const own = stretch === null ? undefined : ownRecordIn(scope, scope, stretch);
    if (own === undefined) return null;
    if (own.isNew) this.#remember(own, scope);
    return own;
  }

  /** Null as long as everything is logged. */
  #now(): Stretch | null {
    const { tasks } = this.#recorder;
    const stretch = this.#stretch;
    if (stretch !== null && stretch.epoch === tasks.epoch && stretch.by === tasks.current && !stretch.isGone)
      return stretch;
    return tasks.busy < this.#from ? null : this.#begin();
  }

  #remember(own: OwnRecord, object: object): void {
    own.isNew = false;
    this.#recent[this.#next++ % RECENT] = object;
  }

  #begin(): Stretch {
    const { tasks } = this.#recorder;
    const by = tasks.acting();
    const { log } = tasks;
    const stretch = new Stretch(log.next, tasks.segment, tasks.epoch, by, this.#start, this.#unfold);
    tasks.overlap.read(by.span);
    log.push(PLACE, by.task, by, stretch, 0);
    this.#stretch = stretch;
    return stretch;
  }

  /**
   * Who has done what was put off, and where to log it. If its own place has left the log, it is here, as long as the block is open:
   * a block is one whole in all orders. Nowhere if it comes too late, or is ordered anyway, as somebody has come who was started
   * since.
   */
  #doneBy(stretch: Stretch): DoneBy {
    const { entry, segment, epoch } = stretch;
    if (!stretch.isGone) return { by: stretch.by, task: stretch.task, entry, segment, epoch, place: stretch };
    const { tasks, callbacks } = this.#recorder;
    const by = stretch.stillOpen();
    if (by === null) return { by: stretch.by, task: stretch.task, entry, segment, epoch, place: null };
    const { task } = outermost(by);
    const now = tasks.current ?? callbacks.registeredIn();
    const isOrdered = task.state !== RUNNING || (now?.task !== task && isWithin(now, task));
    if (isOrdered) return { by, task, entry, segment, epoch, place: null };
    const place = new Place(tasks.log.next, segment);
    tasks.log.push(PLACE, task, by, place, 0);
    return { by, task, entry: place.entry, segment, epoch, place };
  }
}

function note(own: OwnRecord, kind: number, site: number, key: unknown): boolean {
  const after = own.history.after(kind, site, key);
  if (after === null) return false;
  own.history = after;
  return true;
}

/*
 * What was known of a property before the epoch.
 */
const NEW = 0;
const READ_ONLY = 1;
const CHANGED = 2;
/** Its keys are known, and it would be one more. */
const UNCERTAIN = 3;

function stateBefore(record: ObjectRecord, object: object, key: string): number {
  if (record.find(KEYS) !== null && isMissing(object, key)) return UNCERTAIN;
  const variable = record.find(key);
  if (variable === null) return NEW;
  return variable.lastWriter === null ? READ_ONLY : CHANGED;
}

/** Whether the block may act upon what it read in an earlier segment: then an update is none (`Recorder.update`). */
function mayBeStale({ before, stretch }: OwnRecord, key: unknown): boolean {
  const variable = before?.find(key) ?? null;
  return variable !== null && isStale(variable, stretch.by, stretch.segment, Number.NaN);
}

/** A write of which it is known that it changes something. */
function noteChange(own: OwnRecord, site: number, key: unknown): boolean {
  return note(own, WRITE, site, key) || note(own, FIRST, site, key);
}

/** Of a write to what was only read so far; null if nobody can tell. */
function kindOfFirst(object: object, key: string, value: unknown): number | null {
  if (isPrivate(key)) return FIRST;
  if (types.isProxy(object)) return null;
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return (value ?? null) === null ? SAME : FILL;
  if (!('value' in descriptor)) return null;
  if (value !== UNKNOWN && isAlike(descriptor.value, value)) return SAME;
  return (descriptor.value ?? null) === null ? FILL : FIRST;
}

function isMissing(object: object, key: unknown): boolean {
  return !types.isProxy(object) && !Object.hasOwn(object, key as PropertyKey);
}

function noteElement(own: OwnRecord, index: number, kind: number, site: number, size = 0): boolean {
  if (index >= MOST_ELEMENTS) return false;
  for (let known = own.elements; known !== null; known = known.next)
    if (known.site === site && known.kind === kind && known.size === size) {
      known.add(index);
      return true;
    }
  if (own.elements !== null && own.elements.count === MOST_PLACES) return false;
  own.elements = new OwnElements(site, kind, size, index, own.elements);
  return true;
}
