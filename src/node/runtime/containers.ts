import { Op } from '../../trace/operation.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { SIZE } from '../core/object-record.ts';
import { isOfBytes, type Probes, type SiteNumber } from '../probes.ts';
import { areSameCode } from './code-values.ts';
import { NOTHING_KNOWN, type WriteFacts } from './recorder.ts';
import { BULK_METHODS, readElements } from './shared-memory/bulk.ts';
import type { CallSites } from './shared-memory/call-sites.ts';
import { kindOf, recordOf } from './stamp.ts';
import { callOfStore } from './stores.ts';
import { contentsOf, entryKey, notePromise, type Touch } from './touch.ts';

type ContainerProbes = Pick<Probes, 'method' | 'methodArgument' | 'methodArguments' | 'superArgument'>;

/** One call of a method of a built-in container. */
interface Call {
  touch: Touch;
  object: object;
  /** Of the entries of a Map or Set, or of the array itself. */
  contents: ObjectRecord;
  site: SiteNumber;
  used: boolean;
  first: unknown;
  /** The second argument. */
  value: unknown;
}

type Handler = (call: Call) => void;

/** So many elements of an array are said to move with the others: a long queue would be walked through at each `shift`. */
const MOST_MOVED = 32;

const mapGet = Map.prototype.get;
const weakMapGet = WeakMap.prototype.get;
const mapHas = Map.prototype.has;
const setHas = Set.prototype.has;

/*
 * What the methods access (the table in docs/explanation/javascript-internals.md). All of it happens at once; the size comes first, so
 * that whoever has looked at the size and goes on to change an entry is seen to come back to what was changed behind it.
 */

const handleMap = new Map<string, Handler>([
  ['get', readEntry],
  ['has', readEntry],
  [
    'set',
    (call) => {
      const key = entryKey(call.first);
      const isNew = !mapHas.call(call.object as Map<unknown, unknown>, call.first);
      notePromise(call.value);
      const known = isNew ? NOTHING_KNOWN : factsOfSet(call, key, mapGet);
      call.touch.noteAbsence(call.contents, key, () => isNew);
      if (isNew || call.touch.isMadeSinceCounted(call.contents, key)) update(call, SIZE);
      access(call, key, Op.write, known, call.value);
    },
  ],
  [
    'delete',
    (call) => {
      remove(call, mapHas.call(call.object as Map<unknown, unknown>, call.first));
    },
  ],
  ['clear', clear],
  ...(['keys', 'values', 'entries', 'forEach'] as const).map((name): [string, Handler] => [name, readAll]),
]);

const handleSet = new Map<string, Handler>([
  ['has', readEntry],
  [
    'add',
    (call) => {
      if (!setHas.call(call.object as Set<unknown>, call.first)) update(call, SIZE);
      update(call, entryKey(call.first));
    },
  ],
  [
    'delete',
    (call) => {
      remove(call, setHas.call(call.object as Set<unknown>, call.first));
    },
  ],
  ['clear', clear],
  ...(['keys', 'values', 'entries', 'forEach'] as const).map((name): [string, Handler] => [name, readAll]),
]);

const handleWeakMap = new Map<string, Handler>([
  ['get', readEntry],
  ['has', readEntry],
  [
    'set',
    (call) => {
      const key = entryKey(call.first);
      notePromise(call.value);
      access(call, key, Op.write, factsOfSet(call, key, weakMapGet));
    },
  ],
  ['delete', (call) => change(call, entryKey(call.first))],
]);

const handleWeakSet = new Map<string, Handler>([
  ['has', readEntry],
  ['add', (call) => update(call, entryKey(call.first))],
  ['delete', (call) => change(call, entryKey(call.first))],
]);

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
  change(call, SIZE);
  moveAll(call);
};
const growInFront: Handler = (call) => {
  grow(call);
  moveAll(call);
};
const changeLast: Handler = (call) => {
  change(call, SIZE);
  const last = call.contents.find((call.object as unknown[]).length - 1);
  if (last !== null) access(call, last.key, Op.write);
};
const readLength: Handler = (call) => access(call, SIZE, Op.read);

const handleArray = new Map<string, Handler>([
  ['push', grow],
  ['unshift', growInFront],
  ['pop', changeLast],
  ...(['shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'] as const).map(
    (name): [string, Handler] => [name, changeAll],
  ),
  ...['keys', 'values', 'entries', 'forEach', 'at', 'concat', 'every', 'filter', 'find', 'findIndex'].map(
    (name): [string, Handler] => [name, readLength],
  ),
  ...['findLast', 'findLastIndex', 'flat', 'flatMap', 'includes', 'indexOf', 'join', 'lastIndexOf'].map(
    (name): [string, Handler] => [name, readLength],
  ),
  ...['map', 'reduce', 'reduceRight', 'slice', 'some', 'toReversed', 'toSorted', 'toSpliced', 'with'].map(
    (name): [string, Handler] => [name, readLength],
  ),
]);

/** The program may replace its own one. */
const { isView } = ArrayBuffer;

/** Whether a method of a view is replaced by one that records what it accesses, if that is shared memory. */
function isRecorded(name: string): boolean {
  return BULK_METHODS.has(name) || isOfBytes(name);
}

interface Container {
  /** The methods as they were when the runtime started. */
  methods: ReadonlyMap<string, unknown>;
  handlers: ReadonlyMap<string, Handler>;
  hasEntries: boolean;
}

const CONTAINERS = new Map<string, Container>([
  ['map', container(Map.prototype, handleMap, true)],
  ['set', container(Set.prototype, handleSet, true)],
  ['weak-map', container(WeakMap.prototype, handleWeakMap, true)],
  ['weak-set', container(WeakSet.prototype, handleWeakSet, true)],
  ['array', container(Array.prototype, handleArray, false)],
]);

function container(
  prototype: object,
  handlers: ReadonlyMap<string, Handler>,
  hasEntries: boolean,
): Container {
  const methods = new Map<string, unknown>();
  for (const name of handlers.keys())
    methods.set(name, Object.getOwnPropertyDescriptor(prototype, name)?.value);
  return { methods, handlers, hasEntries };
}

export function containerProbes(touch: Touch, calls: CallSites): ContainerProbes {
  const { memory } = touch;

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
    if (memory.isActive && isView(object)) {
      if (isRecorded(name)) calls.announce(site, used);
      return;
    }
    const record = recordOf(object);
    const kind = kindOf(object, record);
    if (kind === 'object') {
      if (method === undefined) callOfStore(touch, object, record, name, site, first, last, value);
      return;
    }
    const found = CONTAINERS.get(kind);
    const handler = found?.handlers.get(name);
    if (found === undefined || handler === undefined) return;
    // A class of the program may have a method of its own, which speaks for itself.
    const actual = method ?? (object as Record<string, unknown>)[name];
    if (actual !== found.methods.get(name)) return;
    const contents = found.hasEntries ? contentsOf(object, record) : record;
    handler({ touch, object, contents, site, used, first, value });
  }

  return {
    method(object, name, site, used) {
      called(object, name, site, used, undefined, undefined, undefined);
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

/** `for (x of o)` and the like. */
export function iterate(touch: Touch, object: object, site: SiteNumber): void {
  const record = recordOf(object);
  const kind = kindOf(object, record);
  if (kind === 'array') touch.variable(object, record, SIZE, Op.read, site);
  else if (kind === 'typed-array') readElements(touch.memory, object as ArrayBufferView, site);
  else if (kind === 'map' || kind === 'set')
    readAll({
      touch,
      object,
      contents: contentsOf(object, record),
      site,
      used: true,
      first: undefined,
      value: undefined,
    });
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
  const known =
    variable === null ? undefined : call.touch.recorder.factsOfWrite(variable, undefined, true, () => false);
  access(call, key, Op.read);
  access(call, key, Op.write, known);
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

function readAll(call: Call): void {
  access(call, SIZE, Op.read);
  for (const { key } of call.contents.known()) access(call, key, Op.read);
}

function clear(call: Call): void {
  access(call, SIZE, Op.write);
  for (const { key } of call.contents.known()) access(call, key, Op.write);
}
