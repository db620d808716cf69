import type { EventBatch } from '../trace/batch.ts';
import type { NameIndex, NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERATION_COUNT, type Op } from '../trace/operation.ts';
import { STD_LINES } from './std-lines-wasm.ts';

const NEWLINE = 0x0a;

/* Of wasm/std-lines.c. */
const MOST_TEXT = 256 * 1024;
const MOST_EVENTS = 8192;
const NO_NAME = -1;
const WORD_LETTERS = 8;
const MOST_OPERATIONS = 32;
const KEYS = 32;

/** What it has memory for, in the order in which it tells the addresses. */
const REGIONS = ['text', 'ops', 'threads', 'operands', 'locations', 'offsets'] as const;
const FURTHER_REGIONS = ['newTables', 'newStarts', 'newEnds', 'state', 'operations', 'keys'] as const;
type Region = (typeof REGIONS)[number] | (typeof FURTHER_REGIONS)[number];

/* The words of its state. */
const EVENTS = 0;
const NEW_NAMES = 1;
const IS_FULL = 2;
const MOST_BYTES = 3;

/** So little is looked at after a line that is out of the ordinary: there may be more of them. */
const LEAST_PIECE = 1024;

interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  address(what: number): number;
  decode(length: number, room: number, base: number): number;
  intern(table: number, length: number): number;
  find(table: number, length: number): number;
}

/** What is used of it; there is none with `node --jitless`. */
declare const WebAssembly:
  | {
      Module: new (code: Uint8Array) => object;
      Instance: new (module: object) => { exports: unknown };
    }
  | undefined;

let compiled: object | null = null;

/**
 * The fast way through STD, compiled from wasm/std-lines.c. It stops at the first line that is out of the ordinary, which
 * the plain decoder then reads; whatever it does read, it reads as that one would.
 *
 * The index of all names is there, so that a name is found without leaving it; the names themselves are here. Where names
 * would take more memory than it may have, it gives up, and the plain decoder does everything.
 */
export class StdLines {
  /** Whether it has given up. */
  isOver = false;
  readonly #exports: Exports;
  readonly #addresses: Record<Region, number>;
  readonly #tables: readonly NameTable[];
  readonly #indexes: CompiledIndex[] = [];
  /** A view of all memory, until that grows. */
  #memory = new Uint8Array(0);
  #words = new Int32Array(0);
  #piece = LEAST_PIECE;

  /** Null where there is no WebAssembly. */
  static for(names: TraceNames, mostBytes?: number): StdLines | null {
    if (typeof WebAssembly === 'undefined') return null;
    compiled ??= new WebAssembly.Module(Buffer.from(STD_LINES, 'base64'));
    return new StdLines(new WebAssembly.Instance(compiled).exports as Exports, names, mostBytes);
  }

  private constructor(exports: Exports, names: TraceNames, mostBytes: number | undefined) {
    this.#exports = exports;
    const regions = [...REGIONS, ...FURTHER_REGIONS];
    this.#addresses = Object.fromEntries(
      regions.map((region, i) => [region, this.#exports.address(i)]),
    ) as Record<Region, number>;
    this.#tables = [names.threads, names.locks, names.variables, names.labels, names.locations];
    this.#look();
    this.#tellOperations(names);
    this.#tellKeys();
    if (mostBytes !== undefined) this.#setState(MOST_BYTES, mostBytes);
    this.#tables.forEach((table, i) => {
      const index = new CompiledIndex(this, i);
      this.#indexes.push(index);
      table.indexBy(index);
    });
  }

  /** Reads from `from`, at most to `limit`, which is behind a newline; returns where it stopped. */
  run(bytes: Uint8Array, from: number, limit: number, batch: EventBatch): number {
    let at = from;
    while (at < limit && batch.length < batch.capacity && !this.isOver) {
      const room = Math.min(batch.capacity - batch.length, MOST_EVENTS);
      let end = Math.min(limit, at + this.#piece);
      if (end < limit) end = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
      // A longer line than fits is out of the ordinary, too.
      if (end <= at && !this.#enlarge()) return at;
      if (end <= at) continue;
      this.#memory.set(bytes.subarray(at, end), this.#addresses.text);
      const used = this.#exports.decode(end - at, room, at);
      this.#look();
      this.#takeNames(bytes, at);
      this.#takeEvents(batch);
      at += used;
      if (at === end) {
        this.#enlarge();
      } else if (batch.length < batch.capacity) {
        this.#piece = LEAST_PIECE;
        if (this.#state(IS_FULL) !== 0) this.#giveUp();
        return at;
      } else if (used > 0) {
        // About as much as fits the next batch, if that is as empty as this one was.
        this.#piece = Math.max(LEAST_PIECE, used);
      }
    }
    return at;
  }

  /** The id of a name, which is the next one if it is new; -1 if there is no memory for it. */
  intern(table: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MOST_TEXT) return this.#giveUp();
    this.#memory.set(bytes.subarray(start, end), this.#addresses.text);
    const id = this.#exports.intern(table, end - start);
    this.#look();
    return id === NO_NAME ? this.#giveUp() : id;
  }

  find(table: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MOST_TEXT) return -1;
    this.#memory.set(bytes.subarray(start, end), this.#addresses.text);
    return this.#exports.find(table, end - start);
  }

  #enlarge(): boolean {
    if (this.#piece === MOST_TEXT) return false;
    this.#piece = Math.min(2 * this.#piece, MOST_TEXT);
    return true;
  }

  #giveUp(): -1 {
    this.isOver = true;
    for (const table of this.#tables) table.indexBy(null);
    return -1;
  }

  /** When memory has grown, what was seen of it before is gone. */
  #look(): void {
    const { buffer } = this.#exports.memory;
    if (this.#memory.buffer === buffer && this.#memory.length > 0) return;
    this.#memory = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer);
  }

  #wordsOf(region: Region, count: number): Int32Array {
    const first = this.#addresses[region] / 4;
    return this.#words.subarray(first, first + count);
  }

  #bytesOf(region: Region, count: number): Uint8Array {
    return this.#memory.subarray(this.#addresses[region], this.#addresses[region] + count);
  }

  #state(word: number): number {
    return this.#words[this.#addresses.state / 4 + word];
  }

  #setState(word: number, value: number): void {
    this.#words[this.#addresses.state / 4 + word] = value;
  }

  #takeNames(bytes: Uint8Array, base: number): void {
    const count = this.#state(NEW_NAMES);
    if (count === 0) return;
    const tables = this.#bytesOf('newTables', count);
    const starts = this.#wordsOf('newStarts', count);
    const ends = this.#wordsOf('newEnds', count);
    for (let i = 0; i < count; i++)
      this.#tables[tables[i]].appendIndexed(bytes, base + starts[i], base + ends[i]);
  }

  #takeEvents(batch: EventBatch): void {
    const { length } = batch;
    const count = this.#state(EVENTS);
    batch.op.set(this.#bytesOf('ops', count), length);
    batch.thread.set(this.#wordsOf('threads', count), length);
    batch.operand.set(this.#wordsOf('operands', count), length);
    batch.location.set(this.#wordsOf('locations', count), length);
    batch.offset.set(this.#wordsOf('offsets', count), length);
    batch.length = length + count;
  }

  #tellOperations(names: TraceNames): void {
    const at = this.#addresses.operations;
    MNEMONICS.forEach((mnemonic, op) => {
      this.#memory.set(Buffer.from(mnemonic), at + WORD_LETTERS * op);
      const tableAt = at + WORD_LETTERS * MOST_OPERATIONS + 4 * op;
      this.#words[tableAt / 4] = this.#tables.indexOf(names.operandTable(op as Op));
    });
    this.#words[(at + (WORD_LETTERS + 4) * MOST_OPERATIONS) / 4] = OPERATION_COUNT;
  }

  /** Other ones in every process. Nobody sees them who writes traces, and loading `node:crypto` takes two milliseconds. */
  #tellKeys(): void {
    this.#wordsOf('keys', KEYS).set(Int32Array.from({ length: KEYS }, () => Math.random() * 2 ** 32));
  }
}

/** The index of one table. */
class CompiledIndex implements NameIndex {
  readonly #lines: StdLines;
  readonly #table: number;

  constructor(lines: StdLines, table: number) {
    this.#lines = lines;
    this.#table = table;
  }

  intern(bytes: Uint8Array, start: number, end: number): number {
    return this.#lines.intern(this.#table, bytes, start, end);
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#lines.find(this.#table, bytes, start, end);
  }
}
