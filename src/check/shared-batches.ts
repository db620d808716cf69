import { BATCH_CAPACITY, EventBatch } from '../trace/batch.ts';

/*
 * Batches on their way from the thread that reads to the thread that analyses, in memory that both see. There are so many
 * that the reader goes on while the other thread starts.
 */

const SLOTS = 64;

/* The words at the start: how many batches were put in and taken out, and whether no more are taken. */
const PUT = 0;
const TAKEN = 1;
const STATE = 2;
const HEADER_BYTES = 64;

const ABANDONED = 1;
/** Instead of a number of events: no more batches are to come. */
const END = -1;

/* A slot: the number of its first event and how many there are, then the columns. */
const EVENT_BYTES = 4 + 4 + 1;
const SLOT_BYTES = 16 + BATCH_CAPACITY * EVENT_BYTES;

/** How long the reader sleeps before it looks whether the other thread is still there. */
const PATIENCE_MS = 20;

export function sharedBatches(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + SLOTS * SLOT_BYTES);
}

interface Slot {
  firstEvent: Float64Array;
  length: Int32Array;
  batch: EventBatch;
}

function slotsIn(buffer: SharedArrayBuffer): Slot[] {
  return Array.from({ length: SLOTS }, (_, i) => {
    const at = HEADER_BYTES + i * SLOT_BYTES;
    const columns = {
      thread: new Int32Array(buffer, at + 16, BATCH_CAPACITY),
      operand: new Int32Array(buffer, at + 16 + 4 * BATCH_CAPACITY, BATCH_CAPACITY),
      op: new Uint8Array(buffer, at + 16 + 8 * BATCH_CAPACITY, BATCH_CAPACITY),
    };
    return {
      firstEvent: new Float64Array(buffer, at, 1),
      length: new Int32Array(buffer, at + 8, 1),
      batch: new EventBatch(BATCH_CAPACITY, columns),
    };
  });
}

/** The side of the thread that reads. */
export class OutgoingBatches {
  readonly #header: Int32Array;
  readonly #slots: Slot[];
  #put = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.#slots = slotsIn(buffer);
  }

  /** Copies the batch, or puts the end; false if there is no room for it, after waiting a little. */
  put(batch: EventBatch | null): boolean {
    const taken = Atomics.load(this.#header, TAKEN);
    if (this.#put - taken === SLOTS) {
      Atomics.wait(this.#header, TAKEN, taken, PATIENCE_MS);
      if (this.#put - Atomics.load(this.#header, TAKEN) === SLOTS) return false;
    }
    const slot = this.#slots[this.#put % SLOTS];
    slot.length[0] = batch?.length ?? END;
    if (batch !== null) {
      slot.firstEvent[0] = batch.firstEvent;
      slot.batch.op.set(batch.op.subarray(0, batch.length));
      slot.batch.thread.set(batch.thread.subarray(0, batch.length));
      slot.batch.operand.set(batch.operand.subarray(0, batch.length));
    }
    Atomics.store(this.#header, PUT, ++this.#put);
    Atomics.notify(this.#header, PUT);
    return true;
  }

  get isAbandoned(): boolean {
    return Atomics.load(this.#header, STATE) === ABANDONED;
  }
}

/** The side of the thread that analyses. */
export class IncomingBatches {
  readonly #header: Int32Array;
  readonly #slots: Slot[];

  constructor(buffer: SharedArrayBuffer) {
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.#slots = slotsIn(buffer);
  }

  /** The batches as they come; each is valid until the next one is asked for. */
  *batches(): Generator<EventBatch> {
    for (let taken = 0; ; taken++) {
      while (Atomics.load(this.#header, PUT) === taken) Atomics.wait(this.#header, PUT, taken);
      const { batch, firstEvent, length } = this.#slots[taken % SLOTS];
      if (length[0] === END) return;
      batch.firstEvent = firstEvent[0];
      batch.length = length[0];
      yield batch;
      Atomics.store(this.#header, TAKEN, taken + 1);
      Atomics.notify(this.#header, TAKEN);
    }
  }

  /** No more is going to be taken. */
  abandon(): void {
    Atomics.store(this.#header, STATE, ABANDONED);
    Atomics.notify(this.#header, TAKEN);
  }
}
