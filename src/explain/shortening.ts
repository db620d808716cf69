import { channelOf, isAccess, isDispatch, isOfBarrier, isReceipt, Op } from '../trace/operation.ts';
import type { Interest } from './interest.ts';
import { OpenBlockFacts } from './open-block-facts.ts';
import { accessesConflict } from './pattern.ts';
import type { Search } from './sweep.ts';
import type { Conflict, EventFact } from './witness.ts';

/** What a pair of transactions is linked by, the most telling first. */
const Link = { variable: 0, lock: 1, thread: 2 } as const;
type Link = (typeof Link)[keyof typeof Link];

interface Linked {
  link: Link;
  conflict: Conflict;
}

/** Longer cycles are shown as they were found. */
const MOST_TRANSACTIONS = 64;

/**
 * Looks at the transactions of a cycle once more, for conflicts between them that lead straight from one to
 * another, and picks the shortest cycle: no transaction can be left out of what remains.
 */
export class Shortening implements Search {
  readonly start: number;
  readonly #last: number;
  readonly #blocks: OpenBlockFacts;
  /** For each thread, its transactions on the cycle by their number, and their index here. */
  readonly #index = new Map<number, Map<number, number>>();
  readonly #count: number;
  readonly #cycle: readonly Conflict[];
  /** From the first transaction to the second: the best conflict seen, at `first * count + second`. */
  readonly #links: (Linked | undefined)[] = [];
  /** The first event seen of each transaction. */
  readonly #first: (EventFact | undefined)[] = [];
  /** The first access of each transaction to each variable or lock, of each kind. */
  readonly #variables = new Map<number, EventFact[]>();
  readonly #locks = new Map<number, EventFact[]>();
  /** The arrivals in each round of a barrier. */
  readonly #rounds = new Map<number, EventFact[]>();
  /** What was sent through each channel. */
  readonly #channels = new Map<number, EventFact[]>();
  readonly #forks = new Map<number, EventFact>();

  static isWorthwhile(cycle: readonly Conflict[]): boolean {
    return cycle.length > 2 && cycle.length <= MOST_TRANSACTIONS;
  }

  /** `cycle` goes through transactions; only events up to `last` count. */
  constructor(cycle: readonly Conflict[], last: number, blocks: OpenBlockFacts) {
    this.#cycle = cycle;
    this.#last = last;
    this.#blocks = blocks;
    let count = 0;
    let start = Number.POSITIVE_INFINITY;
    for (const { thread, transaction } of cycle.map((conflict) => conflict.from)) {
      let ofThread = this.#index.get(thread);
      if (ofThread === undefined) {
        ofThread = new Map();
        this.#index.set(thread, ofThread);
      }
      if (!ofThread.has(transaction)) ofThread.set(transaction, count++);
      start = Math.min(start, OpenBlockFacts.startOf(transaction));
    }
    this.#count = count;
    this.start = start;
  }

  open(interest: Interest): void {
    for (const thread of this.#index.keys()) interest.thread(thread);
  }

  step(event: number, thread: number, op: number, operand: number, location: number): boolean {
    if (event > this.#last) return false;
    const own = this.#index.get(thread)?.get(this.#blocks.transaction(thread, event));
    if (own === undefined) return true;
    const fact = this.#blocks.fact(event, thread, op, operand, location);
    if (this.#first[own] === undefined) this.#begin(own, fact);
    if (isAccess(op)) this.#access(this.#variables, Link.variable, own, fact);
    else if (op <= Op.release) this.#access(this.#locks, Link.lock, own, fact);
    else if (isOfBarrier(op)) this.#pass(this.#rounds, this.#blocks.round(thread, operand), own, fact);
    else if (isDispatch(op) || isReceipt(op)) this.#pass(this.#channels, channelOf(op, operand), own, fact);
    else if (op === Op.fork) this.#forks.set(operand, fact);
    else if (op === Op.join)
      for (const other of this.#index.get(operand)?.values() ?? [])
        this.#link(this.#first[other], fact, Link.thread);
    return true;
  }

  /** The shortest cycle through the transaction that the given one starts from. */
  shortest(): readonly Conflict[] {
    const cameFrom = new Array<number>(this.#count).fill(-1);
    let frontier = [0];
    while (frontier.length > 0) {
      const next: number[] = [];
      for (const from of frontier) {
        if (this.#links[from * this.#count] !== undefined && from !== 0) return this.#path(cameFrom, from);
        for (let to = 1; to < this.#count; to++) {
          if (cameFrom[to] >= 0 || this.#links[from * this.#count + to] === undefined) continue;
          cameFrom[to] = from;
          next.push(to);
        }
      }
      frontier = next;
    }
    return this.#cycle;
  }

  #path(cameFrom: readonly number[], last: number): Conflict[] {
    const conflicts = [this.#links[last * this.#count]!.conflict];
    for (let at = last; at !== 0; at = cameFrom[at])
      conflicts.push(this.#links[cameFrom[at] * this.#count + at]!.conflict);
    return conflicts.reverse().map(inProgramOrder);
  }

  #begin(own: number, fact: EventFact): void {
    for (const other of this.#index.get(fact.thread)!.values())
      this.#link(this.#first[other], fact, Link.thread);
    this.#link(this.#forks.get(fact.thread), fact, Link.thread);
    this.#first[own] = fact;
  }

  #access(objects: Map<number, EventFact[]>, link: Link, own: number, fact: EventFact): void {
    let earlier = objects.get(fact.operand);
    if (earlier === undefined) {
      earlier = [];
      objects.set(fact.operand, earlier);
    }
    let isKnown = false;
    for (const other of earlier) {
      if (this.#indexOf(other) === own) isKnown ||= other.op === fact.op;
      else if (link === Link.lock || accessesConflict(other.op, fact.op)) this.#link(other, fact, link);
    }
    if (!isKnown) earlier.push(fact);
  }

  /** Who leaves a barrier comes after those who arrived; who receives comes after those who sent. */
  #pass(objects: Map<number, EventFact[]>, object: number, own: number, fact: EventFact): void {
    const earlier = objects.get(object) ?? [];
    objects.set(object, earlier);
    if (fact.op === Op.arrive || isDispatch(fact.op)) {
      if (earlier.every((other) => this.#indexOf(other) !== own)) earlier.push(fact);
      return;
    }
    for (const other of earlier) if (this.#indexOf(other) !== own) this.#link(other, fact, Link.lock);
  }

  #link(from: EventFact | undefined, to: EventFact, link: Link): void {
    if (from === undefined) return;
    const at = this.#indexOf(from) * this.#count + this.#indexOf(to);
    const known = this.#links[at];
    if (known === undefined || link < known.link) this.#links[at] = { link, conflict: { from, to } };
  }

  #indexOf({ thread, transaction }: EventFact): number {
    return this.#index.get(thread)!.get(transaction)!;
  }
}

/** Two transactions of one thread are linked by any two of their events: best by those that are shown anyway. */
function inProgramOrder(conflict: Conflict, i: number, cycle: readonly Conflict[]): Conflict {
  if (conflict.from.thread !== conflict.to.thread) return conflict;
  return { from: cycle.at(i - 1)!.to, to: cycle[(i + 1) % cycle.length].from };
}
