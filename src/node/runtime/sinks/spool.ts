import fs from 'node:fs';
import { TrkEncoder } from '../../../formats/trk/writer.ts';
import type { EventBatch } from '../../../trace/batch.ts';
import type { NameTables } from '../../../trace/names.ts';
import type { TraceSink } from '../../core/trace-sink.ts';

/** The program may be using a patched `fs`. */
const { openSync, writeSync, closeSync } = fs;

/**
 * Writes the trace to a `.trk` file while the program runs. What was handed over is in the file when `take` returns, so
 * that a program which crashes or exits loses nothing of it.
 */
export class Spool implements TraceSink<unknown> {
  readonly #file: number;
  readonly #encoder: TrkEncoder;

  constructor(path: string, names: NameTables) {
    this.#file = openSync(path, 'w');
    this.#encoder = new TrkEncoder(names);
  }

  take(batch: EventBatch): void {
    this.#write(this.#encoder.encode(batch));
    this.#write(this.#encoder.flush());
  }

  /** What is written is written. */
  needsThread(): boolean {
    return false;
  }

  needsVariable(): boolean {
    return false;
  }

  forgetThreads(threads: readonly number[]): void {
    for (const thread of threads) this.#encoder.forgetThread(thread);
  }

  forgetVariable(variable: number): void {
    this.#encoder.forgetVariable(variable);
  }

  forgetMessages(messages: readonly number[]): void {
    for (const message of messages) this.#encoder.forgetLock(message);
  }

  finish(): void {
    this.#write(this.#encoder.finish());
    closeSync(this.#file);
  }

  #write(pieces: Iterable<Uint8Array>): void {
    for (const bytes of pieces)
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
  }
}
