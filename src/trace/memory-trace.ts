import { EventBatch } from './batch.ts';
import { internLocation, locationText, NO_LOCATION } from './location.ts';
import { TraceNames } from './names.ts';
import { MNEMONICS, type Op } from './operation.ts';

const utf8 = new TextEncoder();

/** One event with its names spelled out. */
export interface NamedEvent {
  readonly thread: string;
  readonly op: Op;
  readonly operand: string;
  readonly location?: string | null;
}

/** A small trace held in memory: what tests, examples and explanations work on. */
export class MemoryTrace {
  readonly names = new TraceNames();
  readonly #batches: EventBatch[] = [];
  #length = 0;

  static of(events: Iterable<NamedEvent>): MemoryTrace {
    const trace = new MemoryTrace();
    for (const event of events) {
      let location = NO_LOCATION;
      if (event.location !== undefined && event.location !== null) {
        const bytes = utf8.encode(event.location);
        location = internLocation(trace.names.locations, bytes, 0, bytes.length);
      }
      trace.push(
        trace.names.threads.internText(event.thread),
        event.op,
        trace.names.operandTable(event.op).internText(event.operand),
        location,
      );
    }
    return trace;
  }

  get length(): number {
    return this.#length;
  }

  push(thread: number, op: Op, operand: number, location: number = NO_LOCATION): void {
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.length === batch.capacity) {
      batch = new EventBatch(batch === undefined ? 16 : Math.min(batch.capacity * 2, 8192));
      batch.firstEvent = this.#length + 1;
      this.#batches.push(batch);
    }
    batch.push(thread, op, operand, location, 0);
    this.#length++;
  }

  /** The batches themselves; stages that rewrite operations must be given `copies()` instead. */
  batches(): readonly EventBatch[] {
    return this.#batches;
  }

  *copies(): Generator<EventBatch> {
    for (const batch of this.#batches) {
      const copy = new EventBatch(batch.capacity);
      copy.firstEvent = batch.firstEvent;
      for (let i = 0; i < batch.length; i++)
        copy.push(batch.thread[i], batch.op[i], batch.operand[i], batch.location[i], batch.offset[i]);
      yield copy;
    }
  }

  *events(): Generator<NamedEvent> {
    for (const batch of this.#batches) {
      for (let i = 0; i < batch.length; i++) {
        const op = batch.op[i] as Op;
        yield {
          thread: this.names.threads.text(batch.thread[i]),
          op,
          operand: this.names.operandTable(op).text(batch.operand[i]),
          location: locationText(this.names.locations, batch.location[i]),
        };
      }
    }
  }

  toString(): string {
    return [...this.events()].map((e) => `${e.thread}|${MNEMONICS[e.op]}(${e.operand})`).join('\n');
  }
}
