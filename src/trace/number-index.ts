import { grownInt32 } from './growable.ts';

const ZERO = 0x30;
/** More digits than this would not fit an integer that is multiplied by ten. */
export const MOST_DIGITS = 8;
/** Numbers below this always have a place: memory that is never touched is never taken from the system. */
const ALWAYS_PLACED = 1 << 20;

/**
 * The ids of names that are one byte and a number, such as `V12`: found by the number, with one look at memory
 * and no hash. Most traces name everything so.
 */
export class NumberIndex {
  /** The byte before the number, set by the first such name; -1 before. */
  prefix = -1;
  /** Id + 1 by number, 0 where none is known. */
  ids = new Int32Array(16);

  /** The number in such a name, or -1. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    const digits = end - start - 1;
    if (digits < 1 || digits > MOST_DIGITS) return -1;
    if (bytes[start] !== this.prefix && this.prefix >= 0) return -1;
    // A leading zero would give the number of another name.
    if (digits > 1 && bytes[start + 1] === ZERO) return -1;
    let number = 0;
    for (let i = start + 1; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    if (this.prefix < 0) this.prefix = bytes[start];
    return number;
  }

  /** Makes a place for a number, unless that would take far more memory than there are names. */
  place(number: number, names: number): boolean {
    if (number < this.ids.length) return true;
    if (number >= ALWAYS_PLACED && number > 16 * names) return false;
    this.ids = grownInt32(this.ids, number + 1);
    return true;
  }
}
