import { grownFloat64, grownInt32 } from '../../trace/growable.ts';

const NONE = -1;
/** The empty set; all others are numbered from 1. */
const EMPTY = 0;
/** Sets of so many roots are looked up root by root in larger ones. */
const FEW = 4;

/**
 * For every node of the transaction graph, its roots: the open transactions that reach it through finished ones.
 * Together with the roots of those transactions, and so on, they are the ancestor sets of Velodrome §5, cut down
 * to what can still be on a new cycle. So an edge into an open transaction changes the roots of no other node.
 *
 * Nodes share sets: a transaction that comes after one other has the same roots. When a root finishes, its own
 * roots take its place, once in each set, however many nodes have that set. A set is a list of cells, one for
 * each root; the cells of a root are a list, too.
 */
export class RootSets {
  /* Nodes: their set, and their neighbours among the nodes that have the same one. */
  #setOf = new Int32Array(16);
  #nextNode = new Int32Array(16);
  #previousNode = new Int32Array(16);
  /** The first cell of each root. */
  #cellOf = new Int32Array(16).fill(NONE);
  /** A set with this root only, to be shared. */
  #single = new Int32Array(16);
  /** The round in which a root was last marked. */
  #mark = new Float64Array(16);
  #round = 0;
  readonly #pending: number[] = [];

  /* Sets: their first cell and how many there are, their first node and how many there are. */
  #firstCell = new Int32Array(16).fill(NONE);
  #size = new Int32Array(16);
  #firstNode = new Int32Array(16).fill(NONE);
  #nodeCount = new Int32Array(16);
  readonly #freeSets: number[] = [];
  #setEnd = 1;

  /* Cells. Free ones are linked by `#nextInSet`. */
  #root = new Int32Array(16);
  #cellSet = new Int32Array(16);
  #nextInSet = new Int32Array(16);
  #previousInSet = new Int32Array(16);
  #nextOfRoot = new Int32Array(16);
  #previousOfRoot = new Int32Array(16);
  #freeCell = NONE;
  #cellEnd = 0;

  /** Makes room for `nodes` nodes. */
  reserve(nodes: number): void {
    this.#setOf = grownInt32(this.#setOf, nodes);
    this.#nextNode = grownInt32(this.#nextNode, nodes);
    this.#previousNode = grownInt32(this.#previousNode, nodes);
    this.#cellOf = grownInt32(this.#cellOf, nodes, NONE);
    this.#single = grownInt32(this.#single, nodes);
    this.#mark = grownFloat64(this.#mark, nodes);
  }

  isEmpty(node: number): boolean {
    return this.#setOf[node] === EMPTY;
  }

  has(node: number, root: number): boolean {
    return this.#contains(this.#setOf[node], root);
  }

  /** Whether `node` has every root of `other`. */
  includes(node: number, other: number): boolean {
    return this.#isSubset(this.#setOf[other], this.#setOf[node]);
  }

  equal(a: number, b: number): boolean {
    return this.#size[this.#setOf[a]] === this.#size[this.#setOf[b]] && this.includes(a, b);
  }

  /** Whether the open `root` reaches the node, through whatever transactions. */
  leadsTo(root: number, node: number): boolean {
    if (this.#cellOf[root] === NONE) return false;
    const round = ++this.#round;
    const pending = this.#pending;
    pending.length = 0;
    pending.push(node);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (let cell = this.#firstCell[this.#setOf[next]]; cell !== NONE; cell = this.#nextInSet[cell]) {
        const other = this.#root[cell];
        if (other === root) return true;
        if (this.#mark[other] === round) continue;
        this.#mark[other] = round;
        pending.push(other);
      }
    }
    return false;
  }

  /** Gives `node` one more root. */
  add(node: number, root: number): void {
    const set = this.#setOf[node];
    if (this.#contains(set, root)) return;
    if (set !== EMPTY) {
      this.#addCell(this.#ownSet(node), root);
      return;
    }
    let single = this.#single[root];
    if (single === EMPTY) {
      single = this.#createSet();
      this.#addCell(single, root);
      this.#single[root] = single;
    }
    this.#enter(node, single);
  }

  /** Gives `node` every root of `other`. */
  addAll(node: number, other: number): void {
    const set = this.#setOf[node];
    const otherSet = this.#setOf[other];
    if (this.#isSubset(otherSet, set)) return;
    if (this.#isSubset(set, otherSet)) {
      this.leave(node);
      this.#enter(node, otherSet);
      return;
    }
    this.#addMissing(this.#ownSet(node), otherSet);
  }

  /** Takes all its roots from a node. */
  leave(node: number): void {
    const set = this.#setOf[node];
    if (set === EMPTY) return;
    this.#unlinkNode(node, set);
    this.#setOf[node] = EMPTY;
    if (this.#nodeCount[set] === 0) this.#freeSet(set);
  }

  /** Puts a root's own roots in its place everywhere. Adds the nodes that have no root left to `bare`. */
  replace(root: number, bare: number[]): void {
    const own = this.#setOf[root];
    // On a cycle, a transaction is its own root.
    const itself = this.#cellIn(own, root);
    if (itself !== NONE) this.#removeCell(itself);
    this.#single[root] = EMPTY;
    for (let cell = this.#cellOf[root]; cell !== NONE; cell = this.#cellOf[root]) {
      const set = this.#cellSet[cell];
      this.#removeCell(cell);
      const successors = this.#setOf[root];
      if (!this.#isSubset(set, successors)) this.#addMissing(set, successors);
      else if (this.#size[successors] > 0) this.#unite(set, successors);
      else this.#dissolve(set, bare);
    }
    const left = this.#setOf[root];
    if (left !== EMPTY && this.#size[left] === 0) this.#dissolve(left, bare);
  }

  #contains(set: number, root: number): boolean {
    return this.#cellIn(set, root) !== NONE;
  }

  /** The cell of a root in a set, or NONE. Both lists are walked at once: one of them may be short. */
  #cellIn(set: number, root: number): number {
    let inSet = this.#firstCell[set];
    let ofRoot = this.#cellOf[root];
    while (inSet !== NONE && ofRoot !== NONE) {
      if (this.#root[inSet] === root) return inSet;
      if (this.#cellSet[ofRoot] === set) return ofRoot;
      inSet = this.#nextInSet[inSet];
      ofRoot = this.#nextOfRoot[ofRoot];
    }
    return NONE;
  }

  #isSubset(set: number, of: number): boolean {
    if (set === of || this.#size[set] === 0) return true;
    if (this.#size[set] > this.#size[of]) return false;
    if (this.#size[set] <= FEW) {
      for (let cell = this.#firstCell[set]; cell !== NONE; cell = this.#nextInSet[cell])
        if (!this.#contains(of, this.#root[cell])) return false;
      return true;
    }
    const round = this.#markRoots(of);
    for (let cell = this.#firstCell[set]; cell !== NONE; cell = this.#nextInSet[cell])
      if (this.#mark[this.#root[cell]] !== round) return false;
    return true;
  }

  #markRoots(set: number): number {
    const round = ++this.#round;
    for (let cell = this.#firstCell[set]; cell !== NONE; cell = this.#nextInSet[cell])
      this.#mark[this.#root[cell]] = round;
    return round;
  }

  /** Adds the roots of `from` that `set` does not have. */
  #addMissing(set: number, from: number): void {
    if (this.#size[from] <= FEW) {
      for (let cell = this.#firstCell[from]; cell !== NONE; cell = this.#nextInSet[cell])
        if (!this.#contains(set, this.#root[cell])) this.#addCell(set, this.#root[cell]);
      return;
    }
    const round = this.#markRoots(set);
    for (let cell = this.#firstCell[from]; cell !== NONE; cell = this.#nextInSet[cell])
      if (this.#mark[this.#root[cell]] !== round) this.#addCell(set, this.#root[cell]);
  }

  /** The set of `node`, or a copy of it if other nodes have it, too. */
  #ownSet(node: number): number {
    const set = this.#setOf[node];
    if (this.#nodeCount[set] === 1) return set;
    const copy = this.#createSet();
    for (let cell = this.#firstCell[set]; cell !== NONE; cell = this.#nextInSet[cell])
      this.#addCell(copy, this.#root[cell]);
    this.#unlinkNode(node, set);
    this.#enter(node, copy);
    return copy;
  }

  /** Makes two sets one, with the roots of `kept`. The nodes of the one that has fewer change their set. */
  #unite(set: number, kept: number): void {
    let from = set;
    let to = kept;
    if (this.#nodeCount[set] > this.#nodeCount[kept]) {
      from = kept;
      to = set;
      this.#addMissing(set, kept);
    }
    for (let node = this.#firstNode[from]; node !== NONE; ) {
      const next = this.#nextNode[node];
      this.#enter(node, to);
      node = next;
    }
    this.#firstNode[from] = NONE;
    this.#nodeCount[from] = 0;
    this.#freeSet(from);
  }

  #dissolve(set: number, bare: number[]): void {
    for (let node = this.#firstNode[set]; node !== NONE; node = this.#nextNode[node]) {
      this.#setOf[node] = EMPTY;
      bare.push(node);
    }
    this.#firstNode[set] = NONE;
    this.#nodeCount[set] = 0;
    this.#freeSet(set);
  }

  #enter(node: number, set: number): void {
    const next = this.#firstNode[set];
    this.#setOf[node] = set;
    this.#nextNode[node] = next;
    this.#previousNode[node] = NONE;
    if (next !== NONE) this.#previousNode[next] = node;
    this.#firstNode[set] = node;
    this.#nodeCount[set]++;
  }

  #unlinkNode(node: number, set: number): void {
    const next = this.#nextNode[node];
    const previous = this.#previousNode[node];
    if (next !== NONE) this.#previousNode[next] = previous;
    if (previous !== NONE) this.#nextNode[previous] = next;
    else this.#firstNode[set] = next;
    this.#nodeCount[set]--;
  }

  #createSet(): number {
    const set = this.#freeSets.pop();
    if (set !== undefined) return set;
    const created = this.#setEnd++;
    this.#firstCell = grownInt32(this.#firstCell, this.#setEnd, NONE);
    this.#size = grownInt32(this.#size, this.#setEnd);
    this.#firstNode = grownInt32(this.#firstNode, this.#setEnd, NONE);
    this.#nodeCount = grownInt32(this.#nodeCount, this.#setEnd);
    return created;
  }

  /** Gives back a set that no node has. */
  #freeSet(set: number): void {
    while (this.#firstCell[set] !== NONE) this.#removeCell(this.#firstCell[set]);
    this.#freeSets.push(set);
  }

  #addCell(set: number, root: number): void {
    let cell = this.#freeCell;
    if (cell !== NONE) {
      this.#freeCell = this.#nextInSet[cell];
    } else {
      cell = this.#cellEnd++;
      if (cell === this.#root.length) this.#growCells();
    }
    this.#forgetSingle(set);
    this.#root[cell] = root;
    this.#cellSet[cell] = set;
    const nextInSet = this.#firstCell[set];
    this.#nextInSet[cell] = nextInSet;
    this.#previousInSet[cell] = NONE;
    if (nextInSet !== NONE) this.#previousInSet[nextInSet] = cell;
    this.#firstCell[set] = cell;
    this.#size[set]++;
    const next = this.#cellOf[root];
    this.#nextOfRoot[cell] = next;
    this.#previousOfRoot[cell] = NONE;
    if (next !== NONE) this.#previousOfRoot[next] = cell;
    this.#cellOf[root] = cell;
  }

  #removeCell(cell: number): void {
    const set = this.#cellSet[cell];
    this.#forgetSingle(set);
    const nextInSet = this.#nextInSet[cell];
    const previousInSet = this.#previousInSet[cell];
    if (nextInSet !== NONE) this.#previousInSet[nextInSet] = previousInSet;
    if (previousInSet !== NONE) this.#nextInSet[previousInSet] = nextInSet;
    else this.#firstCell[set] = nextInSet;
    this.#size[set]--;
    const next = this.#nextOfRoot[cell];
    const previous = this.#previousOfRoot[cell];
    if (next !== NONE) this.#previousOfRoot[next] = previous;
    if (previous !== NONE) this.#nextOfRoot[previous] = next;
    else this.#cellOf[this.#root[cell]] = next;
    this.#nextInSet[cell] = this.#freeCell;
    this.#freeCell = cell;
  }

  /** A set that changes is not the one to share with others that have its only root. */
  #forgetSingle(set: number): void {
    if (this.#size[set] !== 1) return;
    const root = this.#root[this.#firstCell[set]];
    if (this.#single[root] === set) this.#single[root] = EMPTY;
  }

  #growCells(): void {
    const length = 2 * this.#root.length;
    this.#root = grownInt32(this.#root, length);
    this.#cellSet = grownInt32(this.#cellSet, length);
    this.#nextInSet = grownInt32(this.#nextInSet, length);
    this.#previousInSet = grownInt32(this.#previousInSet, length);
    this.#nextOfRoot = grownInt32(this.#nextOfRoot, length);
    this.#previousOfRoot = grownInt32(this.#previousOfRoot, length);
  }
}
