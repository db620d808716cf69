import type { SentNames } from '../formats/sent-names.ts';
import { VariableIds } from '../formats/variable-ids.ts';
import { BATCH_CAPACITY, EventBatch } from '../trace/batch.ts';
import type { NameTable } from '../trace/name-table.ts';

/*
 * Batches on their way from the thread that reads to the thread that analyses, in memory that both see. There are so many
 * that the reader goes on while the other thread starts. With a batch come the names of its variables, as far as their ids are given there.
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
/** The same: this is only names, and more are to come. */
const MORE_NAMES = -2;

/* A slot: the number of its first event, how many there are, and how many bytes of names, then the columns and the names. */
const EVENT_BYTES = 4 + 4 + 1;
const NAMES_AT = 16 + BATCH_CAPACITY * EVENT_BYTES;
const NAME_BYTES = 16 * BATCH_CAPACITY;
const SLOT_BYTES = NAMES_AT + NAME_BYTES;

/** How long the reader sleeps before it looks whether the other thread is still there. */
const PATIENCE_MS = 20;

export function sharedBatches(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + SLOTS * SLOT_BYTES);
}

interface Slot {
  firstEvent: Float64Array;
  /** Of the batch, and of the names. */
  lengths: Int32Array;
  batch: EventBatch;
  names: Uint8Array;
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
      lengths: new Int32Array(buffer, at + 8, 2),
      batch: new EventBatch(BATCH_CAPACITY, columns),
      names: new Uint8Array(buffer, at + NAMES_AT, NAME_BYTES),
    };
  });
}

/** The side of the thread that reads. */
export class OutgoingBatches {
  readonly #header: Int32Array;
  readonly #slots: Slot[];
  readonly #sentNames: SentNames | undefined;
  /** How many bytes of the names that are to be sent have been. */
  #sent = 0;
  #put = 0;

  constructor(buffer: SharedArrayBuffer, sentNames?: SentNames) {
    this.#sentNames = sentNames;
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.#slots = slotsIn(buffer);
  }

  /** Copies the batch, or puts the end; false if there is no room for it, after waiting a little: then it is to be put again. */
  put(batch: EventBatch | null): boolean {
    while (this.#unsent > NAME_BYTES) if (!this.#fill(MORE_NAMES, null)) return false;
    if (!this.#fill(batch?.length ?? END, batch)) return false;
    this.#sentNames?.clear();
    this.#sent = 0;
    return true;
  }

  get #unsent(): number {
    return (this.#sentNames?.length ?? 0) - this.#sent;
  }

  #fill(length: number, batch: EventBatch | null): boolean {
    const taken = Atomics.load(this.#header, TAKEN);
    if (this.#put - taken === SLOTS) {
      Atomics.wait(this.#header, TAKEN, taken, PATIENCE_MS);
      if (this.#put - Atomics.load(this.#header, TAKEN) === SLOTS) return false;
    }
    const slot = this.#slots[this.#put % SLOTS];
    const names = Math.min(this.#unsent, NAME_BYTES);
    slot.lengths[0] = length;
    slot.lengths[1] = names;
    if (names > 0) slot.names.set(this.#sentNames!.bytes.subarray(this.#sent, this.#sent + names));
    this.#sent += names;
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
  readonly #variables: NameTable | null;
  /** From the first names on. */
  #ids: VariableIds | null = null;
  /** Names of which others are still to come. */
  #begun: Uint8Array[] = [];

  /** If names of variables come, `variables` takes them. */
  constructor(buffer: SharedArrayBuffer, variables: NameTable | null = null) {
    this.#variables = variables;
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
    this.#slots = slotsIn(buffer);
  }

  /** The batches as they come; each is valid until the next one is asked for. */
  *batches(): Generator<EventBatch> {
    for (let taken = 0; ; taken++) {
      while (Atomics.load(this.#header, PUT) === taken) Atomics.wait(this.#header, PUT, taken);
      const { batch, firstEvent, lengths, names } = this.#slots[taken % SLOTS];
      const [length] = lengths;
      if (length === END) return;
      const sent = names.subarray(0, lengths[1]);
      if (length === MORE_NAMES) {
        this.#begun.push(sent.slice());
      } else {
        batch.firstEvent = firstEvent[0];
        batch.length = length;
        this.#giveIds(sent, batch);
        yield batch;
      }
      Atomics.store(this.#header, TAKEN, taken + 1);
      Atomics.notify(this.#header, TAKEN);
    }
  }

  #giveIds(sent: Uint8Array, batch: EventBatch): void {
    if (sent.length > 0) {
      this.#ids ??= VariableIds.for(this.#variables as NameTable);
      this.#ids!.take(this.#begun.length === 0 ? sent : Buffer.concat([...this.#begun, sent]));
      this.#begun = [];
    }
    this.#ids?.place(batch.operand.subarray(0, batch.length));
  }

  /** No more is going to be taken. */
  abandon(): void {
    Atomics.store(this.#header, STATE, ABANDONED);
    Atomics.notify(this.#header, TAKEN);
  }
}
