import type { Contexts } from '../shared/contexts.ts';
import type { ThreadPeriods } from '../shared/thread-periods.ts';
import { type Meeting, PatternSearch } from './patterns.ts';
import type { Instance, Pattern, Shape } from './shape.ts';
import type { Shapes } from './shapes.ts';

/** How much is compared at most. */
export interface Limits {
  /** Bytes of what is kept of the trace. */
  recorded: number;
  /** How many shapes of units are told apart. */
  shapes: number;
  /** How many accesses and lock operations they have together. */
  elements: number;
  /** How often accesses or periods of two units are compared, altogether and for one pair of shapes. */
  comparisons: number;
  comparisonsOfPair: number;
}

/** Compares all shapes of units that have a variable in common, each pair once, until a limit is reached. */
export class Comparison {
  /** How many shapes were compared with all those before them. */
  shapesCompared = 0;
  variables = 0;
  /** For how many variables the shapes were compared with what is done to it outside blocks. */
  variablesCompared = 0;
  pairs = 0;
  pairsCutShort = 0;

  readonly #periods: ThreadPeriods;
  readonly #search: PatternSearch;
  readonly #limits: Limits;
  readonly #found: (meeting: Meeting, pattern: Pattern) => void;
  /** What may still be compared for the present pair, and for all others. */
  readonly #budget = { left: 0 };
  #left: number;

  constructor(contexts: Contexts, limits: Limits, found: (meeting: Meeting, pattern: Pattern) => void) {
    this.#periods = contexts.periods;
    this.#search = new PatternSearch(contexts.locksets, contexts.periods, this.#budget);
    this.#limits = limits;
    this.#left = limits.comparisons;
    this.#found = found;
  }

  run(shapes: Shapes): void {
    const byVariable = new Map<number, number[]>();
    this.#compareUnits(shapes.list, byVariable);
    this.variables = byVariable.size;
    for (const [variable, users] of byVariable) {
      if (this.#left <= 0) return;
      for (const outside of shapes.outsideBlocks(variable))
        for (const user of users) if (this.#left > 0) this.#compare(shapes.list[user], outside);
      if (this.#left > 0) this.variablesCompared++;
    }
  }

  /** Leaves in `byVariable` the shapes that access each variable. */
  #compareUnits(shapes: readonly Shape[], byVariable: Map<number, number[]>): void {
    /** Per shape: the last one that it was compared with. */
    const lastPartner = new Int32Array(shapes.length).fill(-1);
    for (const [number, shape] of shapes.entries()) {
      if (this.#left > 0) this.#compare(shape, shape);
      for (const variable of shape.byVariable.keys()) {
        const users = byVariable.get(variable) ?? [];
        if (users.length === 0) byVariable.set(variable, users);
        for (const user of users) {
          if (this.#left <= 0) break;
          if (lastPartner[user] === number) continue;
          lastPartner[user] = number;
          this.#compare(shape, shapes[user]);
        }
        users.push(number);
      }
      if (this.#left > 0) this.shapesCompared++;
    }
  }

  #compare(a: Shape, b: Shape): void {
    const budget = Math.min(this.#left, this.#limits.comparisonsOfPair);
    this.#budget.left = budget - 1;
    this.pairs++;
    if (a.length > 1 || b.length > 1) this.#compareInstances(a, b);
    if (this.#budget.left < 0) this.pairsCutShort++;
    this.#left -= budget - Math.max(0, this.#budget.left);
  }

  /** Units in one period each are alike to all others, so that two of them stand for all that may meet. */
  #compareInstances(a: Shape, b: Shape): void {
    const oneStandsForAll = !a.isInSeveralPeriods && !b.isInSeveralPeriods;
    for (const instance of a.instances) {
      for (const other of b.instances) {
        if (--this.#budget.left < 0) return;
        if (!this.#mayMeet(instance, other, oneStandsForAll)) continue;
        const isFound = this.#comparePair(a, instance, b, other);
        if (isFound || oneStandsForAll) return;
      }
    }
  }

  /** Where a unit is in several periods, its accesses have to be looked at one by one. */
  #mayMeet(a: Instance, b: Instance, isExact: boolean): boolean {
    if (isExact) return this.#periods.areConcurrent(a.period, b.period);
    return this.#periods.slot(a.period) !== this.#periods.slot(b.period);
  }

  #comparePair(a: Shape, instance: Instance, b: Shape, other: Instance): boolean {
    const isFound = this.#look({ shape: a, instance, other: b, otherInstance: other });
    if (a === b) return isFound;
    return this.#look({ shape: b, instance: other, other: a, otherInstance: instance }) || isFound;
  }

  #look(meeting: Meeting): boolean {
    const patterns = this.#search.patterns(meeting);
    for (const pattern of patterns) this.#found(meeting, pattern);
    return patterns.length > 0;
  }
}
