import { types } from 'node:util';
import { ObjectRecord } from '../object-record.ts';
import type { Recorder } from '../recorder.ts';
import { memoryIdentity } from './memory-identity.ts';
import type { SharedState } from './shared-state.ts';

/** A piece of memory that isolates share. */
export class Memory {
  readonly number: number;
  readonly record: ObjectRecord;

  constructor(number: number) {
    this.number = number;
    this.record = new ObjectRecord('shared-memory', `SharedArrayBuffer#${number}`);
  }
}

/** A typed array or DataView over shared memory. */
export interface View {
  memory: Memory;
  /** The place of its first byte. */
  start: number;
  /** Of an element, in bytes; 0 for a DataView. */
  size: number;
  /** Whether its elements are bigints. */
  isBig: boolean;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, name: PropertyKey): (view: object) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as () => unknown;
  return (view) => Reflect.apply(get, view, []);
}

const arrayBuffer = getter(typedArray, 'buffer');
const arrayOffset = getter(typedArray, 'byteOffset');
const arrayLength = getter(typedArray, 'length');
const viewBuffer = getter(DataView.prototype, 'buffer');
const viewOffset = getter(DataView.prototype, 'byteOffset');
/** Undefined for what is no typed array. */
const arrayKind = getter(typedArray, Symbol.toStringTag);
const INTEGERS = new Set([
  ...['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['BigInt64Array', 'BigUint64Array'],
]);
const { isBigInt64Array, isBigUint64Array, isDataView, isSharedArrayBuffer } = types;

/** How many elements a typed array has just now. */
export function lengthOf(array: ArrayBufferView): number {
  return arrayLength(array) as number;
}

/** Whether it is an array of integers, as `Atomics` needs one, over memory that isolates can share. */
export function isForAtomics(array: ArrayBufferView): boolean {
  return INTEGERS.has(arrayKind(array) as string) && isSharedArrayBuffer(arrayBuffer(array));
}

/** Which element a key means; -1 if it means none that is there. */
export function indexOf(array: ArrayBufferView, key: unknown): number {
  const index = typeof key === 'string' && key.length < 16 && String(Number(key)) === key ? Number(key) : key;
  if (typeof index !== 'number' || !Number.isInteger(index)) return -1;
  return index >= 0 && index < lengthOf(array) ? index : -1;
}

/** Knows which views are over shared memory, and which memory that is. */
export class Views {
  readonly #recorder: Recorder;
  readonly #state: () => SharedState;
  readonly #views = new WeakMap<ArrayBufferView, View>();
  readonly #memories = new WeakMap<object, Memory>();
  readonly #byNumber = new Map<number, Memory>();

  constructor(recorder: Recorder, state: () => SharedState) {
    this.#recorder = recorder;
    this.#state = state;
  }

  /** Null for a view of ordinary memory. */
  find(view: ArrayBufferView): View | null {
    const isView = isDataView(view);
    const buffer = (isView ? viewBuffer(view) : arrayBuffer(view)) as object;
    if (!isSharedArrayBuffer(buffer)) return null;
    return this.#views.get(view) ?? this.#add(view, buffer, isView);
  }

  #add(view: ArrayBufferView, buffer: SharedArrayBuffer, isView: boolean): View {
    const added: View = {
      memory: this.memoryOf(buffer),
      start: (isView ? viewOffset(view) : arrayOffset(view)) as number,
      size: isView ? 0 : (view as Uint8Array).BYTES_PER_ELEMENT,
      isBig: isBigInt64Array(view) || isBigUint64Array(view),
    };
    if (added.size > 0) this.#state().addSize(added.memory.number, added.size);
    this.#views.set(view, added);
    return added;
  }

  memoryOf(buffer: SharedArrayBuffer): Memory {
    const known = this.#memories.get(buffer);
    if (known !== undefined) return known;
    const number = this.#numberOf(buffer);
    let memory = this.#byNumber.get(number);
    if (memory === undefined) {
      memory = new Memory(number);
      this.#byNumber.set(number, memory);
    }
    this.#memories.set(buffer, memory);
    return memory;
  }

  #numberOf(buffer: SharedArrayBuffer): number {
    const { isolate } = this.#recorder;
    const id = memoryIdentity(buffer);
    // Without an identity it is taken for memory of its own.
    const unique = id ?? -1 - this.#byNumber.size * 1024 - (isolate?.index ?? 0);
    return this.#state().memoryNumber(
      unique,
      isolate?.index ?? 0,
      (other) => isolate?.region.isAlive(other) ?? true,
    );
  }
}
