import type { EventBatch } from '../../trace/batch.ts';
import { BATCH_CAPACITY } from '../../trace/batch.ts';
import { CompiledAccesses } from './compiled-accesses.ts';

/* Where it is written which table is where, for compiled code: its first cell and its length. */
export const TIMES = 16;
export const SETTLED = 18;
export const SEGMENTS = 20;
export const RELEASED = 22;
/** Here the second cell holds the number of bits of an index, 0 for no table. */
export const JOINED = 24;
export const MOST_MEMBERS = 26;
/** The columns of a batch: operations, threads and operands. */
const COLUMNS = 27;
/* See late-blocks.ts. */
export const OPEN = 31;
export const FREE_BLOCK = 33;
export const TICKS = 34;
export const RUNNING = 36;
export const RUNNING_AT_MOST = 37;
/** The number of the first event of the batch, in pieces of so many bits. */
const FIRST_EVENT = 38;
export const FIRST_EVENT_BITS = 30;
/** By thread: not 0 if a fact says what precedes it; see precedence-facts.ts. */
export const PRECEDED = 40;
/** Which of the two says what a thread has learnt: what it has not, and is not running, does not matter. */
export const LEARNT_BY = 42;
export const BY_PRECEDENCE = 1;
export const BY_VERSIONS = 2;
/** By thread: not 0 if it knows of a block of another one; see versions.ts. */
export const KNOWN = 43;
const HEADER = 48;

/** Shorter batches come from programs that run, and compiled code would start for a handful of events. */
const SHORT = 1024;

/**
 * Tables of integers in one piece of memory, which compiled code can be let work on (wasm/accesses.c). What is given out stays
 * where it is, by the index of its first cell.
 */
export class Cells {
  /** Replaced by a larger one where there is need. */
  all: Int32Array = new Int32Array(64);
  #end = HEADER;
  readonly #tables: Table[] = [];
  /** Undefined before the first long batch, null where there is none. */
  #compiled: CompiledAccesses | null | undefined;
  #events = 0;

  /** So many cells more, all of them 0. */
  allocate(count: number): number {
    const at = this.#end;
    if (at + count > this.all.length) this.#grow(at + count);
    this.#end += count;
    return at;
  }

  /** The table that compiled code looks for at `slot`. */
  table(slot: number): Table {
    const table = new Table(this, slot);
    this.#tables.push(table);
    return table;
  }

  /** Whether what compiled code can do for this batch is worth it: then it is `skim` that tells which events are to be shown. */
  takeIn(batch: EventBatch): boolean {
    if (batch.length < SHORT || batch.length > BATCH_CAPACITY) return false;
    if (this.#compiled === undefined) this.#compile();
    if (!this.#compiled) return false;
    this.#events = batch.length;
    this.all[FIRST_EVENT] = batch.firstEvent % 2 ** FIRST_EVENT_BITS;
    this.all[FIRST_EVENT + 1] = Math.floor(batch.firstEvent / 2 ** FIRST_EVENT_BITS);
    this.#compiled.takeIn(batch);
    return true;
  }

  /** Deals with the events of the batch from index `from` on; returns the index of the first that is left, or the length. */
  skim(from: number): number {
    return this.#compiled ? this.#compiled.skim(from, this.#events) : from;
  }

  #compile(): void {
    this.#compiled = CompiledAccesses.withMemory(this.#end);
    if (this.#compiled === null) return;
    this.#moveTo(this.#compiled.cells);
    const columns = [BATCH_CAPACITY / 4, BATCH_CAPACITY, BATCH_CAPACITY].map((size) => this.allocate(size));
    this.all.set(columns, COLUMNS);
    this.#compiled?.setColumns(columns);
  }

  /** By half: seldom enough, and what is not used is little. */
  #grow(needed: number): void {
    const length = Math.max(needed, this.all.length + (this.all.length >> 1));
    if (this.#compiled?.grow(length)) {
      // In its place.
      this.#look(this.#compiled.cells);
      return;
    }
    if (this.#compiled !== undefined) this.#compiled = null;
    this.#moveTo(new Int32Array(length));
  }

  #moveTo(cells: Int32Array): void {
    cells.set(this.all.subarray(0, this.#end));
    this.#look(cells);
  }

  #look(cells: Int32Array): void {
    this.all = cells;
    for (const table of this.#tables) table.look();
  }
}

/** A table that grows. */
export class Table {
  /** Valid until cells are allocated. */
  view: Int32Array = new Int32Array(0);
  readonly #cells: Cells;
  readonly #slot: number;

  constructor(cells: Cells, slot: number) {
    this.#cells = cells;
    this.#slot = slot;
  }

  /** Makes it hold so many cells at least; the new ones are 0. */
  reserve(length: number): void {
    const old = this.view.length;
    if (length <= old) return;
    const cells = this.#cells;
    const size = Math.max(length, 2 * old, 16);
    const at = cells.allocate(size);
    cells.all.set(this.view, at);
    cells.all[this.#slot] = at;
    cells.all[this.#slot + 1] = size;
    this.look();
  }

  look(): void {
    const { all } = this.#cells;
    const at = all[this.#slot];
    this.view = all.subarray(at, at + all[this.#slot + 1]);
  }
}
