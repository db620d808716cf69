import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import {
  ARRAY_METHODS,
  type Effect,
  type Effects,
  isOfBytes,
  MAP_METHODS,
  OF_TWO_SETS,
  REG_EXP_METHODS,
  SET_METHODS,
  WEAK_MAP_METHODS,
  WEAK_SET_METHODS,
} from '../builtins.ts';
import type { ObjectKind, ObjectRecord } from '../core/object-record.ts';
import { SIZE } from '../core/object-record.ts';
import { NO_STORE } from '../core/own-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import type { Probes, SiteNumber } from '../probes.ts';
import { methodOfView } from './byte-views.ts';
import { areSameCode } from './code-values.ts';
import { iterate, readElements, readEntries } from './elements.ts';
import { indexIn } from './ranges.ts';
import { NOTHING_KNOWN, type WriteFacts } from './recorder.ts';
import { BULK_METHODS } from './shared-memory/bulk.ts';
import type { CallSites } from './shared-memory/call-sites.ts';
import { isObject, kindOf, recordOf } from './stamp.ts';
import { callOfStore, isOfWhole, isPlainCall } from './stores.ts';
import { contentsOf, entryKey, notePromise, type Touch } from './touch.ts';

type ContainerProbes = Pick<Probes, 'method' | 'methodArgument' | 'methodArguments' | 'superArgument'>;

/** One call of a method of a built-in container. */
interface Call {
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

type Handler = (call: Call) => void;

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
const ENTRY_HANDLERS: Partial<Record<Effect, Handler>> = {
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

const ARRAY_HANDLERS: Partial<Record<Effect, Handler>> = {
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

/** The program may replace its own one. */
const { isView } = ArrayBuffer;

/** Whether a method of a view is replaced by one that records what it accesses, if that is shared memory. */
function isRecorded(name: string): boolean {
  return BULK_METHODS.has(name) || isOfBytes(name);
}

interface Container {
  /** The methods as they were when the runtime started. */
  methods: ReadonlyMap<string, unknown>;
  effects: Effects;
  handlers: Partial<Record<Effect, Handler>>;
  /** Whether what the methods are about are entries, and not properties. */
  hasEntries: boolean;
  isWeak: boolean;
}

const CONTAINERS = new Map<string, Container>([
  ['map', container(Map.prototype, MAP_METHODS, ENTRY_HANDLERS, true)],
  ['set', container(Set.prototype, SET_METHODS, ENTRY_HANDLERS, true)],
  ['weak-map', container(WeakMap.prototype, WEAK_MAP_METHODS, ENTRY_HANDLERS, true, true)],
  ['weak-set', container(WeakSet.prototype, WEAK_SET_METHODS, ENTRY_HANDLERS, true, true)],
  ['array', container(Array.prototype, ARRAY_METHODS, ARRAY_HANDLERS, false)],
]);

function container(
  prototype: object,
  effects: Effects,
  handlers: Container['handlers'],
  hasEntries: boolean,
  isWeak = false,
): Container {
  const methods = new Map<string, unknown>();
  for (const name of Object.keys(effects))
    methods.set(name, Object.getOwnPropertyDescriptor(prototype, name)?.value);
  return { methods, effects, handlers, hasEntries, isWeak };
}

/** A method of one kind of containers. */
interface BuiltIn {
  kind: ObjectKind;
  effect: Effect | null;
  /** Null if it accesses nothing. */
  handler: Handler | null;
  method: unknown;
  /** What an object has by that name: a function for each of the usual names, in which the engine finds it at once. */
  current: (object: object) => unknown;
  hasEntries: boolean;
  isWeak: boolean;
}

type Holder = Record<string, unknown>;

const CURRENT = new Map<string, (object: Holder) => unknown>([
  ['get', (object) => object.get],
  ['set', (object) => object.set],
  ['has', (object) => object.has],
  ['add', (object) => object.add],
  ['delete', (object) => object.delete],
  ['push', (object) => object.push],
  ['pop', (object) => object.pop],
  ['shift', (object) => object.shift],
]);

function builtIn(kind: ObjectKind, name: string): BuiltIn {
  const found = CONTAINERS.get(kind);
  const effect = found !== undefined && Object.hasOwn(found.effects, name) ? found.effects[name] : undefined;
  return {
    kind,
    effect: effect ?? null,
    handler: (effect && found?.handlers[effect]) ?? null,
    method: found?.methods.get(name),
    current: (CURRENT.get(name) ?? ((object: Holder) => object[name])) as BuiltIn['current'],
    hasEntries: found?.hasEntries ?? false,
    isWeak: found?.isWeak ?? false,
  };
}

/** In place of the last argument of a call that never has any here. */
const NO_ARGUMENT = Symbol('no argument');

/** In place of the entries of an object that has none, and no methods that get and set any. */
const NO_ENTRIES = Symbol('no entries');

/** Of no more sites it is known what is called there. */
const MOST_SITES = 1 << 20;

export function containerProbes(touch: Touch, calls: CallSites): ContainerProbes {
  const { memory, recorder } = touch;
  const { own } = recorder;
  const { lists } = own;
  const { reads } = recorder.tasks;
  /** What was called at each site. */
  const bySite: BuiltIn[] = [];

  function called(
    object: unknown,
    name: string,
    site: SiteNumber,
    used: boolean,
    first: unknown,
    last: unknown,
    value: unknown,
    method?: unknown,
  ): void {
    if (typeof object !== 'object' || object === null) return;
    if (method === undefined && reads.object[site] === object) {
      const contents = reads.key[site] as ObjectRecord | typeof NO_ENTRIES;
      if (contents === NO_ENTRIES) return;
      const found = bySite[site];
      if (found.hasEntries && found.current(object) === found.method) {
        if (found.effect === 'reads-entry') touch.variable(object, contents, entryKey(first), Op.read, site);
        else
          found.handler?.({ touch, object, contents, name, isWeak: found.isWeak, site, used, first, value });
        return;
      }
    }
    if (Array.isArray(object) && isPutOff(object, name, site, used, method)) return;
    calledOther(object, name, site, used, first, last, value, method);
  }

  function calledOther(
    object: object,
    name: string,
    site: SiteNumber,
    used: boolean,
    first: unknown,
    last: unknown,
    value: unknown,
    method: unknown,
  ): void {
    if (isView(object)) {
      if (memory.isActive && isRecorded(name)) calls.announce(site, used);
      if (!memory.isActive || memory.views.find(object) === null)
        methodOfView(touch, object, name, site, first, value);
      return;
    }
    const plain = own.plain(object);
    if (plain !== null && (method !== undefined || isPlainCall(object, plain, name, first, last))) {
      const isForGood = (plain.is & NO_STORE) !== 0 || (last === NO_ARGUMENT && !isOfWhole(name));
      if (method === undefined && isForGood) reads.note(site, object, NO_ENTRIES);
      return;
    }
    const record = recordOf(object);
    const kind = kindOf(object, record);
    if (kind === 'object') {
      if (method === undefined && callOfStore(touch, object, record, name, site, first, last, value))
        reads.note(site, object, NO_ENTRIES);
      if (Object.hasOwn(REG_EXP_METHODS, name) && types.isRegExp(object)) goOn(touch, object, record, site);
      return;
    }
    const found = builtInAt(site, kind, name);
    if ((method ?? found.current(object)) !== found.method) {
      // A class may have a method of its own. If it is the program's, it speaks for itself.
      if (found.hasEntries && method === undefined)
        callOfStore(touch, object, record, name, site, first, last, value);
      return;
    }
    if (found.handler === null) return;
    const contents = found.hasEntries ? contentsOf(object, record) : record;
    if (found.hasEntries && method === undefined) reads.note(site, object, contents);
    found.handler({ touch, object, contents, name, isWeak: found.isWeak, site, used, first, value });
  }

  function builtInAt(site: SiteNumber, kind: ObjectKind, name: string): BuiltIn {
    const known = bySite[site];
    if (known?.kind === kind) return known;
    const found = builtIn(kind, name);
    if (site < MOST_SITES) bySite[site] = found;
    return found;
  }

  /** What is done to a list that nobody else has touched need not be logged for now. */
  function isPutOff(
    list: unknown[],
    name: string,
    site: SiteNumber,
    used: boolean,
    method: unknown,
  ): boolean {
    const found = builtInAt(site, 'array', name);
    const { effect } = found;
    if (effect === null || (method ?? found.current(list)) !== found.method) return false;
    switch (effect) {
      case 'grows':
        return lists.grow(list, site, used);
      case 'takes-last':
        return lists.takeLast(list, site);
      case 'reads-all':
        return name !== 'concat' && lists.iterate(list, site);
      default:
        return false;
    }
  }

  return {
    method(object, name, site, used) {
      called(object, name, site, used, undefined, NO_ARGUMENT, undefined);
      return object;
    },
    methodArgument(object, name, site, used, argument) {
      called(object, name, site, used, argument, argument, undefined);
      return argument;
    },
    methodArguments(object, name, site, used, first, last, ...value) {
      called(object, name, site, used, first, last, value.length === 0 ? last : value[0]);
      return last;
    },
    superArgument(object, method, name, site, used, first, last) {
      called(object, name, site, used, first, last, last, method);
      return last;
    },
  };
}

/** An expression that is global or sticky goes on where it was the last time. */
function goOn(touch: Touch, expression: RegExp, record: ObjectRecord, site: SiteNumber): void {
  const { flags } = expression;
  if (!flags.includes('g') && !flags.includes('y')) return;
  touch.variable(expression, record, 'lastIndex', Op.read, site);
  touch.variable(expression, record, 'lastIndex', Op.write, site);
}

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
