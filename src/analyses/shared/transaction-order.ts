import { grownInt32 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';
import { BY_PRECEDENCE, type Cells, LEARNT_BY, type Table, TIMES } from './cells.ts';
import type { ConflictOrder } from './conflict-order.ts';
import { JoinedConflicts } from './joined-conflicts.ts';
import type { LateBlocks } from './late-blocks.ts';
import { ALWAYS, Precedence } from './precedence.ts';
import { OLDER, TIME, TRANSACTION } from './precedence-facts.ts';

/*
 * How to use it. Every event of the trace is shown to the order once:
 *   begin, end, fork, join    the handlers of the same names; or `beginLate`, any time before somebody asks;
 *   anything else             `now(thread, event)` gives the time of the event. It is to be remembered with
 *                             whatever may conflict later, and asked for again after calls of `conflict`;
 *   conflict(a, p, b, event)  event `event` of thread b conflicts with one of thread a that took place at time p;
 *   finish(lastEvent)         the trace is over.
 * `onCycle` is called once, when the first cycle is found; after that nothing may be shown to the order but
 * `now`, `fork` and `tick`. `AccessGroups` and `LockTable` turn accesses and lock operations into conflicts.
 *
 * How it works. Each thread has a local time, which ticks when it begins a transaction and when it learns that
 * one more running transaction precedes it: every event after that is preceded by it, none before is. Only
 * running transactions can still gain predecessors, so a finished one stands for nothing but the running ones
 * that precede it, and one that none precedes can never be on a cycle. All there is to know is therefore which
 * running transactions precede each thread, from which of its times on (`Precedence`): the vector clocks of the
 * papers, transposed. A conflict with a thread that none precedes and that runs none costs a comparison.
 *
 * `precision` says from when on what is learnt inside a transaction counts:
 *   transaction   for the whole transaction at once. That is the order of transactions itself (AtomSanitizer;
 *                 RegionTrack's transactional vector clocks, §4.3.2, say the same), so that a cycle is found
 *                 at the event that closes it. Times could be the numbers of transactions within their thread.
 *   event         from the event on that learnt it, and for the whole transaction only when it has ended.
 *                 That is the relation of AeroDrome's Definition 2. Ends are checked too (Algorithm 1, 38–40).
 *
 * An event outside every block is a transaction that is over at once. It shares the time of what its thread
 * did before unless it learns something, because then the same running transactions precede both.
 *
 * Threads are not given back: what is kept for each is 16 bytes, less than for its name.
 */

export type Precision = 'transaction' | 'event';

/** The first cycle: the event that showed it, and the running transaction in whose check it fell. */
export interface Cycle {
  event: number;
  thread: number;
  block: BlockFact;
}

export class TransactionOrder implements ConflictOrder {
  readonly #precision: Precision;
  readonly #onCycle: (cycle: Cycle) => void;
  readonly #blocks: LateBlocks;
  readonly #precedence: Precedence;
  #hasCycle = false;

  /* Per thread. */
  /** Local time from 1 on; 0 before the first event; -p if it is yet to act and was forked at time p. */
  readonly #times: Table;
  /** Its running transaction or 0; the thread that forked it while it is yet to act. */
  #running = new Int32Array(16);
  #depth = new Int32Array(16);

  #conflicts = 0;
  /** Whether what precedes the thread that learns is told by an index. */
  #isIndexed = false;

  /** Null where what precedes an event may still come to count for more. */
  readonly #joined: JoinedConflicts | null;

  /** Local times are in `cells`, and so is what was learnt from whom, unless there is another memory for that. */
  constructor(
    precision: Precision,
    onCycle: (cycle: Cycle) => void,
    blocks: LateBlocks,
    cells: Cells,
    ofLearnt = cells,
  ) {
    this.#precision = precision;
    this.#blocks = blocks;
    this.#precedence = new Precedence(cells);
    cells.all[LEARNT_BY] = BY_PRECEDENCE;
    this.#times = cells.table(TIMES);
    this.#joined = precision === 'transaction' ? new JoinedConflicts(ofLearnt) : null;
    this.#onCycle = onCycle;
  }

  get hasCycle(): boolean {
    return this.#hasCycle;
  }

  /** `conflicts` that carried something, `steps` from fact to fact, and what there was at most at a time. */
  statistics(): Record<string, number> {
    const { steps, facts } = this.#precedence;
    return {
      conflicts: this.#conflicts,
      steps,
      factsAtMost: facts.atMost,
      runningAtMost: this.#blocks.runningAtMost,
    };
  }

  /** The local time of a thread that acts. */
  now(thread: number, event: number): number {
    const time = thread < this.#times.view.length ? this.#times.view[thread] : 0;
    return time > 0 ? time : this.#start(thread, event);
  }

  /** The local time of a thread's last event; 0 or less if it has none. */
  lastTime(thread: number): number {
    return thread < this.#times.view.length ? this.#times.view[thread] : 0;
  }

  begin(thread: number, label: number, event: number): void {
    this.now(thread, event);
    if (this.#depth[thread]++ > 0) return;
    this.tick(thread);
    this.#running[thread] = this.#precedence.transactions.begin(
      thread,
      this.#times.view[thread],
      label,
      event,
    );
  }

  /** A begin by which the local time came to be `time`; it is the first event of a transaction or lies in one. */
  beginLate(thread: number, label: number, time: number, event: number): void {
    if (this.#depth[thread]++ > 0) return;
    this.#running[thread] = this.#precedence.transactions.begin(thread, time, label, event);
  }

  end(thread: number, event: number): void {
    if (--this.#depth[thread] === 0) this.#endTransaction(thread, event);
  }

  fork(thread: number, child: number, event: number): void {
    const time = this.now(thread, event);
    this.#reserveThread(child);
    this.#times.view[child] = -time;
    this.#running[child] = thread;
  }

  join(thread: number, child: number, event: number): void {
    this.now(thread, event);
    // A thread without events orders nothing.
    if (child >= this.#times.view.length || this.#times.view[child] <= 0) return;
    // A joined thread is over, and so is a block it left open.
    if (this.#depth[child] > 0) {
      this.#depth[child] = 0;
      this.#endTransaction(child, event);
    }
    this.conflict(child, this.#times.view[child], thread, event);
  }

  /** Blocks that are still open end with the trace, which matters only where ends are checked. */
  finish(lastEvent: number): void {
    if (this.#precision === 'transaction') return;
    for (let thread = 0; thread < this.#depth.length && !this.#hasCycle; thread++) {
      if (this.#depth[thread] === 0) continue;
      this.#depth[thread] = 0;
      this.#endTransaction(thread, lastEvent);
    }
  }

  /**
   * Orders what thread `from` did at `time` before what `to` does now. They are different threads, unless
   * `from` and `time` are those of a source that stands for others (`gatherSources`).
   */
  conflict(from: number, time: number, to: number, event: number): void {
    if (this.#hasCycle) return;
    const { facts, transactions } = this.#precedence;
    if (this.isPast(from, time)) return;
    // What is learnt of a running transaction later on is found through the transaction itself.
    if (this.#joined?.has(from, time, to)) return;
    this.#blocks.catchUp(from);
    this.#blocks.catchUp(to);
    const source = this.#transactionAt(from, time);
    // What preceded `from` when `to` last learnt from it is known.
    const learnt = this.#joined?.until ?? 0;
    this.#precedence.tidy();
    let fact = this.#precedence.at(from, time);
    if (source === 0 && fact === 0) return;

    this.#conflicts++;
    this.#noteKnown(to);
    const before = this.#times.view[to];
    if (source !== 0 && !this.#learn(source, to, before, event)) return;
    // What precedes the begin of a running transaction needs no fact of its own where that transaction has one.
    const implied = Math.max(source === 0 ? 0 : transactions.beginTime[source], learnt);
    while (fact !== 0 && facts.cells[fact + TIME] > implied) {
      if (!this.#learn(facts.cells[fact + TRANSACTION], to, before, event)) return;
      fact = facts.cells[fact + OLDER];
    }
  }

  /**
   * Prepares to tell what precedes `to` already: by its index if it has one, by marks otherwise. Marks also end the search
   * for a cycle, so they are needed where there may be one.
   */
  #noteKnown(to: number): void {
    const { facts, transactions } = this.#precedence;
    const own = this.#running[to];
    const latest = this.#precedence.at(to, ALWAYS);
    const maySearch = own !== 0 && transactions.hasFacts(own);
    this.#isIndexed = !maySearch && facts.isIndexed(to, transactions.end);
    transactions.clearMarks();
    if (this.#isIndexed) return;
    for (let known = latest; known !== 0; known = facts.cells[known + OLDER])
      transactions.mark(facts.cells[known + TRANSACTION]);
  }

  isPast(thread: number, time: number): boolean {
    return this.#precedence.facts.latest[thread] === 0 && !this.#blocks.isRunning(thread, time);
  }

  /** Whether what `thread` did at `time` is part of or after a running transaction; if not, it never will be. */
  matters(thread: number, time: number): boolean {
    this.#blocks.catchUp(thread);
    return this.#transactionAt(thread, time) !== 0 || this.#precedence.at(thread, time) !== 0;
  }

  /** Whether what `thread` did at `time` is part of its running transaction. */
  isRunning(thread: number, time: number): boolean {
    this.#blocks.catchUp(thread);
    return this.#transactionAt(thread, time) !== 0;
  }

  clearSources(): void {
    this.#precedence.clearGathered();
  }

  /**
   * The begins of the running transactions that precede a finished event can stand for it. A begin of a running
   * transaction stands for itself.
   */
  gatherSources(thread: number, time: number): number {
    this.#blocks.catchUp(thread);
    const { facts } = this.#precedence;
    const own = this.#transactionAt(thread, time);
    if (own !== 0) {
      this.#precedence.gather(own);
      return this.#precedence.gatheredCount;
    }
    for (let fact = this.#precedence.at(thread, time); fact !== 0; fact = facts.cells[fact + OLDER])
      this.#precedence.gather(facts.cells[fact + TRANSACTION]);
    return this.#precedence.gatheredCount;
  }

  sourceThread(index: number): number {
    const { transactions, gathered } = this.#precedence;
    return transactions.thread[gathered[index]];
  }

  sourceTime(index: number): number {
    const { transactions, gathered } = this.#precedence;
    return transactions.beginTime[gathered[index]];
  }

  /**
   * Moves the local time of a thread on. Called from outside by relations that share this clock and tell apart
   * more than transactions; it goes on when a cycle was found.
   */
  tick(thread: number): void {
    // A fact or record at the latest time would not be told from one that holds always.
    if (this.#times.view[thread] === ALWAYS - 1)
      throw new RangeError(`a thread has more than ${ALWAYS - 1} steps of local time`);
    this.#times.view[thread]++;
  }

  /** The transaction, if it is still running, of which what `thread` did at `time` is part; else 0. */
  #transactionAt(thread: number, time: number): number {
    const transaction = this.#running[thread];
    return transaction !== 0 && time >= this.#precedence.transactions.beginTime[transaction]
      ? transaction
      : 0;
  }

  #start(thread: number, event: number): number {
    this.#reserveThread(thread);
    const forkTime = -this.#times.view[thread];
    const parent = this.#running[thread];
    this.#times.view[thread] = 1;
    this.#running[thread] = 0;
    // Learnt as by an event of its own before the first one, which orders nothing that the first does not.
    if (forkTime > 0) this.conflict(parent, forkTime, thread, event);
    return this.#times.view[thread];
  }

  /**
   * Notes that `source` precedes what thread `to` does now, whose time was `before` when it learnt nothing yet.
   * What is known to precede `to` is marked. False if this closes a cycle.
   */
  #learn(source: number, to: number, before: number, event: number): boolean {
    const { facts, transactions } = this.#precedence;
    const own = this.#running[to];
    if (source === own) return this.#foundCycle(own, event);
    this.#precedence.steps++;
    if (this.#isIndexed ? facts.names(to, source) : !transactions.mark(source)) return true;
    if (own !== 0 && transactions.hasFacts(own) && this.#precedence.isPreceded(source, own))
      return this.#foundCycle(own, event);
    if (own !== 0 && this.#precision === 'transaction') {
      this.#precedence.add(source, to, transactions.beginTime[own]);
      return true;
    }
    if (this.#times.view[to] === before) this.tick(to);
    this.#precedence.add(source, to, this.#times.view[to]);
    return true;
  }

  #endTransaction(thread: number, event: number): void {
    const { transactions } = this.#precedence;
    const transaction = this.#running[thread];
    if (this.#precision === 'event' && this.#hasLearntInside(thread, transaction)) {
      if (!this.#checkEnd(thread, transaction, event)) return;
      this.#precedence.countFrom(transactions.beginTime[transaction], thread);
    }
    this.#running[thread] = 0;
    transactions.finish(transaction);
  }

  #hasLearntInside(thread: number, transaction: number): boolean {
    const { facts, transactions } = this.#precedence;
    return facts.cells[facts.latest[thread] + TIME] > transactions.beginTime[transaction];
  }

  /**
   * AeroDrome, Algorithm 1, lines 38–40: no running transaction may precede the one that ends while its thread
   * is after the begin of that one. False if one does. Whatever precedes the begin of the one that ends is known
   * to precede all that is after it, so only what it has learnt inside is looked at.
   */
  #checkEnd(thread: number, ending: number, event: number): boolean {
    const precedence = this.#precedence;
    const { facts, transactions } = precedence;
    if (!transactions.hasFacts(ending)) return true;
    this.clearSources();
    let fact = precedence.at(thread, ALWAYS);
    for (; facts.cells[fact + TIME] > transactions.beginTime[ending]; fact = facts.cells[fact + OLDER])
      precedence.gather(facts.cells[fact + TRANSACTION]);
    for (let i = 0; i < precedence.gatheredCount; i++) {
      fact = precedence.at(this.sourceThread(i), this.sourceTime(i));
      for (; fact !== 0; fact = facts.cells[fact + OLDER]) precedence.gather(facts.cells[fact + TRANSACTION]);
    }
    // Whatever precedes their begins is among them; left to look at is what their threads have learnt since.
    const sources = precedence.gatheredCount;
    for (let i = 0; i < sources; i++) {
      const begin = this.sourceTime(i);
      fact = precedence.at(this.sourceThread(i), ALWAYS);
      for (; facts.cells[fact + TIME] > begin; fact = facts.cells[fact + OLDER]) {
        const other = facts.cells[fact + TRANSACTION];
        if (other === ending || (transactions.mark(other) && precedence.isPreceded(other, ending)))
          return this.#foundCycle(precedence.gathered[i], event);
      }
    }
    return true;
  }

  #foundCycle(transaction: number, event: number): false {
    const { transactions } = this.#precedence;
    this.#hasCycle = true;
    const block = transactions.blockOf(transaction);
    this.#onCycle({ event, thread: transactions.thread[transaction], block });
    return false;
  }

  #reserveThread(thread: number): void {
    if (thread < this.#times.view.length) return;
    this.#times.reserve(thread + 1);
    const { length } = this.#times.view;
    this.#running = grownInt32(this.#running, length);
    this.#depth = grownInt32(this.#depth, length);
    this.#precedence.facts.reserveThreads(length);
  }
}
