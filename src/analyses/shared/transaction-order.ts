import { grownInt32 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';
import type { ConflictOrder } from './conflict-order.ts';
import { ALONG, OLDER, PrecedenceFacts, THREAD, TIME, TRANSACTION } from './precedence-facts.ts';
import { RunningTransactions } from './running-transactions.ts';

/*
 * How to use it. Every event of the trace is shown to the order once:
 *   begin, end, fork, join    the handlers of the same names;
 *   anything else             `now(thread, event)` gives the time of the event. It is to be remembered with
 *                             whatever may conflict later, and asked for again after calls of `conflict`;
 *   conflict(a, p, b, event)  event `event` of thread b conflicts with one of thread a that took place at time p;
 *   finish(lastEvent)         the trace is over.
 * `onCycle` is called once, when the first cycle is found; nothing may be shown to the order after that
 * (`hasCycle`). `AccessGroups` and `LockTable` turn accesses and lock operations into conflicts.
 *
 * How it works. Each thread has a local time, which ticks when it begins a transaction and when it learns that
 * one more running transaction precedes it: every event after that is preceded by it, none before is. Only
 * running transactions can still gain predecessors, so a finished one stands for nothing but the running ones
 * that precede it, and one that none precedes can never be on a cycle. Everything known is therefore a table
 * of facts "running transaction i precedes thread a from time p on" (`PrecedenceFacts`), the transpose of the
 * vector clocks of the papers: what thread a did at time x is preceded by i if i has a fact about a with
 * p <= x, or if i precedes the begin of another transaction that has one. This last is not written down for
 * each pair but found by a search, needed only when a transaction that precedes something learns something.
 * When a transaction ends, what precedes it takes its place in the facts about it.
 *
 * `precision` says from when on what is learnt inside a transaction counts:
 *   transaction   for the whole transaction at once. That is the order of transactions itself (AtomSanitizer;
 *                 RegionTrack's transactional vector clocks, §4.3.2, say the same), so that a cycle is found
 *                 at the event that closes it. Times are then the numbers of transactions within their thread.
 *   event         from the event on that learnt it, and for the whole transaction only when it has ended.
 *                 That is the relation of AeroDrome's Definition 2. Ends are checked too (Algorithm 1, 38–40).
 *
 * An event outside every block is a transaction that is over at once. It shares the time of what its thread
 * did before unless it learns something, because then the same running transactions precede both.
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
  readonly #precedence = new Precedence();
  #hasCycle = false;

  /* Per thread. */
  /** Local time from 1 on; 0 before the first event; -p if it is yet to act and was forked at time p. */
  #time = new Int32Array(16);
  /** Its running transaction or 0; the thread that forked it while it is yet to act. */
  #running = new Int32Array(16);
  #depth = new Int32Array(16);

  #conflicts = 0;

  constructor(precision: Precision, onCycle: (cycle: Cycle) => void) {
    this.#precision = precision;
    this.#onCycle = onCycle;
  }

  get hasCycle(): boolean {
    return this.#hasCycle;
  }

  /** `conflicts` that carried something, `steps` from fact to fact, and what there was at most at a time. */
  statistics(): Record<string, number> {
    return {
      conflicts: this.#conflicts,
      steps: this.#steps,
      factsAtMost: this.#facts.atMost,
      runningAtMost: this.#transactions.atMost,
    };
  }

  /** The local time of a thread that acts. */
  now(thread: number, event: number): number {
    const time = thread < this.#time.length ? this.#time[thread] : 0;
    return time > 0 ? time : this.#start(thread, event);
  }

  /** The local time of a thread's last event; 0 or less if it has none. */
  lastTime(thread: number): number {
    return thread < this.#time.length ? this.#time[thread] : 0;
  }

  begin(thread: number, label: number, event: number): void {
    this.now(thread, event);
    if (this.#depth[thread]++ > 0) return;
    this.tick(thread);
    this.#running[thread] = this.#transactions.add(thread, this.#time[thread], label, event);
    this.#facts.reserveTransactions(this.#transactions.end);
  }

  end(thread: number, event: number): void {
    if (--this.#depth[thread] === 0) this.#endTransaction(thread, event);
  }

  fork(thread: number, child: number, event: number): void {
    const time = this.now(thread, event);
    this.#reserveThread(child);
    this.#time[child] = -time;
    this.#running[child] = thread;
  }

  join(thread: number, child: number, event: number): void {
    this.now(thread, event);
    // A thread without events orders nothing.
    if (child >= this.#time.length || this.#time[child] <= 0) return;
    // A joined thread is over, and so is a block it left open.
    if (this.#depth[child] > 0) {
      this.#depth[child] = 0;
      this.#endTransaction(child, event);
    }
    this.conflict(child, this.#time[child], thread, event);
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
    const facts = this.#facts;
    const source = this.#transactionAt(from, time);
    let fact = this.#knownAt(from, time);
    if (source === 0 && fact === 0) return;

    this.#conflicts++;
    this.#transactions.clearMarks();
    for (let known = facts.ofThread[to]; known !== 0; known = facts.cells[known + OLDER]) {
      this.#steps++;
      this.#transactions.mark(facts.cells[known + TRANSACTION]);
    }
    const before = this.#time[to];
    if (source !== 0 && !this.#learn(source, to, before, event)) return;
    // What precedes the begin of a running transaction needs no fact of its own where that transaction has one.
    const implied = source === 0 ? 0 : this.#transactions.beginTime[source];
    while (fact !== 0 && facts.cells[fact + TIME] > implied) {
      if (!this.#learn(facts.cells[fact + TRANSACTION], to, before, event)) return;
      fact = facts.cells[fact + OLDER];
    }
  }

  /** Whether what `thread` did at `time` is part of or after a running transaction; if not, it never will be. */
  matters(thread: number, time: number): boolean {
    return this.#transactionAt(thread, time) !== 0 || this.#knownAt(thread, time) !== 0;
  }

  /** Whether what `thread` did at `time` is part of its running transaction. */
  isRunning(thread: number, time: number): boolean {
    return this.#transactionAt(thread, time) !== 0;
  }

  /** Starts a new list of sources. */
  clearSources(): void {
    this.#gatheredCount = 0;
    this.#transactions.clearMarks();
  }

  /**
   * Adds to the list the running transactions that precede the finished event of `thread` at `time`, unless
   * they are there, and returns its length. The begins of these sources stand for the event from now on.
   */
  gatherSources(thread: number, time: number): number {
    const { cells } = this.#facts;
    for (let fact = this.#knownAt(thread, time); fact !== 0; fact = cells[fact + OLDER])
      this.#gather(cells[fact + TRANSACTION]);
    return this.#gatheredCount;
  }

  sourceThread(index: number): number {
    return this.#transactions.thread[this.#gathered[index]];
  }

  sourceTime(index: number): number {
    return this.#transactions.beginTime[this.#gathered[index]];
  }

  /** The transaction, if it is still running, of which what `thread` did at `time` is part; else 0. */
  #transactionAt(thread: number, time: number): number {
    const transaction = this.#running[thread];
    return transaction !== 0 && time >= this.#transactions.beginTime[transaction] ? transaction : 0;
  }

  /** The latest fact that holds for what `thread` did at `time`; the older ones hold too. */
  #knownAt(thread: number, time: number): number {
    const { cells, ofThread } = this.#facts;
    let fact = ofThread[thread];
    while (fact !== 0 && cells[fact + TIME] > time) {
      this.#steps++;
      fact = cells[fact + OLDER];
    }
    return fact;
  }

  #start(thread: number, event: number): number {
    this.#reserveThread(thread);
    const forkTime = -this.#time[thread];
    const parent = this.#running[thread];
    this.#time[thread] = 1;
    this.#running[thread] = 0;
    // Learnt as by an event of its own before the first one, which orders nothing that the first does not.
    if (forkTime > 0) this.conflict(parent, forkTime, thread, event);
    return this.#time[thread];
  }

  /**
   * Moves the local time of a thread on. Called from outside by relations that share this clock and tell apart
   * more than transactions; it goes on when a cycle was found.
   */
  tick(thread: number): void {
    if (this.#time[thread] === LATEST_TIME)
      throw new RangeError(`a thread has more than ${LATEST_TIME} steps of local time`);
    this.#time[thread]++;
  }

  /**
   * Notes that `source` precedes what thread `to` does now, whose time was `before` when it learnt nothing yet.
   * What is known to precede `to` is marked. False if this closes a cycle.
   */
  #learn(source: number, to: number, before: number, event: number): boolean {
    this.#steps++;
    const own = this.#running[to];
    if (source === own) return this.#foundCycle(own, event);
    if (!this.#transactions.mark(source)) return true;
    if (own !== 0 && this.#facts.ofTransaction[own] !== 0 && this.#isPrecededBy(source, own))
      return this.#foundCycle(own, event);
    if (own !== 0 && this.#precision === 'transaction') {
      this.#facts.addLatest(source, to, this.#transactions.beginTime[own]);
      return true;
    }
    if (this.#time[to] === before) this.tick(to);
    this.#facts.addLatest(source, to, this.#time[to]);
    return true;
  }

  /**
   * Whether `wanted` precedes the begin of `transaction`. Transactions that are marked are known not to be
   * preceded by it; those that are visited in vain are marked.
   */
  #isPrecededBy(transaction: number, wanted: number): boolean {
    const { cells } = this.#facts;
    const first = this.#gatheredCount;
    this.#append(transaction);
    while (this.#gatheredCount > first) {
      const next = this.#gathered[--this.#gatheredCount];
      let fact = this.#knownAt(this.#transactions.thread[next], this.#transactions.beginTime[next]);
      for (; fact !== 0; fact = cells[fact + OLDER]) {
        const other = cells[fact + TRANSACTION];
        if (other === wanted) return true;
        this.#gather(other);
      }
    }
    return false;
  }

  /** Appends the transaction to the list unless it is marked. */
  #gather(transaction: number): void {
    this.#steps++;
    if (this.#transactions.mark(transaction)) this.#append(transaction);
  }

  #append(transaction: number): void {
    if (this.#gatheredCount === this.#gathered.length)
      this.#gathered = grownInt32(this.#gathered, this.#gatheredCount + 1);
    this.#gathered[this.#gatheredCount++] = transaction;
  }

  #endTransaction(thread: number, event: number): void {
    const facts = this.#facts;
    const transaction = this.#running[thread];
    const isPreceded = facts.ofThread[thread] !== 0;
    if (isPreceded && this.#precision === 'event') {
      if (!this.#checkEnd(thread, transaction, event)) return;
      this.#countFromBegin(thread, transaction);
    }
    for (let fact = facts.ofTransaction[transaction]; fact !== 0; ) {
      this.#steps++;
      const next = facts.cells[fact + ALONG];
      if (isPreceded) this.#handOver(thread, fact);
      facts.remove(fact);
      fact = next;
    }
    facts.ofTransaction[transaction] = 0;
    this.#running[thread] = 0;
    this.#transactions.remove(transaction);
  }

  /** What precedes the ending transaction of `thread` precedes whatever that transaction has `fact` about. */
  #handOver(thread: number, fact: number): void {
    const facts = this.#facts;
    const transactions = this.#transactions;
    this.#factAbout = grownInt32(this.#factAbout, transactions.end);
    transactions.clearMarks();
    const after = facts.cells[fact + THREAD];
    for (let other = facts.ofThread[after]; other !== 0; other = facts.cells[other + OLDER]) {
      this.#steps++;
      const known = facts.cells[other + TRANSACTION];
      transactions.mark(known);
      this.#factAbout[known] = other;
    }
    for (let other = facts.ofThread[thread]; other !== 0; other = facts.cells[other + OLDER]) {
      this.#steps++;
      const source = facts.cells[other + TRANSACTION];
      if (transactions.mark(source)) facts.addBeside(fact, source);
      else facts.moveBack(this.#factAbout[source], fact);
    }
  }

  /** Everything that the ended transaction of `thread` learnt counts from its begin on. */
  #countFromBegin(thread: number, transaction: number): void {
    const { cells, ofThread } = this.#facts;
    const begin = this.#transactions.beginTime[transaction];
    for (let fact = ofThread[thread]; fact !== 0 && cells[fact + TIME] > begin; fact = cells[fact + OLDER])
      cells[fact + TIME] = begin;
  }

  /**
   * AeroDrome, Algorithm 1, lines 38–40: no running transaction may precede the one that ends while its thread
   * is after the begin of that one. False if one does.
   */
  #checkEnd(thread: number, ending: number, event: number): boolean {
    const { cells, ofThread, ofTransaction } = this.#facts;
    if (ofTransaction[ending] === 0) return true;
    this.clearSources();
    this.gatherSources(thread, LATEST_TIME);
    for (let i = 0; i < this.#gatheredCount; i++)
      this.gatherSources(this.sourceThread(i), this.sourceTime(i));
    // Whatever precedes their begins is among them; left to look at is what their threads have learnt since.
    const sources = this.#gatheredCount;
    for (let i = 0; i < sources; i++) {
      const begin = this.sourceTime(i);
      let fact = ofThread[this.sourceThread(i)];
      for (; fact !== 0 && cells[fact + TIME] > begin; fact = cells[fact + OLDER]) {
        this.#steps++;
        const other = cells[fact + TRANSACTION];
        if (other === ending || (this.#transactions.mark(other) && this.#isPrecededBy(other, ending)))
          return this.#foundCycle(this.#gathered[i], event);
      }
    }
    return true;
  }

  #foundCycle(transaction: number, event: number): false {
    this.#hasCycle = true;
    const block = this.#transactions.blockOf(transaction);
    this.#onCycle({ event, thread: this.#transactions.thread[transaction], block });
    return false;
  }

  #reserveThread(thread: number): void {
    if (thread < this.#time.length) return;
    this.#time = grownInt32(this.#time, thread + 1);
    this.#running = grownInt32(this.#running, thread + 1);
    this.#depth = grownInt32(this.#depth, thread + 1);
    this.#facts.reserveThreads(this.#time.length);
  }
}
