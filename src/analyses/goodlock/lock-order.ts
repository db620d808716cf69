import { grownInt32 } from '../../trace/growable.ts';
import { PairTable } from '../shared/pair-table.ts';
import type { LockRequests } from './lock-requests.ts';

/** The end of a list of links or edges. */
export const NONE = -1;

/**
 * The lock order as a graph: a link from one lock to another for all edges between the two. What cannot be on a
 * cycle is left out: locks that no link leads to or from, then those for which that makes it true, and so on.
 */
export class LockOrder {
  readonly locks: number;
  /** Per lock: the first of the links from it and of those to it. */
  readonly firstOut: Int32Array;
  readonly firstIn: Int32Array;
  /* Per link. */
  from = new Int32Array(16);
  to = new Int32Array(16);
  nextOut = new Int32Array(16);
  nextIn = new Int32Array(16);
  firstEdge = new Int32Array(16);
  /** Per edge: the next one of the same link. */
  readonly nextEdge: Int32Array;
  /** 1 for locks that may be on a cycle. */
  readonly isLeft: Uint8Array;

  constructor(requests: LockRequests) {
    let locks = 0;
    for (let edge = 0; edge < requests.edges; edge++)
      locks = Math.max(locks, requests.from(edge) + 1, requests.to(edge) + 1);
    this.locks = locks;
    this.firstOut = new Int32Array(locks).fill(NONE);
    this.firstIn = new Int32Array(locks).fill(NONE);
    this.isLeft = new Uint8Array(locks).fill(1);
    this.nextEdge = new Int32Array(requests.edges);
    this.#link(requests);
    this.#trim();
  }

  /** Later edges first lets earlier ones come first in the lists. */
  #link(requests: LockRequests): void {
    const links = new PairTable();
    for (let edge = requests.edges - 1; edge >= 0; edge--) {
      const from = requests.from(edge);
      const to = requests.to(edge);
      let link = links.get(from, to);
      if (link < 0) {
        link = links.size;
        links.set(from, to, link);
        this.#addLink(link, from, to);
      }
      this.nextEdge[edge] = this.firstEdge[link];
      this.firstEdge[link] = edge;
    }
  }

  #addLink(link: number, from: number, to: number): void {
    this.from = grownInt32(this.from, link + 1);
    this.to = grownInt32(this.to, link + 1);
    this.nextOut = grownInt32(this.nextOut, link + 1);
    this.nextIn = grownInt32(this.nextIn, link + 1);
    this.firstEdge = grownInt32(this.firstEdge, link + 1);
    this.from[link] = from;
    this.to[link] = to;
    this.firstEdge[link] = NONE;
    this.nextOut[link] = this.firstOut[from];
    this.firstOut[from] = link;
    this.nextIn[link] = this.firstIn[to];
    this.firstIn[to] = link;
  }

  #trim(): void {
    const out = new Int32Array(this.locks);
    const into = new Int32Array(this.locks);
    for (let lock = 0; lock < this.locks; lock++) {
      for (let link = this.firstOut[lock]; link !== NONE; link = this.nextOut[link]) out[lock]++;
      for (let link = this.firstIn[lock]; link !== NONE; link = this.nextIn[link]) into[lock]++;
    }
    const pending: number[] = [];
    const leaveOut = (lock: number) => {
      if (this.isLeft[lock] === 0) return;
      this.isLeft[lock] = 0;
      pending.push(lock);
    };
    for (let lock = 0; lock < this.locks; lock++) if (out[lock] === 0 || into[lock] === 0) leaveOut(lock);
    for (let lock = pending.pop(); lock !== undefined; lock = pending.pop()) {
      for (let link = this.firstOut[lock]; link !== NONE; link = this.nextOut[link])
        if (--into[this.to[link]] === 0) leaveOut(this.to[link]);
      for (let link = this.firstIn[lock]; link !== NONE; link = this.nextIn[link])
        if (--out[this.from[link]] === 0) leaveOut(this.from[link]);
    }
  }
}
