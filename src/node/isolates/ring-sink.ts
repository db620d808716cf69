import type { EventBatch } from '../../trace/batch.ts';
import { encodeFacts, type FactRecord } from '../../trace/facts.ts';
import { isNumericLocation, locationNameId, NO_LOCATION } from '../../trace/location.ts';
import type { NamesById, NameTables } from '../../trace/names.ts';
import { OPERATION_COUNT } from '../../trace/operation.ts';
import type { TraceSink } from '../core/trace-sink.ts';
import {
  EVENT_WORDS,
  FACTS,
  FLAG_SHIFT,
  KIND_SHIFT,
  LAST,
  NAME_WORDS,
  NUMBERED,
  operandTableOf,
  RecordKind,
  TABLES,
  Table,
} from './records.ts';
import type { RingWriter } from './ring.ts';

/** Writes the trace of this isolate to its ring. */
export class RingSink implements TraceSink {
  readonly #ring: RingWriter;
  readonly #names: readonly NamesById[];
  /** For each operation, the table of its operands. */
  readonly #operandTables: readonly number[];
  /** For each table, which ids the reader knows. */
  readonly #known: Uint8Array[] = TABLES.map(() => new Uint8Array(64));

  constructor(ring: RingWriter, names: NameTables) {
    this.#ring = ring;
    this.#names = TABLES.map((table) => names[table]);
    this.#operandTables = Array.from({ length: OPERATION_COUNT }, (_, op) => operandTableOf(op));
  }

  take(batch: EventBatch, sequences: Int32Array, flags: Uint16Array): void {
    const ring = this.#ring;
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const location = batch.location[i];
      this.#tell(Table.threads, batch.thread[i]);
      this.#tell(this.#operandTables[op], batch.operand[i]);
      if (location !== NO_LOCATION && !isNumericLocation(location))
        this.#tell(Table.locations, locationNameId(location));
      const sequence = sequences[i];
      ring.begin(EVENT_WORDS);
      const word = op | (flags[i] << FLAG_SHIFT);
      ring.put(sequence === 0 ? word : word | NUMBERED);
      ring.put(batch.thread[i]);
      ring.put(batch.operand[i]);
      ring.put(location);
      if (sequence !== 0) ring.put(sequence);
    }
    ring.publish();
  }

  /** What follows comes after this number. */
  mark(sequence: number): void {
    this.#ring.begin(2);
    this.#ring.put(RecordKind.mark << KIND_SHIFT);
    this.#ring.put(sequence);
    this.#ring.publish();
  }

  noteFact(fact: FactRecord): void {
    this.#sendName(FACTS, 0, encodeFacts([fact]));
  }

  /** The checker thread knows what is still needed. */
  needsThread(): boolean {
    return false;
  }

  needsVariable(): boolean {
    return false;
  }

  forgetThreads(threads: readonly number[]): void {
    for (const thread of threads) this.#forget(Table.threads, thread);
  }

  forgetVariable(variable: number): void {
    this.#forget(Table.variables, variable);
  }

  forgetMessages(messages: readonly number[]): void {
    for (const message of messages) this.#forget(Table.messages, message);
  }

  finish(): void {
    this.#ring.publish();
  }

  #tell(table: number, id: number): void {
    let known = this.#known[table];
    if (id >= known.length) {
      known = new Uint8Array(2 * id + 1);
      known.set(this.#known[table]);
      this.#known[table] = known;
    }
    if (known[id] !== 0) return;
    known[id] = 1;
    this.#sendName(table, id, this.#names[table].bytes(id));
  }

  #sendName(table: number, id: number, bytes: Uint8Array): void {
    const ring = this.#ring;
    const longest = 4 * (ring.longest - NAME_WORDS);
    for (let start = 0; ; start += longest) {
      const end = Math.min(bytes.length, start + longest);
      ring.begin(NAME_WORDS + ((end - start + 3) >> 2));
      ring.put((RecordKind.name << KIND_SHIFT) | table | (end === bytes.length ? LAST : 0));
      ring.put(id);
      ring.put(end - start);
      for (let at = start; at < end; at += 4)
        ring.put(bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24));
      if (end === bytes.length) return;
    }
  }

  #forget(table: number, id: number): void {
    const known = this.#known[table];
    if (id >= known.length || known[id] === 0) return;
    known[id] = 0;
    this.#ring.begin(2);
    this.#ring.put((RecordKind.forget << KIND_SHIFT) | table);
    this.#ring.put(id);
  }
}
