import type { EventBatch } from '../../trace/batch.ts';
import { Op } from '../../trace/operation.ts';
import { MAX_CHUNK_EVENTS, MAX_PACKED_BYTES } from './layout.ts';
import { MOST_NUMBERS, MOST_TEMPLATES } from './name-templates.ts';
import { OPERAND_TABLES } from './operand-classes.ts';
import { PlainCode, unpackedEvents, unpackedNames } from './plain-unpacking.ts';
import { MOST_SYMBOLS } from './prefix-code.ts';

/** What is stored in a chunk: how many events, and in how many bytes each column has its values. */
export interface ColumnSizes {
  events: number;
  actionWidth: number;
  operandWidth: number;
  locationWidth: number;
}

/** Of a packed chunk: how many events, and where in what was loaded the bits of each column are. */
export interface PackedSizes {
  events: number;
  actions: number;
  locations: number;
  /** Of the actions of every other event. */
  evenAt: number;
  oddAt: number;
  numbersAt: number;
  locationsAt: number;
  end: number;
}

/** Of packed names: how many, by how many templates, and where their bits are. */
export interface PackedNameSizes {
  names: number;
  templates: number;
  at: number;
  end: number;
  /** How many bytes the names may take. */
  limit: number;
}

/** Names one behind the other, and where each of them ends. */
export interface NameList {
  bytes: Uint8Array;
  ends: Int32Array;
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
  /* Those of a packed chunk. */
  /** Which table the operands of an action are named in. */
  actionTable: Uint8Array;
  /** By table: how many ids there are with this chunk, and the first that the class of new ones means. */
  idCount: Int32Array;
  nextId: Int32Array;
  /** How the operands of an action are told. */
  actionClass: Uint8Array;
  /** Of the code of actions. */
  codeLengths: Uint8Array;
  /** By template: how many numbers are in it. The others have room for the most numbers in each template. */
  templateNumbers: Uint8Array;
  numberBits: Uint8Array;
  numberIsDifference: Uint8Array;
  leastNumber: Int32Array;
  numberBefore: Int32Array;
  /** Where in what was loaded the text in front of each number is, and behind the last. */
  pieceStart: Int32Array;
  pieceLength: Int32Array;
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

  /** Takes over a piece of a packed chunk, to which all that is said about it refers. */
  abstract load(bytes: Uint8Array, from: number, to: number): void;

  /** Makes a code of the first lengths in the tables. False if they are not those of one. */
  abstract setCode(symbols: number): boolean;

  /** Decodes the events by the code and the tables. False if something points outside or the bits do not end with the columns. */
  unpack(sizes: PackedSizes): boolean {
    this.#notableCount = this.unpackEvents(sizes);
    return this.#notableCount >= 0;
  }

  protected abstract unpackEvents(sizes: PackedSizes): number;

  /** Null if a number is out of range, or they are too long. */
  abstract unpackNames(sizes: PackedNameSizes): NameList | null;

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
  readonly #loaded = new Uint8Array(MAX_PACKED_BYTES);
  #code: PlainCode | null = null;

  constructor() {
    const integers = () => new Int32Array(MAX_CHUNK_EVENTS);
    super({
      actionOp: new Uint8Array(MAX_CHUNK_EVENTS),
      actionThread: integers(),
      actionLeastOperand: integers(),
      actionOperandRange: integers(),
      chunkLocations: integers(),
      actionTable: new Uint8Array(MAX_CHUNK_EVENTS),
      idCount: new Int32Array(OPERAND_TABLES),
      nextId: new Int32Array(OPERAND_TABLES),
      codeLengths: new Uint8Array(MOST_SYMBOLS),
      actionClass: new Uint8Array(MOST_SYMBOLS),
      templateNumbers: new Uint8Array(MOST_TEMPLATES),
      numberBits: new Uint8Array(MOST_TEMPLATES * MOST_NUMBERS),
      numberIsDifference: new Uint8Array(MOST_TEMPLATES * MOST_NUMBERS),
      leastNumber: new Int32Array(MOST_TEMPLATES * MOST_NUMBERS),
      numberBefore: new Int32Array(MOST_TEMPLATES * MOST_NUMBERS),
      pieceStart: new Int32Array(MOST_TEMPLATES * (MOST_NUMBERS + 1)),
      pieceLength: new Int32Array(MOST_TEMPLATES * (MOST_NUMBERS + 1)),
      op: new Uint8Array(MAX_CHUNK_EVENTS),
      thread: integers(),
      operand: integers(),
      location: integers(),
      notable: integers(),
    });
  }

  load(bytes: Uint8Array, from: number, to: number): void {
    this.#loaded.set(bytes.subarray(from, to));
  }

  setCode(symbols: number): boolean {
    this.#code = PlainCode.of(this.tables.codeLengths.slice(0, symbols));
    return this.#code !== null;
  }

  unpackNames(sizes: PackedNameSizes): NameList | null {
    return unpackedNames(this.#loaded, this.tables, sizes);
  }

  protected unpackEvents(sizes: PackedSizes): number {
    return unpackedEvents(this.#loaded, this.tables, this.#code!, sizes);
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
