/*
 * What a `.trk` file is made of; docs/reference/formats/trk.md says it byte by byte. All integers are little-endian.
 *
 *   file    header, any number of other chunks, one end chunk
 *   header  MAGIC, u32 version
 *   chunk   u32 length of the body, u32 CRC-32 of the body, the body, whose first byte is the kind
 */

/**
 * A byte that is not text, the name, and both kinds of line end: a copy that passed through a text-mode
 * transfer is recognized by its first bytes (the idea is PNG's).
 */
export const MAGIC = Uint8Array.of(0x89, 0x54, 0x52, 0x4b, 0x0d, 0x0a, 0x1a, 0x0a);

/** As many bytes of `MAGIC` as are enough to call a damaged file a `.trk` file. */
export const RECOGNIZED = 4;

export const VERSION = 2;
/** Version 1 has chunks of events and an end chunk only. */
export const OLDEST_VERSION = 1;
export const HEADER_BYTES = MAGIC.length + 4;

/** Length and checksum in front of every body. */
export const FRAME_BYTES = 8;

export const ChunkKind = { events: 1, end: 2, names: 3, section: 4, packed: 5 } as const;

/** From here on, a reader passes over kinds that it does not know. */
export const FIRST_OPTIONAL_KIND = 128;

/** The name of a section is as long as this at most, and not empty. */
export const MAX_SECTION_NAME_BYTES = 255;

/** The body of an end chunk: its kind and the number of events in the file as u64. */
export const END_BODY_BYTES = 9;

/** A reader refuses more events in one chunk. */
export const MAX_CHUNK_EVENTS = 65536;

/** A reader refuses a longer name. */
export const MAX_NAME_BYTES = 16 * 1024 * 1024;

/** A reader refuses a longer body. One event alone may bring three names of the greatest length. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A reader refuses a longer body of a packed chunk, and packed names of a table that are longer together. */
export const MAX_PACKED_BYTES = 512 * 1024;

/**
 * It refuses packed names of a table, too, that are so many times as long as the body: a short file must not take much memory. The
 * elements of a new array, written one after the other, take hardly more than a bit each.
 */
export const MAX_NAME_GROWTH = 512;

/** An index into the actions or the locations of a chunk; there are no more of them than events. */
export const MAX_INDEX_WIDTH = 2;
export const MAX_OPERAND_WIDTH = 4;

/** The name tables of a file, in the order in which a chunk lists its new names. */
export const NAME_TABLES = ['threads', 'locks', 'variables', 'labels', 'locations'] as const;

/** A chunk that is written is a batch of the reader, so that it can be decoded straight into one; must not exceed 65536. */
export const CHUNK_EVENTS = 8192;
