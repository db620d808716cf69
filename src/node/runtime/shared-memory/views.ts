import { types } from 'node:util';
import { ObjectRecord } from '../../core/object-record.ts';
import { MEMORY } from '../../shared-memory-names.ts';
import type { Recorder } from '../recorder.ts';
import { memoryIdentity } from './memory-identity.ts';
import type { SharedState } from './shared-state.ts';

/** A piece of memory that isolates share. */
export class Memory {
  readonly number: number;
  readonly record: ObjectRecord;

  constructor(number: number) {
    this.number = number;
    this.record = new ObjectRecord('shared-memory', `${MEMORY}${number}`);
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
  /** Whether its elements are integers, as `Atomics` needs them. */
  isInteger: boolean;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, name: PropertyKey): (this: unknown) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get as () => unknown;
}

const arrayBuffer = getter(typedArray, 'buffer');
const arrayOffset = getter(typedArray, 'byteOffset');
const arrayLength = getter(typedArray, 'length');
/** Undefined for what is no typed array. */
const arrayKind = getter(typedArray, Symbol.toStringTag);
const viewBuffer = getter(DataView.prototype, 'buffer');
const viewOffset = getter(DataView.prototype, 'byteOffset');
const { isSharedArrayBuffer } = types;

const INTEGERS = new Set([
  ...['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['BigInt64Array', 'BigUint64Array'],
]);

/** How many elements a typed array has just now. */
export function lengthOf(array: ArrayBufferView): number {
  return arrayLength.call(array) as number;
}

function bufferOf(view: ArrayBufferView): object {
  return (arrayKind.call(view) === undefined ? viewBuffer : arrayBuffer).call(view) as object;
}

/** Memory by which our own threads work together. */
const ours = new WeakSet<object>();

/** What is in this buffer is nothing of the program. */
export function keepOut(buffer: SharedArrayBuffer): void {
  ours.add(buffer);
}

/** Whether a view is over memory that isolates of the program can share. */
export function isShared(view: ArrayBufferView): boolean {
  const buffer = bufferOf(view);
  return isSharedArrayBuffer(buffer) && !ours.has(buffer);
}

/** Which element a key means; -1 if it means none that is there. */
export function indexOf(array: ArrayBufferView, key: unknown): number {
  const index = typeof key === 'string' && key.length < 16 && String(Number(key)) === key ? Number(key) : key;
  if (typeof index !== 'number' || !(index >= 0 && index < lengthOf(array))) return -1;
  return Number.isInteger(index) ? index : -1;
}

/** Knows which views are over shared memory, and which memory that is. */
export class Views {
  readonly #recorder: Recorder;
  readonly #state: () => SharedState;
  readonly #views = new WeakMap<ArrayBufferView, View>();
  readonly #memories = new WeakMap<object, Memory>();
  readonly #byNumber = new Map<number, Memory>();
  readonly #byRecord = new Map<ObjectRecord, Memory>();

  constructor(recorder: Recorder, state: () => SharedState) {
    this.#recorder = recorder;
    this.#state = state;
  }

  /** Null for a view of ordinary memory. */
  find(view: ArrayBufferView): View | null {
    const known = this.#views.get(view);
    if (known !== undefined) return known;
    return isShared(view) ? this.#add(view) : null;
  }

  #add(view: ArrayBufferView): View {
    const kind = arrayKind.call(view) as string | undefined;
    const isView = kind === undefined;
    const added: View = {
      memory: this.memoryOf(bufferOf(view) as SharedArrayBuffer),
      start: (isView ? viewOffset : arrayOffset).call(view) as number,
      size: isView ? 0 : (view as Uint8Array).BYTES_PER_ELEMENT,
      isBig: kind?.startsWith('Big') === true,
      isInteger: !isView && INTEGERS.has(kind),
    };
    if (added.size > 0) this.#state().addSize(added.memory.number, added.size);
    this.#views.set(view, added);
    return added;
  }

  /** The memory whose variables a record holds. */
  memoryBehind(record: ObjectRecord): Memory | undefined {
    return this.#byRecord.get(record);
  }

  memoryOf(buffer: SharedArrayBuffer): Memory {
    const known = this.#memories.get(buffer);
    if (known !== undefined) return known;
    const number = this.#numberOf(buffer);
    let memory = this.#byNumber.get(number);
    if (memory === undefined) {
      memory = new Memory(number);
      this.#byNumber.set(number, memory);
      this.#byRecord.set(memory.record, memory);
    }
    this.#memories.set(buffer, memory);
    return memory;
  }

  #numberOf(buffer: SharedArrayBuffer): number {
    const { isolate } = this.#recorder.tasks;
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
