import { NONE, type TransactionGraph } from '../velodrome/graph.ts';

/** Finds the strongly connected components among the garbage of a graph (Tarjan), without recursion. */
export class Components {
  readonly #graph: TransactionGraph;
  /** The order in which nodes were reached; 0 if they were not, or are not garbage. */
  #index = new Int32Array(0);
  #low = new Int32Array(0);
  /** The next edge to look at. */
  #edge = new Int32Array(0);
  #isPending = new Uint8Array(0);
  /** The way down to the node at hand, and the nodes that have no component yet. */
  #path = new Int32Array(0);
  #pending = new Int32Array(0);
  #pendingCount = 0;

  constructor(graph: TransactionGraph) {
    this.#graph = graph;
  }

  /** Calls `found` with every component of more than one node; what it is given is valid only during the call. */
  find(found: (component: Int32Array) => void): void {
    const graph = this.#graph;
    this.#prepare();
    let reached = 0;
    for (const node of graph.garbage) this.#index[node] = UNSEEN;
    for (const node of graph.garbage)
      if (this.#index[node] === UNSEEN) reached = this.#explore(node, reached, found);
    for (const node of graph.garbage) this.#index[node] = 0;
  }

  #explore(start: number, reachedBefore: number, found: (component: Int32Array) => void): number {
    const graph = this.#graph;
    let reached = reachedBefore;
    let depth = 0;
    this.#enter(start, ++reached);
    this.#path[depth++] = start;
    while (depth > 0) {
      const node = this.#path[depth - 1];
      const edge = this.#edge[node];
      if (edge === NONE) {
        depth--;
        if (this.#low[node] === this.#index[node]) this.#leave(node, found);
        if (depth > 0) this.#lower(this.#path[depth - 1], this.#low[node]);
        continue;
      }
      this.#edge[node] = graph.nextOut[edge];
      const next = graph.target[edge];
      if (this.#index[next] === UNSEEN) {
        this.#enter(next, ++reached);
        this.#path[depth++] = next;
      } else if (this.#index[next] > 0 && this.#isPending[next] === 1) {
        this.#lower(node, this.#index[next]);
      }
    }
    return reached;
  }

  #enter(node: number, index: number): void {
    this.#index[node] = index;
    this.#low[node] = index;
    this.#edge[node] = this.#graph.firstOut[node];
    this.#isPending[node] = 1;
    this.#pending[this.#pendingCount++] = node;
  }

  /** Everything reached since `node` and still pending is its component. */
  #leave(node: number, found: (component: Int32Array) => void): void {
    let start = this.#pendingCount;
    do this.#isPending[this.#pending[--start]] = 0;
    while (this.#pending[start] !== node);
    if (this.#pendingCount - start > 1) found(this.#pending.subarray(start, this.#pendingCount));
    this.#pendingCount = start;
  }

  #lower(node: number, index: number): void {
    if (index < this.#low[node]) this.#low[node] = index;
  }

  #prepare(): void {
    const length = this.#graph.state.length;
    if (this.#index.length >= length) return;
    this.#index = new Int32Array(length);
    this.#low = new Int32Array(length);
    this.#edge = new Int32Array(length);
    this.#isPending = new Uint8Array(length);
    this.#path = new Int32Array(length);
    this.#pending = new Int32Array(length);
  }
}

const UNSEEN = -1;
