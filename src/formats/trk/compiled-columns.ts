import { Op } from '../../trace/operation.ts';
import { ChunkColumns, type ColumnArrays, type ColumnSizes, PlainColumns } from './columns.ts';
import { MAX_CHUNK_EVENTS } from './layout.ts';
import { TRK_COLUMNS } from './trk-columns-wasm.ts';

interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  address(what: number): number;
  combine(...sizes: number[]): number;
}

/** What is used of it; there is none with `node --jitless`. */
declare const WebAssembly:
  | {
      Module: new (code: Uint8Array) => object;
      Instance: new (module: object) => { exports: unknown };
    }
  | undefined;

/* The order in which wasm/trk-columns.c tells its addresses. */
const COLUMNS = 5;
const NOTABLE_COUNT = 11;

let shared: ChunkColumns | null = null;

/** Those of this process: a chunk is decoded and copied out in one go. */
export function chunkColumns(): ChunkColumns {
  shared ??= typeof WebAssembly === 'undefined' ? new PlainColumns() : CompiledColumns.instance();
  return shared;
}

/** The same by wasm/trk-columns.c. */
export class CompiledColumns extends ChunkColumns {
  readonly #combine: Exports['combine'];
  readonly #columns: Uint8Array;
  readonly #notableCount: Int32Array;

  static instance(): CompiledColumns {
    const module = new WebAssembly!.Module(Buffer.from(TRK_COLUMNS, 'base64'));
    return new CompiledColumns(new WebAssembly!.Instance(module).exports as Exports);
  }

  private constructor({ memory, address, combine }: Exports) {
    const bytes = (what: number) => new Uint8Array(memory.buffer, address(what), MAX_CHUNK_EVENTS);
    const integers = (what: number) => new Int32Array(memory.buffer, address(what), MAX_CHUNK_EVENTS);
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
    };
    super(arrays);
    this.#combine = combine;
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
    const isInside = this.#combine(
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
}
