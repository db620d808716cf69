import { grownInt32 } from '../../trace/growable.ts';
import { type Cells, KNOWN, type Table } from '../shared/cells.ts';
import type { BlockClocks } from './block-clocks.ts';

/* A row: whose it is (-1 when given up), its room and its length in cells, and then the entries. */
const OWNER = 0;
const ROOM = 1;
const LENGTH = 2;
const ENTRIES = 3;

/* An entry. */
const SINCE = 0;
const TREE = 1;
const WIDTH = 2;

const SMALLEST = 2 * WIDTH;

/**
 * What each thread knows of the watched blocks of others, and since which of its local times: the vector clocks of
 * RegionTrack's subregions (§4.2, Algorithm 1), so that the clock of an event is found from its thread and time alone.
 *
 * Rows lie one behind the other. A row that needs room is first rid of the versions that do not differ any more from those
 * before them, as what they added is not watched any more; so are all of them when the pool is full.
 */
export class Versions {
  readonly #clocks: BlockClocks;
  #cells = new Int32Array(1024);
  /** Where the row of each thread starts; 0 if it has none. */
  #row = new Int32Array(16);
  #end = 1;
  /** Per thread: 1 if its row is not empty; where compiled code sees it. */
  readonly #known: Table;

  constructor(clocks: BlockClocks, memory: Cells) {
    this.#clocks = clocks;
    this.#known = memory.table(KNOWN);
    this.#known.reserve(16);
  }

  reserveThread(thread: number): void {
    this.#row = grownInt32(this.#row, thread + 1);
    this.#known.reserve(thread + 1);
  }

  hasAny(thread: number): boolean {
    return thread < this.#known.view.length && this.#known.view[thread] !== 0;
  }

  /** What the thread knows now. */
  latest(thread: number): number {
    const row = this.#row[thread];
    return row === 0 || this.#cells[row + LENGTH] === 0
      ? 0
      : this.#cells[row + ENTRIES + this.#cells[row + LENGTH] - WIDTH + TREE];
  }

  /** What the thread knew at a time. */
  at(thread: number, time: number): number {
    const cells = this.#cells;
    const row = this.#row[thread];
    if (row === 0) return 0;
    const start = row + ENTRIES;
    let high = cells[row + LENGTH] / WIDTH;
    if (high === 0) return 0;
    if (cells[start + (high - 1) * WIDTH + SINCE] <= time) return cells[start + (high - 1) * WIDTH + TREE];
    // Entry `low - 1` is not later than the time, entry `high` is.
    let low = 0;
    high--;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (cells[start + middle * WIDTH + SINCE] <= time) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : cells[start + (low - 1) * WIDTH + TREE];
  }

  /** Takes over the use of what the thread knows since a time, which is not before that of any other version. */
  add(thread: number, since: number, tree: number): void {
    let row = this.#row[thread];
    if (row !== 0) {
      const last = row + ENTRIES + this.#cells[row + LENGTH] - WIDTH;
      if (this.#cells[row + LENGTH] > 0 && this.#cells[last + SINCE] === since) {
        this.#clocks.drop(this.#cells[last + TREE]);
        this.#cells[last + TREE] = tree;
        return;
      }
    }
    if (row === 0 || this.#cells[row + LENGTH] === this.#cells[row + ROOM]) row = this.#makeRoom(thread);
    const cells = this.#cells;
    const entry = row + ENTRIES + cells[row + LENGTH];
    cells[entry + SINCE] = since;
    cells[entry + TREE] = tree;
    cells[row + LENGTH] += WIDTH;
    this.#known.view[thread] = 1;
  }

  /** Forgets what the thread knew if no block of that is watched any more. */
  dropDead(thread: number): void {
    // Whatever it knew before, it knows now.
    if (!this.#clocks.isLive(this.latest(thread))) this.drop(thread);
  }

  /** As if the thread had learnt nothing. */
  drop(thread: number): void {
    const row = this.#row[thread];
    if (row === 0) return;
    const cells = this.#cells;
    for (let entry = row + ENTRIES; entry < row + ENTRIES + cells[row + LENGTH]; entry += WIDTH)
      this.#clocks.drop(cells[entry + TREE]);
    cells[row + OWNER] = -1;
    this.#row[thread] = 0;
    this.#known.view[thread] = 0;
  }

  #makeRoom(thread: number): number {
    const row = this.#row[thread];
    if (row === 0) return this.#allocate(thread, SMALLEST);
    this.#compact(row);
    const room = this.#cells[row + ROOM];
    if (2 * this.#cells[row + LENGTH] <= room) return row;
    return this.#allocate(thread, 2 * room);
  }

  /** Makes an empty row for the thread, or moves the one that it has. */
  #allocate(thread: number, room: number): number {
    if (this.#end + ENTRIES + room > this.#cells.length) this.#collect(ENTRIES + room);
    const cells = this.#cells;
    const row = this.#end;
    this.#end += ENTRIES + room;
    cells[row + OWNER] = thread;
    cells[row + ROOM] = room;
    const old = this.#row[thread];
    if (old === 0) {
      cells[row + LENGTH] = 0;
    } else {
      const length = cells[old + LENGTH];
      cells[row + LENGTH] = length;
      cells.copyWithin(row + ENTRIES, old + ENTRIES, old + ENTRIES + length);
      cells[old + OWNER] = -1;
    }
    this.#row[thread] = row;
    return row;
  }

  #compact(row: number): void {
    const cells = this.#cells;
    const clocks = this.#clocks;
    const start = row + ENTRIES;
    const end = start + cells[row + LENGTH];
    let to = start;
    let kept = 0;
    for (let entry = start; entry < end; entry += WIDTH) {
      const tree = cells[entry + TREE];
      if (!clocks.hasNews(kept, tree)) {
        clocks.drop(tree);
        continue;
      }
      kept = tree;
      cells[to + SINCE] = cells[entry + SINCE];
      cells[to + TREE] = tree;
      to += WIDTH;
    }
    cells[row + LENGTH] = to - start;
    if (to === start) this.#known.view[cells[row + OWNER]] = 0;
  }

  /** Moves the rows that still say something to the front, and makes room for `needed` cells behind them. */
  #collect(needed: number): void {
    const old = this.#cells;
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
        this.#row[owner] = 0;
        continue;
      }
      cells.set(old.subarray(row, row + ENTRIES + old[row + LENGTH]), end);
      cells[end + ROOM] = roomFor(old[row + LENGTH]);
      this.#row[owner] = end;
      end += ENTRIES + cells[end + ROOM];
    }
    this.#cells = cells;
    this.#end = end;
  }
}

function roomFor(length: number): number {
  return Math.max(SMALLEST, 2 * length);
}
