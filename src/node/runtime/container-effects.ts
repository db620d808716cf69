import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { type Effect, OF_TWO_SETS } from '../builtins.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { SIZE } from '../core/object-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import type { SiteNumber } from '../probes.ts';
import { areSameCode } from './code-values.ts';
import { iterate, readElements, readEntries } from './elements.ts';
import { indexIn } from './ranges.ts';
import { NOTHING_KNOWN, type WriteFacts } from './recorder.ts';
import { isObject } from './stamp.ts';
import { entryKey, notePromise, type Touch } from './touch.ts';

/** One call of a method of a built-in container. */
export interface Call {
  touch: Touch;
  object: object;
  /** Of the entries of a Map or Set, or of the array itself. */
  contents: ObjectRecord;
  name: string;
  /** Whether it is a WeakMap or WeakSet. */
  isWeak: boolean;
  site: SiteNumber;
  used: boolean;
  first: unknown;
  /** The second argument. */
  value: unknown;
}

export type Handler = (call: Call) => void;

/** Methods that take one element. */
const TAKING: ReadonlySet<string> = new Set(['pop', 'shift']);

/** So many elements of an array are said to move with the others: a long queue would be walked through at each `shift`. */
const MOST_MOVED = 32;

const mapGet = Map.prototype.get;
const weakMapGet = WeakMap.prototype.get;
const mapHas = Map.prototype.has;
const setHas = Set.prototype.has;

/*
 * What the methods access, by their effects (src/node/builtins.ts). All of it happens at once; the size comes first, so
 * that whoever has looked at the size and goes on to change an entry is seen to come back to what was changed behind it.
 */

/** Of Maps, Sets and their weak kin, which have no size that anybody could look at. */
export const ENTRY_HANDLERS: Partial<Record<Effect, Handler>> = {
  'reads-entry': readEntry,
  'writes-entry': (call) => {
    const key = entryKey(call.first);
    if (call.isWeak) {
      notePromise(call.value);
      access(call, key, Op.write, factsOfSet(call, key, weakMapGet));
      return;
    }
    const isNew = !mapHas.call(call.object as Map<unknown, unknown>, call.first);
    notePromise(call.value);
    if (!isNew && call.touch.isRepeatedWrite(call.contents, key, call.site, call.value)) return;
    const known = isNew ? factsOfNew(call, key) : factsOfSet(call, key, mapGet);
    call.touch.noteAbsence(call.contents, key, () => isNew);
    if (isNew || call.touch.isMadeSinceCounted(call.contents, key)) update(call, SIZE);
    access(call, key, Op.write, known, call.value);
  },
  'adds-entry': (call) => {
    if (!call.isWeak && !setHas.call(call.object as Set<unknown>, call.first)) update(call, SIZE);
    update(call, entryKey(call.first));
  },
  'removes-entry': (call) => {
    if (call.isWeak) change(call, entryKey(call.first));
    else remove(call, (types.isMap(call.object) ? mapHas : setHas).call(call.object as never, call.first));
  },
  clears: clear,
  'reads-all': (call) => {
    readEntries(call.touch, call.object as Map<unknown, unknown>, call.contents, call.site);
    if (OF_TWO_SETS.has(call.name) && isObject(call.first)) iterate(call.touch, call.first, call.site);
  },
};

const grow: Handler = (call) => (call.used ? change(call, SIZE) : update(call, SIZE));
/** Elements move: those that somebody has looked at by their place are not what they were. */
const moveAll: Handler = (call) => {
  let count = 0;
  for (const { key } of call.contents.known()) {
    if (++count > MOST_MOVED) return;
    if (typeof key === 'number') access(call, key, Op.write);
  }
};
const changeAll: Handler = (call) => {
  changeSize(call);
  moveAll(call);
};
/** What takes something off an empty list leaves that as it is. */
function changeSize(call: Call): void {
  access(call, SIZE, Op.read);
  const isIdle = TAKING.has(call.name) && (call.object as unknown[]).length === 0;
  const size = isIdle ? call.contents.find(SIZE) : null;
  access(call, SIZE, Op.write, size === null ? undefined : idle(call, size));
}

export const ARRAY_HANDLERS: Partial<Record<Effect, Handler>> = {
  grows: grow,
  'grows-in-front': (call) => {
    grow(call);
    moveAll(call);
  },
  'takes-last': (call) => {
    changeSize(call);
    const last = call.contents.find((call.object as unknown[]).length - 1);
    if (last !== null) access(call, last.key, Op.write);
  },
  'changes-all': changeAll,
  'writes-all': changeAll,
  counts: (call) => access(call, SIZE, Op.read),
  'reads-one': (call) => {
    access(call, SIZE, Op.read);
    const { length } = call.object as unknown[];
    const index = indexIn(call.first, length);
    if (index < length) access(call, index, Op.read);
  },
  'reads-all': (call) => {
    readElements(call.touch, call.object as unknown[], call.contents, call.site);
    if (call.name !== 'concat') return;
    for (const other of new Set([call.first, call.value]))
      if (Array.isArray(other)) iterate(call.touch, other, call.site);
  },
};

function access(
  { touch, object, contents, site }: Call,
  key: unknown,
  kind: typeof Op.read | typeof Op.write,
  known?: WriteFacts,
  value?: unknown,
): void {
  touch.variable(object, contents, key, kind, site, known, value);
}

function update({ touch, object, contents, site }: Call, key: unknown): void {
  touch.update(object, contents, key, site);
}

function change(call: Call, key: unknown): void {
  access(call, key, Op.read);
  access(call, key, Op.write);
}

/** An entry is removed, if it is there at all. */
function remove(call: Call, isThere: boolean): void {
  const key = entryKey(call.first);
  if (isThere) update(call, SIZE);
  const variable = isThere ? null : call.contents.find(key);
  access(call, key, Op.read);
  access(call, key, Op.write, variable === null ? undefined : idle(call, variable));
}

/** What is known of a write that changes nothing. */
function idle({ touch }: Call, variable: VariableRecord): WriteFacts {
  return touch.recorder.factsOfWrite(variable, undefined, true, () => false);
}

function factsOfNew({ touch, contents, value }: Call, key: unknown): WriteFacts {
  const variable = contents.find(key);
  if (variable !== null) touch.recorder.notePut(variable, value);
  return NOTHING_KNOWN;
}

function factsOfSet(call: Call, key: unknown, get: (key: never) => unknown): WriteFacts {
  const variable = call.contents.find(key);
  if (variable === null) return NOTHING_KNOWN;
  const old = get.call(call.object as never, call.first as never);
  const isSame = Object.is(old, call.value) || areSameCode(old, call.value);
  return call.touch.recorder.factsOfWrite(variable, call.value, isSame, () => false);
}

function readEntry(call: Call): void {
  access(call, entryKey(call.first), Op.read);
}

function clear(call: Call): void {
  access(call, SIZE, Op.write);
  for (const { key } of call.contents.known()) access(call, key, Op.write);
}
