import type { TraceNames } from '../trace/names.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { csv } from './csv.ts';
import { CsvWriter } from './csv-writer.ts';
import type { Format } from './format.ts';
import { formatByEnding } from './registry.ts';
import { std } from './std.ts';
import { StdWriter } from './std-writer.ts';
import { trk } from './trk/index.ts';
import { ChunkPacker } from './trk/packed-chunk.ts';
import { TrkWriter } from './trk/writer.ts';
import type { ByteSink, TraceWriter } from './writer.ts';

/** A format that traces can be written in. */
export interface WritableFormat {
  format: Format;
  /** Whether the threads that have events must be known before the first event is written. */
  needsThreads: boolean;
  /** What is compressed afterwards had better not be packed before. */
  writer(names: TraceNames, sink: ByteSink, threads: readonly number[], isCompressed?: boolean): TraceWriter;
}

export const WRITABLE_FORMATS: readonly WritableFormat[] = [
  { format: std, needsThreads: false, writer: (names, sink) => new StdWriter(names, sink) },
  { format: csv, needsThreads: true, writer: (names, sink, threads) => new CsvWriter(names, threads, sink) },
  {
    format: trk,
    needsThreads: false,
    writer: (names, sink, _threads, isCompressed = false) =>
      new TrkWriter(names, sink, { packer: isCompressed ? null : new ChunkPacker() }),
  },
];

export function writableNamed(name: string): WritableFormat {
  const writable = WRITABLE_FORMATS.find(({ format }) => format.name === name);
  if (writable === undefined) {
    throw unknownName(
      'format to write',
      name,
      WRITABLE_FORMATS.map(({ format }) => format.name),
    );
  }
  return writable;
}

/** The format that a file name's ending asks for, or null. */
export function writableByEnding(path: string): WritableFormat | null {
  const wanted = formatByEnding(path);
  return WRITABLE_FORMATS.find(({ format }) => format === wanted) ?? null;
}
