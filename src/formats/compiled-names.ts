import { compiledModule } from '../trace/compiled-code.ts';
import type { NameIndex, NameTable } from '../trace/name-table.ts';

/* Of wasm/names.h. */
export const MOST_TEXT = 256 * 1024;
const NO_NAME = -1;
const KEYS = 32;

/** What every module with tables of names has memory for, in the order in which it tells the addresses. */
const COMMON_REGIONS = ['text', 'newTables', 'newEnds', 'newBytes', 'state', 'keys'] as const;
type CommonRegion = (typeof COMMON_REGIONS)[number];

/* The words of its state. */
const NEW_NAMES = 0;
export const IS_FULL = 1;
const MOST_BYTES = 2;
export const READ = 3;
export const NOTABLE = 4;
export const HASHED = 5;

interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  address(what: number): number;
  intern(table: number, length: number): number;
  find(table: number, length: number): number;
}

/** What is used of it; there is none with `node --jitless`. */
declare const WebAssembly:
  | {
      Instance: new (module: object) => { exports: unknown };
    }
  | undefined;

const compiled = new Map<string, object>();

/** What a module exports, given as `compiledModule` takes it; null where there is no WebAssembly. */
export function instanceOf(code: string): unknown {
  if (typeof WebAssembly === 'undefined') return null;
  let module = compiled.get(code);
  if (module === undefined) {
    module = compiledModule(code);
    compiled.set(code, module);
  }
  return new WebAssembly.Instance(module).exports;
}

/**
 * Tables of names whose index is in a module that includes wasm/names.h, so that a name is found without leaving it; the names
 * themselves are here. Where names would take more memory than it may have, it gives up, and the tables find their names themselves.
 */
export class CompiledNames<Own extends string> {
  /** Whether it has given up. */
  isOver = false;
  readonly #exports: Exports;
  readonly #addresses: Record<CommonRegion | Own, number>;
  protected readonly tables: readonly NameTable[];
  /** A view of all memory, until that grows. */
  protected memory = new Uint8Array(0);
  protected words = new Int32Array(0);

  constructor(
    exports: unknown,
    regions: readonly Own[],
    tables: readonly NameTable[],
    mostBytes: number | undefined,
  ) {
    this.#exports = exports as Exports;
    this.#addresses = Object.fromEntries(
      [...COMMON_REGIONS, ...regions].map((region, i) => [region, this.#exports.address(i)]),
    ) as Record<CommonRegion | Own, number>;
    this.tables = tables;
    this.look();
    // Others in every process. Nobody sees them who writes traces, and loading `node:crypto` takes two milliseconds.
    this.wordsOf('keys', KEYS).set(Int32Array.from({ length: KEYS }, () => Math.random() * 2 ** 32));
    if (mostBytes !== undefined) this.words[this.addressOf('state') / 4 + MOST_BYTES] = mostBytes;
    tables.forEach((table, i) => {
      table.indexBy(new CompiledIndex(this, i));
    });
  }

  /** The id of a name, which is the next one if it is new; -1 if there is no memory for it. */
  intern(table: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MOST_TEXT) return this.giveUp();
    this.memory.set(bytes.subarray(start, end), this.addressOf('text'));
    const id = this.#exports.intern(table, end - start);
    this.look();
    return id === NO_NAME ? this.giveUp() : id;
  }

  find(table: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MOST_TEXT) return -1;
    this.memory.set(bytes.subarray(start, end), this.addressOf('text'));
    return this.#exports.find(table, end - start);
  }

  giveUp(): -1 {
    if (!this.isOver) for (const table of this.tables) table.indexBy(null);
    this.isOver = true;
    return -1;
  }

  /** When memory has grown, what was seen of it before is gone. */
  protected look(): void {
    const { buffer } = this.#exports.memory;
    if (this.memory.buffer === buffer && this.memory.length > 0) return;
    this.memory = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
  }

  protected addressOf(region: CommonRegion | Own): number {
    return this.#addresses[region];
  }

  protected wordsOf(region: CommonRegion | Own, count: number): Int32Array {
    const first = this.#addresses[region] / 4;
    return this.words.subarray(first, first + count);
  }

  protected bytesOf(region: CommonRegion | Own, count: number): Uint8Array {
    return this.memory.subarray(this.#addresses[region], this.#addresses[region] + count);
  }

  protected state(word: number): number {
    return this.words[this.#addresses.state / 4 + word];
  }

  /** Adds the names to their tables that were new to the last call. */
  protected takeNames(): void {
    const count = this.state(NEW_NAMES);
    if (count === 0) return;
    const tables = this.bytesOf('newTables', count);
    const ends = this.wordsOf('newEnds', count);
    const bytes = this.bytesOf('newBytes', ends[count - 1]);
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && tables[to] === tables[from]) to++;
      const start = from === 0 ? 0 : ends[from - 1];
      this.tables[tables[from]].appendIndexed(bytes, start, ends.subarray(from, to));
      from = to;
    }
  }
}

/** The index of one table. */
class CompiledIndex implements NameIndex {
  readonly #names: CompiledNames<string>;
  readonly #table: number;

  constructor(names: CompiledNames<string>, table: number) {
    this.#names = names;
    this.#table = table;
  }

  intern(bytes: Uint8Array, start: number, end: number): number {
    return this.#names.intern(this.#table, bytes, start, end);
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#names.find(this.#table, bytes, start, end);
  }
}
