import { ByteBuilder, VARINT_BYTES, widthOf } from '../formats/trk/byte-builder.ts';
import { Cursor } from '../formats/trk/cursor.ts';

/*
 * Events of a trace in a page: columns, each as planes of bytes, which pack well. Unlike a chunk of a `.trk` file it
 * can be read without those before it: names are numbers of tables that the page has, and the blocks that are open
 * where it starts are listed.
 */

/** A block that was begun in an earlier chunk. */
export interface OpenBlock {
  thread: number;
  label: number;
  /** The number of its begin event. */
  begin: number;
}

export interface EventColumns {
  length: number;
  op: Uint8Array;
  thread: Int32Array;
  operand: Int32Array;
  location: Int32Array;
}

export interface ViewChunk extends EventColumns {
  open: OpenBlock[];
}

export function encodeChunk(
  { length, op, thread, operand, location }: EventColumns,
  open: readonly OpenBlock[],
): Uint8Array {
  const builder = new ByteBuilder(length * 13 + (3 * open.length + 2) * VARINT_BYTES + 3);
  builder.varint(length);
  builder.varint(open.length);
  for (const { thread, label, begin } of open) {
    builder.varint(thread);
    builder.varint(label);
    builder.varint(begin);
  }
  builder.append(op.subarray(0, length));
  for (const column of [thread, operand, location]) {
    const width = widthOf(largest(column, length));
    builder.u8(width);
    for (let plane = 0; plane < width; plane++) builder.plane(column, length, plane);
  }
  return builder.bytes.subarray(0, builder.length);
}

export function decodeChunk(bytes: Uint8Array): ViewChunk {
  const cursor = new Cursor(bytes, 0, bytes.length, 0, 0);
  const length = cursor.varint('the number of events');
  const open: OpenBlock[] = [];
  for (let rest = cursor.varint('the number of blocks'); rest > 0; rest--) {
    const thread = cursor.varint('a thread');
    const label = cursor.varint('a label');
    open.push({ thread, label, begin: cursor.varint('a begin') });
  }
  const op = bytes.slice(cursor.at, cursor.at + length);
  cursor.at += length;
  return { length, open, op, thread: column(), operand: column(), location: column() };

  function column(): Int32Array {
    const values = new Int32Array(length);
    const width = cursor.u8('the width of a column');
    for (let plane = 0; plane < width; plane++) {
      for (let i = 0; i < length; i++) values[i] |= bytes[cursor.at + i] << (8 * plane);
      cursor.at += length;
    }
    return values;
  }
}

function largest(values: Int32Array, length: number): number {
  // As all are positive, the highest bit of any is that of the largest.
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= values[i];
  return bits >>> 0;
}
