import { Op } from '../../trace/operation.ts';
import type { Contexts } from './contexts.ts';
import type { DistinctAccesses } from './distinct-accesses.ts';
import { EMPTY } from './locksets.ts';

/** Whether the order of two operations on one variable matters, or of an acquire and a release of one lock. */
export function conflict(kind: number, other: number): boolean {
  return kind !== other || kind === Op.write;
}

/** Accesses of one object in periods of one slot, by the starts of these. */
interface Run {
  slot: number;
  accesses: number[];
}

/** Accesses of one object by one operation with one set of locks. */
interface Group {
  kind: number;
  lockset: number;
  runs: Map<number, Run>;
}

/**
 * Which accesses of an object can happen at the same time in some schedule, as far as forks, joins and locks tell:
 * worked out once, when all accesses are known.
 */
export class ConcurrentAccesses {
  /** Per access: 1 if another thread may access the object before and after it, in whatever way. */
  readonly isShared: Uint8Array;
  /** Per access: one that conflicts with it and that no lock keeps away from it, plus one; 0 if there is none. */
  readonly rival: Int32Array;
  /** Per object: 1 if two of its accesses conflict and no fork or join orders them. */
  readonly communicates: Uint8Array;
  /** Per object: 1 if no lock keeps two such accesses apart either: the variable has a race. */
  readonly races: Uint8Array;

  readonly #accesses: DistinctAccesses;
  readonly #contexts: Contexts;

  constructor(accesses: DistinctAccesses, contexts: Contexts) {
    this.#accesses = accesses;
    this.#contexts = contexts;
    this.isShared = new Uint8Array(accesses.count);
    this.rival = new Int32Array(accesses.count);
    this.communicates = new Uint8Array(accesses.objects);
    this.races = new Uint8Array(accesses.objects);
    this.#compareAll();
  }

  #compareAll(): void {
    const { count, objects } = this.#accesses;
    // Accesses by object: those of an object are linked, the latest first.
    const latest = new Int32Array(objects);
    const earlier = new Int32Array(count);
    for (let access = 0; access < count; access++) {
      const object = this.#accesses.object(access);
      earlier[access] = latest[object];
      latest[object] = access + 1;
    }
    const list: number[] = [];
    for (let object = 0; object < objects; object++) {
      const newest = latest[object] - 1;
      if (newest < 0 || earlier[newest] === 0) continue;
      list.length = 0;
      for (let access = newest; access >= 0; access = earlier[access] - 1) list.push(access);
      if (this.#isOfSeveral(list)) this.#compare(object, list.reverse());
    }
  }

  #isOfSeveral(list: readonly number[]): boolean {
    const slot = this.#slot(list[0]);
    return list.some((access) => this.#slot(access) !== slot);
  }

  #compare(object: number, list: readonly number[]): void {
    const groups = this.#groupsOf(list);
    const mayRace = this.#commonLocks(groups) === EMPTY;
    for (const access of list)
      for (const group of groups) this.#compareWithGroup(object, access, group, mayRace);
  }

  #compareWithGroup(object: number, access: number, group: Group, mayRace: boolean): void {
    const conflicts = conflict(this.#accesses.kind(access), group.kind);
    const lockset = this.#contexts.lockset(this.#accesses.context(access));
    const isRace =
      mayRace &&
      conflicts &&
      this.rival[access] === 0 &&
      this.#contexts.locksets.areDisjoint(lockset, group.lockset);
    const isNews = this.isShared[access] === 0 || (conflicts && this.communicates[object] === 0);
    if (!isRace && !isNews) return;
    const other = this.#concurrentIn(group, access);
    if (other < 0) return;
    this.isShared[access] = 1;
    if (conflicts) this.communicates[object] = 1;
    if (isRace) {
      this.rival[access] = other + 1;
      this.races[object] = 1;
    }
  }

  #concurrentIn({ runs }: Group, access: number): number {
    const slot = this.#slot(access);
    for (const run of runs.values()) {
      const other = run.slot === slot ? -1 : this.#concurrentInRun(run, access);
      if (other >= 0) return other;
    }
    return -1;
  }

  /**
   * Those of a run that are over before the period of the access are the first of it, those that come after it
   * the last.
   */
  #concurrentInRun({ accesses, slot }: Run, access: number): number {
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

  #groupsOf(list: readonly number[]): Group[] {
    const groups = new Map<string, Group>();
    for (const access of list) {
      const kind = this.#accesses.kind(access);
      const lockset = this.#contexts.lockset(this.#accesses.context(access));
      const slot = this.#slot(access);
      const key = `${kind} ${lockset}`;
      const group = groups.get(key) ?? { kind, lockset, runs: new Map<number, Run>() };
      const run = group.runs.get(slot) ?? { slot, accesses: [] };
      run.accesses.push(access);
      group.runs.set(slot, run);
      groups.set(key, group);
    }
    const start = (access: number) => this.#contexts.periods.start(this.#period(access));
    for (const { runs } of groups.values())
      for (const { accesses } of runs.values()) accesses.sort((a, b) => start(a) - start(b));
    return [...groups.values()];
  }

  #commonLocks(groups: readonly Group[]): number {
    let common = groups[0].lockset;
    for (const { lockset } of groups) common = this.#contexts.locksets.intersection(common, lockset);
    return common;
  }

  #period(access: number): number {
    return this.#contexts.period(this.#accesses.context(access));
  }

  #slot(access: number): number {
    return this.#contexts.periods.slot(this.#period(access));
  }
}
