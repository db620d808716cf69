import { grownFloat64 } from '../../trace/growable.ts';
import type { ThreadClocks } from '../shared/thread-clocks.ts';

export const READ = 1;
export const UPDATE = 2;
export const WRITE = 3;

/* The four cells of a variable: its present group and the one before it. */
const KEY = 0;
const VALUE = 1;
const KEY_BEFORE = 2;
const VALUE_BEFORE = 3;
const WIDTH = 4;

/** The key of a variable whose race was found. */
const RACED = -8;

/**
 * What must be remembered of the accesses of a variable to find the first that races with an earlier one.
 *
 * Reads do not race with reads, nor updates with updates, so the accesses of a variable form groups of one
 * kind; a write is a group alone. As long as there was no race, all of a group happened before all of the next,
 * and an access that comes after the group before its own comes after everything earlier. For reads and writes
 * these two groups are the read and the write state of FastTrack (§3); updates are a second kind of read.
 *
 * A group is an epoch while its members are ordered, the last of them standing for all, and inflates to a clock
 * when two are not. An epoch is kept as slot · 4 + kind and the number of the event, a clock as -kind and its
 * tree.
 */
export class VariableAccesses {
  readonly #clocks: ThreadClocks;
  #cells = new Float64Array(256 * WIDTH);
  #inflated = 0;

  constructor(clocks: ThreadClocks) {
    this.#clocks = clocks;
  }

  /** How often an epoch was not enough. */
  get inflated(): number {
    return this.#inflated;
  }

  /** The number of the latest access that races with this one, if it is the variable's first race; else 0. */
  commuting(kind: number, thread: number, variable: number, event: number): number {
    const slot = this.#clocks.acting(thread);
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#cells = grownFloat64(this.#cells, at + WIDTH);
    const cells = this.#cells;
    const key = cells[at + KEY];
    if (key === slot * 4 + kind) {
      cells[at + VALUE] = event;
      return 0;
    }
    if (key === RACED) return 0;
    if ((key < 0 ? -key : key & 3) === kind) {
      const rival = this.#rival(cells[at + KEY_BEFORE], cells[at + VALUE_BEFORE], thread, slot);
      if (rival > 0) return this.#raced(at, rival);
      this.#joinGroup(at, kind, thread, slot, event);
      return 0;
    }
    const rival = this.#rival(key, cells[at + VALUE], thread, slot);
    if (rival > 0) return this.#raced(at, rival);
    this.#forget(at + KEY_BEFORE);
    cells[at + KEY_BEFORE] = key;
    cells[at + VALUE_BEFORE] = cells[at + VALUE];
    cells[at + KEY] = slot * 4 + kind;
    cells[at + VALUE] = event;
    return 0;
  }

  /** As `commuting`, for a write. */
  write(thread: number, variable: number, event: number): number {
    const slot = this.#clocks.acting(thread);
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#cells = grownFloat64(this.#cells, at + WIDTH);
    const cells = this.#cells;
    const key = cells[at + KEY];
    if (key === slot * 4 + WRITE) {
      cells[at + VALUE] = event;
      return 0;
    }
    if (key === RACED) return 0;
    const rival = this.#rival(key, cells[at + VALUE], thread, slot);
    if (rival > 0) return this.#raced(at, rival);
    this.#forget(at + KEY);
    this.#forget(at + KEY_BEFORE);
    cells[at + KEY] = slot * 4 + WRITE;
    cells[at + VALUE] = event;
    return 0;
  }

  /** The number of the latest access kept here that races with an access which is not; 0 if none does. */
  rivalOf(kind: number, thread: number, variable: number): number {
    const slot = this.#clocks.acting(thread);
    const at = variable * WIDTH;
    if (at >= this.#cells.length || this.#cells[at + KEY] === RACED) return 0;
    const key = this.#cells[at + KEY];
    const isOfGroup = kind !== WRITE && (key < 0 ? -key : key & 3) === kind;
    const group = at + (isOfGroup ? KEY_BEFORE : KEY);
    return this.#rival(this.#cells[group], this.#cells[group + 1], thread, slot);
  }

  hasRaced(variable: number): boolean {
    return this.#cells[variable * WIDTH + KEY] === RACED;
  }

  /** The race was found by other means. */
  setRaced(variable: number): void {
    const at = variable * WIDTH;
    this.#cells = grownFloat64(this.#cells, at + WIDTH);
    if (this.#cells[at + KEY] !== RACED) this.#raced(at, 0);
  }

  /** The latest access in the group that did not happen before what the thread does now; 0 if all did. */
  #rival(key: number, value: number, thread: number, slot: number): number {
    if (key > 0) {
      const other = key >> 2;
      return other === slot || this.#clocks.knows(thread, other, value) ? 0 : value;
    }
    return key === 0 ? 0 : this.#clocks.trees.latestBeyond(value, this.#clocks.treeOf(thread), slot);
  }

  /** Adds an access to the present group, which has a member of another slot. */
  #joinGroup(at: number, kind: number, thread: number, slot: number, event: number): void {
    const cells = this.#cells;
    const { trees } = this.#clocks;
    const key = cells[at + KEY];
    if (key < 0) {
      cells[at + VALUE] = trees.with(cells[at + VALUE], slot, event);
    } else if (this.#clocks.knows(thread, key >> 2, cells[at + VALUE])) {
      cells[at + KEY] = slot * 4 + kind;
      cells[at + VALUE] = event;
    } else {
      const tree = trees.with(0, key >> 2, cells[at + VALUE]);
      cells[at + KEY] = -kind;
      cells[at + VALUE] = trees.with(tree, slot, event);
      this.#inflated++;
    }
  }

  #raced(at: number, rival: number): number {
    this.#forget(at + KEY);
    this.#forget(at + KEY_BEFORE);
    this.#cells[at + KEY] = RACED;
    return rival;
  }

  /** Gives up the group whose key is in this cell. */
  #forget(cell: number): void {
    const cells = this.#cells;
    if (cells[cell] < 0) this.#clocks.trees.drop(cells[cell + 1]);
    cells[cell] = 0;
  }
}
