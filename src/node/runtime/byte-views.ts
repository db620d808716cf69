import { Op } from '../../trace/operation.ts';
import {
  BUFFER_EXTRA,
  BUFFER_METHODS,
  DATA_VIEW_METHODS,
  type Effect,
  TYPED_ARRAY_METHODS,
} from '../builtins.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import type { SiteNumber } from '../probes.ts';
import { indexIn, MOST_COPIED, MOST_KNOWN } from './ranges.ts';
import { readElements as readSharedElements } from './shared-memory/bulk.ts';
import { recordOf } from './stamp.ts';
import type { Touch } from './touch.ts';

/*
 * Typed arrays, Buffers and DataViews over memory that is the isolate's own. A variable is a place in the memory, so that
 * different views of it have the same ones.
 */

type Access = typeof Op.read | typeof Op.write;

/** Where a view lies in its memory, and how long its elements are. */
interface Extent {
  buffer: object;
  record: ObjectRecord;
  start: number;
  size: number;
  /** In elements. */
  length: number;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, name: string): (view: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => unknown;
  return (view) => get.call(view);
}

const ofArray = ['buffer', 'byteOffset', 'length'].map((name) => getter(typedArray, name));
const ofDataView = ['buffer', 'byteOffset', 'byteLength'].map((name) => getter(DataView.prototype, name));

function extentOf(view: ArrayBufferView): Extent {
  const isDataView = view instanceof DataView;
  const [buffer, start, length] = (isDataView ? ofDataView : ofArray).map((get) => get(view));
  const size = isDataView ? 1 : (view as Uint8Array).BYTES_PER_ELEMENT;
  return {
    buffer: buffer as object,
    record: recordOf(buffer as object),
    start: start as number,
    size,
    length: length as number,
  };
}

/** Elements `from` up to, but not including, `to`: each of a few; of many, those that somebody has touched. */
function accessRange(
  touch: Touch,
  { buffer, record, start, size }: Extent,
  from: number,
  to: number,
  kind: Access,
  site: SiteNumber,
): void {
  const [first, end] = [start + from * size, start + to * size];
  if (to - from <= MOST_COPIED) {
    for (let at = first; at < end; at++)
      if ((at - first) % size === 0 || record.find(at) !== null)
        touch.variable(buffer, record, at, kind, site);
    return;
  }
  let known = 0;
  for (const { key } of record.known()) {
    if (++known > MOST_KNOWN) return;
    if (typeof key === 'number' && key >= first && key < end) touch.variable(buffer, record, key, kind, site);
  }
}

/** All elements, whosever memory it is. */
export function readView(touch: Touch, view: ArrayBufferView, site: SiteNumber): void {
  if (touch.memory.isActive && touch.memory.views.find(view) !== null) {
    readSharedElements(touch.memory, view, site);
    return;
  }
  const extent = extentOf(view);
  accessRange(touch, extent, 0, extent.length, Op.read, site);
}

/** A call of a method of a view whose memory is not shared. */
export function methodOfView(
  touch: Touch,
  view: ArrayBufferView,
  name: string,
  site: SiteNumber,
  first: unknown,
  second: unknown,
): void {
  const isDataView = view instanceof DataView;
  const bytes = isDataView ? DATA_VIEW_METHODS.get(name) : numberIn(view, name);
  if (bytes !== undefined) {
    const isWrite = name.startsWith('set') || name.startsWith('write');
    const at = isWrite && !isDataView ? second : first;
    accessNumber(touch, extentOf(view), at, bytes, isWrite ? Op.write : Op.read, site);
    return;
  }
  if (!isDataView) accessElements(touch, view, effectOf(view, name), site, first, second);
}

function numberIn(view: ArrayBufferView, name: string): number | undefined {
  return Buffer.isBuffer(view) ? BUFFER_METHODS.get(name) : undefined;
}

function effectOf(view: ArrayBufferView, name: string): Effect {
  if (Buffer.isBuffer(view) && Object.hasOwn(BUFFER_EXTRA, name)) return BUFFER_EXTRA[name];
  return Object.hasOwn(TYPED_ARRAY_METHODS, name) ? TYPED_ARRAY_METHODS[name] : 'none';
}

/** The place at which a number begins stands for it; smaller ones inside of it are touched if anybody has before. */
function accessNumber(
  touch: Touch,
  extent: Extent,
  at: unknown,
  bytes: number,
  kind: Access,
  site: SiteNumber,
): void {
  const { buffer, record, start, size, length } = extent;
  const offset = at === undefined ? 0 : at;
  if (typeof offset !== 'number' || offset < 0 || offset + bytes > length * size) return;
  const from = start + offset;
  for (let place = from; place < from + bytes; place++)
    if (place === from || record.find(place) !== null) touch.variable(buffer, record, place, kind, site);
}

function accessElements(
  touch: Touch,
  view: ArrayBufferView,
  effect: Effect,
  site: SiteNumber,
  first: unknown,
  second: unknown,
): void {
  const extent = extentOf(view);
  const { length } = extent;
  const range = (from: number, to: number, kind: Access) => accessRange(touch, extent, from, to, kind, site);
  switch (effect) {
    case 'reads-all':
      range(0, length, Op.read);
      // `a.equals(b)`, `a.compare(b)`.
      if (ArrayBuffer.isView(first)) readView(touch, first, site);
      return;
    case 'reads-one': {
      const index = indexIn(first, length);
      if (index < length) range(index, index + 1, Op.read);
      return;
    }
    case 'changes-all':
      range(0, length, Op.read);
      range(0, length, Op.write);
      return;
    case 'writes-all':
      range(0, length, Op.write);
      return;
    case 'writes-range': {
      const from = typeof second === 'number' ? indexIn(second, length) : 0;
      range(from, Math.min(length, from + lengthOf(first)), Op.write);
      if (ArrayBuffer.isView(first)) readView(touch, first, site);
      return;
    }
    case 'copies-to':
      range(0, length, Op.read);
      if (ArrayBuffer.isView(first) && !(first instanceof DataView))
        copyInto(touch, first, length, second, site);
  }
}

function copyInto(touch: Touch, target: ArrayBufferView, count: number, at: unknown, site: SiteNumber): void {
  const extent = extentOf(target);
  const from = typeof at === 'number' ? indexIn(at, extent.length) : 0;
  accessRange(touch, extent, from, Math.min(extent.length, from + count), Op.write, site);
}

/** How many elements something brings along that is written into an array. */
function lengthOf(source: unknown): number {
  if (typeof source === 'string') return Buffer.byteLength(source);
  if (ArrayBuffer.isView(source)) return extentOf(source).length;
  return Array.isArray(source) ? source.length : 0;
}
