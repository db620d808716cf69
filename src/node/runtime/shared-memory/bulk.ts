import type { Patches } from '../../support/patching.ts';
import type { CallSites } from './call-sites.ts';
import { type Kinds, READ, WRITE } from './kinds.ts';
import type { SharedMemory } from './shared-memory.ts';
import { lengthOf, type View } from './views.ts';

/*
 * Methods that access many elements at once. They are recorded right before they run, as their elements cannot all be
 * locked: which elements those are is known exactly, but not the order in which two threads come to one at the same time.
 */

/** The program may replace its own one. */
const { isView } = ArrayBuffer;

type Kind = Kinds;

/** So many elements of a range are recorded; what lies behind them is not. */
const MOST_ELEMENTS = 512;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** Methods that read all elements. */
const READING = [
  ...['every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'includes', 'indexOf'],
  ...['join', 'lastIndexOf', 'map', 'reduce', 'reduceRight', 'some', 'toLocaleString', 'toReversed'],
  ...['toSorted', 'with'],
] as const;

/** All methods of typed arrays that are recorded. */
export const BULK_METHODS: ReadonlySet<string> = new Set([
  ...READING,
  ...['at', 'copyWithin', 'fill', 'reverse', 'set', 'slice', 'sort'],
]);

/** An argument that counts from the end if it is negative; `otherwise` if there is none, or only the program can tell. */
function position(value: unknown, length: number, otherwise: number): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return otherwise;
  const whole = Math.trunc(value);
  return whole < 0 ? Math.max(0, length + whole) : Math.min(whole, length);
}

/** A call of a method on a view of shared memory. */
interface Call {
  view: View;
  length: number;
  site: number;
}

/** Null if the object is no typed array over shared memory. */
function callOn(memory: SharedMemory, calls: CallSites, object: unknown): Call | null {
  const call = calls.take();
  const view = isView(object) ? memory.views.find(object) : null;
  if (view === null || view.size === 0) return null;
  const place = call ?? calls.find();
  if (place === null) return null;
  return { view, length: lengthOf(object as ArrayBufferView), site: place.site };
}

/** Records elements `from` up to, but not including, `to`. */
function access(memory: SharedMemory, view: View, from: number, to: number, kind: Kind, site: number): void {
  const { start, size } = view;
  const end = Math.min(to, from + MOST_ELEMENTS);
  for (let i = from; i < end; i++) memory.note(view.memory, start + i * size, size, site, kind);
}

/** Records that all elements are read, if the array is over shared memory. */
export function readElements(memory: SharedMemory, array: ArrayBufferView, site: number): void {
  const view = memory.isActive ? memory.views.find(array) : null;
  if (view !== null && view.size > 0) access(memory, view, 0, lengthOf(array), READ, site);
}

export function patchTypedArrays(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  const note = ({ view, site }: Call, from: number, to: number, kind: Kind) =>
    access(memory, view, from, to, kind, site);
  const patch = (name: string, record: (call: Call, values: readonly unknown[]) => void) =>
    patches.replace(typedArray, name, (original) => {
      return function (this: unknown, ...values: unknown[]) {
        const call = callOn(memory, calls, this);
        if (call !== null) record(call, values);
        return Reflect.apply(original, this, values);
      };
    });

  for (const name of READING) patch(name, (call) => note(call, 0, call.length, READ));
  for (const name of ['sort', 'reverse'])
    patch(name, (call) => {
      note(call, 0, call.length, READ);
      note(call, 0, call.length, WRITE);
    });
  patch('at', (call, [index]) => {
    const at = position(index, call.length, 0);
    if (at < call.length) note(call, at, at + 1, READ);
  });
  patch('slice', (call, [from, to]) =>
    note(call, position(from, call.length, 0), position(to, call.length, call.length), READ),
  );
  patch('fill', (call, [, from, to]) =>
    note(call, position(from, call.length, 0), position(to, call.length, call.length), WRITE),
  );
  patch('copyWithin', (call, [target, from, to]) => {
    const { length } = call;
    const at = position(target, length, 0);
    const [start, end] = [position(from, length, 0), position(to, length, length)];
    note(call, start, end, READ);
    note(call, at, Math.min(length, at + Math.max(0, end - start)), WRITE);
  });
  patches.replace(typedArray, 'set', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const [source, offset] = values;
      const call = callOn(memory, calls, this);
      if (isView(source) && memory.views.find(source) !== null) {
        const place = call ?? calls.find();
        if (place !== null) readElements(memory, source, place.site);
      }
      if (call !== null && (isView(source) || Array.isArray(source))) {
        const from = position(offset, call.length, 0);
        const { length } = source as unknown[];
        note(call, from, Math.min(call.length, from + length), WRITE);
      }
      return Reflect.apply(original, this, values);
    };
  });
}

/** What Node adds: buffers and decoders of text, which may be over shared memory too. */
export function patchBuffers(memory: SharedMemory, calls: CallSites, patches: Patches): void {
  const note = ({ view, length, site }: Call, from: unknown, count: number, kind: Kind) => {
    const first = position(from, length, 0);
    access(memory, view, first, Math.min(length, first + count), kind, site);
  };
  patches.replace(TextDecoder.prototype, 'decode', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const call = callOn(memory, calls, values[0]);
      if (call !== null) note(call, 0, call.length, READ);
      return Reflect.apply(original, this, values);
    };
  });
  patches.replace(Buffer.prototype, 'toString', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const call = callOn(memory, calls, this);
      const [, from, to] = values;
      if (call !== null) {
        const { length } = call;
        note(call, from, position(to, length, length) - position(from, length, 0), READ);
      }
      return Reflect.apply(original, this, values);
    };
  });
  patches.replace(Buffer.prototype, 'write', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const call = callOn(memory, calls, this);
      const written = Reflect.apply(original, this, values) as number;
      if (call !== null) note(call, values[1], written, WRITE);
      return written;
    };
  });
  patches.replace(Buffer.prototype, 'copy', (original) => {
    return function (this: unknown, ...values: unknown[]) {
      const [target, at, from] = values;
      const source = callOn(memory, calls, this);
      const copied = Reflect.apply(original, this, values) as number;
      const onto = callOn(memory, calls, target);
      if (source !== null) note(source, from, copied, READ);
      if (onto !== null) note(onto, at, copied, WRITE);
      return copied;
    };
  });
}
