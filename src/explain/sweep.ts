import type { EventBatch } from '../trace/batch.ts';
import { Op } from '../trace/operation.ts';
import { Interest, InterestTable } from './interest.ts';
import type { OpenBlockFacts } from './open-block-facts.ts';

/** Something to be found out by looking at a stretch of the trace once more. */
export interface Search {
  /** The number of the first event it has to see; it is shown that one whatever it is. */
  readonly start: number;
  open(interest: Interest): void;
  /** Looks at an event of a thread, variable or lock that it said it cares about; false when it is done. */
  step(event: number, thread: number, op: number, operand: number, location: number): boolean;
}

/** As many as there are bits in a word. */
const MOST_OPEN = 32;

interface Opened {
  search: Search;
  interest: Interest;
}

/**
 * Shows one pass over a trace to many searches. Each is open only for its stretch; what finds no place, or
 * would take too much memory beside the others, is put off to another pass.
 */
export class Sweep {
  /** By start, the next one last. */
  readonly #waiting: Search[];
  #nextStart = 0;
  readonly #blocks: OpenBlockFacts;
  readonly #table = new InterestTable();
  readonly #mostEntries: number;
  /** In the order in which they were opened: the oldest is never put off, so that every pass gets on. */
  readonly #open: number[] = [];
  readonly #slots: (Opened | null)[] = new Array(MOST_OPEN).fill(null);
  readonly #putOff = new Set<Search>();
  readonly #givenUp = new Set<Search>();
  /** How many events searches have looked at. */
  steps = 0;

  constructor(searches: readonly Search[], blocks: OpenBlockFacts, mostEntries: number) {
    this.#waiting = [...searches].sort((a, b) => b.start - a.start);
    this.#blocks = blocks;
    this.#mostEntries = mostEntries;
    this.#nextStart = this.#waiting.at(-1)?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Whether no search needs to see any more. */
  get idle(): boolean {
    return this.#open.length === 0 && this.#waiting.length === 0;
  }

  /** Whether a search has to be made again in another pass. */
  wasPutOff(search: Search): boolean {
    return this.#putOff.has(search);
  }

  /** Whether a search took too much memory all alone. */
  wasGivenUp(search: Search): boolean {
    return this.#givenUp.has(search);
  }

  look(batch: EventBatch): void {
    const { op: ops, thread: threads, operand: operands, location: locations, length, firstEvent } = batch;
    const blocks = this.#blocks;
    for (let i = 0; i < length; i++) {
      const op = ops[i];
      if (op === Op.skip) continue;
      const event = firstEvent + i;
      const thread = threads[i];
      blocks.enter(event, thread, op, operands[i]);
      const opened = event < this.#nextStart ? 0 : this.#openAt(event);
      if (this.#open.length > 0) {
        const interested = opened | this.#table.in(thread, op, operands[i]);
        if (interested !== 0) this.#show(interested, event, thread, op, operands[i], locations[i]);
      }
      blocks.leave(event, thread, op, operands[i]);
    }
  }

  /** Puts off whatever is not done. */
  stop(): void {
    for (const search of this.#waiting) this.#putOff.add(search);
    this.#waiting.length = 0;
    this.#nextStart = Number.POSITIVE_INFINITY;
    while (this.#open.length > 0) {
      this.#putOff.add(this.#slots[this.#open[0]]!.search);
      this.#close(this.#open[0]);
    }
  }

  #show(
    interested: number,
    event: number,
    thread: number,
    op: number,
    operand: number,
    location: number,
  ): void {
    for (let rest = interested; rest !== 0; ) {
      const slot = 31 - Math.clz32(rest);
      rest &= ~(1 << slot);
      const opened = this.#slots[slot];
      this.steps++;
      if (opened !== null && !opened.search.step(event, thread, op, operand, location)) this.#close(slot);
    }
    while (this.#table.size > this.#mostEntries && this.#open.length > 1) {
      const youngest = this.#open[this.#open.length - 1];
      this.#putOff.add(this.#slots[youngest]!.search);
      this.#close(youngest);
    }
    if (this.#table.size <= this.#mostEntries || this.#open.length !== 1) return;
    this.#givenUp.add(this.#slots[this.#open[0]]!.search);
    this.#close(this.#open[0]);
  }

  /** Opens what starts at or before this event; the bits of what was opened. */
  #openAt(event: number): number {
    let bits = 0;
    while (this.#nextStart <= event) {
      const next = this.#waiting.pop()!;
      this.#nextStart = this.#waiting.at(-1)?.start ?? Number.POSITIVE_INFINITY;
      const slot = this.#slots.indexOf(null);
      if (slot < 0) {
        this.#putOff.add(next);
      } else {
        const interest = new Interest(this.#table, 1 << slot);
        this.#slots[slot] = { search: next, interest };
        this.#open.push(slot);
        next.open(interest);
        bits |= 1 << slot;
      }
    }
    return bits;
  }

  #close(slot: number): void {
    this.#slots[slot]!.interest.release();
    this.#slots[slot] = null;
    this.#open.splice(this.#open.indexOf(slot), 1);
  }
}
