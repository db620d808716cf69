import { grownInt32, grownUint8 } from '../../trace/growable.ts';

/** So many locks are remembered as acquired directly inside one; a lock with more is not judged. */
const MOST_INNER = 8;
/** A search that meets more locks is given up. */
const MOST_VISITED = 64;

/**
 * Which locks were acquired while which others were held, and during which a thread was joined. It tells
 * whether somebody who holds a lock may be relied upon to release it, even if others do not move.
 */
export class LockOrder {
  /* Per lock. */
  /** The first of the edges to locks acquired inside. */
  #first = new Int32Array(16);
  #inner = new Uint8Array(16);
  /** Whether it may be held for reasons that are not remembered: a join, or too many locks inside. */
  #isUnclear = new Uint8Array(16);
  /** Where a search has been, if the stamp is its own: even on the way, odd when done. */
  #mark = new Int32Array(16);

  /* Per edge; edges are numbered from 1. */
  #lock = new Int32Array(16);
  #next = new Int32Array(16);
  #edges = 0;

  #stamp = 0;
  #visited = 0;

  reserveLock(lock: number): void {
    if (lock < this.#first.length) return;
    this.#first = grownInt32(this.#first, lock + 1);
    this.#inner = grownUint8(this.#inner, this.#first.length);
    this.#isUnclear = grownUint8(this.#isUnclear, this.#first.length);
    this.#mark = grownInt32(this.#mark, this.#first.length);
  }

  /** `inner` is acquired while `outer` was the last acquired of the locks that are held. */
  nest(outer: number, inner: number): void {
    if (this.#isUnclear[outer] === 1) return;
    for (let edge = this.#first[outer]; edge !== 0; edge = this.#next[edge])
      if (this.#lock[edge] === inner) return;
    if (++this.#inner[outer] > MOST_INNER) {
      this.#isUnclear[outer] = 1;
      return;
    }
    const edge = ++this.#edges;
    this.#lock = grownInt32(this.#lock, edge + 1);
    this.#next = grownInt32(this.#next, edge + 1);
    this.#lock[edge] = inner;
    this.#next[edge] = this.#first[outer];
    this.#first[outer] = edge;
  }

  /** A thread is joined while the lock is held. */
  wait(lock: number): void {
    this.#isUnclear[lock] = 1;
  }

  /** Whether nobody ever waited for anything while holding the lock. */
  isLeaf(lock: number): boolean {
    return this.#first[lock] === 0 && this.#isUnclear[lock] === 0;
  }

  /** Starts a search that must not meet the locks given to `avoid` from now on. */
  startSearch(): void {
    if (this.#stamp >= 0x7ffffff0) {
      this.#mark.fill(0);
      this.#stamp = 0;
    }
    this.#stamp += 2;
    this.#visited = 0;
  }

  avoid(lock: number): void {
    this.#mark[lock] = this.#stamp;
  }

  /**
   * Whether those who hold the lock, or one that they may be waiting for, and so on, wait for none that is to
   * be avoided and not for each other.
   */
  isClear(lock: number): boolean {
    if (this.#mark[lock] === this.#stamp) return false;
    if (this.#mark[lock] === this.#stamp + 1) return true;
    if (this.#isUnclear[lock] === 1 || ++this.#visited > MOST_VISITED) return false;
    this.#mark[lock] = this.#stamp;
    for (let edge = this.#first[lock]; edge !== 0; edge = this.#next[edge])
      if (!this.isClear(this.#lock[edge])) return false;
    this.#mark[lock] = this.#stamp + 1;
    return true;
  }
}
