import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { EventHandlers } from '../analysis.ts';
import {
  type AccessKind,
  ConflictGroups,
  CURRENT_TIME,
  PREVIOUS,
  PREVIOUS_TIME,
  READ,
  TIMES,
  UPDATE,
  WORDS,
  WRITE,
} from './conflict-groups.ts';
import { NONE, TransactionGraph } from './graph.ts';

export interface TrackerOptions {
  /** Whether events outside blocks share nodes where that makes no difference (Velodrome §4.2). */
  merging: boolean;
}

/**
 * Turns the events of a trace into the edges of the transaction graph (Velodrome, Figure 4), with forks, joins
 * and commuting updates besides. What happens when an edge closes a cycle is up to the subclass.
 */
export abstract class ConflictTracker implements EventHandlers {
  readonly graph = new TransactionGraph();
  /** Events outside blocks that conflicted with something live and still needed no node of their own. */
  protected merges = 0;
  readonly #merging: boolean;
  readonly #groups = new ConflictGroups();
  /** Arrivals at a barrier are updates of its round, departures reads: they commute in the same way. */
  readonly #rounds = new ConflictGroups();
  /** What is sent through a channel updates it. Whoever receives is after all that, and is not kept. */
  readonly #channels = new ConflictGroups();
  /** The open node of each thread. */
  #current = new Int32Array(0);
  #depth = new Int32Array(0);
  /** Where a thread was forked, until its first event. */
  #forkedBy = new Int32Array(0);
  #forkTime = new Float64Array(0);
  /** The last release of each lock. */
  #releasedBy = new Int32Array(0);
  #releaseTime = new Float64Array(0);
  /** Live nodes that the event at hand, one outside blocks, comes after. */
  #sources = new Int32Array(16);
  #sourceTimes = new Float64Array(16);
  #sourceCount = 0;

  constructor(options: TrackerOptions) {
    this.#merging = options.merging;
  }

  /** Whether `closesCycle` may have edges added. */
  protected readonly keepsCycles: boolean = false;

  /** Called for a conflict that closes a cycle through the open `node`. True if its edge is to be added. */
  protected abstract closesCycle(source: number, from: number, node: number, event: number): boolean;

  /** Called when there may be nodes to tidy up; no node number is held by anyone then. */
  protected abstract rest(): void;

  read(thread: number, variable: number, event: number): void {
    this.#access(this.#groups, thread, variable, READ, event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#access(this.#groups, thread, variable, WRITE, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#access(this.#groups, thread, variable, UPDATE, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#reserveThread(thread);
    this.#reserveLock(lock);
    const by = this.#releasedBy[lock];
    if (by !== NONE && by !== thread) this.#follow(thread, by, this.#releaseTime[lock], event);
    if (this.#current[thread] === NONE) this.#outside(thread, event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#reserveThread(thread);
    this.#reserveLock(lock);
    if (this.#current[thread] === NONE) this.#outside(thread, event);
    this.#releasedBy[lock] = thread;
    this.#releaseTime[lock] = event;
  }

  fork(thread: number, child: number, event: number): void {
    this.#reserveThread(thread);
    this.#reserveThread(child);
    if (this.#current[thread] === NONE) this.#outside(thread, event);
    this.#forkedBy[child] = thread;
    this.#forkTime[child] = event;
  }

  join(thread: number, child: number, event: number): void {
    this.#reserveThread(thread);
    this.#reserveThread(child);
    // The child does nothing any more, so its open transaction is over. A child that never did anything has
    // no node and orders nothing, not even its fork before its join.
    this.#forkedBy[child] = NONE;
    if (this.#current[child] !== NONE) this.finishThread(child);
    const node = this.graph.newest[child];
    if (node !== NONE) this.#followNode(thread, node, this.graph.last[node], event);
    if (this.#current[thread] === NONE) this.#outside(thread, event);
  }

  send(thread: number, channel: number, event: number): void {
    this.#access(this.#channels, thread, channel, UPDATE, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#reserveThread(thread);
    if (channel < this.#channels.capacity) {
      const packed = this.#channels.words[WORDS * channel];
      const time = this.#channels.times[TIMES * channel + CURRENT_TIME];
      if (packed !== 0) this.#followGroup(this.#channels, thread, packed >> 2, time, event);
    }
    if (this.#current[thread] === NONE) this.#outside(thread, event);
  }

  abstract arrive(thread: number, barrier: number, event: number): void;
  abstract leave(thread: number, barrier: number, event: number): void;

  begin(thread: number, _label: number, event: number): void {
    this.#reserveThread(thread);
    if (this.#depth[thread]++ > 0) return;
    this.rest();
    const { graph } = this;
    const older = graph.newest[thread];
    const node = graph.add(thread, event + 0.5);
    this.#current[thread] = node;
    if (older !== NONE) graph.order(older, graph.last[older], node, event);
    if (this.#forkedBy[thread] !== NONE) {
      const parent = graph.nodeAt(this.#forkedBy[thread], this.#forkTime[thread]);
      if (parent !== NONE) graph.order(parent, this.#forkTime[thread], node, event);
      this.#forkedBy[thread] = NONE;
    }
  }

  end(thread: number, _label: number, event: number): void {
    if (--this.#depth[thread] > 0) return;
    const node = this.#current[thread];
    this.#current[thread] = NONE;
    this.graph.last[node] = event;
    this.graph.finish(node);
    this.graph.discard();
  }

  /** Ends whatever the thread has open; it does nothing any more. */
  protected finishThread(thread: number): void {
    const { graph } = this;
    const node = this.#current[thread];
    this.#current[thread] = NONE;
    this.#depth[thread] = 0;
    let last = Math.floor(graph.start[node]);
    for (let edge = graph.firstIn[node]; edge !== NONE; edge = graph.nextIn[edge])
      last = Math.max(last, graph.to[edge]);
    graph.last[node] = last;
    graph.finish(node);
    graph.discard();
  }

  protected arriveIn(round: number, thread: number, event: number): void {
    this.#access(this.#rounds, thread, round, UPDATE, event);
  }

  protected leaveFrom(round: number, thread: number, event: number): void {
    this.#access(this.#rounds, thread, round, READ, event);
  }

  protected forgetRound(round: number): void {
    this.#rounds.clear(round);
  }

  protected forgetChannel(channel: number): void {
    this.#channels.clear(channel);
  }

  forgetVariable(variable: number): void {
    this.#groups.clear(variable);
  }

  protected forgetRelease(lock: number): void {
    this.#releasedBy[lock] = NONE;
  }

  protected forgetFork(child: number): void {
    this.#forkedBy[child] = NONE;
  }

  protected isInside(thread: number): boolean {
    return thread < this.#current.length && this.#current[thread] !== NONE;
  }

  #access(groups: ConflictGroups, thread: number, variable: number, kind: AccessKind, event: number): void {
    if (variable >= groups.capacity) groups.reserve(variable + 1);
    // The same thread again, and nobody between: all that this access comes after, its thread comes after.
    if (groups.words[WORDS * variable] === ((thread << 2) | kind))
      if (this.#merging || this.#current[thread] !== NONE) {
        groups.times[TIMES * variable + CURRENT_TIME] = event;
        return;
      }
    this.#reserveThread(thread);
    const packed = groups.words[WORDS * variable];
    const joins = (packed & 3) === kind && kind !== WRITE;
    if (joins) {
      const previous = groups.words[WORDS * variable + PREVIOUS];
      const time = groups.times[TIMES * variable + PREVIOUS_TIME];
      if (previous !== NONE && !this.#followGroup(groups, thread, previous, time, event))
        groups.forgetPrevious(variable);
    } else if (packed !== 0 && packed >> 2 !== thread) {
      this.#followGroup(groups, thread, packed >> 2, groups.times[TIMES * variable + CURRENT_TIME], event);
    }
    if (this.#current[thread] === NONE) this.#outside(thread, event);
    if (joins) groups.join(variable, kind, thread, event, this.graph);
    else groups.start(variable, kind, thread, event);
  }

  /** Puts the event at hand after every member of a group. False if no member is live. */
  #followGroup(groups: ConflictGroups, thread: number, member: number, time: number, event: number): boolean {
    if (member >= NONE) return member !== NONE && this.#follow(thread, member, time, event);
    const { threads, times, length } = groups.lists.at(member);
    let live = false;
    for (let i = 0; i < length; i++) if (this.#follow(thread, threads[i], times[i], event)) live = true;
    return live;
  }

  /** Puts the event at hand after an earlier one. False if that one stands for nothing any more. */
  #follow(thread: number, otherThread: number, otherTime: number, event: number): boolean {
    const source = this.graph.nodeAt(otherThread, otherTime);
    if (source === NONE) return false;
    if (otherThread !== thread) this.#followNode(thread, source, otherTime, event);
    return true;
  }

  #followNode(thread: number, source: number, time: number, event: number): void {
    const { graph } = this;
    const node = this.#current[thread];
    if (node === NONE) {
      this.#remember(source, time);
      return;
    }
    const edge = graph.edgeBetween(source, node);
    if (edge !== NONE && graph.from[edge] >= time) return;
    if (this.#mayClose(edge, source, node) && !this.closesCycle(source, time, node, event)) return;
    if (edge !== NONE) graph.renew(edge, time, event);
    else graph.orderFirst(source, time, node, event);
  }

  /** While no edge that closes a cycle is added, an edge that is there is on none. */
  #mayClose(edge: number, source: number, node: number): boolean {
    return (edge === NONE || this.keepsCycles) && this.graph.closesCycle(source, node);
  }

  #remember(source: number, time: number): void {
    const count = this.#sourceCount++;
    if (count === this.#sources.length) {
      this.#sources = grownInt32(this.#sources, count + 1);
      this.#sourceTimes = grownFloat64(this.#sourceTimes, count + 1);
    }
    this.#sources[count] = source;
    this.#sourceTimes[count] = time;
  }

  /**
   * An event outside blocks, after all that it comes after is known. It is a transaction of its own, but most
   * need no node (Velodrome §4.2): one that comes after nothing live can never be on a cycle, and one that
   * comes after no more than its thread's newest node does can count as part of that.
   *
   * The paper's `merge` would also take another thread's node; here a node stays with one thread, so that the
   * time of an edge is always that of the very event. And it must not be an open node, which may still get
   * incoming edges: `begin, r x`, then another thread's `w x`, then `w x` would be one node, with no cycle.
   */
  #outside(thread: number, event: number): void {
    if (this.#forkedBy[thread] !== NONE) {
      const parent = this.graph.nodeAt(this.#forkedBy[thread], this.#forkTime[thread]);
      if (parent !== NONE) this.#remember(parent, this.#forkTime[thread]);
      this.#forkedBy[thread] = NONE;
    }
    const count = this.#sourceCount;
    if (count === 0 && this.#merging) return;
    this.#sourceCount = 0;
    const own = this.graph.newest[thread];
    if (this.#merging && own !== NONE && this.#areCovered(count, own)) this.#merge(count, own, event);
    else this.#addUnary(count, own, thread, event);
    this.rest();
  }

  #areCovered(count: number, node: number): boolean {
    for (let i = 0; i < count; i++) if (!this.graph.isCovered(this.#sources[i], node)) return false;
    return true;
  }

  /** Edges from open nodes are kept up to date, because blame starts from their times; others add nothing. */
  #merge(count: number, own: number, event: number): void {
    const { graph } = this;
    for (let i = 0; i < count; i++)
      if (graph.isOpen(this.#sources[i])) graph.order(this.#sources[i], this.#sourceTimes[i], own, event);
    graph.last[own] = event;
    this.merges++;
  }

  #addUnary(count: number, own: number, thread: number, event: number): void {
    const { graph } = this;
    const node = graph.add(thread, event);
    if (own !== NONE) graph.order(own, graph.last[own], node, event);
    for (let i = 0; i < count; i++) graph.order(this.#sources[i], this.#sourceTimes[i], node, event);
    graph.finish(node);
    graph.discard();
  }

  #reserveThread(thread: number): void {
    if (thread < this.#current.length) return;
    this.#current = grownInt32(this.#current, thread + 1, NONE);
    this.#depth = grownInt32(this.#depth, thread + 1);
    this.#forkedBy = grownInt32(this.#forkedBy, thread + 1, NONE);
    this.#forkTime = grownFloat64(this.#forkTime, thread + 1);
    this.graph.reserveThreads(this.#current.length);
  }

  #reserveLock(lock: number): void {
    if (lock < this.#releasedBy.length) return;
    this.#releasedBy = grownInt32(this.#releasedBy, lock + 1, NONE);
    this.#releaseTime = grownFloat64(this.#releaseTime, lock + 1);
  }
}
