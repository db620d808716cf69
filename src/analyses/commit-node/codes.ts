import { Op } from '../../trace/operation.ts';

/*
 * A unit is a list of codes: what its thread does, one integer each, as `operand * 8 + operation`. The numbers
 * of operations are those of `Op` up to `join`. The locks that are held when a unit starts come first.
 */

/** A lock that the thread holds when the unit starts. */
export const HELD = 7;
/** Not in a unit, but among the accesses of its tree: holding a lock whose order counts (`outer-locks.ts`). */
export const LOCKING = 3;

/** Ids above this do not fit into a code. */
export const LARGEST_OPERAND = 0xfffffff;

export function codeOf(op: number, operand: number): number {
  return (operand << 3) | op;
}

export function opOf(code: number): number {
  return code & 7;
}

export function operandOf(code: number): number {
  return code >>> 3;
}

export function isAccess(op: number): boolean {
  return op <= Op.update;
}
