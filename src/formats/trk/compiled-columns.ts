import { compiledModule } from '../../trace/compiled-code.ts';
import { Op } from '../../trace/operation.ts';
import {
  ChunkColumns,
  type ColumnArrays,
  type ColumnSizes,
  type NameList,
  type PackedNameSizes,
  type PackedSizes,
  PlainColumns,
} from './columns.ts';
import { MAX_CHUNK_EVENTS, MAX_PACKED_BYTES } from './layout.ts';
import { MOST_NUMBERS, MOST_TEMPLATES } from './name-templates.ts';
import { OPERAND_TABLES } from './operand-classes.ts';
import { MOST_SYMBOLS } from './prefix-code.ts';
import { TRK_COLUMNS } from './trk-columns-wasm.ts';

interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  address(what: number): number;
  combine(...sizes: number[]): number;
  set_code(symbols: number): number;
  unpack(...sizes: number[]): number;
  unpack_names(...sizes: number[]): number;
}

/** What is used of it; there is none with `node --jitless`. */
declare const WebAssembly:
  | {
      Instance: new (module: object) => { exports: unknown };
    }
  | undefined;

/* The order in which wasm/trk-columns.c tells its addresses. */
const COLUMNS = 5;
const NOTABLE_COUNT = 11;
const LOADED = 12;
const NAME_BYTES = 25;
const NAME_ENDS = 26;

let shared: ChunkColumns | null = null;

/** Those of this process: a chunk is decoded and copied out in one go. */
export function chunkColumns(): ChunkColumns {
  shared ??= typeof WebAssembly === 'undefined' ? new PlainColumns() : CompiledColumns.instance();
  return shared;
}

/** The same by wasm/trk-columns.c. */
export class CompiledColumns extends ChunkColumns {
  readonly #exports: Exports;
  readonly #loaded: Uint8Array;
  readonly #nameBytes: Uint8Array;
  readonly #nameEnds: Int32Array;
  readonly #columns: Uint8Array;
  readonly #notableCount: Int32Array;

  static instance(): CompiledColumns {
    const module = compiledModule(TRK_COLUMNS);
    return new CompiledColumns(new WebAssembly!.Instance(module).exports as Exports);
  }

  private constructor(exports: Exports) {
    const { memory, address } = exports;
    const bytes = (what: number, count = MAX_CHUNK_EVENTS) =>
      new Uint8Array(memory.buffer, address(what), count);
    const integers = (what: number, count = MAX_CHUNK_EVENTS) =>
      new Int32Array(memory.buffer, address(what), count);
    const numbers = MOST_TEMPLATES * MOST_NUMBERS;
    const pieces = MOST_TEMPLATES * (MOST_NUMBERS + 1);
    const arrays: ColumnArrays = {
      actionOp: bytes(0),
      actionThread: integers(1),
      actionLeastOperand: integers(2),
      actionOperandRange: integers(3),
      chunkLocations: integers(4),
      op: bytes(6),
      thread: integers(7),
      operand: integers(8),
      location: integers(9),
      notable: integers(10),
      actionTable: bytes(13),
      idCount: integers(14, OPERAND_TABLES),
      nextId: integers(15, OPERAND_TABLES),
      codeLengths: bytes(16, MOST_SYMBOLS),
      actionClass: bytes(17, MOST_SYMBOLS),
      templateNumbers: bytes(18, MOST_TEMPLATES),
      numberBits: bytes(19, numbers),
      numberIsDifference: bytes(20, numbers),
      leastNumber: integers(21, numbers),
      numberBefore: integers(22, numbers),
      pieceStart: integers(23, pieces),
      pieceLength: integers(24, pieces),
    };
    super(arrays);
    this.#exports = exports;
    this.#loaded = new Uint8Array(memory.buffer, address(LOADED), MAX_PACKED_BYTES);
    this.#nameBytes = bytes(NAME_BYTES, MAX_PACKED_BYTES);
    this.#nameEnds = integers(NAME_ENDS, 2 * MAX_CHUNK_EVENTS);
    this.#columns = new Uint8Array(memory.buffer, address(COLUMNS));
    this.#notableCount = new Int32Array(memory.buffer, address(NOTABLE_COUNT), 1);
  }

  protected combine(
    bytes: Uint8Array,
    from: number,
    { events, actionWidth, operandWidth, locationWidth }: ColumnSizes,
    actions: number,
    locations: number,
  ): number {
    const size = events * (actionWidth + operandWidth + locationWidth);
    this.#columns.set(bytes.subarray(from, from + size));
    const isInside = this.#exports.combine(
      events,
      actionWidth,
      operandWidth,
      locationWidth,
      actions,
      locations,
      Op.update,
    );
    return isInside !== 0 ? this.#notableCount[0] : -1;
  }

  load(bytes: Uint8Array, from: number, to: number): void {
    this.#loaded.set(bytes.subarray(from, to));
  }

  setCode(symbols: number): boolean {
    return this.#exports.set_code(symbols) !== 0;
  }

  unpackNames({ names, templates, at, end, limit }: PackedNameSizes): NameList | null {
    const length = this.#exports.unpack_names(names, templates, at, end, limit);
    if (length < 0) return null;
    return { bytes: this.#nameBytes.subarray(0, length), ends: this.#nameEnds.subarray(0, names) };
  }

  protected unpackEvents(sizes: PackedSizes): number {
    const { events, actions, locations, evenAt, oddAt, numbersAt, locationsAt, end } = sizes;
    const isInside = this.#exports.unpack(
      events,
      evenAt,
      oddAt,
      numbersAt,
      locationsAt,
      end,
      actions,
      locations,
      Op.update,
    );
    return isInside !== 0 ? this.#notableCount[0] : -1;
  }
}
