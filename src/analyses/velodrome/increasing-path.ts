import type { ConflictFact } from '../analysis.ts';
import { NONE, type TransactionGraph } from './graph.ts';

/**
 * Looks for an increasing cycle (Velodrome §4.3): a path from an open transaction to a conflict that comes back
 * to it, along which every node is entered no later than it is left. Such a path is a chain of events, each of
 * which happens before the next, so the transaction is not serializable by itself.
 *
 * The paper looks at one cycle. Of all paths in the graph, this finds the one that leaves the transaction last
 * and so refutes the most nested blocks: backwards from the conflict, always from the node that can be left
 * latest, until the transaction is reached.
 */
export class IncreasingPath {
  readonly #graph: TransactionGraph;
  /** When the path found so far leaves each node, and by which edge; the conflict that closes the cycle is NONE. */
  #leaves = new Float64Array(0);
  #by = new Int32Array(0);
  /** The search in which a node was last reached. */
  #reached = new Float64Array(0);
  #search = 0;
  /** Nodes to go on from, as a heap: the one that is left latest is first. A node may be there twice. */
  readonly #heapNode: number[] = [];
  readonly #heapTime: number[] = [];

  constructor(graph: TransactionGraph) {
    this.#graph = graph;
  }

  /** The latest time at which an increasing path leaves `origin` to arrive in `node` by `time`; NONE if none does. */
  find(origin: number, node: number, time: number): number {
    const graph = this.#graph;
    this.#prepare();
    this.#reach(node, time, NONE);
    while (this.#heapNode.length > 0) {
      const left = this.#heapTime[0];
      const next = this.#pop();
      if (left < this.#leaves[next]) continue;
      if (next === origin) return left;
      if (graph.entered[next] <= left) this.#enter(next, left);
    }
    return NONE;
  }

  /** Goes on to where the edges come from by which the node is entered before it is left. */
  #enter(node: number, left: number): void {
    const graph = this.#graph;
    // Edges get later times, so that the first of them is found anew.
    let first = Number.POSITIVE_INFINITY;
    for (let edge = graph.firstIn[node]; edge !== NONE; edge = graph.nextIn[edge]) {
      const to = graph.to[edge];
      if (to < first) first = to;
      if (to <= left) this.#reach(graph.source[edge], graph.from[edge], edge);
    }
    graph.entered[node] = first;
  }

  /** The conflicts along the path just found, and the one at its end. */
  conflicts(origin: number, from: number, event: number): ConflictFact[] {
    const graph = this.#graph;
    const facts: ConflictFact[] = [];
    for (let edge = this.#by[origin]; edge !== NONE; edge = this.#by[graph.target[edge]])
      facts.push({ from: graph.from[edge], to: graph.to[edge] });
    facts.push({ from, to: event });
    return facts;
  }

  #prepare(): void {
    const length = this.#graph.state.length;
    if (this.#by.length < length) {
      this.#leaves = new Float64Array(length);
      this.#by = new Int32Array(length);
      this.#reached = new Float64Array(length);
    }
    this.#search++;
    this.#heapNode.length = 0;
    this.#heapTime.length = 0;
  }

  #reach(node: number, time: number, edge: number): void {
    if (this.#reached[node] === this.#search && this.#leaves[node] >= time) return;
    this.#reached[node] = this.#search;
    this.#leaves[node] = time;
    this.#by[node] = edge;
    this.#push(node, time);
  }

  #push(node: number, time: number): void {
    const nodes = this.#heapNode;
    const times = this.#heapTime;
    let at = nodes.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (times[parent] >= time) break;
      nodes[at] = nodes[parent];
      times[at] = times[parent];
      at = parent;
    }
    nodes[at] = node;
    times[at] = time;
  }

  #pop(): number {
    const nodes = this.#heapNode;
    const times = this.#heapTime;
    const first = nodes[0];
    const node = nodes.pop()!;
    const time = times.pop()!;
    const length = nodes.length;
    if (length === 0) return first;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && times[child + 1] > times[child]) child++;
      if (times[child] <= time) break;
      nodes[at] = nodes[child];
      times[at] = times[child];
      at = child;
    }
    nodes[at] = node;
    times[at] = time;
    return first;
  }
}
