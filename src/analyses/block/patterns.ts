import { Op } from '../../trace/operation.ts';
import type { Locksets } from '../shared/locksets.ts';
import type { ThreadPeriods } from '../shared/thread-periods.ts';
import {
  CHANGE,
  INITIAL_READ,
  type Instance,
  LAST_CHANGE,
  LAST_WRITE,
  LONE_UPDATE,
  type Pattern,
  type Shape,
} from './shape.ts';

/** Two units that may run at the same time. */
export interface Meeting {
  shape: Shape;
  instance: Instance;
  other: Shape;
  otherInstance: Instance;
}

/** Accesses of a unit, by variable. */
type Candidates = ReadonlyMap<number, readonly number[]>;

/** How many comparisons may still be made. */
export interface Budget {
  left: number;
}

/**
 * The view of two units that ran one after the other, `a` second, cannot be had once `a`'s access came before
 * `b`'s: a read saw too much or too little, or the other unit's change came last. For a pair on one variable.
 */
function excludesSecond(a: Shape, i: number, b: Shape, j: number): boolean {
  const before = a.roles[i];
  const after = b.roles[j];
  return (
    ((before & CHANGE) !== 0 && (after & INITIAL_READ) !== 0) ||
    ((before & (INITIAL_READ | LAST_WRITE)) !== 0 && (after & LAST_CHANGE) !== 0) ||
    ((before & LONE_UPDATE) !== 0 && (after & LAST_WRITE) !== 0)
  );
}

/**
 * Looks for what one unit may do to another so that the outcome is that of no serial order (Wang and Stoller §6.2).
 *
 * A schedule of two units has the view of neither serial order if one of these holds: a change of the other unit
 * comes between a read and the unit's own write before it; a write of the other hides the unit's own updates from
 * a read; or one pair of accesses excludes that the unit came first, and one that it came second. Which orders of
 * accesses are possible is for locks to say: nothing may be done to a lock that the unit holds all the time between
 * its two accesses.
 */
export class PatternSearch {
  readonly #locksets: Locksets;
  readonly #periods: ThreadPeriods;
  readonly #budget: Budget;

  constructor(locksets: Locksets, periods: ThreadPeriods, budget: Budget) {
    this.#locksets = locksets;
    this.#periods = periods;
    this.#budget = budget;
  }

  /** One pattern for each variable; where there is none, one that takes two variables if there is any. */
  patterns(meeting: Meeting): Pattern[] {
    const found: Pattern[] = [];
    const { shape, other } = meeting;
    if (shape.length < 2) return found;
    for (const [variable, own] of shape.byVariable) {
      const others = other.byVariable.get(variable);
      if (others === undefined || own.length < 2) continue;
      const pattern = this.#onOneVariable(meeting, variable, others);
      if (pattern !== null) found.push(pattern);
    }
    if (found.length === 0) {
      const pattern = this.#onTwoVariables(meeting);
      if (pattern !== null) found.push(pattern);
    }
    return found;
  }

  #onOneVariable(meeting: Meeting, variable: number, others: readonly number[]): Pattern | null {
    const { shape, other } = meeting;
    for (const last of shape.byVariable.get(variable)!) {
      const hidesUpdates = shape.ownUpdate[last] >= 0;
      const first = hidesUpdates ? shape.ownUpdate[last] : shape.ownWrite[last];
      if (first < 0) continue;
      for (const between of others) {
        if (--this.#budget.left < 0) return null;
        if (hidesUpdates ? other.kind[between] !== Op.write : (other.roles[between] & CHANGE) === 0) continue;
        const pattern = { first, entered: between, left: between, last };
        if (this.#isPossible(meeting, pattern)) return pattern;
      }
    }
    for (const first of shape.firsts.get(variable)!) {
      for (const last of shape.lasts.get(variable)!) {
        if (last <= first) continue;
        for (const between of others) {
          if (--this.#budget.left < 0) return null;
          if (!excludesSecond(shape, first, other, between)) continue;
          if (!excludesSecond(other, between, shape, last)) continue;
          const pattern = { first, entered: between, left: between, last };
          if (this.#isPossible(meeting, pattern)) return pattern;
        }
      }
    }
    return null;
  }

  #onTwoVariables(meeting: Meeting): Pattern | null {
    const { shape, other } = meeting;
    const entries = this.#exclusions(shape, shape.firsts, other, other.byVariable);
    const exits = entries.length === 0 ? [] : this.#exclusions(other, other.byVariable, shape, shape.lasts);
    for (const [first, entered] of entries) {
      for (const [left, last] of exits) {
        if (--this.#budget.left < 0) return null;
        if (last <= first) continue;
        const pattern = { first, entered, left, last };
        if (this.#isPossible(meeting, pattern)) return pattern;
      }
    }
    return null;
  }

  /** The pairs of candidates on one variable of which the first, if it comes first, excludes that `a` came second. */
  #exclusions(a: Shape, ofA: Candidates, b: Shape, ofB: Candidates): [number, number][] {
    const pairs: [number, number][] = [];
    for (const [variable, before] of ofA) {
      const after = ofB.get(variable);
      if (after === undefined) continue;
      for (const i of before) for (const j of after) if (excludesSecond(a, i, b, j)) pairs.push([i, j]);
      this.#budget.left -= before.length * after.length;
      if (this.#budget.left < 0) break;
    }
    return pairs;
  }

  /** Whether locks, forks and joins allow what the pattern says. */
  #isPossible(meeting: Meeting, { first, entered, left, last }: Pattern): boolean {
    const { shape, other } = meeting;
    // If the other unit leaves before it enters, each is in the middle of the other when both are between.
    const locks = entered <= left ? other.locksWithin(entered, left) : other.locksThroughout(left, entered);
    const held = shape.locksThroughout(first, last);
    this.#budget.left -= (shape.takeWork() + other.takeWork()) >> 2;
    if (!this.#locksets.areDisjoint(held, locks)) return false;
    if (!shape.isInSeveralPeriods && !other.isInSeveralPeriods) return true;
    return (
      !this.#periods.isBefore(otherPeriod(meeting, entered), ownPeriod(meeting, first)) &&
      !this.#periods.isBefore(ownPeriod(meeting, last), otherPeriod(meeting, left))
    );
  }
}

function ownPeriod({ shape, instance }: Meeting, access: number): number {
  return shape.isInSeveralPeriods ? shape.period[access] : instance.period;
}

function otherPeriod({ other, otherInstance }: Meeting, access: number): number {
  return other.isInSeveralPeriods ? other.period[access] : otherInstance.period;
}
