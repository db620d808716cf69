import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { RootSets } from './root-sets.ts';

export const NONE = -1;

const FREE = 0;
const OPEN = 1;
const FINISHED = 2;

/** So many edges of two nodes are looked through for one between them before the nodes' edges are indexed. */
const FEW_EDGES = 12;
/** So many pairs are remembered between which an edge would close a cycle. */
const MOST_CYCLIC = 1 << 20;

/**
 * The happens-before graph on transactions (Velodrome §3), with the edges' timestamps (§4.3) and garbage
 * collection (§4.1).
 *
 * Times are event numbers. A node is one transaction, or a run of transactions of one thread; the live nodes
 * of a thread are a list, so a weak reference to a node is a thread and a time, and stands for nothing once
 * no live node of that thread had begun by then. Nothing has to be reset when a node is collected and its
 * place used again.
 *
 * Only open nodes get new predecessors. So a finished node that no open transaction reaches can
 * never be on a cycle that is not there yet, and is collected at once. The paper counts references for that;
 * here the root sets, which are needed to see a cycle before it is closed, run empty at the same moment.
 */
export class TransactionGraph {
  readonly roots = new RootSets();

  /* Nodes. */
  state = new Uint8Array(16);
  thread = new Int32Array(16);
  /** When the node began: half an event after its `begin`, so that it never covers what came before that. */
  start = new Float64Array(16);
  /** A time at or after every incoming edge, and the time of an event of the node. */
  last = new Float64Array(16);
  /** Neighbours in the list of the thread's live nodes; free nodes are linked by `older`. */
  older = new Int32Array(16);
  newer = new Int32Array(16);
  firstOut = new Int32Array(16);
  firstIn = new Int32Array(16);
  /** No edge enters the node before this time: a search that has to leave it earlier need not look at them. */
  entered = new Float64Array(16);

  /* Edges. Free edges are linked by `nextOut`. */
  source = new Int32Array(16);
  target = new Int32Array(16);
  from = new Float64Array(16);
  to = new Float64Array(16);
  nextOut = new Int32Array(16);
  previousOut = new Int32Array(16);
  nextIn = new Int32Array(16);
  previousIn = new Int32Array(16);

  /** The newest live node of each thread. */
  newest = new Int32Array(16).fill(NONE);

  /** What the last `finish` left to be collected. */
  readonly garbage: number[] = [];

  allocated = 0;
  alive = 0;
  aliveAtMost = 0;
  edges = 0;

  #nodeEnd = 0;
  #freeNode = NONE;
  #edgeEnd = 0;
  #freeEdge = NONE;
  /** Incoming edges by their sources, of nodes that have many. */
  readonly #incoming = new Map<number, Map<number, number>>();
  /** For open nodes: from which others an edge would close a cycle, as far as that was found out. */
  readonly #cyclic = new Map<number, Set<number>>();
  #cyclicCount = 0;

  reserveThreads(count: number): void {
    this.newest = grownInt32(this.newest, count, NONE);
  }

  /** The live node of which this event is part, or NONE if it was collected. */
  nodeAt(thread: number, time: number): number {
    let node = this.newest[thread];
    while (node !== NONE && this.start[node] > time) node = this.older[node];
    return node;
  }

  isOpen(node: number): boolean {
    return this.state[node] === OPEN;
  }

  /** Adds an open node, the newest of its thread. */
  add(thread: number, start: number): number {
    let node = this.#freeNode;
    if (node !== NONE) {
      this.#freeNode = this.older[node];
    } else {
      node = this.#nodeEnd++;
      if (node === this.state.length) this.#growNodes();
    }
    const older = this.newest[thread];
    this.state[node] = OPEN;
    this.thread[node] = thread;
    this.start[node] = start;
    this.last[node] = start;
    this.older[node] = older;
    this.newer[node] = NONE;
    this.firstOut[node] = NONE;
    this.firstIn[node] = NONE;
    this.entered[node] = Number.POSITIVE_INFINITY;
    if (older !== NONE) this.newer[older] = node;
    this.newest[thread] = node;
    this.allocated++;
    if (++this.alive > this.aliveAtMost) this.aliveAtMost = this.alive;
    return node;
  }

  /**
   * Whether an edge from `source` to the open `target` would close a cycle, or closes one already. If so, it is
   * remembered: what follows an open node does so as long as that is open.
   */
  closesCycle(source: number, target: number): boolean {
    if (this.#cyclic.get(target)?.has(source)) return true;
    if (!this.roots.leadsTo(target, source)) return false;
    if (this.#cyclicCount === MOST_CYCLIC) this.forgetCyclic();
    this.#cyclicCount++;
    const known = this.#cyclic.get(target);
    if (known === undefined) this.#cyclic.set(target, new Set([source]));
    else known.add(source);
    return true;
  }

  /** To be called when nodes get other numbers. */
  forgetCyclic(): void {
    this.#cyclic.clear();
    this.#cyclicCount = 0;
  }

  /** Whether an edge from `source` to the finished `node` would make no difference to any cycle. */
  isCovered(source: number, node: number): boolean {
    return this.state[source] === OPEN ? this.roots.has(node, source) : this.roots.includes(node, source);
  }

  /**
   * Adds an edge between different nodes. Between two nodes there is one edge at most; the times of a later
   * conflict replace those of an earlier one (Velodrome §4.3), unless it is the same earlier event again.
   */
  order(source: number, from: number, target: number, to: number): void {
    const known = this.edgeBetween(source, target);
    if (known !== NONE) this.renew(known, from, to);
    else this.orderFirst(source, from, target, to);
  }

  /** Gives an edge the times of another conflict between the same nodes. */
  renew(edge: number, from: number, to: number): void {
    if (this.from[edge] >= from) return;
    this.from[edge] = from;
    this.to[edge] = to;
  }

  /** Adds an edge between nodes that have none. */
  orderFirst(source: number, from: number, target: number, to: number): void {
    this.#addEdge(source, from, target, to);
    if (this.state[source] === OPEN) this.roots.add(target, source);
    else this.roots.addAll(target, source);
  }

  edgeBetween(source: number, target: number): number {
    if (this.#incoming.size > 0) {
      const index = this.#incoming.get(target);
      if (index !== undefined) return index.get(source) ?? NONE;
    }
    // Both lists are walked at once: one of them is short, and the newest edge is first in both.
    let out = this.firstOut[source];
    let into = this.firstIn[target];
    for (let steps = 0; out !== NONE && into !== NONE; steps++) {
      if (steps === FEW_EDGES) return this.#indexOf(target).get(source) ?? NONE;
      if (this.target[out] === target) return out;
      if (this.source[into] === source) return into;
      out = this.nextOut[out];
      into = this.nextIn[into];
    }
    return NONE;
  }

  #indexOf(target: number): Map<number, number> {
    let index = this.#incoming.get(target);
    if (index === undefined) {
      index = new Map();
      for (let edge = this.firstIn[target]; edge !== NONE; edge = this.nextIn[edge])
        index.set(this.source[edge], edge);
      this.#incoming.set(target, index);
    }
    return index;
  }

  /** The node gets no more incoming edges. What no open transaction reaches now is put into `garbage`. */
  finish(node: number): void {
    this.state[node] = FINISHED;
    this.#forgetCyclicOf(node);
    this.garbage.length = 0;
    if (this.roots.isEmpty(node)) this.garbage.push(node);
    this.roots.replace(node, this.garbage);
    for (let i = this.garbage.length - 1; i >= 0; i--)
      if (this.state[this.garbage[i]] === OPEN) {
        this.garbage[i] = this.garbage[this.garbage.length - 1];
        this.garbage.pop();
      }
  }

  /** Collects the garbage. All edges into it come from other garbage. */
  discard(): void {
    for (const node of this.garbage) {
      let edge = this.firstOut[node];
      while (edge !== NONE) {
        const next = this.nextOut[edge];
        this.#unlinkIn(edge);
        this.#freeEdgeSlot(edge);
        edge = next;
      }
      this.freeNode(node);
    }
    this.garbage.length = 0;
  }

  /** Takes a node without edges out of the graph. */
  freeNode(node: number): void {
    const older = this.older[node];
    const newer = this.newer[node];
    if (older !== NONE) this.newer[older] = newer;
    if (newer !== NONE) this.older[newer] = older;
    else this.newest[this.thread[node]] = older;
    this.#incoming.delete(node);
    this.state[node] = FREE;
    this.older[node] = this.#freeNode;
    this.#freeNode = node;
    this.alive--;
  }

  removeEdge(edge: number): void {
    this.#unlinkIn(edge);
    this.#unlinkOut(edge);
    this.#freeEdgeSlot(edge);
  }

  /** Gives an edge the times of a later one. */
  replaceTimes(edge: number, later: number): void {
    if (this.from[edge] >= this.from[later]) return;
    this.from[edge] = this.from[later];
    this.to[edge] = this.to[later];
    this.entered[this.target[edge]] = Math.min(this.entered[this.target[edge]], this.to[edge]);
  }

  /** Makes an edge start in another node; there must be none between that node and its target. */
  moveSource(edge: number, source: number): void {
    const index = this.#incoming.get(this.target[edge]);
    index?.delete(this.source[edge]);
    this.#unlinkOut(edge);
    this.#linkOut(edge, source);
    index?.set(source, edge);
  }

  /** Makes an edge end in another node; there must be none between its source and that node. */
  moveTarget(edge: number, target: number): void {
    this.#unlinkIn(edge);
    this.#linkIn(edge, target);
  }

  /** One more than the largest node number in use. */
  get nodeEnd(): number {
    return this.#nodeEnd;
  }

  isFinished(node: number): boolean {
    return this.state[node] === FINISHED;
  }

  #addEdge(source: number, from: number, target: number, to: number): void {
    let edge = this.#freeEdge;
    if (edge !== NONE) {
      this.#freeEdge = this.nextOut[edge];
    } else {
      edge = this.#edgeEnd++;
      if (edge === this.source.length) this.#growEdges();
    }
    this.from[edge] = from;
    this.to[edge] = to;
    this.#linkOut(edge, source);
    this.#linkIn(edge, target);
    this.edges++;
  }

  #linkOut(edge: number, source: number): void {
    const next = this.firstOut[source];
    this.source[edge] = source;
    this.nextOut[edge] = next;
    this.previousOut[edge] = NONE;
    if (next !== NONE) this.previousOut[next] = edge;
    this.firstOut[source] = edge;
  }

  #linkIn(edge: number, target: number): void {
    const next = this.firstIn[target];
    this.target[edge] = target;
    this.nextIn[edge] = next;
    this.previousIn[edge] = NONE;
    if (next !== NONE) this.previousIn[next] = edge;
    this.firstIn[target] = edge;
    if (this.to[edge] < this.entered[target]) this.entered[target] = this.to[edge];
    if (this.#incoming.size > 0) this.#incoming.get(target)?.set(this.source[edge], edge);
  }

  #forgetCyclicOf(node: number): void {
    const known = this.#cyclic.get(node);
    if (known === undefined) return;
    this.#cyclicCount -= known.size;
    this.#cyclic.delete(node);
  }

  #unlinkOut(edge: number): void {
    const next = this.nextOut[edge];
    const previous = this.previousOut[edge];
    if (next !== NONE) this.previousOut[next] = previous;
    if (previous !== NONE) this.nextOut[previous] = next;
    else this.firstOut[this.source[edge]] = next;
  }

  #unlinkIn(edge: number): void {
    if (this.#incoming.size > 0) this.#incoming.get(this.target[edge])?.delete(this.source[edge]);
    const next = this.nextIn[edge];
    const previous = this.previousIn[edge];
    if (next !== NONE) this.previousIn[next] = previous;
    if (previous !== NONE) this.nextIn[previous] = next;
    else this.firstIn[this.target[edge]] = next;
  }

  #freeEdgeSlot(edge: number): void {
    this.nextOut[edge] = this.#freeEdge;
    this.#freeEdge = edge;
  }

  #growNodes(): void {
    const length = 2 * this.state.length;
    this.state = grownUint8(this.state, length);
    this.start = grownFloat64(this.start, length);
    this.last = grownFloat64(this.last, length);
    this.thread = grownInt32(this.thread, length);
    this.older = grownInt32(this.older, length);
    this.newer = grownInt32(this.newer, length);
    this.firstOut = grownInt32(this.firstOut, length);
    this.firstIn = grownInt32(this.firstIn, length);
    this.entered = grownFloat64(this.entered, length);
    this.roots.reserve(length);
  }

  #growEdges(): void {
    const length = 2 * this.source.length;
    this.source = grownInt32(this.source, length);
    this.target = grownInt32(this.target, length);
    this.from = grownFloat64(this.from, length);
    this.to = grownFloat64(this.to, length);
    this.nextOut = grownInt32(this.nextOut, length);
    this.previousOut = grownInt32(this.previousOut, length);
    this.nextIn = grownInt32(this.nextIn, length);
    this.previousIn = grownInt32(this.previousIn, length);
  }
}
