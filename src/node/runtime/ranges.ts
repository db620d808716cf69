/** So many elements, entries or properties are read one by one; of more, only those that somebody has touched. */
export const MOST_COPIED = 16;

/** So many of those. */
export const MOST_KNOWN = 64;

/** An argument that counts from the end if it is negative; `length` if it is no number. */
export function indexIn(value: unknown, length: number): number {
  const index = value === undefined ? 0 : Math.trunc(typeof value === 'number' ? value : Number.NaN);
  if (Number.isNaN(index)) return length;
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}
