import type { BlockFact } from '../analyses/analysis.ts';
import { BarrierRounds } from '../trace/barrier-rounds.ts';
import { isBoundary, Op } from '../trace/operation.ts';
import type { EventFact } from './witness.ts';

/** Called when a block ends, or a piece of one where forks and joins are boundaries. */
export type BlockEnded = (block: BlockFact, event: number) => void;

/**
 * Which blocks each thread has open, and so which transaction each event is in; and in which round of which
 * barrier each thread is. Where forks, joins and barriers are boundaries they cut the open blocks into pieces, and
 * a piece is known by the number of the event after which it starts.
 */
export class OpenBlockFacts {
  readonly #boundary: boolean;
  readonly #ended: BlockEnded;
  /** The open blocks of each thread, outermost first. Threads are many and short: unused lists are shared out. */
  readonly #open: (BlockFact[] | undefined)[] = [];
  readonly #spare: BlockFact[][] = [];
  readonly #rounds = new BarrierRounds();
  /** The transaction that each thread has open, or 0. Doubles, because they are twice the numbers of events. */
  #transaction = new Float64Array(64);

  constructor(boundary: boolean, ended: BlockEnded) {
    this.#boundary = boundary;
    this.#ended = ended;
  }

  /** To be called for every event before anyone looks at it; the event is then in the blocks told of here. */
  enter(event: number, thread: number, op: number, operand: number): void {
    if (op === Op.arrive) this.#rounds.arrive(thread, operand);
    if (op === Op.begin) {
      let open = this.#open[thread];
      if (open === undefined) {
        open = this.#spare.pop() ?? [];
        this.#open[thread] = open;
      }
      if (open.length === 0) this.#setTransaction(thread, 2 * event);
      open.push({ label: operand, begin: event, depth: open.length });
    } else if (this.#boundary && isBoundary(op)) {
      const open = this.#open[thread];
      if (open === undefined) return;
      for (const block of open) this.#ended(block, event);
      // Such an event is a transaction of its own; the odd number after its even one is that of the pieces.
      this.#setTransaction(thread, 2 * event);
      for (let i = 0; i < open.length; i++) open[i] = { ...open[i], begin: event };
    }
  }

  /** To be called for every event when all have looked at it. */
  leave(event: number, thread: number, op: number, operand: number): void {
    if (op === Op.leave) this.#rounds.leave(thread, operand);
    if (op === Op.end) {
      const open = this.#open[thread];
      const block = open?.pop();
      if (open === undefined || block === undefined) return;
      this.#ended(block, event);
      if (open.length > 0) return;
      this.#setTransaction(thread, 0);
      this.#open[thread] = undefined;
      this.#spare.push(open);
    } else if (this.#boundary && isBoundary(op) && this.depth(thread) > 0) {
      this.#setTransaction(thread, 2 * event + 1);
    }
  }

  /** The round for which a thread has just arrived at a barrier, or which it is about to leave. */
  round(thread: number, barrier: number): number {
    return this.#rounds.roundOf(thread, barrier);
  }

  /** The transaction of an event: one number for all events of an outermost block, another for any other. */
  transaction(thread: number, event: number): number {
    const open = thread < this.#transaction.length ? this.#transaction[thread] : 0;
    return open === 0 ? 2 * event : open;
  }

  /** The first event that can be in a transaction. */
  static startOf(transaction: number): number {
    return Math.floor(transaction / 2);
  }

  depth(thread: number): number {
    return this.#open[thread]?.length ?? 0;
  }

  /** The open blocks of a thread, outermost first; to be copied if kept. */
  blocks(thread: number): readonly BlockFact[] {
    return this.#open[thread] ?? [];
  }

  fact(event: number, thread: number, op: number, operand: number, location: number): EventFact {
    const fact = { event, thread, op: op as EventFact['op'], operand, location, block: null, transaction: 0 };
    this.overwrite(fact, event, thread, op, location);
    return fact;
  }

  /** Makes the fact one about a later event with the same operand. */
  overwrite(fact: EventFact, event: number, thread: number, op: number, location: number): void {
    const transaction = this.transaction(thread, event);
    const isUnary = transaction === 2 * event && op !== Op.begin;
    fact.event = event;
    fact.thread = thread;
    fact.op = op as EventFact['op'];
    fact.location = location;
    fact.block = isUnary ? null : (this.#open[thread]?.[0] ?? null);
    fact.transaction = transaction;
  }

  #setTransaction(thread: number, transaction: number): void {
    if (thread >= this.#transaction.length) {
      const grown = new Float64Array(Math.max(2 * this.#transaction.length, thread + 1));
      grown.set(this.#transaction);
      this.#transaction = grown;
    }
    this.#transaction[thread] = transaction;
  }
}
