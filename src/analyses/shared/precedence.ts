import { grownInt32 } from '../../trace/growable.ts';
import type { Cells } from './cells.ts';
import { KnownTransactions } from './known-transactions.ts';
import { OLDER, PrecedenceFacts, TIME, TRANSACTION } from './precedence-facts.ts';

/** Later than any local time that a fact or a record bears. */
export const ALWAYS = 0x7fffffff;

/**
 * Which running transactions precede what each thread did at each of its times. What is known is a table of
 * facts "transaction i precedes thread a from time p on". What thread a did at time x is preceded by i if there
 * is such a fact with p <= x, or if i precedes the begin of another transaction with such a fact: what the
 * latter implies is not written down for each pair but found by a search.
 *
 * When a transaction ends, what precedes it must take its place in the facts that name it. That is put off
 * until somebody looks at such a fact (`at`), so that an end costs nothing, however many threads come after it:
 * most of them are over and will never be asked for again. A finished transaction is kept for as long as facts
 * name it. Facts that nobody looks at are gone through when they have doubled in number (`tidy`).
 */
export class Precedence {
  readonly facts: PrecedenceFacts;
  readonly transactions = new KnownTransactions();
  /** How many facts were looked at. */
  steps = 0;

  /** A list of transactions, for searches and for what is asked from outside. */
  gathered = new Int32Array(16);
  gatheredCount = 0;

  /* What remains to be brought up to date: parts of the lists of threads, innermost last. */
  #partThread = new Int32Array(16);
  #partTime = new Int32Array(16);
  /** Facts of the part that are later than this one are about transactions whose predecessors are up to date. */
  #partFact = new Int32Array(16);
  #parts = 0;
  /** The fact about a thread that names each transaction, and which part it was noted for. */
  #factNaming = new Int32Array(16);
  #notedFor = new Int32Array(16);
  #noting = 0;

  #tidyAt = 1024;
  /** Per thread: how much had finished when all facts about it were last looked at. */
  #checkedAt = new Int32Array(16).fill(-1);

  /** In this memory, compiled code can see which threads something precedes. */
  constructor(memory: Cells) {
    this.facts = new PrecedenceFacts(memory);
  }

  /**
   * The latest fact that holds for what `thread` did at `time`, or 0. It and all older ones are about running
   * transactions.
   */
  at(thread: number, time: number): number {
    const first = this.#first(thread, time);
    if (first === 0 || this.#isUpToDate(thread)) return first;
    const isAll = first === this.facts.latest[thread];
    if (this.#namesFinished(first)) this.#bringUpToDate(thread, time);
    if (isAll) this.#checkedAt[thread] = this.transactions.finishes;
    return this.#first(thread, time);
  }

  /** Whether nothing has finished since all facts about the thread were looked at. */
  #isUpToDate(thread: number): boolean {
    if (thread >= this.#checkedAt.length)
      this.#checkedAt = grownInt32(this.#checkedAt, this.facts.latest.length, -1);
    return this.#checkedAt[thread] === this.transactions.finishes;
  }

  /** Notes that `transaction` precedes `thread` from its latest time on. */
  add(transaction: number, thread: number, time: number): void {
    this.facts.addLatest(thread, transaction, time);
    this.transactions.addFact(transaction);
  }

  /** Makes all facts about the thread hold from `time` on that are later. */
  countFrom(time: number, thread: number): void {
    const { cells, latest } = this.facts;
    for (let fact = latest[thread]; fact !== 0 && cells[fact + TIME] > time; fact = cells[fact + OLDER])
      cells[fact + TIME] = time;
  }

  /**
   * Whether `wanted` precedes the begin of `transaction`. Transactions that are marked are known not to be
   * preceded by it; those that are visited in vain are marked.
   */
  isPreceded(transaction: number, wanted: number): boolean {
    const { facts, transactions } = this;
    const floor = this.gatheredCount;
    this.#append(transaction);
    while (this.gatheredCount > floor) {
      const next = this.gathered[--this.gatheredCount];
      let fact = this.at(transactions.thread[next], transactions.beginTime[next]);
      for (; fact !== 0; fact = facts.cells[fact + OLDER]) {
        const other = facts.cells[fact + TRANSACTION];
        if (other === wanted) return true;
        this.gather(other);
      }
    }
    return false;
  }

  /** Empties the list of gathered transactions and takes all marks away. */
  clearGathered(): void {
    this.gatheredCount = 0;
    this.transactions.clearMarks();
  }

  /** Appends the transaction to the list and marks it, unless it is marked. */
  gather(transaction: number): void {
    this.steps++;
    if (this.transactions.mark(transaction)) this.#append(transaction);
  }

  /** Gives back the room of facts that have become meaningless. Not to be called while facts are walked. */
  tidy(): void {
    if (this.facts.count < this.#tidyAt) return;
    const { latest } = this.facts;
    for (let thread = 0; thread < latest.length; thread++) this.at(thread, ALWAYS);
    // Often enough to keep what is of use at half of what there is, seldom enough to be paid for by new facts.
    this.#tidyAt = Math.max(1024, 2 * this.facts.count, latest.length >> 2);
  }

  #append(transaction: number): void {
    if (this.gatheredCount === this.gathered.length)
      this.gathered = grownInt32(this.gathered, this.gatheredCount + 1);
    this.gathered[this.gatheredCount++] = transaction;
  }

  /** The latest fact that holds at `time`, whatever it is about. */
  #first(thread: number, time: number): number {
    const { cells, latest } = this.facts;
    let fact = latest[thread];
    while (fact !== 0 && cells[fact + TIME] > time) {
      this.steps++;
      fact = cells[fact + OLDER];
    }
    return fact;
  }

  /** Whether this fact or an older one is about a finished transaction. */
  #namesFinished(first: number): boolean {
    const { cells } = this.facts;
    const { isFinished } = this.transactions;
    for (let fact = first; fact !== 0; fact = cells[fact + OLDER]) {
      this.steps++;
      if (isFinished[cells[fact + TRANSACTION]] === 1) return true;
    }
    return false;
  }

  /**
   * Replaces the finished transactions in what precedes `thread` at `time` by what precedes their begins, which
   * is brought up to date first, and so on. That ends because no transaction precedes itself.
   */
  #bringUpToDate(thread: number, time: number): void {
    const { transactions } = this;
    this.#pushPart(thread, time);
    while (this.#parts > 0) {
      const part = this.#parts - 1;
      const behind = this.#nextBehind(part);
      if (behind !== 0) {
        this.#pushPart(transactions.thread[behind], transactions.beginTime[behind]);
      } else {
        this.#replaceFinished(this.#partThread[part], this.#partTime[part]);
        this.#parts--;
      }
    }
  }

  #pushPart(thread: number, time: number): void {
    if (this.#parts === this.#partThread.length) {
      this.#partThread = grownInt32(this.#partThread, this.#parts + 1);
      this.#partTime = grownInt32(this.#partTime, this.#parts + 1);
      this.#partFact = grownInt32(this.#partFact, this.#parts + 1);
    }
    this.#partThread[this.#parts] = thread;
    this.#partTime[this.#parts] = time;
    this.#partFact[this.#parts] = this.#first(thread, time);
    this.#parts++;
  }

  /** The next finished transaction in the part whose own predecessors are not up to date, or 0. */
  #nextBehind(part: number): number {
    const { cells } = this.facts;
    const { isFinished, thread, beginTime } = this.transactions;
    for (let fact = this.#partFact[part]; fact !== 0; fact = cells[fact + OLDER]) {
      this.steps++;
      const transaction = cells[fact + TRANSACTION];
      if (isFinished[transaction] === 0) continue;
      const first = this.#first(thread[transaction], beginTime[transaction]);
      if (first === 0 || !this.#namesFinished(first)) continue;
      this.#partFact[part] = fact;
      return transaction;
    }
    return 0;
  }

  #replaceFinished(thread: number, time: number): void {
    const { facts, transactions } = this;
    this.#noteFacts(thread);
    for (let fact = this.#first(thread, time); fact !== 0; ) {
      const next = facts.cells[fact + OLDER];
      const finished = facts.cells[fact + TRANSACTION];
      if (transactions.isFinished[finished] === 1) {
        let source = this.#first(transactions.thread[finished], transactions.beginTime[finished]);
        for (; source !== 0; source = facts.cells[source + OLDER])
          this.#putInPlace(fact, thread, facts.cells[source + TRANSACTION]);
        facts.remove(fact, thread);
        transactions.removeFact(finished);
      }
      fact = next;
    }
  }

  #noteFacts(thread: number): void {
    this.#factNaming = grownInt32(this.#factNaming, this.transactions.end);
    this.#notedFor = grownInt32(this.#notedFor, this.transactions.end);
    if (this.#noting === ALWAYS) {
      this.#notedFor.fill(0);
      this.#noting = 0;
    }
    this.#noting++;
    const { cells, latest } = this.facts;
    for (let fact = latest[thread]; fact !== 0; fact = cells[fact + OLDER])
      this.#note(cells[fact + TRANSACTION], fact);
  }

  #note(transaction: number, fact: number): void {
    this.steps++;
    this.#notedFor[transaction] = this.#noting;
    this.#factNaming[transaction] = fact;
  }

  /** Makes sure that `transaction` precedes the thread from the time of `fact` on. */
  #putInPlace(fact: number, thread: number, transaction: number): void {
    this.steps++;
    if (this.#notedFor[transaction] === this.#noting) {
      this.facts.moveBack(this.#factNaming[transaction], fact, thread);
    } else {
      this.#note(transaction, this.facts.addBeside(fact, thread, transaction));
      this.transactions.addFact(transaction);
    }
  }
}
