import { grownInt32 } from '../../trace/growable.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import type { LockRequests } from './lock-requests.ts';

/** The end of a list of links, groups or edges. */
export const NONE = -1;

/**
 * The lock order as a graph: a link from one lock to another for all edges between the two. Its edges are in
 * groups with the same set of locks held, as what one lacks for a cycle because of that, all of them lack.
 *
 * What cannot be on a cycle is left out: locks that no link leads to or from, then those for which that makes it
 * true, and so on.
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
  #firstGroup = new Int32Array(16);
  /* Per group: its first edge, and the next group of the same link. */
  #firstEdge = new Int32Array(16);
  #nextGroup = new Int32Array(16);
  /* Per edge: its group, and the next edge of that. */
  readonly #group: Int32Array;
  readonly #nextEdge: Int32Array;
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
    this.#group = new Int32Array(requests.edges);
    this.#nextEdge = new Int32Array(requests.edges);
    this.#link(requests);
    this.#trim();
  }

  firstEdge(link: number): number {
    return this.#firstEdge[this.#firstGroup[link]];
  }

  /** The next edge of the same link. */
  nextEdge(edge: number): number {
    const next = this.#nextEdge[edge];
    return next === NONE ? this.edgeOfNextGroup(edge) : next;
  }

  /** The next edge of the same link for which another set of locks is held. */
  edgeOfNextGroup(edge: number): number {
    const group = this.#nextGroup[this.#group[edge]];
    return group === NONE ? NONE : this.#firstEdge[group];
  }

  /** Later edges first lets earlier ones come first in the lists. */
  #link(requests: LockRequests): void {
    const links = new TupleTable(2);
    const groups = new TupleTable(2);
    for (let edge = requests.edges - 1; edge >= 0; edge--) {
      const from = requests.from(edge);
      const to = requests.to(edge);
      const knownLinks = links.size;
      const link = links.number(from, to);
      if (link === knownLinks) this.#addLink(link, from, to);
      const knownGroups = groups.size;
      const group = groups.number(link, requests.held(edge));
      if (group === knownGroups) this.#addGroup(group, link);
      this.#group[edge] = group;
      this.#nextEdge[edge] = this.#firstEdge[group];
      this.#firstEdge[group] = edge;
    }
  }

  #addLink(link: number, from: number, to: number): void {
    this.from = grownInt32(this.from, link + 1);
    this.to = grownInt32(this.to, link + 1);
    this.nextOut = grownInt32(this.nextOut, link + 1);
    this.nextIn = grownInt32(this.nextIn, link + 1);
    this.#firstGroup = grownInt32(this.#firstGroup, link + 1);
    this.from[link] = from;
    this.to[link] = to;
    this.#firstGroup[link] = NONE;
    this.nextOut[link] = this.firstOut[from];
    this.firstOut[from] = link;
    this.nextIn[link] = this.firstIn[to];
    this.firstIn[to] = link;
  }

  #addGroup(group: number, link: number): void {
    this.#firstEdge = grownInt32(this.#firstEdge, group + 1);
    this.#nextGroup = grownInt32(this.#nextGroup, group + 1);
    this.#firstEdge[group] = NONE;
    this.#nextGroup[group] = this.#firstGroup[link];
    this.#firstGroup[link] = group;
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
