import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { WatchedBlocks } from './watched-blocks.ts';

/** A node has 8 cells; a tree of height h covers 8^(h + 1) slots. */
const BITS = 3;
const WIDTH = 1 << BITS;

/**
 * Which begins of watched blocks something knows, as trees: in the leaves, for each slot, the latest begin in it that is
 * known, by the value that `WatchedBlocks` has given it, or 0. Where two know the same they share nodes, so that to
 * know what another one knows takes no copy, and to learn from it takes what the two differ in: thousands of open
 * blocks that each know those before them would otherwise take the square of their number.
 *
 * A begin of a block that is not watched any more counts for nothing. Such a cell may be cleared wherever it is met, as it
 * means the same to all that share the node.
 *
 * A tree is known by the number of its root; 0 knows nothing. Uses are counted: what is returned as a tree is one more use
 * of it, which the caller gives up by `drop`.
 */
export class BlockClocks {
  readonly #blocks: WatchedBlocks;
  /** Values in a leaf, numbers of nodes elsewhere. */
  #cells = new Int32Array(64 * WIDTH);
  #height = new Uint8Array(64);
  #uses = new Int32Array(64);
  #end = 1;
  /** The nodes that are given up, linked through their first cell. */
  #free = 0;
  /** The children of a node in the making, by its height. */
  #children = new Int32Array(12 * WIDTH);

  constructor(blocks: WatchedBlocks) {
    this.#blocks = blocks;
  }

  keep(tree: number): number {
    this.#uses[tree]++;
    return tree;
  }

  /** One use less of the one, one more of the other. */
  instead(of: number, tree: number): number {
    this.drop(of);
    return this.keep(tree);
  }

  drop(tree: number): void {
    if (tree === 0 || --this.#uses[tree] > 0) return;
    const at = tree * WIDTH;
    if (this.#height[tree] > 0) for (let i = 0; i < WIDTH; i++) this.drop(this.#cells[at + i]);
    this.#cells[at] = this.#free;
    this.#free = tree;
  }

  /** The value of the latest begin in the slot that is known. */
  get(tree: number, slot: number): number {
    if (tree === 0) return 0;
    let height = this.#height[tree];
    if (slot >>> (BITS * (height + 1)) !== 0) return 0;
    let node = tree;
    for (; height > 0 && node !== 0; height--)
      node = this.#cells[node * WIDTH + ((slot >>> (BITS * height)) & (WIDTH - 1))];
    return node === 0 ? 0 : this.#cells[node * WIDTH + (slot & (WIDTH - 1))];
  }

  /** Whether a block is known that is still watched. */
  isLive(tree: number): boolean {
    return tree !== 0 && this.#isLive(tree, 0);
  }

  /** Whether `more` knows a watched block that `less` does not know. */
  hasNews(less: number, more: number): boolean {
    return this.#hasNews(less, more, 0);
  }

  /** What either knows; `own` itself if the other one knows nothing more. */
  join(own: number, other: number): number {
    return this.#join(own, other, 0);
  }

  /** What the tree knows, and the begin with this value. */
  raised(tree: number, slot: number, value: number): number {
    if (this.get(tree, slot) >= value) return this.keep(tree);
    let top = tree === 0 ? 0 : this.#height[tree];
    while (slot >>> (BITS * (top + 1)) !== 0) top++;
    return this.#raised(tree, top, slot, value);
  }

  /** What the tree knows, but of this slot no more than up to this value. Takes over the use of the tree. */
  lowered(tree: number, slot: number, value: number): number {
    if (this.get(tree, slot) <= value) return tree;
    const lowered = this.#raised(tree, this.#height[tree], slot, value);
    this.drop(tree);
    return lowered;
  }

  #raised(node: number, height: number, slot: number, value: number): number {
    // A tree that is not as high as needed is the first part of what is made.
    const isLower = node !== 0 && this.#height[node] < height;
    const copy = this.#create(height);
    const to = copy * WIDTH;
    if (isLower) this.#cells[to] = this.keep(node);
    else if (node !== 0) {
      for (let i = 0; i < WIDTH; i++) {
        const cell = this.#cells[node * WIDTH + i];
        this.#cells[to + i] = cell;
        if (height > 0 && cell !== 0) this.#uses[cell]++;
      }
    }
    const at = to + ((slot >>> (BITS * height)) & (WIDTH - 1));
    if (height === 0) {
      this.#cells[at] = value;
    } else {
      const child = this.#cells[at];
      const raised = this.#raised(child, height - 1, slot, value);
      this.#cells[at] = raised;
      this.drop(child);
    }
    return copy;
  }

  #join(a: number, b: number, base: number): number {
    if (a === b || b === 0) return this.keep(a);
    if (a === 0) return this.#isLive(b, base) ? this.keep(b) : 0;
    const height = Math.max(this.#height[a], this.#height[b]);
    if (height === 0) return this.#joinLeaves(a, b, base);
    const isLowerA = this.#height[a] < height;
    const isLowerB = this.#height[b] < height;
    const children = height * WIDTH;
    let isA = !isLowerA;
    let isB = !isLowerB;
    for (let i = 0; i < WIDTH; i++) {
      const ofA = isLowerA ? (i === 0 ? a : 0) : this.#cells[a * WIDTH + i];
      const ofB = isLowerB ? (i === 0 ? b : 0) : this.#cells[b * WIDTH + i];
      const child = this.#join(ofA, ofB, base + (i << (BITS * height)));
      this.#children[children + i] = child;
      if (child !== ofA) isA = false;
      if (child !== ofB) isB = false;
    }
    // A lower tree is its own first part.
    if (!isA && isLowerA && this.#isOnly(a, children)) return a;
    if (isA || isB) {
      for (let i = 0; i < WIDTH; i++) this.drop(this.#children[children + i]);
      return this.keep(isA ? a : b);
    }
    const node = this.#create(height);
    for (let i = 0; i < WIDTH; i++) this.#cells[node * WIDTH + i] = this.#children[children + i];
    return node;
  }

  /** Whether a node of these children would be this tree and nothing else. */
  #isOnly(tree: number, children: number): boolean {
    if (this.#children[children] !== tree) return false;
    for (let i = 1; i < WIDTH; i++) if (this.#children[children + i] !== 0) return false;
    return true;
  }

  #joinLeaves(a: number, b: number, base: number): number {
    const cells = this.#cells;
    const { firstValue } = this.#blocks;
    let isA = true;
    let isB = true;
    for (let i = 0; i < WIDTH; i++) {
      const ofA = cells[a * WIDTH + i];
      const ofB = cells[b * WIDTH + i];
      if (ofB > ofA) {
        if (ofB >= firstValue[base + i]) isA = false;
      } else if (ofA > ofB && ofA >= firstValue[base + i]) isB = false;
    }
    if (isA || isB) return this.keep(isA ? a : b);
    const node = this.#create(0);
    for (let i = 0; i < WIDTH; i++)
      this.#cells[node * WIDTH + i] = Math.max(this.#cells[a * WIDTH + i], this.#cells[b * WIDTH + i]);
    return node;
  }

  #isLive(node: number, base: number): boolean {
    const height = this.#height[node];
    const at = node * WIDTH;
    const { firstValue } = this.#blocks;
    for (let i = 0; i < WIDTH; i++) {
      const cell = this.#cells[at + i];
      if (cell === 0) continue;
      if (height === 0 ? cell >= firstValue[base + i] : this.#isLive(cell, base + (i << (BITS * height))))
        return true;
      this.#cells[at + i] = 0;
      if (height > 0) this.drop(cell);
    }
    return false;
  }

  #hasNews(a: number, b: number, base: number): boolean {
    if (a === b || b === 0) return false;
    if (a === 0) return this.#isLive(b, base);
    const height = Math.max(this.#height[a], this.#height[b]);
    const isLowerA = this.#height[a] < height;
    const isLowerB = this.#height[b] < height;
    for (let i = 0; i < WIDTH; i++) {
      const ofA = isLowerA ? (i === 0 ? a : 0) : this.#cells[a * WIDTH + i];
      const ofB = isLowerB ? (i === 0 ? b : 0) : this.#cells[b * WIDTH + i];
      if (height === 0) {
        if (ofB > ofA && ofB >= this.#blocks.firstValue[base + i]) return true;
      } else if (this.#hasNews(ofA, ofB, base + (i << (BITS * height)))) return true;
    }
    return false;
  }

  #create(height: number): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#cells[free * WIDTH];
      this.#cells.fill(0, free * WIDTH, (free + 1) * WIDTH);
    }
    const node = free !== 0 ? free : this.#end++;
    if (node >= this.#uses.length) {
      this.#uses = grownInt32(this.#uses, this.#end);
      this.#height = grownUint8(this.#height, this.#uses.length);
      this.#cells = grownInt32(this.#cells, this.#uses.length * WIDTH);
    }
    this.#height[node] = height;
    this.#uses[node] = 1;
    return node;
  }
}
