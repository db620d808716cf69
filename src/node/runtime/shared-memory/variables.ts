import type { ObjectRecord } from '../../core/object-record.ts';
import type { VariableRecord } from '../../core/variable.ts';

/*
 * Variables of shared memory: one for each place and element size.
 */

const LOG2 = [0, 0, 1, 0, 2, 0, 0, 0, 3];

/** As a number, for the tables: offsets are below 2 ** 48. */
export function variableKey(offset: number, size: number): number {
  return offset * 4 + LOG2[size];
}

export function variableOf(record: ObjectRecord, offset: number, size: number, site: number): VariableRecord {
  const variable = record.variable(variableKey(offset, size), site);
  // Somebody else may touch it at any time, whoever has so far.
  variable.isShared = true;
  return variable;
}

export function sizeIn(key: number): number {
  return 1 << (key % 4);
}

export function offsetIn(key: number): number {
  return Math.floor(key / 4);
}

/** `[4..8)`, `[4]` for a single byte. */
export function placeText(key: number): string {
  const [size, offset] = [sizeIn(key), offsetIn(key)];
  return size === 1 ? `[${offset}]` : `[${offset}..${offset + size})`;
}
