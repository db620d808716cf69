import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import { IntList } from '../shared/int-list.ts';
import { mixed } from '../shared/sequence-table.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import { HELD, isAccess, operandOf, opOf } from './codes.ts';

/** No surroundings. */
const NONE = -1;

/**
 * Leaves out what makes no difference (Wang and Stoller, §7.2). Where the same locks are held without a break,
 * the first and the last access of each kind to a variable stand for those between them, which are connected to
 * the same others by nodes that end later than the first and start earlier than the last. The paper keeps the
 * first two; with the last one instead, the last write of a unit stays what it is. Likewise the first and the
 * last stand for all synchronized regions side by side that have the same in them.
 */
export class Trimmer {
  /** After `trim`: the indices of the codes to be kept, in ascending order. */
  kept = new Int32Array(64);
  #keeps = new Uint8Array(64);
  #codes: Int32Array = new Int32Array(0);
  /* The locks that are held, in the order in which they were acquired. */
  readonly #heldLock: number[] = [];
  readonly #heldSince: number[] = [];
  /** The surroundings that the release leads back to; NONE if the region is not like a block of its own. */
  readonly #outside: number[] = [];
  /** A sum over what is kept of each region, and of what is in none. */
  readonly #sums: number[] = [];
  /** Numbered stretches in which the same locks are held. */
  #surroundings = 0;
  #surrounding = 0;
  /** For accesses: surroundings and code. For regions: surroundings and the sum over what is in them. */
  readonly #accesses = new TupleTable(2);
  readonly #regions = new TupleTable(2);
  /* The first and the last index of each of `#accesses`. */
  readonly #first = new IntList();
  readonly #last = new IntList();
  /** Four for each of `#regions`: start and end of the first, start and end of the last. */
  readonly #bounds = new IntList();

  /** Decides which of `codes` to keep, and returns how many. */
  trim(codes: Int32Array, length: number): number {
    this.#codes = codes;
    this.#keeps = grownUint8(this.#keeps, length);
    this.#keeps.fill(1, 0, length);
    this.#start();
    for (let i = 0; i < length; i++) this.#step(i, codes[i]);
    this.kept = grownInt32(this.kept, length);
    let count = 0;
    for (let i = 0; i < length; i++) if (this.#keeps[i] === 1) this.kept[count++] = i;
    return count;
  }

  #start(): void {
    this.#heldLock.length = 0;
    this.#heldSince.length = 0;
    this.#outside.length = 0;
    this.#sums.length = 0;
    this.#sums.push(0);
    this.#surroundings = 1;
    this.#surrounding = 0;
    this.#accesses.clear();
    this.#regions.clear();
    this.#first.length = 0;
    this.#last.length = 0;
    this.#bounds.length = 0;
  }

  #step(i: number, code: number): void {
    const op = opOf(code);
    if (isAccess(op)) {
      this.#add(code);
      this.#access(i, code);
    } else if (op === Op.acquire || op === HELD) {
      this.#sums.push(0);
      this.#add(code);
      this.#heldLock.push(operandOf(code));
      this.#heldSince.push(i);
      this.#outside.push(op === HELD ? NONE : this.#surrounding);
      this.#surrounding = this.#surroundings++;
    } else if (op === Op.release) {
      this.#release(i, operandOf(code));
    } else {
      this.#add(code);
      // What may happen at the same time changes with every fork and join.
      this.#outside.fill(NONE);
      this.#surrounding = this.#surroundings++;
    }
  }

  #access(i: number, code: number): void {
    const entry = this.#accesses.number(this.#surrounding, code);
    if (this.#accesses.wasNew) {
      this.#first.push(i);
      this.#last.push(i);
      return;
    }
    const last = this.#last.items[entry];
    if (last !== this.#first.items[entry]) {
      this.#keeps[last] = 0;
      this.#addSum(-mixed(0, code));
    }
    this.#last.items[entry] = i;
  }

  #add(code: number): void {
    this.#addSum(mixed(0, code));
  }

  #addSum(sum: number): void {
    this.#sums[this.#sums.length - 1] = (this.#sums[this.#sums.length - 1] + sum) | 0;
  }

  #release(i: number, lock: number): void {
    const at = this.#heldLock.lastIndexOf(lock);
    this.#add(this.#codes[i]);
    if (at === this.#heldLock.length - 1) {
      this.#heldLock.pop();
      const start = this.#heldSince.pop()!;
      const outside = this.#outside.pop()!;
      const sum = this.#sums.pop()!;
      this.#addSum(sum);
      this.#surrounding = outside === NONE ? this.#surroundings++ : outside;
      if (outside !== NONE) this.#closeRegion(start, i, sum);
      return;
    }
    // Locks that were acquired later are still held: the regions overlap.
    this.#heldLock.splice(at, 1);
    this.#heldSince.splice(at, 1);
    this.#outside.splice(at, 1);
    // What was in the region is now in the one around it; the sums start with what is in none.
    const [sum] = this.#sums.splice(at + 1, 1);
    this.#sums[at] = (this.#sums[at] + sum) | 0;
    this.#outside.fill(NONE, at);
    this.#surrounding = this.#surroundings++;
  }

  #closeRegion(start: number, end: number, sum: number): void {
    const entry = this.#regions.number(this.#surrounding, sum);
    const bounds = this.#bounds;
    if (this.#regions.wasNew) {
      bounds.push(start);
      bounds.push(end);
      bounds.push(start);
      bounds.push(end);
      return;
    }
    const at = entry * 4;
    if (!this.#areAlike(bounds.items[at], bounds.items[at + 1], start, end)) return;
    if (bounds.items[at + 2] !== bounds.items[at]) {
      this.#keeps.fill(0, bounds.items[at + 2], bounds.items[at + 3] + 1);
      this.#addSum(-sum);
    }
    bounds.items[at + 2] = start;
    bounds.items[at + 3] = end;
  }

  #areAlike(start: number, end: number, otherStart: number, otherEnd: number): boolean {
    let i = start;
    let j = otherStart;
    for (;;) {
      while (i <= end && this.#keeps[i] === 0) i++;
      while (j <= otherEnd && this.#keeps[j] === 0) j++;
      if (i > end || j > otherEnd) return i > end && j > otherEnd;
      if (this.#codes[i++] !== this.#codes[j++]) return false;
    }
  }
}
