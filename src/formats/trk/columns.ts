import type { EventBatch } from '../../trace/batch.ts';
import { Op } from '../../trace/operation.ts';
import { MAX_CHUNK_EVENTS } from './layout.ts';

/** What is stored in a chunk: how many events, and in how many bytes each column has its values. */
export interface ColumnSizes {
  events: number;
  actionWidth: number;
  operandWidth: number;
  locationWidth: number;
}

/** Arrays with room for the largest chunk. */
export interface ColumnArrays {
  /* The tables of the chunk. An action is a thread doing an operation; see docs/reference/formats/trk.md. */
  actionOp: Uint8Array;
  actionThread: Int32Array;
  actionLeastOperand: Int32Array;
  /** How far above the least operand there are still names. */
  actionOperandRange: Int32Array;
  chunkLocations: Int32Array;
  /* The events. */
  op: Uint8Array;
  thread: Int32Array;
  operand: Int32Array;
  location: Int32Array;
  /** See `EventBatch`. */
  notable: Int32Array;
}

/** Where a chunk is taken apart: its tables are written, its columns decoded, and then its events copied out, in one go. */
export abstract class ChunkColumns {
  readonly tables: ColumnArrays;
  #notableCount = 0;

  constructor(arrays: ColumnArrays) {
    this.tables = arrays;
  }

  /**
   * Decodes the columns that start at `bytes[from]`. False if an index points past `actions` or `locations`, the
   * sizes of the tables, or an operand past its range.
   */
  decode(bytes: Uint8Array, from: number, sizes: ColumnSizes, actions: number, locations: number): boolean {
    this.#notableCount = this.combine(bytes, from, sizes, actions, locations);
    return this.#notableCount >= 0;
  }

  /** Returns how many events are notable, or -1. */
  protected abstract combine(
    bytes: Uint8Array,
    from: number,
    sizes: ColumnSizes,
    actions: number,
    locations: number,
  ): number;

  /** Copies events `start … end` of those decoded last behind the ones that `batch` holds. */
  copyEvents(start: number, end: number, batch: EventBatch): void {
    const { op, thread, operand, location, notable } = this.tables;
    batch.op.set(op.subarray(start, end), batch.length);
    batch.thread.set(thread.subarray(start, end), batch.length);
    batch.operand.set(operand.subarray(start, end), batch.length);
    batch.location.set(location.subarray(start, end), batch.length);
    // Nearly always, a chunk goes into one batch.
    if (start === 0) batch.note(notable, this.#notableCount, end);
  }

  /**
   * Replaces each operand by its entry in the map of its operation, where there is one. Returns the index of the first
   * event for which that is negative, or -1.
   */
  renameOperands(events: number, maps: readonly (Int32Array | null)[]): number {
    const { op, operand } = this.tables;
    let refused = -1;
    for (let i = 0; i < events; i++) {
      const map = maps[op[i]];
      if (map === null) continue;
      operand[i] = map[operand[i]];
      if (operand[i] < 0 && refused < 0) refused = i;
    }
    return refused;
  }
}

/** In JavaScript: what the compiled ones must agree with, and what is used where they cannot be. */
export class PlainColumns extends ChunkColumns {
  /** The first of an action that are accesses: one for each that has not come yet. */
  readonly #isNew = new Uint8Array(MAX_CHUNK_EVENTS);

  constructor() {
    const integers = () => new Int32Array(MAX_CHUNK_EVENTS);
    super({
      actionOp: new Uint8Array(MAX_CHUNK_EVENTS),
      actionThread: integers(),
      actionLeastOperand: integers(),
      actionOperandRange: integers(),
      chunkLocations: integers(),
      op: new Uint8Array(MAX_CHUNK_EVENTS),
      thread: integers(),
      operand: integers(),
      location: integers(),
      notable: integers(),
    });
  }

  protected combine(
    bytes: Uint8Array,
    from: number,
    { events, actionWidth, operandWidth, locationWidth }: ColumnSizes,
    actions: number,
    locations: number,
  ): number {
    const { tables } = this;
    const operandsAt = from + events * actionWidth;
    const locationsAt = operandsAt + events * operandWidth;
    let notable = 0;
    this.#isNew.fill(1, 0, actions);
    for (let i = 0; i < events; i++) {
      const action = valueAt(bytes, from + i, events, actionWidth);
      const above = valueAt(bytes, operandsAt + i, events, operandWidth);
      const place = valueAt(bytes, locationsAt + i, events, locationWidth);
      if (action >= actions || above > tables.actionOperandRange[action] || place >= locations) return -1;
      tables.op[i] = tables.actionOp[action];
      tables.thread[i] = tables.actionThread[action];
      tables.operand[i] = tables.actionLeastOperand[action] + above;
      tables.location[i] = tables.chunkLocations[place];
      if (this.#isNew[action] === 1 || tables.op[i] > Op.update) tables.notable[notable++] = i;
      this.#isNew[action] = 0;
    }
    return notable;
  }
}

/** The value of one event: byte 0 at `at`, its next byte one plane further, and so on. */
export function valueAt(bytes: Uint8Array, at: number, events: number, width: number): number {
  let value = 0;
  for (let plane = 0; plane < width; plane++) value += bytes[at + plane * events] * 2 ** (8 * plane);
  return value;
}
