import { grownInt32 } from '../trace/growable.ts';
import { accessKind, isDispatch, isOfBarrier, isReceipt, Op } from '../trace/operation.ts';

/** One word of bits for every id: a bit for each of up to 32 searches. */
class Bits {
  #words = new Int32Array(64);

  at(id: number): number {
    return id < this.#words.length ? this.#words[id] : 0;
  }

  set(id: number, bit: number): void {
    this.#words = grownInt32(this.#words, id + 1);
    this.#words[id] |= bit;
  }

  clear(id: number, bit: number): void {
    if (id < this.#words.length) this.#words[id] &= ~bit;
  }
}

/**
 * Which threads, variables and locks the open searches care about, so that they are shown nothing else. Sooner or
 * later a search has seen all that can come of it when certain threads access a variable; it then says so, and
 * need not be shown the same over and over again.
 */
export class InterestTable {
  readonly threads = new Bits();
  readonly variables = new Bits();
  /** Locks, and all else that is named in the same table. */
  readonly locks = new Bits();
  /** How many entries there are for all searches together: what bounds their memory. */
  size = 0;

  /** Threads of which a search has no more to learn. */
  readonly nearThreads = new Bits();
  /** Variables and locks which may be accessed by those threads once more, by kind of access. */
  readonly quiet: readonly Bits[] = [new Bits(), new Bits(), new Bits()];
  readonly quietLocks = new Bits();

  /** The searches that have to see an event. */
  in(thread: number, op: number, operand: number): number {
    const ofThread = this.threads.at(thread);
    const kind = accessKind(op);
    if (kind !== Op.skip)
      return (
        (ofThread | this.variables.at(operand)) &
        ~(this.nearThreads.at(thread) & this.quiet[kind].at(operand))
      );
    if (op <= Op.release)
      return (
        (ofThread | this.locks.at(operand)) & ~(this.nearThreads.at(thread) & this.quietLocks.at(operand))
      );
    if (isOfBarrier(op) || isDispatch(op) || isReceipt(op)) return ofThread | this.locks.at(operand);
    return op <= Op.join ? ofThread | this.threads.at(operand) : ofThread;
  }
}

/** The part of the table that belongs to one search. */
export class Interest {
  readonly #table: InterestTable;
  readonly #bit: number;
  /** A set, as there may be thousands, dropped one by one. */
  readonly #threads = new Set<number>();
  #nearThreads: number[] = [];
  #variables: number[] = [];
  #locks: number[] = [];

  constructor(table: InterestTable, bit: number) {
    this.#table = table;
    this.#bit = bit;
  }

  thread(id: number): void {
    if (!this.#isNew(this.#table.threads, id)) return;
    this.#threads.add(id);
  }

  /** Nothing more can come of what the thread does, but by variables and locks that the search cares about. */
  dropThread(id: number): void {
    if (!this.#threads.delete(id)) return;
    this.#table.threads.clear(id, this.#bit);
    this.#table.size--;
  }

  variable(id: number): void {
    this.#add(this.#table.variables, this.#variables, id);
  }

  lock(id: number): void {
    this.#add(this.#table.locks, this.#locks, id);
  }

  /** A thread that the search cares about, but not when it does what `quieten` was told of. */
  nearThread(id: number): void {
    this.#add(this.#table.nearThreads, this.#nearThreads, id);
  }

  /** An operation on a variable or lock that the search cares about, but not if a near thread does it. */
  quieten(op: number, operand: number): void {
    const kind = accessKind(op);
    (kind === Op.skip ? this.#table.quietLocks : this.#table.quiet[kind]).set(operand, this.#bit);
  }

  unquieten(variable: number): void {
    for (const quiet of this.#table.quiet) quiet.clear(variable, this.#bit);
  }

  /** From here on the search cares about nothing; what it was told is forgotten. */
  release(): void {
    const { threads, nearThreads, variables, quiet, locks, quietLocks } = this.#table;
    this.#remove([threads], [...this.#threads]);
    this.#remove([nearThreads], this.#nearThreads);
    this.#remove([variables, ...quiet], this.#variables);
    this.#remove([locks, quietLocks], this.#locks);
    this.#threads.clear();
    this.#nearThreads = [];
    this.#variables = [];
    this.#locks = [];
  }

  #add(bits: Bits, ids: number[], id: number): void {
    if (this.#isNew(bits, id)) ids.push(id);
  }

  /** Sets the bit of the search, and counts it if it was not set. */
  #isNew(bits: Bits, id: number): boolean {
    if ((bits.at(id) & this.#bit) !== 0) return false;
    bits.set(id, this.#bit);
    this.#table.size++;
    return true;
  }

  #remove(tables: readonly Bits[], ids: readonly number[]): void {
    for (const bits of tables) for (const id of ids) bits.clear(id, this.#bit);
    this.#table.size -= ids.length;
  }
}
