import { grownFloat64, grownUint8 } from './growable.ts';

const SEGMENT_BITS = 16;
const SEGMENT_NAMES = 1 << SEGMENT_BITS;
const IN_SEGMENT = SEGMENT_NAMES - 1;

/** So it goes from one thread to another. */
export interface NameSegments {
  count: number;
  segments: Segment[];
}

interface Segment {
  /** The names, one behind the other. */
  bytes: Uint8Array<ArrayBuffer>;
  used: number;
  /** Where each of them ends. Doubles, because names may exceed 4 GiB together. */
  ends: Float64Array<ArrayBuffer>;
}

/**
 * The bytes of names by number, in segments: of one long array, the copies that are made as it grows would be memory that is touched for
 * the first time, which takes longer than writing the names.
 */
export class NameBytes {
  count = 0;
  // Arrays of up to 64 bytes cost next to nothing to make, and there are many tables with few names or none.
  #segments: Segment[] = [{ bytes: new Uint8Array(64), used: 0, ends: new Float64Array(8) }];

  /** What the names are in, not a copy of it. */
  get parts(): NameSegments {
    return { count: this.count, segments: this.#segments };
  }

  set parts({ count, segments }: NameSegments) {
    this.count = count;
    this.#segments = segments;
  }

  /** Adds the name in `bytes[start … end)`; returns its number. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const number = this.count;
    const segment = this.#withRoom(1, end - start);
    let to = segment.used;
    for (let i = start; i < end; i++) segment.bytes[to++] = bytes[i];
    segment.used = to;
    segment.ends[number & IN_SEGMENT] = to;
    this.count++;
    return number;
  }

  /** Adds names that lie one behind the other from `start` on, up to these ends. */
  addAll(bytes: Uint8Array, start: number, ends: Int32Array): void {
    let from = start;
    for (let done = 0; done < ends.length; ) {
      const first = this.count & IN_SEGMENT;
      const names = Math.min(ends.length - done, SEGMENT_NAMES - first);
      const to = ends[done + names - 1];
      const segment = this.#withRoom(names, to - from);
      segment.bytes.set(bytes.subarray(from, to), segment.used);
      const shift = segment.used - from;
      for (let i = 0; i < names; i++) segment.ends[first + i] = ends[done + i] + shift;
      segment.used += to - from;
      this.count += names;
      done += names;
      from = to;
    }
  }

  /** A view that is valid until the next name is added. */
  of(number: number): Uint8Array {
    const { bytes, ends } = this.#segments[number >>> SEGMENT_BITS];
    const i = number & IN_SEGMENT;
    return bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]);
  }

  length(number: number): number {
    const { ends } = this.#segments[number >>> SEGMENT_BITS];
    const i = number & IN_SEGMENT;
    return ends[i] - (i === 0 ? 0 : ends[i - 1]);
  }

  /** Whether the name starts with `other[start … end)`, which is not longer. */
  startsWith(number: number, other: Uint8Array, start: number, end: number): boolean {
    const { bytes, ends } = this.#segments[number >>> SEGMENT_BITS];
    const i = number & IN_SEGMENT;
    let at = i === 0 ? 0 : ends[i - 1];
    for (let j = start; j < end; j++, at++) if (bytes[at] !== other[j]) return false;
    return true;
  }

  /** The segment of the next name, with room for so many names, which it has not been filled with, and bytes. */
  #withRoom(names: number, bytes: number): Segment {
    const segments = this.#segments;
    const first = this.count & IN_SEGMENT;
    if (this.count >>> SEGMENT_BITS === segments.length) {
      // The names to come may be about as long as those before.
      const size = Math.ceil(1.1 * segments[segments.length - 1].used);
      segments.push({ bytes: new Uint8Array(size), used: 0, ends: new Float64Array(SEGMENT_NAMES) });
    }
    const segment = segments[segments.length - 1];
    if (segment.used + bytes > segment.bytes.length)
      segment.bytes = grownUint8(segment.bytes, segment.used + bytes);
    if (first + names > segment.ends.length) segment.ends = grownFloat64(segment.ends, first + names);
    return segment;
  }
}
