import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';
import type { HeldLocks } from '../shared/held-locks.ts';
import type { Locksets } from '../shared/locksets.ts';
import type { OutermostBlocks } from '../shared/outermost-blocks.ts';
import type { ThreadPeriods } from '../shared/thread-periods.ts';
import { TupleTable } from '../shared/tuple-table.ts';

/**
 * The acquires of a lock by a thread that held others: one request for each lock wanted, set of locks held and
 * period. Requests of one period are concurrent with the same ones of other threads, so that one of each kind stands
 * for all.
 *
 * Each pair of a lock held and the lock wanted is an edge of the lock order. Requests and edges are numbered from 0.
 */
export class LockRequests {
  readonly #periods: ThreadPeriods;
  readonly #locksets: Locksets;
  readonly #mostEdges: number;
  /** The numbers of pairs of a set held and a lock wanted, and of requests by such a number and a period. */
  readonly #kinds = new TupleTable(2);
  readonly #requests = new TupleTable(2);
  #isFull = false;

  /* Per request. */
  #thread = new Int32Array(16);
  #period = new Int32Array(16);
  #wanted = new Int32Array(16);
  #held = new Int32Array(16);
  #event = new Float64Array(16);
  /** The outermost block in which it was made; its begin is 0 if there was none. */
  #begin = new Float64Array(16);
  #label = new Int32Array(16);

  /* Per edge. */
  #edges = 0;
  #request = new Int32Array(16);
  #lockHeld = new Int32Array(16);
  #heldSince = new Float64Array(16);

  constructor(periods: ThreadPeriods, locksets: Locksets, mostEdges: number) {
    this.#periods = periods;
    this.#locksets = locksets;
    this.#mostEdges = mostEdges;
  }

  /** Whether there were more edges than could be kept. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get edges(): number {
    return this.#edges;
  }

  /** A thread that holds a lock acquires another. */
  add(thread: number, lock: number, event: number, held: HeldLocks, blocks: OutermostBlocks): void {
    if (this.#isFull) return;
    const set = held.set(thread);
    const kind = this.#kinds.number(set, lock);
    const period = this.#periods.of(thread, event);
    const known = this.#requests.size;
    const request = this.#requests.number(kind, period);
    if (request < known) return;
    this.#reserveRequest(request);
    this.#thread[request] = thread;
    this.#period[request] = period;
    this.#wanted[request] = lock;
    this.#held[request] = set;
    this.#event[request] = event;
    const block = blocks.of(thread);
    this.#begin[request] = block?.begin ?? 0;
    this.#label[request] = block?.label ?? 0;
    for (let entry = held.last(thread); entry !== 0; entry = held.before(entry))
      this.#addEdge(request, held.lock(entry), held.event(entry));
  }

  /** The lock held and the lock wanted along an edge. */
  from(edge: number): number {
    return this.#lockHeld[edge];
  }

  to(edge: number): number {
    return this.#wanted[this.#request[edge]];
  }

  /** The acquire of the lock held. */
  heldSince(edge: number): number {
    return this.#heldSince[edge];
  }

  /** The acquire of the lock wanted. */
  event(edge: number): number {
    return this.#event[this.#request[edge]];
  }

  thread(edge: number): number {
    return this.#thread[this.#request[edge]];
  }

  block(edge: number): BlockFact | null {
    const request = this.#request[edge];
    const begin = this.#begin[request];
    return begin === 0 ? null : { label: this.#label[request], begin, depth: 0 };
  }

  /** The set of all locks that the thread holds. */
  held(edge: number): number {
    return this.#held[this.#request[edge]];
  }

  /** Whether no lock is held along both edges, which would keep one of the two threads away. */
  haveNoGate(a: number, b: number): boolean {
    return this.#locksets.areDisjoint(this.held(a), this.held(b));
  }

  /** Whether the acquires are of different threads and no fork, join or barrier puts one before the other. */
  areConcurrent(a: number, b: number): boolean {
    // Those of one thread are ordered by it.
    return this.#periods.areConcurrent(this.#period[this.#request[a]], this.#period[this.#request[b]]);
  }

  #addEdge(request: number, lockHeld: number, heldSince: number): void {
    if (this.#edges === this.#mostEdges) {
      this.#isFull = true;
      return;
    }
    const edge = this.#edges++;
    this.#request = grownInt32(this.#request, edge + 1);
    this.#lockHeld = grownInt32(this.#lockHeld, edge + 1);
    this.#heldSince = grownFloat64(this.#heldSince, edge + 1);
    this.#request[edge] = request;
    this.#lockHeld[edge] = lockHeld;
    this.#heldSince[edge] = heldSince;
  }

  #reserveRequest(request: number): void {
    this.#thread = grownInt32(this.#thread, request + 1);
    this.#period = grownInt32(this.#period, request + 1);
    this.#wanted = grownInt32(this.#wanted, request + 1);
    this.#held = grownInt32(this.#held, request + 1);
    this.#event = grownFloat64(this.#event, request + 1);
    this.#begin = grownFloat64(this.#begin, request + 1);
    this.#label = grownInt32(this.#label, request + 1);
  }
}
