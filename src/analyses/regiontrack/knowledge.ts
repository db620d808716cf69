import { grownInt32 } from '../../trace/growable.ts';
import type { WatchedBlocks } from './watched-blocks.ts';

/* A row: whose it is (-1 when given up), its room and its length in cells, and then the entries. */
const OWNER = 0;
const ROOM = 1;
const LENGTH = 2;
export const ENTRIES = 3;

/* An entry. */
export const SUBJECT = 0;
export const UP_TO = 1;
export const SINCE = 2;
export const WIDTH = 3;

const SMALLEST = 4 * WIDTH;

/**
 * What each thread knows by itself of the watched blocks of others: "since its local time p, everything that
 * thread i did up to i's time q happened before". These are the vector clocks of RegionTrack's subregions
 * (§4.2, Algorithm 1), told apart by when an entry changed instead of copied at each change, so that the clock
 * of an event is found from its thread and time alone. An entry counts only for the latest watched block of i
 * begun up to q, and not at all when there is none: what is known of finished transactions costs nothing.
 *
 * Rows lie one behind the other. A row that needs room is first rid of what does not count any more, and so are
 * all of them when the pool is full.
 */
export class Knowledge {
  cells = new Int32Array(1024);
  /** Where the row of each thread starts; 0 if it has none. */
  row = new Int32Array(16);
  readonly #blocks: WatchedBlocks;
  #end = 1;
  /** Up to when the entries kept of the row at hand know each thread. */
  readonly #kept = new Map<number, number>();

  constructor(blocks: WatchedBlocks) {
    this.#blocks = blocks;
  }

  reserveThread(thread: number): void {
    this.row = grownInt32(this.row, thread + 1);
  }

  /** Where the entries of a row end; with the pool's cells at hand, `row + ENTRIES` is where they start. */
  rowEnd(row: number): number {
    return row + ENTRIES + this.cells[row + LENGTH];
  }

  /** Whether the thread knew at `time` of a block that is still watched. */
  knowsAny(thread: number, time: number): boolean {
    const { cells } = this;
    const { first } = this.#blocks;
    const row = this.row[thread];
    if (row === 0) return false;
    const end = this.rowEnd(row);
    for (let entry = row + ENTRIES; entry < end && cells[entry + SINCE] <= time; entry += WIDTH)
      if (cells[entry + UP_TO] >= first[cells[entry + SUBJECT]]) return true;
    return false;
  }

  /** Adds that `thread` knows `subject` up to `upTo` since `since`, which is not before any other entry of it. */
  add(thread: number, subject: number, upTo: number, since: number): void {
    let row = this.row[thread];
    if (row === 0 || this.cells[row + LENGTH] === this.cells[row + ROOM]) row = this.#makeRoom(thread);
    const { cells } = this;
    const entry = row + ENTRIES + cells[row + LENGTH];
    cells[entry + SUBJECT] = subject;
    cells[entry + UP_TO] = upTo;
    cells[entry + SINCE] = since;
    cells[row + LENGTH] += WIDTH;
  }

  /** As if the thread had learnt nothing. */
  drop(thread: number): void {
    const row = this.row[thread];
    if (row !== 0) this.cells[row + OWNER] = -1;
    this.row[thread] = 0;
  }

  #makeRoom(thread: number): number {
    const row = this.row[thread];
    if (row === 0) return this.#allocate(thread, SMALLEST);
    this.#compact(row);
    const room = this.cells[row + ROOM];
    if (2 * this.cells[row + LENGTH] <= room) return row;
    return this.#allocate(thread, 2 * room);
  }

  /** Makes an empty row for the thread, or moves the one that it has. */
  #allocate(thread: number, room: number): number {
    if (this.#end + ENTRIES + room > this.cells.length) this.#collect(ENTRIES + room);
    const { cells } = this;
    const row = this.#end;
    this.#end += ENTRIES + room;
    cells[row + OWNER] = thread;
    cells[row + ROOM] = room;
    const old = this.row[thread];
    if (old === 0) {
      cells[row + LENGTH] = 0;
    } else {
      const length = cells[old + LENGTH];
      cells[row + LENGTH] = length;
      cells.copyWithin(row + ENTRIES, old + ENTRIES, old + ENTRIES + length);
      cells[old + OWNER] = -1;
    }
    this.row[thread] = row;
    return row;
  }

  /** Drops the entries that do not count, or say no more than an older one about the same thread. */
  #compact(row: number): void {
    const { cells } = this;
    const kept = this.#kept;
    kept.clear();
    const start = row + ENTRIES;
    const end = this.rowEnd(row);
    let to = start;
    for (let entry = start; entry < end; entry += WIDTH) {
      const subject = cells[entry + SUBJECT];
      const block = this.#blocks.latestUpTo(subject, cells[entry + UP_TO]);
      if (block === 0) continue;
      const upTo = this.#blocks.time[block];
      if (upTo <= (kept.get(subject) ?? 0)) continue;
      kept.set(subject, upTo);
      const since = cells[entry + SINCE];
      cells[to + SUBJECT] = subject;
      cells[to + UP_TO] = upTo;
      cells[to + SINCE] = since;
      to += WIDTH;
    }
    cells[row + LENGTH] = to - start;
  }

  /** Moves the rows that still say something to the front, and makes room for `needed` cells behind them. */
  #collect(needed: number): void {
    const old = this.cells;
    let alive = 0;
    for (let row = 1; row < this.#end; row += ENTRIES + old[row + ROOM]) {
      if (old[row + OWNER] < 0) continue;
      this.#compact(row);
      if (old[row + LENGTH] > 0) alive += ENTRIES + roomFor(old[row + LENGTH]);
    }
    let size = old.length;
    while (size < 2 * (alive + needed)) size *= 2;
    const cells = new Int32Array(size);
    let end = 1;
    for (let row = 1; row < this.#end; row += ENTRIES + old[row + ROOM]) {
      const owner = old[row + OWNER];
      if (owner < 0) continue;
      if (old[row + LENGTH] === 0) {
        this.row[owner] = 0;
        continue;
      }
      cells.set(old.subarray(row, row + ENTRIES + old[row + LENGTH]), end);
      cells[end + ROOM] = roomFor(old[row + LENGTH]);
      this.row[owner] = end;
      end += ENTRIES + cells[end + ROOM];
    }
    this.cells = cells;
    this.#end = end;
  }
}

function roomFor(length: number): number {
  return Math.max(SMALLEST, 2 * length);
}
