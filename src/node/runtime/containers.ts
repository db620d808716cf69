import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import {
  ARRAY_METHODS,
  type Effect,
  type Effects,
  isOfBytes,
  MAP_METHODS,
  REG_EXP_METHODS,
  SET_METHODS,
  WEAK_MAP_METHODS,
  WEAK_SET_METHODS,
} from '../builtins.ts';
import type { ObjectKind, ObjectRecord } from '../core/object-record.ts';
import { NO_STORE } from '../core/own-record.ts';
import type { Probes, SiteNumber } from '../probes.ts';
import { methodOfView } from './byte-views.ts';
import { ARRAY_HANDLERS, ENTRY_HANDLERS, type Handler } from './container-effects.ts';
import { BULK_METHODS } from './shared-memory/bulk.ts';
import type { CallSites } from './shared-memory/call-sites.ts';
import { kindOf, recordOf } from './stamp.ts';
import { callOfStore, isOfWhole, isPlainCall } from './stores.ts';
import { contentsOf, entryKey, type Touch } from './touch.ts';

type ContainerProbes = Pick<Probes, 'method' | 'methodArgument' | 'methodArguments' | 'superArgument'>;

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
    if (found.hasEntries && method === undefined && own.isOn) reads.note(site, object, contents);
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
