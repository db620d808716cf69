import { grownInt32 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';
import { ALONG, OLDER, PrecedenceFacts, THREAD, TIME, TRANSACTION } from './precedence-facts.ts';

/*
 * How to use it. Every event of the trace is shown to the order once:
 *   begin, end, fork, join    the handlers of the same names;
 *   anything else             `now(thread, event)` gives the time of the event. It is to be remembered with
 *                             whatever may conflict later, and asked for again after calls of `conflict`;
 *   conflict(a, p, b, event)  event `event` of thread b conflicts with one of thread a that took place at time p;
 *   finish(lastEvent)         the trace is over.
 * `onCycle` is called once, when the first cycle is found; nothing may be shown to the order after that
 * (`hasCycle`). `AccessGroups` and `LockTable` turn accesses and lock operations into such conflicts.
 *
 * How it works. Each thread has a local time, which ticks when it begins a transaction and when it learns that
 * one more running transaction precedes it: every event after that is preceded by it, none before is. Only
 * running transactions can still gain predecessors, so a finished one stands for nothing but the running ones
 * that precede it, and one that none precedes can never be on a cycle. Everything known is therefore a table
 * of facts "running transaction i precedes thread a from time p on" (`PrecedenceFacts`), the transpose of the
 * vector clocks of the papers: an event at time x of thread a is preceded by i if i has a fact about a with
 * p <= x, or if i is preceding the begin of another such transaction. That last is not written down for each
 * pair but found by a search, which is needed only when a transaction that precedes something learns something.
 * When a transaction ends, what preceded it takes its place in the facts about it.
 *
 * `precision` says from when on what is learnt inside a transaction counts:
 *   transaction   for the whole transaction at once. That is the order of transactions itself (DESIGN
 *                 "AtomSanitizer"; the transactional vector clocks of RegionTrack §4.3.2 say the same), so that
 *                 a cycle is found at the event that closes it. Times are then the numbers of transactions.
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

const LATEST_TIME = 0x7fffffff;

export class TransactionOrder {
  readonly #precision: Precision;
  readonly #onCycle: (cycle: Cycle) => void;
  readonly #facts = new PrecedenceFacts();
  #hasCycle = false;

  /* Per thread. */
  /** Local time from 1 on; 0 before the first event; -p if it is yet to act and was forked at time p. */
  #time = new Int32Array(16);
  /** Its running transaction or 0; the thread that forked it while it is yet to act. */
  #running = new Int32Array(16);
  #depth = new Int32Array(16);

  /* Per running transaction; they are numbered from 1, and numbers are used again. */
  #thread = new Int32Array(16);
  #beginTime = new Int32Array(16);
  #beginEvent = new Float64Array(16);
  #label = new Int32Array(16);
  /** Transactions with the present stamp have been visited. */
  #mark = new Int32Array(16);
  /** The fact that was found about a visited transaction. */
  #markedFact = new Int32Array(16);
  #transactions = 1;
  readonly #free: number[] = [];

  #stamp = 0;
  #pending = new Int32Array(16);
  /** Transactions gathered by `gatherSources`. */
  sources = new Int32Array(16);
  #sourceCount = 0;

  #conflicts = 0;
  #searchSteps = 0;
  #runningAtMost = 0;

  constructor(precision: Precision, onCycle: (cycle: Cycle) => void) {
    this.#precision = precision;
    this.#onCycle = onCycle;
  }

  get hasCycle(): boolean {
    return this.#hasCycle;
  }

  statistics(): Record<string, number> {
    return {
      conflicts: this.#conflicts,
      searchSteps: this.#searchSteps,
      factsAtMost: this.#facts.atMost,
      runningAtMost: this.#runningAtMost,
    };
  }

  /** The local time of a thread that acts. */
  now(thread: number, event: number): number {
    const time = thread < this.#time.length ? this.#time[thread] : 0;
    return time > 0 ? time : this.#start(thread, event);
  }

  begin(thread: number, label: number, event: number): void {
    this.now(thread, event);
    if (this.#depth[thread]++ > 0) return;
    const transaction = this.#free.pop() ?? this.#newTransaction();
    this.#tick(thread);
    this.#running[thread] = transaction;
    this.#thread[transaction] = thread;
    this.#beginTime[transaction] = this.#time[thread];
    this.#beginEvent[transaction] = event;
    this.#label[transaction] = label;
    const running = this.#transactions - 1 - this.#free.length;
    if (running > this.#runningAtMost) this.#runningAtMost = running;
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
      if (this.#hasCycle) return;
    }
    this.conflict(child, this.#time[child], thread, event);
  }

  /** Blocks that are still open end with the trace. Without checks at ends there is nothing to be found there. */
  finish(lastEvent: number): void {
    if (this.#precision === 'transaction') return;
    for (let thread = 0; thread < this.#time.length && !this.#hasCycle; thread++) {
      if (this.#depth[thread] === 0) continue;
      this.#depth[thread] = 0;
      this.#endTransaction(thread, lastEvent);
    }
  }

  /** Whether what `thread` did at `time` is part of or preceded by a running transaction; if not, it never is. */
  matters(thread: number, time: number): boolean {
    return this.#isRunning(thread, time) || this.#knownAt(thread, time) !== 0;
  }

  /** Whether what `thread` did at `time` belongs to its running transaction. */
  #isRunning(thread: number, time: number): boolean {
    const transaction = this.#running[thread];
    return transaction !== 0 && time >= this.#beginTime[transaction];
  }

  /** The latest fact that holds for what `thread` did at `time`; the older ones hold too. */
  #knownAt(thread: number, time: number): number {
    let fact = this.#facts.ofThread[thread];
    const { cells } = this.#facts;
    while (fact !== 0 && cells[fact + TIME] > time) fact = cells[fact + OLDER];
    return fact;
  }

  /**
   * Orders what thread `from` did at `time` before what `to` does now. If that is the same thread, the event at
   * `time` must be one that stands for events of others, as `gatherSources` gives them.
   */
  conflict(from: number, time: number, to: number, event: number): void {
    if (this.#hasCycle) return;
    const facts = this.#facts;
    const isRunning = this.#isRunning(from, time);
    if (!isRunning && facts.ofThread[from] === 0) return;
    let fact = this.#knownAt(from, time);
    if (!isRunning && fact === 0) return;

    this.#conflicts++;
    const own = this.#running[to];
    this.#markKnown(to);
    const before = this.#time[to];
    if (isRunning && !this.#learn(this.#running[from], to, own, before, event)) return;
    // What preceded the begin of a running transaction needs no fact of its own where that transaction has one.
    const implied = isRunning ? this.#beginTime[this.#running[from]] : 0;
    while (fact !== 0 && facts.cells[fact + TIME] > implied) {
      if (!this.#learn(facts.cells[fact + TRANSACTION], to, own, before, event)) return;
      fact = facts.cells[fact + OLDER];
    }
  }

  /** Starts a new list of `sources`. */
  clearSources(): void {
    this.#sourceCount = 0;
    this.#stamp = this.#nextStamp();
  }

  /**
   * Adds to `sources` the running transactions that the finished event of `thread` at `time` stands for, those
   * that are there excepted, and returns how many there are. It stays undone if the event's own transaction is
   * still running: then -1 is returned. The begin of a source can replace the event wherever it was remembered.
   */
  gatherSources(thread: number, time: number): number {
    if (this.#isRunning(thread, time)) return -1;
    const { cells } = this.#facts;
    for (let fact = this.#knownAt(thread, time); fact !== 0; fact = cells[fact + OLDER]) {
      const source = cells[fact + TRANSACTION];
      if (this.#mark[source] === this.#stamp) continue;
      this.#mark[source] = this.#stamp;
      if (this.#sourceCount === this.sources.length)
        this.sources = grownInt32(this.sources, this.#sourceCount + 1);
      this.sources[this.#sourceCount++] = source;
    }
    return this.#sourceCount;
  }

  threadOf(transaction: number): number {
    return this.#thread[transaction];
  }

  beginTimeOf(transaction: number): number {
    return this.#beginTime[transaction];
  }

  #start(thread: number, event: number): number {
    this.#reserveThread(thread);
    const forkTime = -this.#time[thread];
    const parent = this.#running[thread];
    this.#time[thread] = 1;
    this.#running[thread] = 0;
    // As an event of its own before the first: that orders nothing more.
    if (forkTime > 0) this.conflict(parent, forkTime, thread, event);
    return this.#time[thread];
  }

  #tick(thread: number): void {
    if (this.#time[thread] === LATEST_TIME)
      throw new RangeError(`a thread has more than ${LATEST_TIME} transactions and changes of what precedes it`);
    this.#time[thread]++;
  }

  /** Marks the transactions that have facts about `thread`. */
  #markKnown(thread: number): void {
    this.#stamp = this.#nextStamp();
    const { cells, ofThread } = this.#facts;
    for (let fact = ofThread[thread]; fact !== 0; fact = cells[fact + OLDER])
      this.#mark[cells[fact + TRANSACTION]] = this.#stamp;
  }

  /**
   * Notes that `source` precedes what thread `to` does now; `own` is the running transaction of `to`, `before`
   * its time when the event started. False if that closes a cycle.
   */
  #learn(source: number, to: number, own: number, before: number, event: number): boolean {
    if (source === own) return this.#foundCycle(own, event);
    if (this.#mark[source] === this.#stamp) return true;
    this.#mark[source] = this.#stamp;
    if (own !== 0 && this.#facts.ofTransaction[own] !== 0 && this.#isPrecededBy(source, own))
      return this.#foundCycle(own, event);
    if (this.#time[to] === before && (own === 0 || this.#precision === 'event')) this.#tick(to);
    this.#facts.addLatest(source, to, this.#time[to]);
    return true;
  }

  /**
   * Whether `wanted` precedes the begin of `transaction`. Marked transactions are taken not to be preceded by
   * it, and those that are visited in vain are marked.
   */
  #isPrecededBy(transaction: number, wanted: number): boolean {
    const { cells } = this.#facts;
    this.#push(0, transaction);
    for (let count = 1; count > 0; ) {
      const next = this.#pending[--count];
      let fact = this.#knownAt(this.#thread[next], this.#beginTime[next]);
      for (; fact !== 0; fact = cells[fact + OLDER]) {
        this.#searchSteps++;
        const other = cells[fact + TRANSACTION];
        if (other === wanted) return true;
        if (this.#mark[other] === this.#stamp) continue;
        this.#mark[other] = this.#stamp;
        this.#push(count++, other);
      }
    }
    return false;
  }

  #push(index: number, transaction: number): void {
    if (index === this.#pending.length) this.#pending = grownInt32(this.#pending, index + 1);
    this.#pending[index] = transaction;
  }

  #endTransaction(thread: number, event: number): void {
    const transaction = this.#running[thread];
    const facts = this.#facts;
    const isPreceded = facts.ofThread[thread] !== 0;
    if (this.#precision === 'event' && isPreceded) {
      if (!this.#checkEnd(thread, transaction, event)) return;
      this.#countFromBegin(thread, transaction);
    }
    for (let fact = facts.ofTransaction[transaction]; fact !== 0; ) {
      const next = facts.cells[fact + ALONG];
      if (isPreceded) this.#handOver(thread, fact);
      facts.remove(fact);
      fact = next;
    }
    facts.ofTransaction[transaction] = 0;
    this.#running[thread] = 0;
    this.#free.push(transaction);
  }

  /** What precedes the ending transaction of `thread` precedes whatever that transaction has `fact` about. */
  #handOver(thread: number, fact: number): void {
    const facts = this.#facts;
    this.#stamp = this.#nextStamp();
    const after = facts.cells[fact + THREAD];
    // Facts older than `fact` hold already at its time.
    for (let other = facts.ofThread[after]; other !== 0; other = facts.cells[other + OLDER]) {
      const transaction = facts.cells[other + TRANSACTION];
      this.#mark[transaction] = this.#stamp;
      this.#markedFact[transaction] = other;
    }
    for (let other = facts.ofThread[thread]; other !== 0; other = facts.cells[other + OLDER]) {
      const transaction = facts.cells[other + TRANSACTION];
      if (this.#mark[transaction] !== this.#stamp) facts.addBeside(fact, transaction);
      else if (facts.cells[this.#markedFact[transaction] + TIME] > facts.cells[fact + TIME])
        facts.moveBeside(this.#markedFact[transaction], fact);
    }
  }

  /** Everything that the ended transaction of `thread` learnt counts from its begin on. */
  #countFromBegin(thread: number, transaction: number): void {
    const { cells, ofThread } = this.#facts;
    const begin = this.#beginTime[transaction];
    for (let fact = ofThread[thread]; fact !== 0 && cells[fact + TIME] > begin; fact = cells[fact + OLDER])
      cells[fact + TIME] = begin;
  }

  /**
   * AeroDrome, Algorithm 1, lines 38–40: no running transaction may precede the one that ends and have a thread
   * that is after its begin. False if one does.
   */
  #checkEnd(thread: number, ending: number, event: number): boolean {
    const { cells, ofThread, ofTransaction } = this.#facts;
    if (ofTransaction[ending] === 0) return true;
    this.clearSources();
    for (let fact = ofThread[thread]; fact !== 0; fact = cells[fact + OLDER]) this.#gather(cells[fact + TRANSACTION]);
    for (let i = 0; i < this.#sourceCount; i++) {
      const source = this.sources[i];
      let fact = this.#knownAt(this.#thread[source], this.#beginTime[source]);
      for (; fact !== 0; fact = cells[fact + OLDER]) this.#gather(cells[fact + TRANSACTION]);
    }
    // What precedes their begins is among them. Left to look at is what their threads have learnt since.
    for (let i = 0; i < this.#sourceCount; i++) {
      const source = this.sources[i];
      const begin = this.#beginTime[source];
      let fact = ofThread[this.#thread[source]];
      for (; fact !== 0 && cells[fact + TIME] > begin; fact = cells[fact + OLDER]) {
        const other = cells[fact + TRANSACTION];
        if (other === ending) return this.#foundCycle(source, event);
        if (this.#mark[other] === this.#stamp) continue;
        this.#mark[other] = this.#stamp;
        if (this.#isPrecededBy(other, ending)) return this.#foundCycle(source, event);
      }
    }
    return true;
  }

  #gather(transaction: number): void {
    this.#searchSteps++;
    if (this.#mark[transaction] === this.#stamp) return;
    this.#mark[transaction] = this.#stamp;
    if (this.#sourceCount === this.sources.length)
      this.sources = grownInt32(this.sources, this.#sourceCount + 1);
    this.sources[this.#sourceCount++] = transaction;
  }

  #foundCycle(transaction: number, event: number): false {
    this.#hasCycle = true;
    const block = { label: this.#label[transaction], begin: this.#beginEvent[transaction] };
    this.#onCycle({ event, thread: this.#thread[transaction], block });
    return false;
  }

  #nextStamp(): number {
    if (this.#stamp < LATEST_TIME) return this.#stamp + 1;
    this.#mark.fill(0);
    return 1;
  }

  #reserveThread(thread: number): void {
    if (thread < this.#time.length) return;
    this.#time = grownInt32(this.#time, thread + 1);
    this.#running = grownInt32(this.#running, thread + 1);
    this.#depth = grownInt32(this.#depth, thread + 1);
    this.#facts.ofThread = grownInt32(this.#facts.ofThread, thread + 1);
  }

  #newTransaction(): number {
    const transaction = this.#transactions++;
    if (transaction < this.#thread.length) return transaction;
    const length = transaction + 1;
    this.#thread = grownInt32(this.#thread, length);
    this.#beginTime = grownInt32(this.#beginTime, length);
    this.#label = grownInt32(this.#label, length);
    this.#mark = grownInt32(this.#mark, length);
    this.#markedFact = grownInt32(this.#markedFact, length);
    this.#facts.ofTransaction = grownInt32(this.#facts.ofTransaction, length);
    const beginEvent = new Float64Array(this.#thread.length);
    beginEvent.set(this.#beginEvent);
    this.#beginEvent = beginEvent;
    return transaction;
  }
}
