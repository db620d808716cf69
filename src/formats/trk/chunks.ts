import { open } from 'node:fs/promises';
import { Cursor } from './cursor.ts';
import { ChunkKind, FRAME_BYTES, HEADER_BYTES, NAME_TABLES } from './layout.ts';

const WINDOW = 1 << 20;

/**
 * The bodies of the chunks of a file, each valid until the next one is asked for, and how far the file has been read. What is cut at
 * the end is left out, as of a program that was killed. For files of our own: nothing is checked.
 */
export async function* chunkBodies(
  path: string,
  onProgress?: (position: number, total: number) => void,
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let window = Buffer.alloc(WINDOW);
    let [filled, position] = [0, HEADER_BYTES];
    for (;;) {
      const { bytesRead } = await file.read(window, filled, window.length - filled, position);
      if (bytesRead === 0) return;
      filled += bytesRead;
      position += bytesRead;
      let at = 0;
      while (filled - at >= FRAME_BYTES) {
        const end = at + FRAME_BYTES + window.readUInt32LE(at);
        if (end > filled) break;
        yield window.subarray(at + FRAME_BYTES, end);
        at = end;
      }
      onProgress?.(position - filled + at, size);
      window.copyWithin(0, at, filled);
      filled -= at;
      const next = filled >= FRAME_BYTES ? FRAME_BYTES + window.readUInt32LE(0) : 0;
      if (next > size) return;
      if (next > window.length) window = Buffer.concat([window], next + WINDOW);
    }
  } finally {
    await file.close();
  }
}

/** Every location that a file names, without a look at its events. */
export async function locationNames(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const body of chunkBodies(path)) {
    if (body[0] !== ChunkKind.events) continue;
    const cursor = new Cursor(body, 1, body.length, 0, 0);
    cursor.varint('the number of events');
    for (const table of NAME_TABLES) {
      const count = cursor.varint('the number of names');
      for (let i = 0; i < count; i++) {
        const name = nameAt(cursor);
        if (table === 'locations') found.push(Buffer.from(name).toString());
      }
    }
  }
  return found;
}

export function nameAt(cursor: Cursor): Uint8Array {
  const length = cursor.varint('the length of a name');
  cursor.at += length;
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}
