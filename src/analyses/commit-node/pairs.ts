import { Op } from '../../trace/operation.ts';
import { LOCKING, opOf } from './codes.ts';
import type { Forest } from './forest.ts';
import type { InterEdges } from './inter-edges.ts';
import type { Effort } from './limits.ts';
import { canShowBoth, FIRST_BEFORE, isSearchable, type Pair, SECOND_BEFORE } from './pair-search.ts';
import type { Periods } from './periods.ts';
import { ViewOfPair } from './view-of-pair.ts';

/**
 * Decides whether two units can really get into each other's way (Wang and Stoller, Theorems 4.2 and 4.5). That
 * one of them has two commit nodes is enough for that if no deadlock is possible; the search over all their
 * interleavings needs no such assumption.
 */
export class Pairs {
  /** How many pairs were searched, and how many of them turned out to be harmless. */
  searched = 0;
  refuted = 0;
  readonly #effort: Effort;
  readonly #forest: Forest;
  readonly #periods: Periods;
  /** Whether all there is are two units, whose views are then known exactly. */
  readonly #areAlone: boolean;
  readonly #answers = new Map<number, boolean>();

  constructor(forest: Forest, periods: Periods, rule: InterEdges, effort: Effort) {
    this.#effort = effort;
    this.#forest = forest;
    this.#periods = periods;
    this.#areAlone = rule.kind === 'view' && hasTwoVertices(forest);
  }

  /** Whether there may be an interleaving of the two in which each has to come before the other. */
  isPossible(unit: number, other: number): boolean {
    const key = Math.min(unit, other) * this.#forest.units.size + Math.max(unit, other);
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#search(unit, other);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  #search(unit: number, other: number): boolean {
    this.searched++;
    const first = this.#forest.units.codesOf(unit);
    const second = this.#forest.units.codesOf(other);
    if (!isSearchable(first, second)) return true;
    this.#effort.steps += first.length * second.length;
    const isPossible = canShowBoth(this.#pair(unit, other, first, second));
    if (!isPossible) this.refuted++;
    return isPossible;
  }

  #pair(unit: number, other: number, first: Int32Array, second: Int32Array): Pair {
    const firstPeriods = this.#periodsOf(unit, first);
    const secondPeriods = this.#periodsOf(other, second);
    const { units } = this.#forest;
    const thread = units.threadOf(unit);
    const otherThread = units.threadOf(other);
    const firstNeeds = this.#needs(thread, firstPeriods, otherThread, secondPeriods);
    const secondNeeds = this.#needs(otherThread, secondPeriods, thread, firstPeriods);
    const always =
      (secondNeeds.some((needed) => needed > 0) ? FIRST_BEFORE : 0) |
      (firstNeeds.some((needed) => needed > 0) ? SECOND_BEFORE : 0);
    const order = { first, second, firstNeeds, secondNeeds, always };
    if (this.#areAlone) return { ...order, ...new ViewOfPair(first, second).shown() };
    return { ...order, ...this.#shownByEdges(unit, other, first.length) };
  }

  /** An access shows which of the two has to come first by where its edges lead: to what is done or to do. */
  #shownByEdges(unit: number, other: number, length: number): Pick<Pair, 'shownByFirst' | 'shownBySecond'> {
    const { trees, units } = this.#forest;
    const least = new Int32Array(length).fill(0x7fffffff);
    const greatest = new Int32Array(length).fill(-1);
    const tree = units.treeOf(unit);
    const otherTree = units.treeOf(other);
    for (let a = trees.starts[tree]; a < trees.starts[tree + 1]; a++)
      for (let b = trees.starts[otherTree]; b < trees.starts[otherTree + 1]; b++) {
        if (!this.#forest.areConnected(a, b)) continue;
        const at = trees.at.items[a];
        least[at] = Math.min(least[at], trees.at.items[b]);
        greatest[at] = Math.max(greatest[at], trees.at.items[b]);
      }
    return {
      shownByFirst: (i, j) => (least[i] < j ? SECOND_BEFORE : 0) | (greatest[i] >= j ? FIRST_BEFORE : 0),
      shownBySecond: () => 0,
    };
  }

  #periodsOf(unit: number, codes: Int32Array): Int32Array {
    const periods = new Int32Array(codes.length);
    let period = this.#forest.units.periodOf(unit);
    codes.forEach((code, i) => {
      // A fork is before the new period, a join after the old one.
      if (opOf(code) === Op.join) period++;
      periods[i] = period;
      if (opOf(code) === Op.fork) period++;
    });
    return periods;
  }

  /** For each operation, how many of the other unit come before it because of forks and joins. */
  #needs(thread: number, periods: Int32Array, other: number, otherPeriods: Int32Array): Int32Array {
    return periods.map((period) => {
      const over = this.#periods.over(other, thread, period);
      let needed = 0;
      while (needed < otherPeriods.length && otherPeriods[needed] < over) needed++;
      return needed;
    });
  }
}

/** Whether just two copies of units have accesses, and no locks but those of transactions matter. */
function hasTwoVertices({ units, trees, vertices }: Forest): boolean {
  let count = 0;
  for (let unit = 0; unit < units.size && count <= 2; unit++) {
    const tree = units.treeOf(unit);
    if (trees.starts[tree + 1] === trees.starts[tree]) continue;
    count += vertices.firstOf(unit) === vertices.lastOf(unit) ? 1 : 2;
  }
  return count === 2 && !trees.op.items.subarray(0, trees.op.length).includes(LOCKING);
}
