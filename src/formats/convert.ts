import { grownUint8 } from '../trace/growable.ts';
import { type ReadOptions, TraceReader } from './read.ts';
import type { ByteSink } from './writer.ts';
import type { WritableFormat } from './writers.ts';

export interface ConvertOptions extends ReadOptions {
  /** Called after every batch with the number of events written so far. */
  onProgress?: (events: number, reader: TraceReader) => void;
  /** Whether what is written is going to be compressed. */
  isCompressed?: boolean;
}

/** The names of the threads that have events, as bytes, in the order of their first ones. */
export async function threadsWithEvents(path: string, options: ReadOptions): Promise<Uint8Array[]> {
  const reader = await TraceReader.open(path, options);
  const order: number[] = [];
  let seen = new Uint8Array(16);
  for await (const { thread, length } of reader.batches()) {
    seen = grownUint8(seen, reader.names.threads.size);
    for (let i = 0; i < length; i++) {
      if (seen[thread[i]] === 1) continue;
      seen[thread[i]] = 1;
      order.push(thread[i]);
    }
  }
  return order.map((id) => reader.names.threads.bytes(id).slice());
}

/**
 * Writes the events of a trace in another format, all of them and as they are: whether the trace is
 * well-formed does not matter. Returns how many there were.
 */
export async function convertTrace(
  path: string,
  target: WritableFormat,
  threads: readonly Uint8Array[],
  sink: ByteSink,
  options: ConvertOptions,
): Promise<number> {
  const sections: { name: string; version: number; bytes: Uint8Array }[] = [];
  const reader = await TraceReader.open(path, {
    ...options,
    onSection: ({ name, version, bytes }) => sections.push({ name, version, bytes: bytes.slice() }),
  });
  const threadIds = threads.map((name) => reader.names.threads.intern(name));
  const writer = target.writer(reader.names, sink, threadIds, options.isCompressed);
  let events = 0;
  const writeSections = async () => {
    for (const { name, version, bytes } of sections.splice(0)) await writer.section?.(name, version, bytes);
  };
  for await (const batch of reader.batches()) {
    await writeSections();
    await writer.write(batch);
    events += batch.length;
    options.onProgress?.(events, reader);
  }
  await writeSections();
  await writer.finish();
  return events;
}
