import { crc32 } from 'node:zlib';
import { EventBatch } from '../../trace/batch.ts';
import { InputProblem, type Position } from '../../trace/problem.ts';
import type { DecodeOptions, Decoder, TraceSection } from '../format.ts';
import { byteCount, Cursor } from './cursor.ts';
import { EventChunkReader } from './event-chunk.ts';
import {
  ChunkKind,
  END_BODY_BYTES,
  FIRST_OPTIONAL_KIND,
  FRAME_BYTES,
  HEADER_BYTES,
  MAGIC,
  MAX_BODY_BYTES,
  MAX_CHUNK_EVENTS,
  MAX_SECTION_NAME_BYTES,
  OLDEST_VERSION,
  VERSION,
} from './layout.ts';

/**
 * Decodes `.trk`. A chunk is handed over only after all of it was checked, so whatever is in a batch is whole:
 * also when the very next chunk is refused.
 */
export class TrkDecoder implements Decoder {
  readonly piece = { name: 'chunk', limit: FRAME_BYTES + MAX_BODY_BYTES };
  repaired = 0;

  readonly #lenient: boolean;
  readonly #chunks: EventChunkReader;
  readonly #onSection: ((section: TraceSection) => void) | undefined;
  #version = VERSION;
  /** Where the window starts in the file. */
  #base = 0;
  #state: 'header' | 'chunks' | 'ended' | 'given up' = 'header';
  /** Events in the chunks read so far. */
  #whole = 0;
  /** The number of the first event of the batch being filled. */
  #batchFirst = 1;

  /** A chunk that did not fit into the batch that was being filled; what is left of it starts at `#handed`. */
  #rest: EventBatch | null = null;
  #handed = 0;
  /** Index `i` holds the mark of the event at index `i` of a batch. */
  #marks = new Int32Array(0);

  constructor(options: DecodeOptions) {
    this.#lenient = options.lenient;
    this.#chunks = new EventChunkReader(options.names);
    this.#onSection = options.onSection;
  }

  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    this.#batchFirst = batch.firstEvent;
    try {
      return this.#decode(bytes, from, to, last, batch);
    } catch (problem) {
      // A file of another format or version holds nothing that could be kept.
      if (!this.#lenient || this.#state === 'header' || !(problem instanceof InputProblem)) throw problem;
      this.repaired++;
      this.#state = 'given up';
      return to;
    }
  }

  windowMoved(_bytes: Uint8Array, consumed: number): void {
    this.#base += consumed;
  }

  /** Events are marked by what cannot be a place in the window: the complement of their index. */
  locate(_bytes: Uint8Array, offset: number): Position {
    return offset < 0 ? { event: this.#batchFirst + ~offset } : { byte: this.#base + offset };
  }

  #decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    let at = from;
    for (;;) {
      if (this.#rest !== null && !this.#handOver(this.#rest, batch)) return at;
      if (batch.length === batch.capacity) return at;
      if (this.#state === 'given up') return to;
      const cursor = new Cursor(bytes, at, to, this.#base, this.#whole);
      let whole = false;
      if (this.#state === 'header') whole = this.#readHeader(cursor, last);
      else if (this.#state === 'chunks') whole = this.#readChunk(cursor, last, batch);
      else if (at < to) cursor.fail(at, 'the file goes on after its end chunk', byteCount(to - at), 'none');
      if (!whole) return at;
      at = cursor.at;
    }
  }

  /** Returns false if the header is not all there yet. */
  #readHeader(cursor: Cursor, last: boolean): boolean {
    const { bytes, at, end } = cursor;
    const size = end - at;
    if (size < HEADER_BYTES && !last) return false;
    // An empty file is an empty trace, in this format as in the others.
    if (size === 0) return false;
    const magic = bytes.subarray(at, Math.min(at + MAGIC.length, end));
    if (magic.some((byte, i) => byte !== MAGIC[i])) {
      throw new InputProblem(
        'this is not a .trk file, or its first bytes were changed in a transfer as text',
        {
          position: { byte: this.#base + at },
          found: hex(magic),
          expected: hex(MAGIC),
        },
      );
    }
    if (size < HEADER_BYTES) {
      // Nothing says that this is another version, so a lenient reader may take it for an empty trace.
      this.#state = 'chunks';
      cursor.fail(at, 'the file is cut in its header', byteCount(size), byteCount(HEADER_BYTES));
    }
    const version = cursor.u32At(at + MAGIC.length);
    if (version < OLDEST_VERSION || version > VERSION) {
      throw new InputProblem('unknown version of .trk', {
        position: { byte: this.#base + at + MAGIC.length },
        found: `version ${version}`,
        expected: `version ${OLDEST_VERSION} or ${VERSION}`,
      });
    }
    this.#version = version;
    this.#state = 'chunks';
    cursor.at = at + HEADER_BYTES;
    return true;
  }

  /** Reads one chunk and moves the cursor behind it. Returns false if the chunk is not all there yet. */
  #readChunk(cursor: Cursor, last: boolean, batch: EventBatch): boolean {
    const { bytes, at } = cursor;
    const size = cursor.end - at;
    if (size < FRAME_BYTES) {
      if (!last) return false;
      if (size === 0) cursor.fail(at, 'the trace was not finished', 'the end of the file', 'an end chunk');
      cursor.fail(at, 'the file is cut in a chunk', `${byteCount(size)} of it`, `at least ${FRAME_BYTES}`);
    }
    const length = cursor.u32At(at);
    if (length === 0 || length > MAX_BODY_BYTES) {
      cursor.fail(at, 'impossible length of a chunk', byteCount(length), `1 to ${MAX_BODY_BYTES}`);
    }
    if (size < FRAME_BYTES + length) {
      if (!last) return false;
      // Nothing but the length itself says how long a chunk is, unless the file is there to its very end.
      const summary = endsInEndChunk(cursor)
        ? 'the length of a chunk is corrupt: the file ends with its end chunk, so that nothing was cut off'
        : 'the file is cut in a chunk, or the length of the chunk is corrupt';
      cursor.fail(at, summary, `${byteCount(size)} of it`, String(FRAME_BYTES + length));
    }
    const body = at + FRAME_BYTES;
    const checksum = crc32(bytes.subarray(body, body + length));
    const expected = cursor.u32At(at + 4);
    if (checksum !== expected) {
      cursor.fail(at, 'a chunk has the wrong checksum', hex32(checksum), hex32(expected));
    }
    cursor.at = body;
    cursor.end = body + length;
    const kind = cursor.u8('the kind of a chunk');
    if (kind === ChunkKind.events) this.#takeEvents(this.#chunks.read(cursor), batch);
    else if (kind === ChunkKind.end) this.#readEnd(cursor);
    else this.#readAddition(cursor, kind, batch);
    cursor.at = body + length;
    return true;
  }

  /** What version 1 has not. */
  #readAddition(cursor: Cursor, kind: number, batch: EventBatch): void {
    if (this.#version === 1)
      cursor.fail(cursor.at - 1, 'unknown kind of chunk', String(kind), '1 (events) or 2 (end)');
    if (kind === ChunkKind.packed) this.#takeEvents(this.#chunks.readPacked(cursor), batch);
    else if (kind === ChunkKind.names) this.#chunks.readChanges(cursor);
    else if (kind === ChunkKind.section) this.#readSection(cursor);
    else if (kind < FIRST_OPTIONAL_KIND) {
      cursor.fail(
        cursor.at - 1,
        'unknown kind of chunk',
        String(kind),
        `1 (events), 2 (end), 3 (names), 4 (section), 5 (packed events) or ${FIRST_OPTIONAL_KIND} and more`,
      );
    }
  }

  #readSection(cursor: Cursor): void {
    const start = cursor.at;
    const length = cursor.varint('the length of the name of a section');
    if (length === 0 || length > MAX_SECTION_NAME_BYTES || length > cursor.end - cursor.at) {
      cursor.fail(start, 'impossible name of a section', byteCount(length), `1 to ${MAX_SECTION_NAME_BYTES}`);
    }
    const name = utf8.decode(cursor.bytes.subarray(cursor.at, cursor.at + length));
    cursor.at += length;
    const version = cursor.varint('the version of a section');
    this.#onSection?.({
      name,
      version,
      events: this.#whole,
      bytes: cursor.bytes.subarray(cursor.at, cursor.end),
    });
  }

  #takeEvents(events: number, batch: EventBatch): void {
    this.#whole += events;
    if (events <= batch.capacity - batch.length) {
      this.#chunks.columns.copyEvents(0, events, batch);
      this.#mark(batch, events);
      return;
    }
    this.#rest ??= new EventBatch(MAX_CHUNK_EVENTS);
    this.#rest.advance();
    this.#chunks.columns.copyEvents(0, events, this.#rest);
    this.#rest.length = events;
    this.#handed = 0;
  }

  #readEnd(cursor: Cursor): void {
    const { at, end } = cursor;
    if (end - at !== END_BODY_BYTES - 1) {
      cursor.fail(at, 'impossible length of an end chunk', byteCount(end - at + 1), String(END_BODY_BYTES));
    }
    const events = cursor.u32At(at) + cursor.u32At(at + 4) * 2 ** 32;
    if (events !== this.#whole) {
      cursor.fail(at, 'the end chunk counts other events', String(events), String(this.#whole));
    }
    this.#state = 'ended';
  }

  /** False if it is left for the next batch: a chunk is split only if it is larger than a whole one. */
  #handOver(rest: EventBatch, batch: EventBatch): boolean {
    const start = this.#handed;
    const left = rest.length - start;
    const room = batch.capacity - batch.length;
    if (left === 0) return true;
    if (left > room && batch.length > 0) return false;
    const count = Math.min(left, room);
    const end = start + count;
    batch.op.set(rest.op.subarray(start, end), batch.length);
    batch.thread.set(rest.thread.subarray(start, end), batch.length);
    batch.operand.set(rest.operand.subarray(start, end), batch.length);
    batch.location.set(rest.location.subarray(start, end), batch.length);
    if (start === 0) batch.note(rest.notable, rest.notableCount, end);
    this.#mark(batch, count);
    this.#handed = end;
    return true;
  }

  /** Counts in the events that have been put behind the others, and marks them for `locate`. */
  #mark(batch: EventBatch, events: number): void {
    if (this.#marks.length < batch.capacity) this.#marks = new Int32Array(batch.capacity).map((_, i) => ~i);
    const end = batch.length + events;
    batch.offset.set(this.#marks.subarray(batch.length, end), batch.length);
    batch.length = end;
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether the last bytes are a whole end chunk. */
function endsInEndChunk(cursor: Cursor): boolean {
  const body = cursor.end - END_BODY_BYTES;
  const at = body - FRAME_BYTES;
  if (at <= cursor.at || cursor.u32At(at) !== END_BODY_BYTES) return false;
  const { bytes, end } = cursor;
  return bytes[body] === ChunkKind.end && cursor.u32At(at + 4) === crc32(bytes.subarray(body, end));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

function hex32(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`;
}
