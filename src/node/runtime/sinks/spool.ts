import fs from 'node:fs';
import { TrkEncoder } from '../../../formats/trk/writer.ts';
import type { EventBatch } from '../../../trace/batch.ts';
import {
  encodeFacts,
  encodeProgram,
  FACTS_SECTION,
  FACTS_VERSION,
  type FactRecord,
  PROGRAM_SECTION,
} from '../../../trace/facts.ts';
import type { NameTables } from '../../../trace/names.ts';
import type { TraceSink } from '../../core/trace-sink.ts';

/** The program may be using a patched `fs`. */
const { openSync, writeSync, closeSync } = fs;

/**
 * Writes the trace to a `.trk` file while the program runs. What was handed over is in the file when `take` returns, so
 * that a program which crashes or exits loses nothing of it.
 */
export class Spool implements TraceSink {
  readonly #file: number;
  readonly #encoder: TrkEncoder;
  /** What is known of the events that come next. */
  readonly #facts: FactRecord[] = [];

  constructor(path: string, names: NameTables) {
    this.#file = openSync(path, 'w');
    this.#encoder = new TrkEncoder(names);
  }

  take(batch: EventBatch, _sequences: Int32Array, flags: Uint16Array): void {
    const flagged: number[] = [];
    for (let i = 0; i < batch.length; i++) if (flags[i] !== 0) flagged.push(batch.firstEvent + i, flags[i]);
    if (flagged.length > 0) this.noteFact(['events', flagged]);
    this.#writeFacts();
    this.#write(this.#encoder.encode(batch));
    this.#write(this.#encoder.flush());
  }

  noteFact(fact: FactRecord): void {
    if (fact[0] === 'program')
      this.#write(this.#encoder.section(PROGRAM_SECTION, FACTS_VERSION, encodeProgram(fact[1])));
    else this.#facts.push(fact);
  }

  #writeFacts(): void {
    if (this.#facts.length === 0) return;
    this.#write(this.#encoder.section(FACTS_SECTION, FACTS_VERSION, encodeFacts(this.#facts)));
    this.#facts.length = 0;
  }

  flush(): void {
    this.#writeFacts();
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
    this.#writeFacts();
    this.#write(this.#encoder.finish());
    closeSync(this.#file);
  }

  #write(pieces: Iterable<Uint8Array>): void {
    for (const bytes of pieces)
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
  }
}
