import { type EdgesOfUnit, type Forest, NO_GROUP } from './forest.ts';
import type { Effort } from './limits.ts';
import type { Periods } from './periods.ts';
import { Reachability } from './reachability.ts';
import { NO_UNIT } from './vertices.ts';

/** A way out of a unit through one of its edges, through others, and back into it before it is over. */
export interface Cycle {
  /** The edges of the unit by which it is left and entered again: the node of the first is before that of the second. */
  out: number;
  back: number;
  /** The first and the last vertex on the way; the same if one unit alone comes in between. */
  left: number;
  returned: number;
  /** Where the way enters each thread that it goes through, from `left` on; not told if it is too winding. */
  entered: readonly number[];
}

/** There is none; there are too many units to tell; or it is this one. */
export type SearchResult = Cycle | 'none' | 'undecided';

const NEVER = 0x7fffffff;
const NO_EDGE = -1;
/** After looking at so many edges it is tried whether they are enough. */
const FEW_STEPS = 4096;

/**
 * Looks for cycles (Wang and Stoller, Theorems 4.3 and 4.6). A trace that is equivalent to no serial one has a
 * cycle of units, each with an event before one of the next. Nodes at the two ends of an inter-edge do not
 * overlap. If in every unit on the cycle the node by which it is entered had a place in common with the node by
 * which it is left, or came before it, going around would lead to a later and later point in time. So there is a
 * unit that is left by a node and entered again by a later one. Only such units are looked for. They must be
 * transactions, as nothing else has two nodes; all others on the cycle happen while this one is running; and
 * where a shortest cycle has several units of one thread, they follow each other.
 */
export class UnitCycles {
  readonly #effort: Effort;
  readonly #forest: Forest;
  readonly #periods: Periods;
  readonly #isPossible: (unit: number, other: number) => boolean;
  #reachability: Reachability | null = null;

  /* For each vertex: the edge with the least end by which it is reached, the edge with the greatest start back. */
  readonly #out: Int32Array;
  readonly #back: Int32Array;
  /** The vertices that have an edge, and how many they are. */
  readonly #touched: Int32Array;
  #touchedCount = 0;
  #edges!: EdgesOfUnit;

  /** `isPossible` tells whether two units that seem to get into each other's way really can. */
  constructor(
    forest: Forest,
    periods: Periods,
    effort: Effort,
    isPossible: (unit: number, other: number) => boolean,
  ) {
    this.#effort = effort;
    this.#forest = forest;
    this.#periods = periods;
    this.#isPossible = isPossible;
    const { size } = forest.vertices;
    this.#out = new Int32Array(size).fill(NO_EDGE);
    this.#back = new Int32Array(size).fill(NO_EDGE);
    this.#touched = new Int32Array(size);
  }

  /** A cycle through the unit; `edges` is filled with those that were needed to find it. */
  find(unit: number, edges: EdgesOfUnit): SearchResult {
    const { trees, units } = this.#forest;
    const tree = units.treeOf(unit);
    this.#edges = edges;
    edges.clear();
    let access = trees.starts[tree];
    for (let steps = FEW_STEPS; ; steps *= 2) {
      access = this.#forest.scan(unit, access, steps, edges);
      const isAll = access === trees.starts[tree + 1];
      this.#distribute();
      const found = this.#findInOneThread(unit) ?? (isAll ? this.#findAcrossThreads(unit) : null);
      this.#forget();
      if (found !== null) return found;
      if (this.#effort.isExhausted) return 'undecided';
    }
  }

  #forget(): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      this.#out[this.#touched[i]] = NO_EDGE;
      this.#back[this.#touched[i]] = NO_EDGE;
    }
    this.#touchedCount = 0;
  }

  #distribute(): void {
    const { groups, vertices } = this.#forest;
    const { group, thread } = this.#edges;
    for (let edge = 0; edge < this.#edges.length; edge++) {
      const at = group.items[edge];
      if (at !== NO_GROUP) {
        this.#touch(groups.firstVertex[at], edge, edge);
        this.#touch(groups.lastVertex[at], edge, edge);
      } else if (this.#edges.leadsAway(edge)) {
        this.#touch(vertices.starts[thread.items[edge]], edge, NO_EDGE);
      } else {
        this.#touch(vertices.starts[thread.items[edge] + 1] - 1, NO_EDGE, edge);
      }
    }
    this.#touched.subarray(0, this.#touchedCount).sort();
  }

  #touch(vertex: number, out: number, back: number): void {
    if (this.#out[vertex] === NO_EDGE && this.#back[vertex] === NO_EDGE)
      this.#touched[this.#touchedCount++] = vertex;
    if (out !== NO_EDGE && this.#endOf(out) < this.#endOf(this.#out[vertex])) this.#out[vertex] = out;
    if (back !== NO_EDGE && this.#startOf(back) > this.#startOf(this.#back[vertex]))
      this.#back[vertex] = back;
  }

  #endOf(edge: number): number {
    return edge === NO_EDGE ? NEVER : this.#edges.end.items[edge];
  }

  #startOf(edge: number): number {
    return edge === NO_EDGE ? -1 : this.#edges.start.items[edge];
  }

  /** Another unit in between, or several of one thread one after the other. The first is the better example. */
  #findInOneThread(unit: number): Cycle | null {
    let found: Cycle | null = null;
    let thread = -1;
    /** The vertex of this thread that can be reached by the node with the least end. */
    let left = -1;
    for (let i = 0; i < this.#touchedCount; i++) {
      const vertex = this.#touched[i];
      if (thread < 0 || vertex >= this.#forest.vertices.starts[thread + 1]) {
        thread = this.#threadOf(vertex);
        left = -1;
      }
      const start = this.#startOf(this.#back[vertex]);
      if (this.#endOf(this.#out[vertex]) < start && this.#canInterrupt(unit, vertex))
        return this.#cycle(vertex, vertex, [vertex]);
      if (left >= 0 && this.#endOf(this.#out[left]) < start) found ??= this.#cycle(left, vertex, [left]);
      if (left < 0 || this.#endOf(this.#out[vertex]) < this.#endOf(this.#out[left])) left = vertex;
    }
    return found;
  }

  #canInterrupt(unit: number, vertex: number): boolean {
    const other = this.#forest.vertices.unit[vertex];
    return other === NO_UNIT || this.#isPossible(unit, other);
  }

  #findAcrossThreads(unit: number): SearchResult {
    if (!this.#hasSeveralThreads()) return 'none';
    if (this.#reachability === null) {
      if (!Reachability.isAffordable(this.#forest, this.#periods)) return 'undecided';
      this.#reachability = new Reachability(this.#forest, this.#periods, this.#effort);
    }
    if (this.#effort.isExhausted) return 'undecided';
    let thread = -1;
    let left = -1;
    for (let i = 0; i < this.#touchedCount; i++) {
      const vertex = this.#touched[i];
      if (thread < 0 || vertex >= this.#forest.vertices.starts[thread + 1]) {
        thread = this.#threadOf(vertex);
        left = -1;
      }
      // A later vertex is worth a try only if its node ends earlier.
      if (this.#endOf(this.#out[vertex]) >= this.#endOf(left < 0 ? NO_EDGE : this.#out[left])) continue;
      left = vertex;
      const returned = this.#wayBack(unit, vertex, thread);
      if (returned >= 0) return this.#cycle(vertex, returned, this.#way(thread, returned));
    }
    return 'none';
  }

  #hasSeveralThreads(): boolean {
    return (
      this.#touchedCount > 1 &&
      this.#threadOf(this.#touched[0]) !== this.#threadOf(this.#touched[this.#touchedCount - 1])
    );
  }

  /** A vertex of another thread from which a later node leads back; -1 if there is none. */
  #wayBack(unit: number, vertex: number, thread: number): number {
    const reachability = this.#reachability!;
    const { starts } = this.#forest.vertices;
    reachability.spread(unit, vertex, thread);
    const end = this.#endOf(this.#out[vertex]);
    let other = 0;
    for (let i = 0; i < this.#touchedCount; i++) {
      const candidate = this.#touched[i];
      while (candidate >= starts[other + 1]) other++;
      if (
        other !== thread &&
        this.#startOf(this.#back[candidate]) > end &&
        reachability.first[other] <= candidate
      )
        return candidate;
    }
    return -1;
  }

  #way(thread: number, returned: number): number[] {
    const { first, from } = this.#reachability!;
    const threads = [this.#threadOf(returned)];
    while (threads[0] !== thread) {
      // What was reached from here at first may have been reached earlier by a way that goes around.
      if (threads.includes(from[threads[0]])) return [];
      threads.unshift(from[threads[0]]);
    }
    return threads.map((other) => first[other]);
  }

  #cycle(left: number, returned: number, entered: readonly number[]): Cycle {
    return { out: this.#out[left], back: this.#back[returned], left, returned, entered };
  }

  #threadOf(vertex: number): number {
    const { starts } = this.#forest.vertices;
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= vertex) low = middle;
      else high = middle;
    }
    return low;
  }
}
