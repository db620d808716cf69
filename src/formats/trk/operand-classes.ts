/*
 * How an action of a packed chunk says which operands its events have: by a class, and by a number for each event that has as many bits as
 * the class says.
 */

/** The first of the table's ids that no event before has used in this way; no number. */
export const NEW = 0;
/** `BACK + n`: the number, of n bits, is subtracted from the last id of the table. */
export const BACK = 1;
export const MOST_BACK_BITS = 30;
/** `AGO + n`: the operand of the event that is so many before the one before. */
export const AGO = BACK + MOST_BACK_BITS + 1;
export const MOST_AGO_BITS = 16;
export const OPERAND_CLASSES = AGO + MOST_AGO_BITS + 1;

/** The tables that operands are named in, by the order of `NAME_TABLES`. */
export const OPERAND_TABLES = 4;

export function classBits(operandClass: number): number {
  if (operandClass === NEW) return 0;
  return operandClass < AGO ? operandClass - BACK : operandClass - AGO;
}
