import { Op } from '../../trace/operation.ts';
import { HELD, operandOf, opOf } from './codes.ts';

/* What an interleaving of two units has shown, as bits. */
/** The first unit has to come before the second one. */
export const FIRST_BEFORE = 1;
export const SECOND_BEFORE = 2;
export const BOTH = FIRST_BEFORE | SECOND_BEFORE;

/** Two units, one with `rows` operations, the other with `columns`, and what their interleavings show. */
export interface Pair {
  /** Codes, as in `codes.ts`. */
  first: Int32Array;
  second: Int32Array;
  /** How many operations of the other unit must be done before each operation. */
  firstNeeds: Int32Array;
  secondNeeds: Int32Array;
  /** What is shown whatever happens. */
  always: number;
  /** What operation i of the first unit shows when the second has done j of its own. */
  shownByFirst(i: number, j: number): number;
  shownBySecond(i: number, j: number): number;
}

/** Larger pairs are not searched. */
const MOST_CELLS = 1 << 20;
/** Locks are bits. */
const MOST_LOCKS = 31;

/** Whether the two are small enough, and have few enough locks in common. */
export function isSearchable(first: Int32Array, second: Int32Array): boolean {
  if ((first.length + 1) * (second.length + 1) > MOST_CELLS) return false;
  return commonLocks(first, second).size <= MOST_LOCKS;
}

/**
 * Whether two units alone, interleaved in all ways that their locks allow, can show that each has to come before
 * the other. That is a walk over a grid: how far the one has got, how far the other has. What was shown on the
 * way to a point is one of four things, so that a set of them is four bits. For pairs that are searchable.
 */
export function canShowBoth(pair: Pair): boolean {
  const rows = pair.first.length;
  const columns = pair.second.length;
  const locks = commonLocks(pair.first, pair.second);
  const heldByFirst = heldAfter(pair.first, locks);
  const heldBySecond = heldAfter(pair.second, locks);

  const width = columns + 1;
  const shown = new Uint8Array((rows + 1) * width);
  shown[0] = 1 << pair.always;
  for (let i = 0; i <= rows; i++) {
    for (let j = 0; j <= columns; j++) {
      const here = shown[i * width + j];
      if (here === 0) continue;
      if (i < rows && j >= pair.firstNeeds[i] && (heldByFirst[i + 1] & heldBySecond[j]) === 0)
        shown[(i + 1) * width + j] |= SHOWING[here * 4 + pair.shownByFirst(i, j)];
      if (j < columns && i >= pair.secondNeeds[j] && (heldByFirst[i] & heldBySecond[j + 1]) === 0)
        shown[i * width + j + 1] |= SHOWING[here * 4 + pair.shownBySecond(i, j)];
    }
  }
  return (shown[rows * width + columns] & (1 << BOTH)) !== 0;
}

/** For a set of things shown so far, and what is shown now: the set of what is shown then. */
const SHOWING = Uint8Array.from({ length: 64 }, (_, index) => {
  const now = index & 3;
  let after = 0;
  for (let before = 0; before < 4; before++) if ((index >> 2) & (1 << before)) after |= 1 << (before | now);
  return after;
});

function commonLocks(first: Int32Array, second: Int32Array): Map<number, number> {
  const inFirst = new Set<number>();
  for (const code of first) if (acquires(code)) inFirst.add(operandOf(code));
  const bits = new Map<number, number>();
  for (const code of second) {
    const lock = operandOf(code);
    if (acquires(code) && inFirst.has(lock) && !bits.has(lock)) bits.set(lock, 1 << bits.size);
  }
  return bits;
}

function acquires(code: number): boolean {
  return opOf(code) === Op.acquire || opOf(code) === HELD;
}

/** The locks held after each number of operations. Those left over at the end are released by what follows. */
function heldAfter(codes: Int32Array, locks: ReadonlyMap<number, number>): Int32Array {
  const held = new Int32Array(codes.length + 1);
  for (let i = 0; i < codes.length; i++) {
    const bit = locks.get(operandOf(codes[i])) ?? 0;
    if (acquires(codes[i])) held[i + 1] = held[i] | bit;
    else if (opOf(codes[i]) === Op.release) held[i + 1] = held[i] & ~bit;
    else held[i + 1] = held[i];
  }
  held[codes.length] = 0;
  return held;
}
