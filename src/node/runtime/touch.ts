import { types } from 'node:util';
import { EventFlag } from '../../trace/facts.ts';
import { type AccessKind, Op } from '../../trace/operation.ts';
import { ObjectRecord, SIZE } from '../core/object-record.ts';
import { UNKNOWN, type VariableRecord } from '../core/variable.ts';
import { areSameCode } from './code-values.ts';
import { NOTHING_KNOWN, type Recorder, type WriteFacts } from './recorder.ts';
import { READ, WRITE } from './shared-memory/kinds.ts';
import type { SharedMemory } from './shared-memory/shared-memory.ts';
import { isObject, kindOf, recordOf } from './stamp.ts';
import type { VariableNames } from './variable-names.ts';
import { isFlag, isSomething, writtenValue } from './written-value.ts';

const typedArrayProperty = (name: string) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)?.get as (
    this: unknown,
  ) => unknown;
const getBuffer = typedArrayProperty('buffer');
export const byteOffsetOf = typedArrayProperty('byteOffset');
export const lengthOf = typedArrayProperty('length');

/** The memory of a typed array. The engine takes longer to find it than for all else that is asked of an element. */
export function bufferOf(array: ArrayBufferView): object {
  return getBuffer.call(array) as object;
}

/** Records accesses to variables of objects. */
export class Touch {
  readonly recorder: Recorder;
  readonly memory: SharedMemory;
  readonly #names: VariableNames;

  constructor(recorder: Recorder, names: VariableNames, memory: SharedMemory) {
    this.recorder = recorder;
    this.#names = names;
    this.memory = memory;
  }

  /** An access to one variable; `key` is one that `propertyKey` or `entryKey` has made. */
  variable(
    object: object,
    record: ObjectRecord,
    key: unknown,
    kind: AccessKind,
    site: number,
    facts?: WriteFacts,
    value: unknown = UNKNOWN,
  ): void {
    const { values, late, own } = this.recorder;
    // Long segments repeat most of what they do, and short ones little.
    const known = own.isOn ? record.made(key) : null;
    if (known !== null && this.#isRepeated(known, kind, site, value)) return;
    if (kind === Op.read && late !== null && (values === null || !values.hasRoom))
      if (late.note(record, key, site)) return;
    const variable = known ?? record.variable(key, site);
    if (known === null && this.#isRepeated(variable, kind, site, value)) return;
    this.recorder.access(variable, kind, site, facts);
    if (values?.wants(variable)) {
      if (kind === Op.read) values.noteRead(variable, object, record, key);
      else values.noteChange(variable, value);
    }
    if (variable.isShared && record.name === null) this.#names.nameObject(object, record, site, key);
  }

  /** Whether such an access was logged in this epoch at this place. */
  #isRepeated(variable: VariableRecord, kind: AccessKind, site: number, value: unknown): boolean {
    const { tasks, values } = this.recorder;
    if (variable.epoch !== tasks.epoch || !variable.isLogged(kind, site)) return false;
    tasks.noteRepeated();
    if (kind !== Op.read && values?.wants(variable)) values.noteChange(variable, value);
    return true;
  }

  /** Whether such a write was logged in this epoch at this place: then only its value may be worth noting. */
  isRepeatedWrite(record: ObjectRecord, key: unknown, site: number, value: unknown): boolean {
    const variable = record.find(key);
    if (variable === null || variable.epoch !== this.recorder.tasks.epoch) return false;
    if (!variable.isLogged(Op.write, site)) return false;
    const { values } = this.recorder;
    if (values?.wants(variable)) values.noteChange(variable, value);
    return true;
  }

  /** Gives the object a name while it is known, for a variable that may come to be shared. */
  name(object: object, record: ObjectRecord, site: number, key: unknown): void {
    if (record.name === null) this.#names.nameObject(object, record, site, key);
  }

  /** What is known of a write to a property, before it is done. */
  factsOfWrite(object: object, record: ObjectRecord, key: unknown, value: unknown): WriteFacts {
    const name = propertyKey(key);
    const variable = name === undefined ? null : record.find(inObject(object, name));
    if (name === undefined) return NOTHING_KNOWN;
    if (variable === null) return isNothingNew(object, name, value) ? IDLE : NOTHING_KNOWN;
    const isSame = value !== UNKNOWN && isThere(object, name, variable, value);
    return this.recorder.factsOfWrite(variable, value, isSame, () => {
      if (!isFlag(value) || value || types.isProxy(object)) return false;
      if (isPrivate(name)) return isSomething(variable.value);
      return Boolean(Object.getOwnPropertyDescriptor(object, name)?.value);
    });
  }

  /** Whether the value had to be remembered, as nobody can look it up. */
  noteValue(record: ObjectRecord, key: unknown, value: unknown): boolean {
    notePromise(value);
    const variable = isPrivate(key) ? record.find(key) : null;
    if (!variable?.isShared) return false;
    variable.value = value === UNKNOWN ? UNKNOWN : writtenValue(value);
    return true;
  }

  /** Whether the next value that is written to it is to be noted as well, even in the same segment. */
  isTold(record: ObjectRecord, key: unknown): boolean {
    const variable = this.recorder.values === null ? null : record.find(key);
    return variable?.isShared === true && this.recorder.values?.wants(variable) === true;
  }

  /** A write is coming to a variable that somebody has read: notes whether there is anything in it. */
  noteAbsence(record: ObjectRecord, key: unknown, isAbsent: () => boolean): void {
    const variable = record.find(key);
    if (variable !== null && variable.lastWriter === null) variable.wasAbsent = isAbsent();
  }

  /**
   * Whether another task has made the entry since the current block looked at the size, by which it may have chosen the key:
   * `id = users.size + 1; await …; users.set(id, …)` is then no new user.
   */
  isMadeSinceCounted(record: ObjectRecord, key: unknown): boolean {
    const entry = record.find(key);
    const size = record.find(SIZE);
    return entry !== null && size !== null && this.recorder.isMadeSinceRead(entry, size);
  }

  /** An update that commutes unless the block has read the variable; `by` is what it adds, if that is a number. */
  update(
    object: object,
    record: ObjectRecord,
    key: unknown,
    site: number,
    by?: number,
    value: unknown = UNKNOWN,
  ): VariableRecord {
    const variable = record.variable(key, site);
    const { values } = this.recorder;
    this.recorder.update(variable, site, by);
    if (values?.wants(variable)) values.noteChange(variable, value);
    if (variable.isShared && record.name === null) this.#names.nameObject(object, record, site, key);
    return variable;
  }

  /** An access to a property, whatever the object and the key are. */
  property(
    object: unknown,
    key: unknown,
    kind: AccessKind,
    site: number,
    known?: WriteFacts,
    value?: unknown,
  ): void {
    if (!isObject(object)) return;
    const name = propertyKey(key);
    if (name === undefined) return;
    if (name === 'size' && this.#size(object, kind, site)) return;
    if (ArrayBuffer.isView(object) && typeof name === 'number') this.#elementOf(object, name, kind, site);
    else this.variable(object, recordOf(object), inObject(object, name), kind, site, known, value);
  }

  /** Whether `size` is that of a Map or Set, and so the variable that their methods update. */
  #size(object: object, kind: AccessKind, site: number): boolean {
    const record = recordOf(object);
    const objectKind = kindOf(object, record);
    if (objectKind !== 'map' && objectKind !== 'set') return false;
    this.variable(object, contentsOf(object, record), SIZE, kind, site);
    return true;
  }

  /** Gives the variable; null if it is none, or an element of memory. */
  updateProperty(
    object: unknown,
    key: unknown,
    site: number,
    by?: number,
    value?: unknown,
  ): VariableRecord | null {
    if (!isObject(object)) return null;
    const name = propertyKey(key);
    if (name === undefined) return null;
    if (!ArrayBuffer.isView(object) || typeof name !== 'number')
      return this.update(object, recordOf(object), inObject(object, name), site, by, value);
    this.#elementOf(object, name, Op.update, site);
    return null;
  }

  #elementOf(view: ArrayBufferView, index: number, kind: AccessKind, site: number): void {
    if (!(view instanceof DataView)) this.element(view, bufferOf(view), index, kind, site);
  }

  /** An element of a typed array is a piece of its buffer, which other arrays may share; false if other isolates may, too. */
  element(array: ArrayBufferView, buffer: object, index: number, kind: AccessKind, site: number): boolean {
    if (index >= (lengthOf.call(array) as number)) return true;
    const { BYTES_PER_ELEMENT } = array as Uint8Array;
    const at = (byteOffsetOf.call(array) as number) + index * BYTES_PER_ELEMENT;
    if (
      !this.memory.isActive &&
      this.recorder.own.lists.byte(buffer, at, BYTES_PER_ELEMENT, kind, site) !== null
    )
      return true;
    const record = recordOf(buffer);
    if (kindOf(buffer, record) === 'shared-memory') {
      this.#sharedElement(array, index, kind, site);
      return false;
    }
    if (kind === Op.update) this.update(buffer, record, at, site);
    else this.variable(buffer, record, at, kind, site);
    return true;
  }

  /** As well as it can be done beside the access. */
  #sharedElement(array: ArrayBufferView, index: number, kind: AccessKind, site: number): void {
    const element = this.memory.elementAt(array, index, site);
    if (element === null) return;
    const { view, offset } = element;
    const kinds = kind === Op.update ? [READ, WRITE] : [1 << kind];
    for (const one of kinds) this.memory.note(view.memory, offset, view.size, site, one);
  }
}

/** Whether a property holds the value already; none of the program's code runs. */
function isThere(object: object, name: PropertyKey, variable: VariableRecord, value: unknown): boolean {
  if (ArrayBuffer.isView(object)) return false;
  if (isPrivate(name)) return variable.value !== UNKNOWN && variable.value === writtenValue(value);
  if (types.isProxy(object)) return false;
  const descriptor = Object.getOwnPropertyDescriptor(object, name);
  // To say that there is nothing where nothing is changes nothing.
  if (descriptor === undefined) return (value ?? null) === null;
  return 'value' in descriptor && isAlike(descriptor.value, value);
}

/** Whether it makes no difference to put the one value where the other is. */
export function isAlike(old: unknown, value: unknown): boolean {
  if (Object.is(old, value)) return true;
  // One error more says no more than that something has failed.
  return (types.isNativeError(old) && types.isNativeError(value)) || areSameCode(old, value);
}

/** Whether a property is made that says nothing, as constructors do. */
function isNothingNew(object: object, name: PropertyKey, value: unknown): boolean {
  return (value ?? null) === null && !types.isProxy(object) && !Object.hasOwn(object, name);
}

/** A write that changes nothing. */
const IDLE: WriteFacts = { flags: EventFlag.same, isIdle: true };

/** Whoever finds a promise where it was put may wait for it with others. */
export function notePromise(value: unknown): void {
  if (isObject(value) && types.isPromise(value)) recordOf(value);
}

export function isPrivate(key: unknown): boolean {
  return typeof key === 'string' && key.charCodeAt(0) === 35;
}

/** A key as variables have it; undefined for an object, which only the program can turn into one. */
export function propertyKey(key: unknown): string | number | symbol | undefined {
  switch (typeof key) {
    case 'string':
      return isIndex(key) ? Number(key) : key;
    case 'number':
      return key;
    case 'symbol':
      return key;
    case 'object':
      return key === null ? 'null' : undefined;
    case 'function':
      return undefined;
    default:
      return String(key);
  }
}

/** Whether `o[key]` is what `o[Number(key)]` is. */
function isIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && String(Number(key)) === key;
}

/** The length of an array, or the size of a Map, is the same variable whoever asks for it. */
export function inObject(object: object, key: PropertyKey): PropertyKey {
  return key === 'length' && Array.isArray(object) ? SIZE : key;
}

/** The entries of a Map or Set. */
export function contentsOf(object: object, record: ObjectRecord): ObjectRecord {
  record.contents ??= new ObjectRecord(kindOf(object, record));
  return record.contents;
}

const NOT_A_NUMBER = Symbol('NaN');

/** What stands for the key of an entry: not an object itself, which it would keep alive. */
export function entryKey(key: unknown): unknown {
  if (isObject(key)) return recordOf(key);
  return Number.isNaN(key) ? NOT_A_NUMBER : key;
}
