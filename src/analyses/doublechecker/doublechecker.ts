import { BarrierRounds } from '../../trace/barrier-rounds.ts';
import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import type { Analysis, AnalysisContext, Outcome } from '../analysis.ts';
import { type AccessKind, READ, UPDATE, WRITE } from '../velodrome/conflict-groups.ts';
import { NONE, TransactionGraph } from '../velodrome/graph.ts';
import { AccessLog } from './access-log.ts';
import { Components } from './components.ts';
import { Ownership } from './ownership.ts';
import { PreciseOrder } from './precise-order.ts';
import { replay } from './replay.ts';

/** The operation by which an access is logged, by its kind. */
const OP_OF_KIND = [Op.skip, Op.read, Op.write, Op.update] as const;

/**
 * DoubleChecker, offline (as described in RegionTrack §3 and §5.3). The first phase keeps a graph of coarse
 * conflicts: an access that meets what another thread has counts as after everything which that thread did so
 * far. It logs what the live transactions do. When transactions end and nothing open reaches them any more, the
 * strongly connected components among them are final, and the second phase replays the log of each.
 *
 * A real order between transactions is always a path here, for a thread's own transactions are ordered and the
 * last one of a thread is after the one that really conflicted. So all transactions of a real cycle are in one
 * component, together with all that is between any two of them, and no cycle is lost by looking at one
 * component at a time. What is collected on the way is in no component, and its log is dropped.
 */
export class DoubleChecker implements Analysis {
  /** Coarse conflicts; unlike Velodrome's, this graph has cycles, and its edges no times. */
  readonly #graph = new TransactionGraph();
  readonly #ownership = new Ownership();
  readonly #log = new AccessLog();
  readonly #components = new Components(this.#graph);
  readonly #precise: PreciseOrder;
  /** The open node of each thread, how deep it is in blocks, and by whom it was forked, until its first event. */
  #current = new Int32Array(0);
  #depth = new Int32Array(0);
  #forkedBy = new Int32Array(0);
  #releasedBy = new Int32Array(0);
  /** Rounds are logged by their numbers, which are therefore never given back; and who arrived in each. */
  readonly #rounds = new BarrierRounds();
  readonly #arrived = new Map<number, number[]>();
  /** By channel: the threads that sent something through it. */
  readonly #senders = new Map<number, Set<number>>();
  /** For each variable, the last access that was logged: the node's period times four, plus the kind. */
  #logged = new Float64Array(0);
  /** A number for each stretch of a node in which it can have learned nothing of other threads. */
  #period = new Float64Array(0);
  #periods = 0;
  /** Whether a node closed a coarse cycle. */
  #isSuspect = new Uint8Array(0);
  /** Live nodes that the event at hand, one outside blocks, comes after. */
  readonly #sources: number[] = [];
  #thread = 0;
  #componentCount = 0;
  #transactionsReplayed = 0;
  #eventsReplayed = 0;

  constructor(context: AnalysisContext) {
    this.#precise = new PreciseOrder(context.report);
  }

  read(thread: number, variable: number, event: number): void {
    this.#access(thread, variable, READ, event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#access(thread, variable, WRITE, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#access(thread, variable, UPDATE, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#enter(thread);
    this.#releasedBy = grownInt32(this.#releasedBy, lock + 1, NONE);
    const by = this.#releasedBy[lock];
    if (by !== NONE && by !== thread) this.#follow(by);
    this.#place(Op.acquire, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#enter(thread);
    this.#releasedBy = grownInt32(this.#releasedBy, lock + 1, NONE);
    this.#releasedBy[lock] = thread;
    this.#place(Op.release, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    this.#reserveThread(child);
    this.#enter(thread);
    this.#forkedBy[child] = thread;
    this.#place(Op.fork, child, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#reserveThread(child);
    this.#forkedBy[child] = NONE;
    if (this.#current[child] !== NONE) this.#finish(child);
    this.#enter(thread);
    this.#follow(child);
    this.#place(Op.join, child, event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#enter(thread);
    const round = this.#rounds.arrive(thread, barrier);
    const arrived = this.#arrived.get(round);
    if (arrived === undefined) this.#arrived.set(round, [thread]);
    else arrived.push(thread);
    this.#place(Op.arrive, round, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    this.#enter(thread);
    const round = this.#rounds.leave(thread, barrier);
    for (const other of this.#arrived.get(round)!) if (other !== thread) this.#follow(other);
    if (this.#rounds.isOver(round)) this.#arrived.delete(round);
    this.#place(Op.leave, round, event);
  }

  /* What passes through a channel is logged as a message with the number of the channel. */

  send(thread: number, channel: number, event: number): void {
    this.#enter(thread);
    const senders = this.#senders.get(channel);
    if (senders === undefined) this.#senders.set(channel, new Set([thread]));
    else senders.add(thread);
    this.#place(Op.send, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#enter(thread);
    const senders = this.#senders.get(channel) ?? new Set();
    for (const other of senders) {
      if (this.#graph.newest[other] === NONE) senders.delete(other);
      else if (other !== thread) this.#follow(other);
    }
    this.#place(Op.receive, channel, event);
  }

  begin(thread: number, label: number, event: number): void {
    this.#reserveThread(thread);
    if (this.#depth[thread]++ > 0) return;
    const older = this.#graph.newest[thread];
    const node = this.#add(thread, event + 0.5);
    this.#current[thread] = node;
    if (older !== NONE) this.#graph.order(older, 0, node, 0);
    this.#enter(thread);
    this.#log.append(node, Op.begin, label, event);
  }

  end(thread: number, label: number, event: number): void {
    if (--this.#depth[thread] > 0) return;
    this.#log.append(this.#current[thread], Op.end, label, event);
    this.#finish(thread);
  }

  finish(): void {
    for (let thread = 0; thread < this.#current.length; thread++)
      if (this.#current[thread] !== NONE) this.#finish(thread);
  }

  outcome(): Outcome {
    return {
      serializable: this.#precise.completions === 0,
      firstEvent: null,
      statistics: {
        transactionsLogged: this.#graph.allocated,
        transactionsAliveAtMost: this.#graph.aliveAtMost,
        eventsLoggedAtMost: this.#log.atMost,
        impreciseEdges: this.#graph.edges,
        components: this.#componentCount,
        transactionsReplayed: this.#transactionsReplayed,
        eventsReplayed: this.#eventsReplayed,
        preciseEdges: this.#precise.graph.edges,
        completions: this.#precise.completions,
      },
    };
  }

  #access(thread: number, variable: number, kind: AccessKind, event: number): void {
    this.#reserveThread(thread);
    this.#reserveVariable(variable);
    if (this.#ownership.has(thread, variable, kind)) {
      const node = this.#graph.newest[thread];
      if (node === NONE) return;
      const logged = this.#logged[variable] - 4 * this.#period[node];
      // The node's log has this access, and in between nobody interfered and nothing was learned.
      if (logged === kind || logged === WRITE) return;
      this.#log.append(node, OP_OF_KIND[kind], variable, event);
      this.#logged[variable] = 4 * this.#period[node] + kind;
      return;
    }
    this.#enter(thread);
    this.#ownership.take(thread, variable, kind, this.#follow);
    const node = this.#place(OP_OF_KIND[kind], variable, event);
    if (node === NONE) {
      this.#logged[variable] = 0;
    } else {
      // Even where the node already follows, coarsely, those it conflicts with: it may learn of them only now.
      this.#period[node] = ++this.#periods;
      this.#logged[variable] = 4 * this.#period[node] + kind;
    }
  }

  /** Starts on an event of the thread: if it was forked and this is its first, it comes after the fork. */
  #enter(thread: number): void {
    this.#reserveThread(thread);
    this.#thread = thread;
    const by = this.#forkedBy[thread];
    if (by === NONE) return;
    this.#forkedBy[thread] = NONE;
    this.#follow(by);
  }

  /** Puts the event at hand after everything that another thread did so far. */
  readonly #follow = (other: number): void => {
    const source = this.#graph.newest[other];
    if (source === NONE) return;
    const node = this.#current[this.#thread];
    if (node === NONE) {
      this.#sources.push(source);
      return;
    }
    this.#period[node] = ++this.#periods;
    // A cycle is closed by the last of its edges, which is the one that counts.
    if (this.#graph.edgeBetween(source, node) !== NONE) return;
    if (this.#graph.closesCycle(source, node)) this.#isSuspect[node] = 1;
    this.#graph.orderFirst(source, 0, node, 0);
  };

  /**
   * Logs the event at hand, after all that it follows is known. Outside blocks it gets a node of its own if it
   * follows something live, is logged with the newest node of its thread otherwise (it comes after no more than
   * that), and can never be on a cycle if there is none. Returns the node that it went to.
   */
  #place(op: number, operand: number, event: number): number {
    const thread = this.#thread;
    let node = this.#graph.newest[thread];
    if (this.#current[thread] === NONE && this.#sources.length > 0) {
      const older = node;
      node = this.#add(thread, event);
      if (older !== NONE) this.#graph.order(older, 0, node, 0);
      for (const source of this.#sources) this.#graph.order(source, 0, node, 0);
      this.#sources.length = 0;
      this.#graph.finish(node);
    }
    if (node !== NONE) this.#log.append(node, op, operand, event);
    return node;
  }

  #add(thread: number, start: number): number {
    const node = this.#graph.add(thread, start);
    if (node >= this.#period.length) this.#growNodes();
    this.#period[node] = ++this.#periods;
    this.#isSuspect[node] = 0;
    this.#log.start(node);
    return node;
  }

  #finish(thread: number): void {
    const graph = this.#graph;
    const node = this.#current[thread];
    this.#current[thread] = NONE;
    this.#depth[thread] = 0;
    graph.finish(node);
    let suspect = false;
    for (const garbage of graph.garbage) if (this.#isSuspect[garbage] === 1) suspect = true;
    if (suspect) this.#components.find(this.#replay);
    for (const garbage of graph.garbage) this.#log.drop(garbage);
    graph.discard();
  }

  readonly #replay = (component: Int32Array): void => {
    this.#componentCount++;
    this.#transactionsReplayed += component.length;
    this.#eventsReplayed += replay(component, this.#graph, this.#log, this.#precise);
  };

  #reserveThread(thread: number): void {
    if (thread < this.#current.length) return;
    this.#current = grownInt32(this.#current, thread + 1, NONE);
    this.#depth = grownInt32(this.#depth, thread + 1);
    this.#forkedBy = grownInt32(this.#forkedBy, thread + 1, NONE);
    this.#graph.reserveThreads(this.#current.length);
  }

  #reserveVariable(variable: number): void {
    if (variable < this.#logged.length) return;
    this.#ownership.reserve(variable + 1);
    this.#logged = grownFloat64(this.#logged, this.#ownership.state.length);
  }

  #growNodes(): void {
    this.#isSuspect = grownUint8(this.#isSuspect, this.#graph.state.length);
    this.#period = grownFloat64(this.#period, this.#graph.state.length);
  }
}
