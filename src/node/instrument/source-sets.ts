/*
 * Where values come from, as sets of small numbers. Sets are never changed once made, so that they can be shared.
 */

export type SourceSet = ReadonlySet<number>;

export const NO_SOURCES: SourceSet = new Set();

/** Stands for whatever the analysis cannot see: what other files look at, or too much to list. */
export const OUTSIDE = 0;

/** Sets beyond this size are as good as everything. */
const MOST = 48;

export const OUTSIDE_ONLY: SourceSet = new Set([OUTSIDE]);

export function union(...sets: readonly SourceSet[]): SourceSet {
  let result: SourceSet = NO_SOURCES;
  let own: Set<number> | null = null;
  for (const set of sets) {
    if (set.size === 0 || set === result) continue;
    if (result.size === 0) {
      result = set;
      continue;
    }
    for (const source of set) {
      if ((own ?? result).has(source)) continue;
      own ??= new Set(result);
      own.add(source);
    }
    if (own !== null) result = own;
  }
  return result.size > MOST ? union(OUTSIDE_ONLY, cut(result)) : result;
}

function cut(set: SourceSet): SourceSet {
  return new Set([...set].slice(0, MOST - 1));
}

export function includesAll(set: SourceSet, others: SourceSet): boolean {
  if (others.size > set.size) return false;
  for (const source of others) if (!set.has(source)) return false;
  return true;
}

export function without(set: SourceSet, isMeant: (source: number) => boolean): SourceSet {
  const kept = [...set].filter((source) => !isMeant(source));
  return kept.length === set.size ? set : new Set(kept);
}
