/*
 * What the operators do, strings and bigints included. Old values were read without a conversion, which the
 * operators here do in the same order.
 */

/** By how much an update changes a number, or a bigint; null if one of the two is none. */
export function changeBy(old: unknown, by: unknown, sign: number): number | null {
  if (typeof by === 'number') return typeof old === 'number' ? sign * by : null;
  return typeof old === 'bigint' && typeof by === 'bigint' ? sign * Number(by) : null;
}

/** The same for `++` and `--`. */
export function step(old: unknown, by: number): number | null {
  return typeof old === 'number' || typeof old === 'bigint' ? by : null;
}

export function plus(old: unknown, by: unknown): unknown {
  return (old as number) + (by as number);
}

export function minus(old: unknown, by: unknown): unknown {
  return (old as number) - (by as number);
}

export function incremented(old: unknown): unknown {
  let value = old as number;
  value++;
  return value;
}

export function decremented(old: unknown): unknown {
  let value = old as number;
  value--;
  return value;
}
