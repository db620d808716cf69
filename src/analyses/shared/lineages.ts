import { grownInt32, grownUint8 } from '../../trace/growable.ts';

/** Numbers of contents start anew when they would not fit a cell; what was known by them is forgotten. */
const MOST_CONTENTS = 0x7fffffff;

/**
 * Which nodes of trees came from which by raising what they hold, as far as that can be told without looking at what they
 * hold. Nothing is told by mistake.
 *
 * Whatever a node holds at a time has a number, a later one whenever it changes. Contents form lineages, in each of which every
 * one holds no less than those before it. Only the last one of a lineage is gone on from: what is joined to something, as all
 * who arrive at a barrier are to those before them, goes on with the lineage of that, and any other copy starts a lineage of its
 * own. So that what a thread knows can be told from what it learnt last and from what others know by now, a node also has
 * one content of another lineage that it holds no less than.
 */
export class Lineages {
  /* By node. */
  #lineage = new Int32Array(64);
  #content = new Int32Array(64);
  #isLast = new Uint8Array(64);
  /** Another lineage, and its last content that the node is after; 0 if there is none. */
  #otherLineage = new Int32Array(64);
  #otherContent = new Int32Array(64);
  #contents: number;

  /** The numbers start after this one. */
  constructor(contents = 0) {
    this.#contents = contents;
  }

  reserve(nodes: number): void {
    this.#lineage = grownInt32(this.#lineage, nodes);
    this.#content = grownInt32(this.#content, nodes);
    this.#isLast = grownUint8(this.#isLast, nodes);
    this.#otherLineage = grownInt32(this.#otherLineage, nodes);
    this.#otherContent = grownInt32(this.#otherContent, nodes);
  }

  /** Whether it is known that `node` holds no less than `other` in any place. */
  isAfter(node: number, other: number): boolean {
    const lineage = this.#lineage[other];
    if (lineage === 0) return false;
    if (this.#lineage[node] === lineage) return this.#content[node] >= this.#content[other];
    return this.#otherLineage[node] === lineage && this.#otherContent[node] >= this.#content[other];
  }

  /** A node that is new. */
  start(node: number): void {
    this.#begin(node, this.#next());
    this.#otherLineage[node] = 0;
  }

  /** `copy` holds what `node` does, and may come to hold more; it may be that node itself. */
  branch(node: number, copy: number): void {
    const content = this.#next();
    this.#otherLineage[copy] = this.#lineage[node];
    this.#otherContent[copy] = this.#content[node];
    this.#begin(copy, content);
  }

  /** The node, of which there is one use, comes to hold more. */
  raise(node: number): void {
    if (this.#isLast[node] === 0) {
      this.branch(node, node);
      return;
    }
    const content = this.#next();
    if (this.#lineage[node] === 0) this.#begin(node, content);
    else this.#content[node] = content;
  }

  /** `joined` holds what `a` and `b` do. */
  goOn(a: number, b: number, joined: number): void {
    const content = this.#next();
    const from = this.#isLast[a] === 1 ? a : b;
    const other = from === a ? b : a;
    const lineage = this.#lineage[from];
    if (this.#isLast[from] === 0 || lineage === 0) {
      this.branch(a, joined);
      return;
    }
    // Two that came from one are after that, as others are with which it will be joined.
    const isCommon = this.#otherLineage[from] === this.#otherLineage[other] && this.#otherLineage[from] !== 0;
    const common = Math.max(this.#otherContent[from], this.#otherContent[other]);
    this.#otherContent[joined] = isCommon ? common : this.#content[other];
    this.#otherLineage[joined] = isCommon ? this.#otherLineage[from] : this.#lineage[other];
    this.#lineage[joined] = lineage;
    this.#content[joined] = content;
    this.#isLast[from] = 0;
    this.#isLast[joined] = 1;
  }

  #begin(node: number, content: number): void {
    this.#lineage[node] = content;
    this.#content[node] = content;
    this.#isLast[node] = 1;
  }

  #next(): number {
    if (this.#contents === MOST_CONTENTS) {
      this.#lineage.fill(0);
      this.#otherLineage.fill(0);
      this.#contents = 0;
    }
    return ++this.#contents;
  }
}
