import type { TraceNames } from '../../trace/names.ts';
import { CompiledNames, IS_FULL, instanceOf, MOST_TEXT, READ } from '../compiled-names.ts';
import { CHUNK_NAMES } from './chunk-names-wasm.ts';
import type { IncomingNames } from './incoming-names.ts';

const REGIONS = ['ids'] as const;

interface Exports {
  intern_all(table: number, length: number, most: number, first: number): number;
}

/** The tables whose names are found by compiled code, and their numbers there; locations are not all names. */
const TABLES = { threads: 0, locks: 1, variables: 2, labels: 3 } as const;
export type CompiledTable = keyof typeof TABLES;

/** The fast way through the names of chunks, compiled from wasm/chunk-names.c. */
export class ChunkNames extends CompiledNames<(typeof REGIONS)[number]> {
  readonly #internAll: Exports['intern_all'];

  /** Null where there is no WebAssembly. */
  static for(names: TraceNames): ChunkNames | null {
    const exports = instanceOf(CHUNK_NAMES);
    return exports === null ? null : new ChunkNames(exports as Exports, names);
  }

  private constructor(exports: Exports, { threads, locks, variables, labels }: TraceNames) {
    super(exports, REGIONS, [threads, locks, variables, labels], undefined);
    this.#internAll = exports.intern_all;
  }

  /**
   * Reads at most `count` names from `bytes[from … to)`, each with its length in front, and defines them. Returns how many, and where
   * it stopped: the next name is out of the ordinary.
   */
  read(
    table: CompiledTable,
    bytes: Uint8Array,
    from: number,
    to: number,
    count: number,
    incoming: IncomingNames,
  ): { names: number; at: number } {
    let at = from;
    let names = 0;
    while (names < count) {
      const length = Math.min(to - at, MOST_TEXT);
      this.memory.set(bytes.subarray(at, at + length), this.addressOf('text'));
      const done = this.#internAll(TABLES[table], length, count - names, 0);
      this.look();
      this.takeNames();
      const ids = this.wordsOf('ids', done);
      for (let i = 0; i < done; i++) incoming.define(ids[i]);
      at += this.state(READ);
      names += done;
      if (this.state(IS_FULL) !== 0) this.giveUp();
      if (done === 0 || this.isOver) break;
    }
    return { names, at };
  }
}
