/** Events per batch: small enough to stay in the second-level cache, large enough to hide per-batch work. */
export const BATCH_CAPACITY = 8192;

/** What a batch of so many events is kept in, when threads share it; nobody but decoders needs places. */
export interface BatchColumns {
  op: Uint8Array;
  thread: Int32Array;
  operand: Int32Array;
}

/**
 * A run of consecutive events as columns. Readers fill one batch again and again: its contents are valid only
 * until the next one is asked for.
 */
export class EventBatch {
  readonly capacity: number;
  length = 0;
  /** The number of the event at index 0; events are numbered from 1. */
  firstEvent = 1;

  readonly op: Uint8Array;
  readonly thread: Int32Array;
  /** An id in the table that the operation's operand kind names. */
  readonly operand: Int32Array;
  /** See `location.ts`. */
  readonly location: Int32Array;
  /** Where the event stood in the bytes being decoded; only its decoder can turn it into line and column. */
  readonly offset: Int32Array;

  /**
   * Of the events before `notedUpTo`: the indexes of all that are no reads, writes or updates, and of at least the first of each
   * thread. Only some decoders know them; who fills the columns by itself need not.
   */
  readonly notable: Int32Array;
  notableCount = 0;
  notedUpTo = 0;

  constructor(capacity: number = BATCH_CAPACITY, columns: BatchColumns | null = null) {
    this.capacity = capacity;
    this.op = columns?.op ?? new Uint8Array(capacity);
    this.thread = columns?.thread ?? new Int32Array(capacity);
    this.operand = columns?.operand ?? new Int32Array(capacity);
    const placed = columns === null ? capacity : 0;
    this.location = new Int32Array(placed);
    this.offset = new Int32Array(placed);
    this.notable = new Int32Array(placed);
  }

  /** Appends an event; for writers that are not in a hot loop. */
  push(thread: number, op: number, operand: number, location: number, offset: number): void {
    const i = this.length++;
    this.op[i] = op;
    this.thread[i] = thread;
    this.operand[i] = operand;
    this.location[i] = location;
    this.offset[i] = offset;
  }

  /** Notes which of the `events` events that are about to be counted in are notable, by their indexes among these. */
  note(indexes: Int32Array, count: number, events: number): void {
    const { length, notable } = this;
    if (this.notedUpTo !== length) return;
    let noted = this.notableCount;
    for (let i = 0; i < count && indexes[i] < events; i++) notable[noted++] = length + indexes[i];
    this.notableCount = noted;
    this.notedUpTo = length + events;
  }

  /** Makes room for the events after those now held. */
  advance(): void {
    this.firstEvent += this.length;
    this.length = 0;
    this.notableCount = 0;
    this.notedUpTo = 0;
  }
}
