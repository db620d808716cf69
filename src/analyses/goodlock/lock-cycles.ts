import { LockOrder, NONE } from './lock-order.ts';
import type { LockRequests } from './lock-requests.ts';

/** How much a search may cost. */
export interface SearchLimits {
  /** Steps along the lock order and comparisons of two edges. */
  steps: number;
  cycles: number;
}

/**
 * Finds the cycles of the lock order for which there are edges that can all meet. Each cycle is looked for from
 * its lock with the smallest number, along locks with larger ones, so that it is found once; a way is followed
 * as long as there is a choice of edges for it.
 */
export class LockCycles {
  /** The edges of each cycle that was found, each leading to the lock that the next one leads from. */
  readonly cycles: number[][] = [];
  /** Whether a limit was reached, so that there may be more. */
  isCut = false;

  readonly #requests: LockRequests;
  readonly #order: LockOrder;
  readonly #limits: SearchLimits;
  #steps = 0;
  /** The locks from which the start can be reached without leaving those that may be gone through. */
  readonly #leadsBack: Int32Array;
  readonly #isOnWay: Uint8Array;
  /** The way: its links, and for each an edge such that all of these can meet. */
  readonly #links: number[] = [];
  readonly #chosen: number[] = [];

  constructor(requests: LockRequests, limits: SearchLimits) {
    this.#requests = requests;
    this.#limits = limits;
    this.#order = new LockOrder(requests);
    this.#leadsBack = new Int32Array(this.#order.locks).fill(NONE);
    this.#isOnWay = new Uint8Array(this.#order.locks);
  }

  run(): void {
    for (let start = 0; start < this.#order.locks && !this.isCut; start++)
      if (this.#order.isLeft[start] === 1 && this.#markLeadingBack(start)) this.#searchFrom(start);
  }

  get steps(): number {
    return this.#steps;
  }

  /** Whether the start itself can be reached from one of the locks that lead to it. */
  #markLeadingBack(start: number): boolean {
    const order = this.#order;
    const pending = [start];
    let leadsToItself = false;
    for (let lock = pending.pop(); lock !== undefined; lock = pending.pop()) {
      for (let link = order.firstIn[lock]; link !== NONE; link = order.nextIn[link]) {
        const from = order.from[link];
        if (!this.#step()) return false;
        if (from === start) leadsToItself = true;
        if (from <= start || order.isLeft[from] === 0 || this.#leadsBack[from] === start) continue;
        this.#leadsBack[from] = start;
        pending.push(from);
      }
    }
    return leadsToItself;
  }

  /** Follows every way, without recursion: a cycle may be as long as there are threads. */
  #searchFrom(start: number): void {
    const order = this.#order;
    /** For each lock on the way, the next link to try. */
    const next = [order.firstOut[start]];
    while (next.length > 0 && !this.isCut) {
      const depth = next.length - 1;
      const link = next[depth];
      if (link === NONE) {
        next.pop();
        const last = this.#links.pop();
        if (last !== undefined) this.#isOnWay[order.to[last]] = 0;
        continue;
      }
      next[depth] = order.nextOut[link];
      const to = order.to[link];
      if (to !== start && (this.#leadsBack[to] !== start || this.#isOnWay[to] === 1)) continue;
      this.#links.push(link);
      if (this.#step() && this.#choose()) {
        if (to === start) {
          this.#found();
        } else {
          this.#isOnWay[to] = 1;
          next.push(order.firstOut[to]);
          continue;
        }
      }
      this.#links.pop();
    }
  }

  #found(): void {
    this.cycles.push(this.#chosen.slice(0, this.#links.length));
    if (this.cycles.length === this.#limits.cycles) this.isCut = true;
  }

  /**
   * Chooses edges that can all meet for the links of the way; if there are none, those for the way without its
   * last link stay chosen. A choice for a way is one for each of its beginnings, so it is tried to go on with it.
   */
  #choose(): boolean {
    const order = this.#order;
    const last = this.#links.length - 1;
    if (this.#chooseFrom(last, order.firstEdge(this.#links[last]))) return true;
    const before = this.#chosen.slice(0, last);
    let at = 0;
    let edge = order.firstEdge(this.#links[0]);
    while (!this.isCut) {
      if (this.#chooseFrom(at, edge)) {
        if (++at > last) return true;
        edge = order.firstEdge(this.#links[at]);
      } else {
        if (--at < 0) break;
        edge = order.nextEdge(this.#chosen[at]);
      }
    }
    before.forEach((chosen, i) => {
      this.#chosen[i] = chosen;
    });
    return false;
  }

  /** Chooses, at one place of the way, the first edge from `first` on that can meet those chosen before it. */
  #chooseFrom(at: number, first: number): boolean {
    const order = this.#order;
    for (let edge = first; edge !== NONE; ) {
      if (!this.#hasNoGate(edge, at)) {
        edge = order.edgeOfNextGroup(edge);
      } else if (!this.#isConcurrent(edge, at)) {
        edge = order.nextEdge(edge);
      } else {
        this.#chosen[at] = edge;
        return true;
      }
    }
    return false;
  }

  /** Whether no lock keeps an edge apart from one of the first that are chosen. */
  #hasNoGate(edge: number, count: number): boolean {
    for (let i = 0; i < count; i++)
      if (!this.#step() || !this.#requests.haveNoGate(edge, this.#chosen[i])) return false;
    return true;
  }

  #isConcurrent(edge: number, count: number): boolean {
    for (let i = 0; i < count; i++)
      if (!this.#step() || !this.#requests.areConcurrent(edge, this.#chosen[i])) return false;
    return true;
  }

  #step(): boolean {
    if (this.#steps++ < this.#limits.steps) return true;
    this.isCut = true;
    return false;
  }
}
