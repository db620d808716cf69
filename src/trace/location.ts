import type { NameTable } from './name-table.ts';

/*
 * A location is optional text, nearly always a number. So that a trace with a different number on every line
 * does not fill a name table, a location is one integer:
 *   0            none
 *   2 n + 1      the number n, written without leading zeros
 *   2 (id + 1)   the text `id` of the location table
 */
export const NO_LOCATION = 0;

/** Numbers up to here are packed; larger ones are kept as text. */
export const MAX_NUMERIC_LOCATION = 0x3fffffff;

export function numericLocation(value: number): number {
  return value * 2 + 1;
}

export function namedLocation(id: number): number {
  return (id + 1) * 2;
}

export function isNumericLocation(location: number): boolean {
  return (location & 1) === 1;
}

export function numericLocationValue(location: number): number {
  return location >>> 1;
}

export function locationNameId(location: number): number {
  return (location >>> 1) - 1;
}

/** The location as text, or null when the event has none. */
export function locationText(locations: NameTable, location: number): string | null {
  if (location === NO_LOCATION) return null;
  if (isNumericLocation(location)) return String(numericLocationValue(location));
  return locations.text(locationNameId(location));
}

/** Reads `bytes[start … end)` as a location. */
export function internLocation(locations: NameTable, bytes: Uint8Array, start: number, end: number): number {
  const value = canonicalNumber(bytes, start, end);
  return value >= 0 ? numericLocation(value) : namedLocation(locations.intern(bytes, start, end));
}

/** The value of a decimal number without leading zeros and at most `MAX_NUMERIC_LOCATION`, or -1. */
function canonicalNumber(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 0 || length > 10 || (length > 1 && bytes[start] === 0x30)) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i] - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value <= MAX_NUMERIC_LOCATION ? value : -1;
}
