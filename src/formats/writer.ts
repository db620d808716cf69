import type { EventBatch } from '../trace/batch.ts';

/** Where encoded bytes go; resolves when more may be written. */
export type ByteSink = (bytes: Uint8Array) => Promise<void>;

/** Writes one trace in one format. */
export interface TraceWriter {
  write(batch: EventBatch): Promise<void>;
  /** Something besides the events; formats that cannot hold it leave it out. */
  section?(name: string, version: number, bytes: Uint8Array): Promise<void>;
  /** Writes what is left; the byte sink itself belongs to the caller. */
  finish(): Promise<void>;
}
