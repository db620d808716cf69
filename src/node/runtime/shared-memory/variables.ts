import type { ObjectRecord } from '../object-record.ts';
import type { VariableRecord } from '../variable.ts';

/*
 * Variables of shared memory: one for each place and element size. Accesses of different sizes that overlap have a
 * variable in common, without which neighbours would have one, too: the smaller one also touches the variables of the larger
 * size around it. A smaller write is an update of that, as smaller writes of different places commute; a smaller read
 * reads a second variable, which only writes of the larger size touch.
 */

/** The variable itself, or the second one, for those who read a part of it. */
export type Role = 'whole' | 'parts';

const LOG2 = [0, 0, 1, 0, 2, 0, 0, 0, 3];

/** As a number, for the tables: offsets are below 2 ** 48. */
export function variableKey(offset: number, size: number, role: Role): number {
  return offset * 8 + LOG2[size] * 2 + (role === 'parts' ? 1 : 0);
}

export function variableOf(
  record: ObjectRecord,
  offset: number,
  size: number,
  role: Role,
  site: number,
): VariableRecord {
  const variable = record.variable(variableKey(offset, size, role), site);
  // Somebody else may touch it at any time, whoever has so far.
  variable.isShared = true;
  return variable;
}

/** `[4..8)`, `[4]` for a single byte. */
export function placeText(key: number): string {
  const size = 1 << (Math.floor(key / 2) % 4);
  const offset = Math.floor(key / 8);
  const place = size === 1 ? `[${offset}]` : `[${offset}..${offset + size})`;
  return key % 2 === 1 ? `${place} by parts` : place;
}
