import type { Cells } from './cells.ts';

const SMALLEST = 8;
/** Lists from this size class on, of 255 members, have an index; looking through a shorter one takes less. */
const INDEXED = 6;
/** A list starts with its size in the pool and the number of its members. */
const SIZE = 0;
const COUNT = 1;
const MEMBERS = 2;

/**
 * Short lists of (thread, time) pairs in one pool. A list is named by where it starts; it lies in one piece, so
 * that a look through it touches few cache lines.
 */
export class MemberLists {
  readonly #memory: Cells;
  /** Given-up lists by size: the first of each, linked through their third cell, or -1. */
  readonly #free: number[] = [];
  /** Where each thread is, in long lists. */
  readonly #indexes = new Map<number, Map<number, number>>();

  constructor(memory: Cells) {
    this.#memory = memory;
  }

  /** A new list with room for at least so many members. */
  create(room: number): number {
    let size = SMALLEST;
    let sizeClass = 0;
    while (size < MEMBERS + 2 * room) {
      size *= 2;
      sizeClass++;
    }
    while (this.#free.length <= sizeClass) this.#free.push(-1);
    let list = this.#free[sizeClass];
    if (list >= 0) {
      this.#free[sizeClass] = this.#memory.all[list + MEMBERS];
    } else {
      list = this.#memory.allocate(size);
    }
    this.#memory.all[list + SIZE] = sizeClass;
    this.#memory.all[list + COUNT] = 0;
    if (sizeClass >= INDEXED) this.#indexes.set(list, new Map());
    return list;
  }

  remove(list: number): void {
    const sizeClass = this.#memory.all[list + SIZE];
    if (sizeClass >= INDEXED) this.#indexes.delete(list);
    this.#memory.all[list + MEMBERS] = this.#free[sizeClass];
    this.#free[sizeClass] = list;
  }

  count(list: number): number {
    return this.#memory.all[list + COUNT];
  }

  isFull(list: number): boolean {
    return MEMBERS + 2 * this.#memory.all[list + COUNT] === SMALLEST << this.#memory.all[list + SIZE];
  }

  /** Appends to a list that is not full. */
  append(list: number, thread: number, time: number): void {
    const index = this.#memory.all[list + COUNT]++;
    if (this.#memory.all[list + SIZE] >= INDEXED) this.#indexes.get(list)?.set(thread, index);
    const at = list + MEMBERS + 2 * index;
    this.#memory.all[at] = thread;
    this.#memory.all[at + 1] = time;
  }

  /** Puts one member of a list without an index in the place of another. */
  replace(list: number, index: number, thread: number, time: number): void {
    const at = list + MEMBERS + 2 * index;
    this.#memory.all[at] = thread;
    this.#memory.all[at + 1] = time;
  }

  hasIndex(list: number): boolean {
    return this.#memory.all[list + SIZE] >= INDEXED;
  }

  thread(list: number, index: number): number {
    return this.#memory.all[list + MEMBERS + 2 * index];
  }

  time(list: number, index: number): number {
    return this.#memory.all[list + MEMBERS + 2 * index + 1];
  }

  setTime(list: number, index: number, time: number): void {
    this.#memory.all[list + MEMBERS + 2 * index + 1] = time;
  }

  /** The index of the member with this thread, or -1. */
  indexOf(list: number, thread: number): number {
    const cells = this.#memory.all;
    if (cells[list + SIZE] >= INDEXED) return this.#indexes.get(list)?.get(thread) ?? -1;
    const end = list + MEMBERS + 2 * cells[list + COUNT];
    for (let at = list + MEMBERS; at < end; at += 2)
      if (cells[at] === thread) return (at - list - MEMBERS) >> 1;
    return -1;
  }
}
