import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { PartsResult, Shard } from './result.ts';

export interface SizedTrace {
  path: string;
  /** In bytes; 0 for what cannot be looked at, which must be reported by some part, too. */
  size: number;
}

/**
 * The paths that belong to a part. All parts together hold every path, and no two hold the same one. Only the paths
 * and sizes decide, not their order, so that machines agree without talking to each other.
 *
 * The largest trace goes first, and each to the part with least so far: the largest part is then at most a third
 * larger than in the best division there is (Graham, Bounds on multiprocessing timing anomalies, 1969).
 */
export function pathsInShard(traces: readonly SizedTrace[], { index, of }: Shard): Set<string> {
  const sizes = new Map(traces.map(({ path, size }) => [path, size]));
  const ordered = [...sizes].sort(([a, sizeOfA], [b, sizeOfB]) => sizeOfB - sizeOfA || (a < b ? -1 : 1));
  // A trace goes to an empty part as long as there is one, so that more parts than traces stay empty.
  const parts = Array.from({ length: Math.min(of, ordered.length) }, () => ({
    size: 0,
    paths: new Set<string>(),
  }));
  for (const [path, size] of ordered) {
    let [least] = parts;
    for (const part of parts) {
      const difference = part.size - least.size || part.paths.size - least.paths.size;
      if (difference < 0) least = part;
    }
    least.size += size;
    least.paths.add(path);
  }
  return parts[index - 1]?.paths ?? new Set();
}

/** What tells a list of traces from another: names and sizes, wherever a machine keeps them. */
export function corpusOf(traces: readonly SizedTrace[]): string {
  const facts = new Map(traces.map(({ path, size }) => [path, JSON.stringify([basename(path), size])]));
  const hash = createHash('sha256');
  for (const fact of [...facts.values()].sort()) hash.update(`${fact}\n`);
  return hash.digest('hex').slice(0, 16);
}

/** All parts that results are of; none if they are not of parts. */
export function shardsOf({ shard, shards = [] }: PartsResult): readonly Shard[] {
  return shard === undefined ? shards : [shard, ...shards];
}

/** Parts of one division that are not there. */
export interface MissingShards {
  of: number;
  /** The first and the last of each run of numbers. */
  ranges: readonly (readonly [first: number, last: number])[];
}

/** What is missing. A list of traces that was also divided in another way, and is whole in that, lacks nothing. */
export function missingShards(shards: readonly Shard[]): MissingShards[] {
  const lists = new Map<string | undefined, Map<number, Set<number>>>();
  for (const { index, of, corpus } of shards) {
    const divisions = lists.get(corpus) ?? new Map<number, Set<number>>();
    lists.set(corpus, divisions);
    divisions.set(of, (divisions.get(of) ?? new Set()).add(index));
  }
  return [...lists.values()].flatMap((divisions) => {
    const missing = [...divisions].map(([of, present]) => ({ of, ranges: gaps(present, of) }));
    return missing.some(({ ranges }) => ranges.length === 0) ? [] : missing;
  });
}

/** The numbers from 1 to `of` that are not present, however many there are. */
function gaps(present: ReadonlySet<number>, of: number): [number, number][] {
  const found: [number, number][] = [];
  let next = 1;
  for (const index of [...present].sort((a, b) => a - b)) {
    if (index > of) break;
    if (index > next) found.push([next, index - 1]);
    next = index + 1;
  }
  if (next <= of) found.push([next, of]);
  return found;
}

/** `shard 3 of 4 is missing`, `shards 2, 5 to 7 of 8 are missing`. */
export function missingWords({ of, ranges }: MissingShards): string {
  const numbers = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const isOne = ranges.length === 1 && ranges[0][0] === ranges[0][1];
  return `${isOne ? 'shard' : 'shards'} ${numbers.join(', ')} of ${of} ${isOne ? 'is' : 'are'} missing`;
}
