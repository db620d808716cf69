import type { BlockFact, ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import type { OpenBlockFacts } from './open-block-facts.ts';
import { severityOf } from './pattern.ts';
import { Shortening } from './shortening.ts';
import type { Search } from './sweep.ts';
import { transactionCycle } from './transaction-cycle.ts';
import type { Conflict, Interference, Witness } from './witness.ts';
import {
  type ClosingOperation,
  type EnteredTransactions,
  WitnessCycleSearch,
} from './witness-cycle-search.ts';

/** Finds the block of the transaction that a thread has open at an event. */
class BlockSearch implements Search {
  readonly start: number;
  block: BlockFact | null = null;
  readonly #thread: number;
  readonly #blocks: OpenBlockFacts;

  constructor({ event, thread }: ViolationFact, blocks: OpenBlockFacts) {
    this.start = event;
    this.#thread = thread;
    this.#blocks = blocks;
  }

  open(): void {}

  step(): boolean {
    this.block = this.#blocks.blocks(this.#thread)[0] ?? null;
    return false;
  }
}

/** How a pass ended for a search. */
export interface Ending {
  wasPutOff(search: Search): boolean;
  wasGivenUp(search: Search): boolean;
}

/** One violation to be explained, through as many passes as that takes: one search in each. */
export class WitnessSearch {
  readonly violation: ViolationFact;
  witness: Witness | null = null;
  /** Whether all was looked at and there is no cycle. */
  isHopeless = false;
  /** Whether the search took too much memory. */
  isGivenUp = false;

  readonly #forkJoin: ForkJoin;
  /** Where the cycle starts; null until it is known. */
  #block: BlockFact | null;
  #thread: number | null = null;
  #enclosing: readonly BlockFact[] = [];
  /** Null while only a happens-before path will do. */
  #entered: EnteredTransactions | null = null;
  #search: WitnessCycleSearch | Shortening | BlockSearch | null = null;
  /** What was done where the violation was noticed, as long as that may be enough to find a cycle. */
  #closing: ClosingOperation | null;
  /** A cycle of transactions that may be longer than it has to be. */
  #long: readonly Conflict[] | null = null;

  constructor(violation: ViolationFact, forkJoin: ForkJoin, closing: ClosingOperation | null = null) {
    this.violation = violation;
    this.#closing = violation.kind === 'trace' ? null : closing;
    this.#block = violation.block;
    // Families are about single blocks; a cycle of transactions knows only conflicts.
    this.#forkJoin = forkJoin === 'family' && violation.kind === 'trace' ? 'edge' : forkJoin;
    if (violation.kind === 'trace') this.#entered = new Map();
  }

  /** What to look for in the next pass; null if the task is done. */
  nextSearch(blocks: OpenBlockFacts): Search | null {
    const isDone = this.witness !== null || this.isHopeless || this.isGivenUp;
    this.#search = isDone ? null : this.#newSearch(blocks);
    return this.#search;
  }

  #newSearch(blocks: OpenBlockFacts): WitnessCycleSearch | Shortening | BlockSearch {
    const { event } = this.violation;
    if (this.#long !== null) return new Shortening(this.#long, event, blocks);
    if (this.#block === null) return new BlockSearch(this.violation, blocks);
    const target = {
      block: this.#block,
      thread: this.#thread,
      event,
      forkJoin: this.#forkJoin,
      closing: this.#closing,
    };
    return new WitnessCycleSearch(target, blocks, this.#entered);
  }

  /** The pass is over. A search that was put off found nothing yet, and is made anew. */
  conclude({ wasPutOff, wasGivenUp }: Ending): void {
    const search = this.#search;
    if (search === null || wasPutOff(search)) return;
    if (wasGivenUp(search)) this.isGivenUp = true;
    else if (search instanceof BlockSearch) {
      this.#block = search.block;
      this.isHopeless = search.block === null;
    } else if (search instanceof Shortening) {
      this.#conclude(search.shortest(), false, null);
    } else {
      this.#concludeCycle(search);
    }
  }

  #concludeCycle(search: WitnessCycleSearch): void {
    const { cycle, thread, enclosing } = search;
    if (thread >= 0) this.#thread = thread;
    this.#enclosing = enclosing;
    if (this.#closing !== null && !search.isShortest) {
      // A longer way, or one that comes back earlier, takes following everybody who was reached.
      this.#closing = null;
    } else if (cycle === null) {
      this.#goOn(search);
    } else if (search.isIncreasing) {
      this.#conclude(cycle, true, search.interference);
    } else {
      const transactions = transactionCycle(cycle);
      if (Shortening.isWorthwhile(transactions)) this.#long = transactions;
      else this.#conclude(transactions, false, null);
    }
  }

  /** No cycle was found in this round; there may be one that is no happens-before path. */
  #goOn(search: WitnessCycleSearch): void {
    if (this.#entered !== null) {
      this.isHopeless = !search.grew;
    } else if (this.#forkJoin === 'family' || search.thread < 0) {
      this.isHopeless = true;
    } else {
      // Some checkers blame a block for being on a cycle; that is one of whole transactions.
      this.#entered = new Map();
      this.#block = search.enclosing[0] ?? this.#block;
    }
  }

  #conclude(cycle: readonly Conflict[], increasing: boolean, interference: Interference | null): void {
    const pattern = interference?.pattern ?? 'multi-variable-cycle';
    this.witness = {
      cycle,
      increasing,
      pattern,
      severity: severityOf(pattern),
      interference,
      block: this.#block!,
      thread: this.#thread!,
      enclosing: this.#enclosing,
    };
  }
}
