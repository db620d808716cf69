import { Op } from '../../trace/operation.ts';
import type { Contexts } from './contexts.ts';
import type { DistinctAccesses } from './distinct-accesses.ts';
import { EMPTY } from './locksets.ts';

/** Whether the order of two operations on one variable matters, or of an acquire and a release of one lock. */
export function conflict(kind: number, other: number): boolean {
  return kind !== other || kind === Op.write;
}

/** Accesses by the slots of their periods, those of a slot in the order of these. */
type Runs = Map<number, number[]>;

/** Accesses of one object by one operation with one set of locks. */
interface Group {
  kind: number;
  lockset: number;
  accesses: number[];
  runs: Runs;
}

/** Groups of so many accesses are remembered. */
const MOST_REMEMBERED = 2_000_000;

/**
 * Which accesses of an object can happen at the same time in some schedule, as far as forks, joins and locks tell,
 * when all accesses are known.
 */
export class ConcurrentAccesses {
  /** Per access: 1 if another thread may access the object before and after it, in whatever way. */
  readonly isShared: Uint8Array;
  /** Per object: 1 if two of its accesses conflict and no fork or join orders them. */
  readonly communicates: Uint8Array;

  readonly #accesses: DistinctAccesses;
  readonly #contexts: Contexts;
  /** The accesses of an object are linked, the latest first: per object, and per access, one more than the next. */
  readonly #latest: Int32Array;
  readonly #earlier: Int32Array;
  /** Per object: whether it has a race, as far as that was asked. */
  readonly #races = new Map<number, boolean>();
  readonly #groups = new Map<number, Group[]>();
  #remembered = 0;

  constructor(accesses: DistinctAccesses, contexts: Contexts) {
    this.#accesses = accesses;
    this.#contexts = contexts;
    const { count, objects } = accesses;
    this.isShared = new Uint8Array(count);
    this.communicates = new Uint8Array(objects);
    this.#latest = new Int32Array(objects);
    this.#earlier = new Int32Array(count);
    for (let access = 0; access < count; access++) {
      const object = accesses.object(access);
      this.#earlier[access] = this.#latest[object];
      this.#latest[object] = access + 1;
    }
    for (let object = 0; object < objects; object++) this.#findSharing(object);
  }

  /** Whether two accesses of the object conflict that neither fork nor join orders and no lock keeps apart. */
  races(object: number): boolean {
    if (this.communicates[object] === 0) return false;
    let races = this.#races.get(object);
    if (races === undefined) {
      races = this.#findRace(this.#groupsOf(object));
      this.#races.set(object, races);
    }
    return races;
  }

  /** An access that races with this one, or -1. */
  rivalOf(access: number): number {
    if (this.isShared[access] === 0) return -1;
    const groups = this.#groupsOf(this.#accesses.object(access));
    const lockset = this.#lockset(access);
    for (const group of groups) {
      if (!conflict(this.#accesses.kind(access), group.kind)) continue;
      if (!this.#contexts.locksets.areDisjoint(lockset, group.lockset)) continue;
      const rival = this.#concurrentIn(group.runs, access);
      if (rival >= 0) return rival;
    }
    return -1;
  }

  #listOf(object: number): number[] {
    const list: number[] = [];
    for (let access = this.#latest[object] - 1; access >= 0; access = this.#earlier[access] - 1)
      list.push(access);
    return list.reverse();
  }

  #isOfSeveral(object: number): boolean {
    const newest = this.#latest[object] - 1;
    if (newest < 0) return false;
    const slot = this.#slot(newest);
    for (let access = this.#earlier[newest] - 1; access >= 0; access = this.#earlier[access] - 1)
      if (this.#slot(access) !== slot) return true;
    return false;
  }

  #findSharing(object: number): void {
    if (!this.#isOfSeveral(object)) return;
    const list = this.#listOf(object);
    const all = this.#runsOf(list);
    let ofKind: Map<number, Runs> | null = null;
    for (const access of list) {
      if (this.#concurrentIn(all, access) < 0) continue;
      this.isShared[access] = 1;
      if (this.communicates[object] === 1) continue;
      ofKind ??= this.#runsOfKinds(list);
      for (const [kind, runs] of ofKind)
        if (conflict(this.#accesses.kind(access), kind) && this.#concurrentIn(runs, access) >= 0)
          this.communicates[object] = 1;
    }
  }

  #runsOfKinds(list: readonly number[]): Map<number, Runs> {
    const byKind = grouped(list, (access) => this.#accesses.kind(access));
    return new Map(Array.from(byKind, ([kind, accesses]) => [kind, this.#runsOf(accesses)]));
  }

  /** Where there is a race, few locks are held: the smallest sets are compared first. */
  #findRace(groups: readonly Group[]): boolean {
    const { locksets } = this.#contexts;
    if (this.#commonLocks(groups) !== EMPTY) return false;
    const bySize = groups.toSorted((a, b) => locksets.sizeOf(a.lockset) - locksets.sizeOf(b.lockset));
    for (const [at, group] of bySize.entries())
      for (let before = 0; before <= at; before++) if (this.#canRace(group, bySize[before])) return true;
    return false;
  }

  #canRace(one: Group, other: Group): boolean {
    if (!conflict(one.kind, other.kind)) return false;
    if (!this.#contexts.locksets.areDisjoint(one.lockset, other.lockset)) return false;
    const [few, many] = one.accesses.length < other.accesses.length ? [one, other] : [other, one];
    return few.accesses.some((access) => this.#concurrentIn(many.runs, access) >= 0);
  }

  #concurrentIn(runs: Runs, access: number): number {
    const own = this.#slot(access);
    for (const [slot, accesses] of runs) {
      const other = slot === own ? -1 : this.#concurrentInRun(slot, accesses, access);
      if (other >= 0) return other;
    }
    return -1;
  }

  /**
   * Those of a run that are over before the period of the access are the first of it, those that come after it
   * the last.
   */
  #concurrentInRun(slot: number, accesses: readonly number[], access: number): number {
    const { periods } = this.#contexts;
    const period = this.#period(access);
    const ended = periods.endedBefore(period, slot);
    let low = 0;
    let high = accesses.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (periods.start(this.#period(accesses[middle])) <= ended) low = middle + 1;
      else high = middle;
    }
    if (low === accesses.length || periods.isBefore(period, this.#period(accesses[low]))) return -1;
    return accesses[low];
  }

  #groupsOf(object: number): Group[] {
    const known = this.#groups.get(object);
    if (known !== undefined) return known;
    const list = this.#listOf(object);
    this.#remembered += list.length;
    if (this.#remembered > MOST_REMEMBERED) {
      this.#groups.clear();
      this.#remembered = list.length;
    }
    const { locksets } = this.#contexts;
    const byManner = grouped(
      list,
      (access) => this.#accesses.kind(access) * locksets.count + this.#lockset(access),
    );
    const groups = Array.from(byManner.values(), (accesses) => ({
      kind: this.#accesses.kind(accesses[0]),
      lockset: this.#lockset(accesses[0]),
      accesses,
      runs: this.#runsOf(accesses),
    }));
    this.#groups.set(object, groups);
    return groups;
  }

  #runsOf(accesses: readonly number[]): Runs {
    const runs = grouped(accesses, (access) => this.#slot(access));
    const start = (access: number) => this.#contexts.periods.start(this.#period(access));
    for (const run of runs.values()) run.sort((a, b) => start(a) - start(b));
    return runs;
  }

  #commonLocks(groups: readonly Group[]): number {
    let common = groups[0].lockset;
    for (const { lockset } of groups) {
      if (common === EMPTY) break;
      common = this.#contexts.locksets.intersection(common, lockset);
    }
    return common;
  }

  #lockset(access: number): number {
    return this.#contexts.lockset(this.#accesses.context(access));
  }

  #period(access: number): number {
    return this.#contexts.period(this.#accesses.context(access));
  }

  #slot(access: number): number {
    return this.#contexts.periods.slot(this.#period(access));
  }
}

function grouped(list: readonly number[], keyOf: (access: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const access of list) {
    const key = keyOf(access);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [access]);
    else group.push(access);
  }
  return groups;
}
