import type { EventBatch } from '../../trace/batch.ts';
import { internLocation, isNumericLocation, locationNameId, NO_LOCATION } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { OPERAND_KINDS, OPERATION_COUNT, OPERATION_WORDS, type OperandKind } from '../../trace/operation.ts';
import { unzigzag } from './byte-builder.ts';
import type { Cursor } from './cursor.ts';
import { IncomingNames } from './incoming-names.ts';
import {
  MAX_CHUNK_EVENTS,
  MAX_INDEX_WIDTH,
  MAX_NAME_BYTES,
  MAX_OPERAND_WIDTH,
  NAME_TABLES,
} from './layout.ts';

/**
 * Reads chunks of events, one at a time: `open` takes its tables, `decodeColumns` its events. Columns are
 * stored as planes of bytes, and each loop below does one thing to one column, which keeps it short enough
 * for the compiler to make it tight.
 */
export class EventChunk {
  readonly #names: TraceNames;
  readonly #incoming: Record<OperandKind, IncomingNames> = {
    thread: new IncomingNames(),
    lock: new IncomingNames(),
    variable: new IncomingNames(),
    label: new IncomingNames(),
  };
  /** Maps to locations, not to ids of the location table: a number that was defined as text is a number. */
  readonly #incomingLocations = new IncomingNames();

  #events = 0;
  #actionWidth = 1;
  #operandWidth = 0;
  #locationWidth = 0;
  #columns = 0;

  // Indexed by action. At least 256 long, so that one byte never points outside.
  #actionCount = 0;
  #actionOp = new Uint8Array(256);
  #actionThread = new Int32Array(256);
  #actionLeastOperand = new Int32Array(256);
  #locationCount = 0;
  #locations = new Int32Array(256);

  constructor(names: TraceNames) {
    this.#names = names;
  }

  /** Reads all of the body but its columns, and returns the number of events. */
  open(cursor: Cursor): number {
    this.#events = cursor.bounded('the number of events', MAX_CHUNK_EVENTS);
    for (const table of NAME_TABLES) this.#readNames(cursor, table);
    this.#readActions(cursor);
    this.#readLocations(cursor);
    this.#readWidths(cursor);
    return this.#events;
  }

  /** Puts the events into `batch` from index `to` on, where there must be room; `batch.length` stays. */
  decodeColumns(cursor: Cursor, batch: EventBatch, to: number): void {
    const count = this.#events;
    const actions = this.#columns;
    const operands = actions + count * this.#actionWidth;
    const locations = operands + count * this.#operandWidth;
    const { bytes } = cursor;
    if (!this.#decodeActions(bytes, actions, batch, to)) {
      this.#refuseIndex(cursor, 'action', actions, this.#actionWidth, this.#actionCount);
    }
    for (let plane = 0; plane < this.#operandWidth; plane++) {
      addPlane(bytes, operands + plane * count, plane * 8, batch.operand, to, count);
    }
    this.#checkOperands(cursor, batch, to, operands);
    if (!this.#decodeLocations(bytes, locations, batch.location, to)) {
      this.#refuseIndex(cursor, 'location', locations, this.#locationWidth, this.#locationCount);
    }
  }

  #readNames(cursor: Cursor, table: (typeof NAME_TABLES)[number]): void {
    const { bytes } = cursor;
    const names = this.#names[table];
    const count = cursor.varint(`the number of new ${table}`);
    for (let i = 0; i < count; i++) {
      const length = cursor.bounded('the length of a name', MAX_NAME_BYTES);
      const start = cursor.at;
      const end = start + length;
      if (end > cursor.end) {
        cursor.fail(start, 'a name is cut', `${cursor.end - start} bytes`, `${length} bytes`);
      }
      cursor.at = end;
      if (table === 'locations') this.#incomingLocations.define(internLocation(names, bytes, start, end));
      else this.#incoming[KIND_OF_TABLE[table]].define(names.intern(bytes, start, end));
    }
  }

  #readActions(cursor: Cursor): void {
    const count = cursor.bounded('the number of actions', this.#events);
    if (count > this.#actionOp.length) {
      this.#actionOp = new Uint8Array(MAX_CHUNK_EVENTS);
      this.#actionThread = new Int32Array(MAX_CHUNK_EVENTS);
      this.#actionLeastOperand = new Int32Array(MAX_CHUNK_EVENTS);
    }
    const threads = this.#incoming.thread;
    for (let i = 0; i < count; i++) {
      const start = cursor.at;
      const op = cursor.u8('an operation');
      if (op >= OPERATION_COUNT) {
        cursor.fail(start, 'unknown operation', String(op), `at most ${OPERATION_COUNT - 1}`);
      }
      this.#actionOp[i] = op;
      this.#actionThread[i] = threads.id(cursor.definedId('a thread', threads.count));
      this.#actionLeastOperand[i] = cursor.varint('the least operand of an action');
    }
    this.#actionCount = count;
  }

  #readLocations(cursor: Cursor): void {
    const count = cursor.bounded('the number of locations', this.#events);
    if (count > this.#locations.length) this.#locations = new Int32Array(MAX_CHUNK_EVENTS);
    const texts = this.#incomingLocations;
    let value = 0;
    for (let i = 0; i < count; i++) {
      const start = cursor.at;
      value = (value + unzigzag(cursor.varint('a location'))) | 0;
      if (value < 0) cursor.fail(start, 'a location is too large', String(value >>> 0), 'at most 2147483647');
      if (value === NO_LOCATION || isNumericLocation(value)) {
        this.#locations[i] = value;
      } else {
        const id = locationNameId(value);
        if (id >= texts.count) cursor.undefinedId(start, 'a location', id, texts.count);
        this.#locations[i] = texts.id(id);
      }
    }
    this.#locationCount = count;
  }

  #readWidths(cursor: Cursor): void {
    const count = this.#events;
    this.#actionWidth = readWidth(cursor, 'the width of the action column', 1, MAX_INDEX_WIDTH);
    this.#operandWidth = readWidth(cursor, 'the width of the operand column', 0, MAX_OPERAND_WIDTH);
    this.#locationWidth = readWidth(cursor, 'the width of the location column', 0, MAX_INDEX_WIDTH);
    this.#columns = cursor.at;
    const size = count * (this.#actionWidth + this.#operandWidth + this.#locationWidth);
    if (cursor.end - cursor.at !== size) {
      const found = `${cursor.end - cursor.at} bytes`;
      cursor.fail(cursor.at, 'the columns do not fill the chunk', found, `${size} bytes`);
    }
  }

  /** False if an index points past the actions. */
  #decodeActions(bytes: Uint8Array, from: number, batch: EventBatch, to: number): boolean {
    const { op, thread, operand } = batch;
    const count = this.#events;
    const last = this.#actionCount - 1;
    const actionOp = this.#actionOp;
    const actionThread = this.#actionThread;
    const leastOperand = this.#actionLeastOperand;
    // Negative as soon as one difference is: one test after the loop instead of one an event.
    let outside = 0;
    if (this.#actionWidth === 1) {
      for (let i = 0; i < count; i++) {
        const action = bytes[from + i];
        outside |= last - action;
        op[to + i] = actionOp[action];
        thread[to + i] = actionThread[action];
        operand[to + i] = leastOperand[action];
      }
    } else {
      for (let i = 0; i < count; i++) {
        const action = bytes[from + i] | (bytes[from + count + i] << 8);
        outside |= last - action;
        op[to + i] = actionOp[action];
        thread[to + i] = actionThread[action];
        operand[to + i] = leastOperand[action];
      }
    }
    return outside >= 0;
  }

  /** False if an index points past the locations. */
  #decodeLocations(bytes: Uint8Array, from: number, location: Int32Array, to: number): boolean {
    const count = this.#events;
    const last = this.#locationCount - 1;
    const locations = this.#locations;
    let outside = 0;
    if (this.#locationWidth === 0) {
      if (count > 0) outside = last;
      location.fill(locations[0], to, to + count);
    } else if (this.#locationWidth === 1) {
      for (let i = 0; i < count; i++) {
        const index = bytes[from + i];
        outside |= last - index;
        location[to + i] = locations[index];
      }
    } else {
      for (let i = 0; i < count; i++) {
        const index = bytes[from + i] | (bytes[from + count + i] << 8);
        outside |= last - index;
        location[to + i] = locations[index];
      }
    }
    return outside >= 0;
  }

  #checkOperands(cursor: Cursor, batch: EventBatch, to: number, column: number): void {
    const { op, operand } = batch;
    const end = to + this.#events;
    const last = new Int32Array(16).fill(-1);
    for (let i = 0; i < OPERATION_COUNT; i++) last[i] = this.#incoming[OPERAND_KINDS[i]].count - 1;
    let outside = 0;
    for (let i = to; i < end; i++) outside |= operand[i] | (last[op[i]] - operand[i]);
    if (outside < 0) {
      for (let i = to; i < end; i++) {
        if ((operand[i] | (last[op[i]] - operand[i])) >= 0) continue;
        const what = `the operand of event ${cursor.whole + 1 + i - to}, a ${OPERATION_WORDS[op[i]]},`;
        cursor.undefinedId(column + i - to, what, operand[i] >>> 0, last[op[i]] + 1);
      }
    }
    const { thread, lock, variable, label } = this.#incoming;
    if (thread.sameIds && lock.sameIds && variable.sameIds && label.sameIds) return;
    for (let i = to; i < end; i++) operand[i] = this.#incoming[OPERAND_KINDS[op[i]]].id(operand[i]);
  }

  #refuseIndex(cursor: Cursor, what: string, column: number, width: number, count: number): never {
    const { bytes } = cursor;
    for (let i = 0; ; i++) {
      let index = 0;
      for (let plane = 0; plane < width; plane++) {
        index |= bytes[column + plane * this.#events + i] << (8 * plane);
      }
      if (index < count) continue;
      const event = cursor.whole + 1 + i;
      cursor.fail(
        column + i,
        `the ${what} of event ${event} is not in its chunk`,
        String(index),
        `below ${count}`,
      );
    }
  }
}

const KIND_OF_TABLE = { threads: 'thread', locks: 'lock', variables: 'variable', labels: 'label' } as const;

function readWidth(cursor: Cursor, what: string, least: number, most: number): number {
  const start = cursor.at;
  const width = cursor.u8(what);
  if (width < least || width > most) {
    cursor.fail(start, `${what} is wrong`, String(width), `${least} to ${most} bytes`);
  }
  return width;
}

/** Adds one byte of each of `count` numbers; sums wrap around at 32 bits. */
function addPlane(
  bytes: Uint8Array,
  from: number,
  shift: number,
  values: Int32Array,
  to: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) values[to + i] += bytes[from + i] << shift;
}
