import { EdgesOfUnit, type Forest, NO_GROUP } from './forest.ts';
import type { Effort } from './limits.ts';
import type { Periods } from './periods.ts';
import { NO_UNIT } from './vertices.ts';

/** More cells than these are not kept. */
const MOST_CELLS = 1 << 25;

/** A vertex after all others. */
const NEVER = 0x7fffffff;

/**
 * Which units can come after which, along inter-edges, the order within threads, forks, joins, barriers and messages.
 * An inter-edge can be gone along both ways, and whoever reaches a unit reaches all later ones of its thread. So what
 * can be reached is told by one vertex in each thread, the first one.
 */
export class Reachability {
  readonly #effort: Effort;
  readonly #forest: Forest;
  readonly #periods: Periods;
  readonly #threads: number;
  /** For each vertex and thread: the first vertex of the thread that is next after this one or a later one. */
  readonly #next: Int32Array;
  /** After `spread`: the first vertex reached in each thread, and the thread from which it was. */
  readonly first: Int32Array;
  readonly from: Int32Array;
  /* The part of each thread that can happen while the unit does. */
  readonly #lowest: Int32Array;
  readonly #highest: Int32Array;
  #unit = NO_UNIT;

  static isAffordable(forest: Forest, periods: Periods): boolean {
    return forest.vertices.size * periods.threads <= MOST_CELLS;
  }

  constructor(forest: Forest, periods: Periods, effort: Effort) {
    this.#effort = effort;
    this.#forest = forest;
    this.#periods = periods;
    this.#threads = periods.threads;
    this.#next = new Int32Array(forest.vertices.size * this.#threads).fill(NEVER);
    this.first = new Int32Array(this.#threads);
    this.from = new Int32Array(this.#threads);
    this.#lowest = new Int32Array(this.#threads);
    this.#highest = new Int32Array(this.#threads);
    const edges = new EdgesOfUnit();
    for (let unit = 0; unit < forest.units.size && !effort.isExhausted; unit++) this.#noteEdges(unit, edges);
    if (periods.hasMessages) this.#noteMessages();
    this.#letEarlierReachAsFar();
  }

  /** Sets out from a vertex, to find what can come after it while `unit` is running. */
  spread(unit: number, vertex: number, thread: number): void {
    if (unit !== this.#unit) this.#limitTo(unit);
    const own = this.#forest.units.threadOf(unit);
    this.first.fill(NEVER);
    this.first[thread] = vertex;
    const pending = [thread];
    for (let reached = pending.pop(); reached !== undefined; reached = pending.pop()) {
      const row = this.first[reached] * this.#threads;
      this.#effort.steps += this.#threads;
      for (let other = 0; other < this.#threads; other++) {
        // A way that comes back to where it set out from goes around in vain.
        if (other === own || other === thread || other === reached) continue;
        const next = Math.max(this.#next[row + other], this.#lowest[other]);
        if (next >= this.first[other] || next > this.#highest[other]) continue;
        this.first[other] = next;
        this.from[other] = reached;
        pending.push(other);
      }
    }
  }

  #noteEdges(unit: number, edges: EdgesOfUnit): void {
    const { vertices, groups, trees, units } = this.#forest;
    const first = vertices.firstOf(unit);
    edges.clear();
    this.#forest.scan(unit, trees.starts[units.treeOf(unit)], NEVER, edges);
    for (let i = 0; i < edges.length; i++) {
      const group = edges.group.items[i];
      const thread = edges.thread.items[i];
      if (group !== NO_GROUP) {
        this.#note(first, thread, groups.firstVertex[group]);
        this.#note(vertices.lastOf(unit), thread, groups.firstVertex[group]);
      } else if (edges.leadsAway(i)) {
        this.#note(first, thread, vertices.starts[thread]);
      } else {
        this.#note(vertices.starts[thread + 1] - 1, units.threadOf(unit), first);
      }
    }
  }

  /** Forks and joins are edges of units; barriers and messages belong to none. */
  #noteMessages(): void {
    const { starts } = this.#forest.vertices;
    for (let thread = 0; thread < this.#threads; thread++)
      for (let vertex = starts[thread]; vertex < starts[thread + 1]; vertex++) {
        const period = this.#firstPeriodOf(vertex, thread);
        // Earlier vertices of the same period reach as far as the last one.
        if (vertex + 1 < starts[thread + 1] && this.#firstPeriodOf(vertex + 1, thread) === period) continue;
        this.#effort.steps += this.#threads;
        for (let other = 0; other < this.#threads; other++) {
          if (other === thread) continue;
          const isAfter = (next: number) =>
            this.#periods.precedes(thread, period, other, this.#lastPeriodOf(next, other));
          const next = firstThat(starts[other], starts[other + 1], isAfter);
          if (next < starts[other + 1]) this.#note(vertex, other, next);
        }
      }
  }

  #note(vertex: number, thread: number, next: number): void {
    const at = vertex * this.#threads + thread;
    if (next < this.#next[at]) this.#next[at] = next;
  }

  #letEarlierReachAsFar(): void {
    const { starts } = this.#forest.vertices;
    const width = this.#threads;
    for (let thread = 0; thread < width; thread++)
      for (let vertex = starts[thread + 1] - 2; vertex >= starts[thread]; vertex--)
        for (let other = 0; other < width; other++) {
          const later = this.#next[(vertex + 1) * width + other];
          if (later < this.#next[vertex * width + other]) this.#next[vertex * width + other] = later;
        }
  }

  /** Leaves out what is before the unit, or after it, in any case. */
  #limitTo(unit: number): void {
    this.#unit = unit;
    const { units, vertices, trees } = this.#forest;
    const { starts } = vertices;
    const thread = units.threadOf(unit);
    const tree = units.treeOf(unit);
    const firstPeriod = units.periodOf(unit);
    const lastPeriod = firstPeriod + trees.syncStarts[tree + 1] - trees.syncStarts[tree];
    for (let other = 0; other < this.#threads; other++) {
      if (other === thread) continue;
      const over = this.#periods.over(other, thread, firstPeriod);
      this.#lowest[other] = firstThat(
        starts[other],
        starts[other + 1],
        (vertex) => this.#lastPeriodOf(vertex, other) >= over,
      );
      const isAfter = (vertex: number) =>
        this.#periods.over(thread, other, this.#firstPeriodOf(vertex, other)) > lastPeriod;
      this.#highest[other] = firstThat(starts[other], starts[other + 1], isAfter) - 1;
    }
  }

  /** The period in which a unit starts; or the first or last one of the thread whose start or end the vertex is. */
  #firstPeriodOf(vertex: number, thread: number): number {
    const { units, vertices } = this.#forest;
    const unit = vertices.unit[vertex];
    if (unit !== NO_UNIT) return units.periodOf(unit);
    return vertex === vertices.starts[thread] ? 0 : this.#periods.lastOf(thread);
  }

  #lastPeriodOf(vertex: number, thread: number): number {
    const { trees, units, vertices } = this.#forest;
    const unit = vertices.unit[vertex];
    if (unit === NO_UNIT)
      return vertex === vertices.starts[thread + 1] - 1 ? this.#periods.lastOf(thread) : 0;
    const tree = units.treeOf(unit);
    return units.periodOf(unit) + trees.syncStarts[tree + 1] - trees.syncStarts[tree];
  }
}

/** The first of consecutive numbers that passes a test which all after it pass too; the end if none does. */
function firstThat(start: number, end: number, passes: (number: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
