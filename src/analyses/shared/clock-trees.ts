import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Lineages } from './lineages.ts';

/** A node has 8 cells, one line of a cache; a tree of height h covers 8^(h + 1) slots. */
const BITS = 3;
const WIDTH = 1 << BITS;

/**
 * Vector clocks that share what they have in common. A clock gives each slot a time, 0 unless told otherwise;
 * it is a tree with the times in its leaves, in which parts without any time are left out. Two clocks that
 * differ in a few slots differ in a few nodes, so that copying one costs nothing and joining two costs what
 * they differ in: an array for each clock would take the square of the number of threads.
 *
 * What thousands learn of each other, at a barrier or through a channel, differs from what each of them knew before nearly
 * everywhere, but was made from it by raising times. `Lineages` tells of inner nodes where that is so, and then neither is looked into.
 *
 * A tree is known by the number of its root; 0 is the clock of which all times are 0. Every use of a tree is
 * counted. A function that takes a use over gives one back for what it returns. Times of a tree are only ever raised.
 */
export class ClockTrees {
  /** Times in a leaf, numbers of nodes elsewhere. */
  #cells = new Float64Array(64 * WIDTH);
  #height = new Uint8Array(64);
  #uses = new Int32Array(64);
  readonly #lineages = new Lineages();
  #end = 1;
  /** The nodes that are given up, linked through their first cell. */
  #free = 0;
  #alive = 0;
  #atMost = 0;

  /** How many nodes there are. */
  get nodes(): number {
    return this.#alive;
  }

  /** The largest number of nodes that there were at a time. */
  get nodesAtMost(): number {
    return this.#atMost;
  }

  /** The time of a slot. */
  at(tree: number, slot: number): number {
    const cells = this.#cells;
    let node = tree;
    let shift = this.#height[node] * BITS;
    if (slot >>> shift >= WIDTH) return 0;
    for (; shift > 0; shift -= BITS) node = cells[node * WIDTH + ((slot >>> shift) & (WIDTH - 1))];
    // The cells of node 0 are all 0, and so are the cells below it.
    return cells[node * WIDTH + (slot & (WIDTH - 1))];
  }

  /** One more use of the tree. */
  keep(tree: number): number {
    this.#uses[tree]++;
    return tree;
  }

  /** One use less. */
  drop(tree: number): void {
    if (tree === 0 || --this.#uses[tree] > 0) return;
    const first = tree * WIDTH;
    if (this.#height[tree] > 0) for (let i = 0; i < WIDTH; i++) this.drop(this.#cells[first + i]);
    this.#cells[first] = this.#free;
    this.#free = tree;
    this.#alive--;
  }

  /** The clock with another time for one slot; takes over a use of `tree`. */
  with(tree: number, slot: number, time: number): number {
    let top = tree === 0 ? this.#createAnew(0) : tree;
    while (slot >>> (this.#height[top] * BITS) >= WIDTH) {
      const above = this.#createAnew(this.#height[top] + 1);
      this.#cells[above * WIDTH] = top;
      top = above;
    }
    return this.#replaced(top, slot, time);
  }

  /** The later time of each slot, as a new use of a tree, which may be one of the two. */
  joined(a: number, b: number): number {
    if (a === b || b === 0) return this.keep(a);
    if (a === 0) return this.keep(b);
    const heightA = this.#height[a];
    const heightB = this.#height[b];
    if (heightA < heightB) return this.#joinedLow(b, a);
    if (heightA > heightB) return this.#joinedLow(a, b);
    if (heightA === 0) return this.#joinedLeaves(a, b);
    if (this.#lineages.isAfter(a, b)) return this.keep(a);
    if (this.#lineages.isAfter(b, a)) return this.keep(b);
    return this.#joinedInner(a, b);
  }

  /** The latest of those times in `tree` that `clock` does not reach, leaving one slot out; 0 if it reaches all. */
  latestBeyond(tree: number, clock: number, except: number): number {
    return this.#latestBeyond(tree, 0, clock, except);
  }

  #latestBeyond(node: number, firstSlot: number, clock: number, except: number): number {
    const height = this.#height[node];
    const cells = this.#cells;
    let latest = 0;
    for (let i = 0; i < WIDTH; i++) {
      const cell = cells[node * WIDTH + i];
      if (cell === 0) continue;
      const slot = firstSlot + i * (1 << (height * BITS));
      if (height > 0) latest = Math.max(latest, this.#latestBeyond(cell, slot, clock, except));
      else if (cell > latest && slot !== except && this.at(clock, slot) < cell) latest = cell;
    }
    return latest;
  }

  #replaced(node: number, slot: number, time: number): number {
    const isOwn = this.#uses[node] === 1;
    const own = isOwn ? node : this.#copy(node);
    const height = this.#height[own];
    const cell = own * WIDTH + ((slot >>> (height * BITS)) & (WIDTH - 1));
    if (height === 0) {
      this.#cells[cell] = time;
    } else {
      if (isOwn) this.#lineages.raise(own);
      const below = this.#cells[cell] === 0 ? this.#createAnew(height - 1) : this.#cells[cell];
      const replaced = this.#replaced(below, slot, time);
      this.#cells[cell] = replaced;
    }
    return own;
  }

  /** `low` covers only what the first cell of `high` does. */
  #joinedLow(high: number, low: number): number {
    const first = this.#cells[high * WIDTH];
    const joined = this.joined(first, low);
    if (joined === first) {
      this.drop(joined);
      return this.keep(high);
    }
    const node = this.#copy(this.keep(high));
    this.drop(first);
    this.#cells[node * WIDTH] = joined;
    return node;
  }

  #joinedLeaves(a: number, b: number): number {
    const cells = this.#cells;
    let isA = true;
    let isB = true;
    for (let i = 0; i < WIDTH; i++) {
      const timeA = cells[a * WIDTH + i];
      const timeB = cells[b * WIDTH + i];
      if (timeA < timeB) isA = false;
      else if (timeA > timeB) isB = false;
    }
    if (isA) return this.keep(a);
    if (isB) return this.keep(b);
    const node = this.#create(0);
    const grown = this.#cells;
    for (let i = 0; i < WIDTH; i++)
      grown[node * WIDTH + i] = Math.max(grown[a * WIDTH + i], grown[b * WIDTH + i]);
    return node;
  }

  #joinedInner(a: number, b: number): number {
    // A copy of the first is made only once something in it has to change.
    let node = 0;
    let isB = true;
    for (let i = 0; i < WIDTH; i++) {
      const cellA = this.#cells[a * WIDTH + i];
      const cellB = this.#cells[b * WIDTH + i];
      if (cellA === cellB) continue;
      const joined = this.joined(cellA, cellB);
      if (joined !== cellB) isB = false;
      if (joined === cellA) {
        this.drop(joined);
      } else {
        if (node === 0) {
          node = this.#copy(this.keep(a));
          this.#lineages.goOn(a, b, node);
        }
        this.drop(cellA);
        this.#cells[node * WIDTH + i] = joined;
      }
    }
    if (node === 0) return this.keep(a);
    if (!isB) return node;
    this.drop(node);
    return this.keep(b);
  }

  #createAnew(height: number): number {
    const node = this.#create(height);
    if (height > 0) this.#lineages.start(node);
    return node;
  }

  /** A node of one's own with the same cells; takes over a use of `node`. */
  #copy(node: number): number {
    const height = this.#height[node];
    const copy = this.#create(height);
    if (height > 0) this.#lineages.branch(node, copy);
    const cells = this.#cells;
    for (let i = 0; i < WIDTH; i++) {
      const cell = cells[node * WIDTH + i];
      cells[copy * WIDTH + i] = cell;
      if (height > 0) this.#uses[cell]++;
    }
    this.drop(node);
    return copy;
  }

  #create(height: number): number {
    let node = this.#free;
    if (node !== 0) {
      this.#free = this.#cells[node * WIDTH];
      this.#cells.fill(0, node * WIDTH, (node + 1) * WIDTH);
    } else {
      node = this.#end++;
      this.#cells = grownFloat64(this.#cells, this.#end * WIDTH);
      this.#height = grownUint8(this.#height, this.#end);
      this.#uses = grownInt32(this.#uses, this.#end);
      this.#lineages.reserve(this.#end);
    }
    this.#height[node] = height;
    this.#uses[node] = 1;
    if (++this.#alive > this.#atMost) this.#atMost = this.#alive;
    return node;
  }
}
