import { BarrierRounds } from '../../src/trace/barrier-rounds.ts';
import { accessKind, channelOf, isAccess, isDispatch, isReceipt, Op } from '../../src/trace/operation.ts';

interface Transaction {
  /** The transactions with an event that conflicts with a later one of this; the one before it in its thread too. */
  readonly predecessors: Set<Transaction>;
}

class ThreadState {
  last: Transaction | null = null;
  /** The transaction of the open blocks. */
  open: Transaction | null = null;
  depth = 0;
  forkedBy: Transaction | null = null;
}

/**
 * The definition of a serializable trace, kept as a graph that only grows: all transactions, every conflict
 * between them, and a search for each event. For traces too long for the oracle, which is its measure; events
 * must be those of a well-formed trace without re-entrant locking.
 */
export class TransactionGraph {
  readonly #threads = new Map<number, ThreadState>();
  readonly #accesses = new Map<number, Map<number, Set<Transaction>>>();
  readonly #locks = new Map<number, Set<Transaction>>();
  readonly #rounds = new BarrierRounds();
  readonly #arrived = new Map<number, Set<Transaction>>();
  readonly #dispatches = new Map<number, Set<Transaction>>();

  /** Adds an event, unless it would close a cycle: then the graph stays as it was, and false is returned. */
  accept(thread: number, op: Op, operand: number): boolean {
    const state = this.#thread(thread);
    const own: Transaction = state.open ?? { predecessors: new Set() };
    const before = this.#conflicting(state, thread, op, operand);
    before.delete(own);
    if (state.open !== null && reaches(before, own)) return false;
    for (const transaction of before) own.predecessors.add(transaction);
    state.last = own;
    if (op === Op.begin) {
      state.open = own;
      state.depth++;
    } else if (op === Op.end && --state.depth === 0) {
      state.open = null;
    }
    this.#remember(own, thread, op, operand);
    return true;
  }

  #thread(thread: number): ThreadState {
    return entry(this.#threads, thread, () => new ThreadState());
  }

  #conflicting(state: ThreadState, thread: number, op: Op, operand: number): Set<Transaction> {
    const before = new Set<Transaction>();
    if (state.last !== null) before.add(state.last);
    else if (state.forkedBy !== null) before.add(state.forkedBy);
    if (op === Op.join) {
      const { last } = this.#thread(operand);
      if (last !== null) before.add(last);
    } else if (op === Op.leave) {
      const round = this.#rounds.roundOf(thread, operand);
      for (const transaction of this.#arrived.get(round)!) before.add(transaction);
    } else if (op === Op.acquire || op === Op.release) {
      for (const transaction of this.#locks.get(operand) ?? []) before.add(transaction);
    } else if (isReceipt(op)) {
      for (const transaction of this.#dispatches.get(channelOf(op, operand)) ?? []) before.add(transaction);
    } else if (isAccess(op)) {
      for (const [kind, transactions] of this.#accesses.get(operand) ?? [])
        if (kind !== accessKind(op) || kind === Op.write)
          for (const transaction of transactions) before.add(transaction);
    }
    return before;
  }

  #remember(own: Transaction, thread: number, op: Op, operand: number): void {
    if (op === Op.arrive) {
      const round = this.#rounds.arrive(thread, operand);
      entry(this.#arrived, round, () => new Set()).add(own);
    }
    if (op === Op.leave) this.#rounds.leave(thread, operand);
    if (op === Op.fork) this.#thread(operand).forkedBy = own;
    if (op === Op.acquire || op === Op.release) entry(this.#locks, operand, () => new Set()).add(own);
    if (isDispatch(op)) entry(this.#dispatches, channelOf(op, operand), () => new Set()).add(own);
    if (isAccess(op)) {
      const ofVariable = entry(this.#accesses, operand, () => new Map<number, Set<Transaction>>());
      entry(ofVariable, accessKind(op), () => new Set()).add(own);
    }
  }
}

function reaches(from: ReadonlySet<Transaction>, wanted: Transaction): boolean {
  const seen = new Set(from);
  for (const next of seen) {
    if (next === wanted) return true;
    for (const other of next.predecessors) seen.add(other);
  }
  return false;
}

function entry<V>(map: Map<number, V>, key: number, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
