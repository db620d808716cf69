import { crc32 } from 'node:zlib';
import { type TrkOptions, TrkWriter } from '../../src/formats/trk/writer.ts';
import type { MemoryTrace } from '../../src/trace/memory-trace.ts';

/*
 * `.trk` files put together by hand from docs/reference/formats/trk.md, without the writer's help, so that they can also
 * be wrong.
 */

export const HEADER = [0x89, 0x54, 0x52, 0x4b, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0];

/** Of a file with chunks of names and sections. */
export const HEADER_2 = [...HEADER.slice(0, 8), 2, 0, 0, 0];

export function u32(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}

export function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** A body with its right length and checksum. */
export function chunk(body: readonly number[]): number[] {
  return [...u32(body.length), ...u32(crc32(Uint8Array.from(body))), ...body];
}

export function endChunk(events: number): number[] {
  return chunk([2, ...u32(events), 0, 0, 0, 0]);
}

function names(texts: readonly string[]): number[] {
  const encoded = texts.map((text) => [...Buffer.from(text)]);
  return [...varint(texts.length), ...encoded.flatMap((bytes) => [...varint(bytes.length), ...bytes])];
}

/** In the order of the tables: ids that are retired, then ids that are named. */
export type Changes = readonly [retired: readonly number[], named: readonly (readonly [number, string])[]];

/** The body of a chunk of names; tables that are left out change nothing. */
export function namesBody(changes: {
  threads?: Changes;
  locks?: Changes;
  variables?: Changes;
  labels?: Changes;
  locations?: Changes;
}): number[] {
  const { threads, locks, variables, labels, locations } = changes;
  const tables = [threads, locks, variables, labels, locations].flatMap((table) => {
    const [retired, named] = table ?? [[], []];
    return [
      ...varint(retired.length),
      ...retired.flatMap(varint),
      ...varint(named.length),
      ...named.flatMap(([id, text]) => [...varint(id), ...names([text]).slice(1)]),
    ];
  });
  return [3, ...tables];
}

export interface EventsBody {
  events: number;
  threads?: readonly string[];
  locks?: readonly string[];
  variables?: readonly string[];
  labels?: readonly string[];
  locations?: readonly string[];
  /** Operation, thread, least operand. */
  actions: readonly (readonly [number, number, number])[];
  /** Zigzag differences, as they are stored. */
  places: readonly number[];
  widths: readonly [number, number, number];
  columns: readonly number[];
}

/** The body of a chunk of events. */
export function eventsBody(parts: EventsBody): number[] {
  return [
    1,
    ...varint(parts.events),
    ...[parts.threads, parts.locks, parts.variables, parts.labels, parts.locations].flatMap((table) =>
      names(table ?? []),
    ),
    ...varint(parts.actions.length),
    ...parts.actions.flatMap(([op, thread, least]) => [op, ...varint(thread), ...varint(least)]),
    ...varint(parts.places.length),
    ...parts.places.flatMap(varint),
    ...parts.widths,
    ...parts.columns,
  ];
}

/** What the writer makes of a trace, in the pieces in which it hands them to its sink. */
export async function trkPieces(trace: MemoryTrace, options: TrkOptions = {}): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const writer = new TrkWriter(
    trace.names,
    async (bytes) => {
      pieces.push(bytes);
    },
    options,
  );
  for (const batch of trace.batches()) await writer.write(batch);
  await writer.finish();
  return pieces;
}

export async function trkBytes(trace: MemoryTrace, options: TrkOptions = {}): Promise<Uint8Array> {
  return Buffer.concat(await trkPieces(trace, options));
}
