import type { BlockFact, ForkJoin } from '../analyses/analysis.ts';
import { Op } from '../trace/operation.ts';
import { type Access, Accesses, hopsTo, LOCK_KIND, type Reach } from './accesses.ts';
import type { Interest } from './interest.ts';
import { OpenBlocks } from './open-blocks.ts';
import { severityOf } from './pattern.ts';
import type { Search } from './sweep.ts';
import type { Conflict, EventFact, Interference } from './witness.ts';

/** What is to be explained. */
export interface CycleTarget {
  /** The block from which the cycle starts, as the violation names it. */
  block: BlockFact;
  /** The thread of the block, once it is known. */
  thread: number | null;
  /** The event at which the violation was noticed: the cycle is closed there, or before. */
  event: number;
  forkJoin: ForkJoin;
}

/** The earliest transaction of a thread that the block's transaction precedes, as far as is known. */
interface Entered {
  transaction: number;
  reach: Reach;
}

/** The transactions that were entered in earlier rounds, by thread. */
export type EnteredTransactions = Map<number, Entered>;

interface Found {
  hops: number;
  cycle: Conflict[];
}

/**
 * Follows what happens after the events of a block, forward through the trace, until it comes back to the block.
 * An event is reached when it conflicts with an event of the block or with one that was reached before; each
 * thread, variable and lock remembers the reached event with the fewest conflicts before it.
 *
 * That finds every happens-before path. For a cycle of transactions that is none, a path may leave a transaction
 * by an event before the one at which it entered: then the same is done again, in as many rounds as it takes,
 * and whatever transaction was entered in an earlier round counts as reached from its start on. A round keeps one
 * entry for each thread, since later transactions of the thread come after the earliest one entered.
 */
export class CycleSearch implements Search {
  readonly start: number;
  /** The thread of the block; -1 until its begin was seen. */
  thread = -1;
  readonly block: BlockFact;
  enclosing: readonly BlockFact[] = [];
  /** Whether this round entered a transaction that no earlier round did, so that another round may find more. */
  grew = false;

  readonly #target: CycleTarget;
  readonly #blocks: OpenBlocks;
  /** Null if only a happens-before path will do. */
  readonly #entered: EnteredTransactions | null;
  readonly #isLaterRound: boolean;
  #interest!: Interest;
  #isOpen = false;
  #isSettled = false;
  #found: Found | null = null;
  #interference: Interference | null = null;

  readonly #family: Set<number> | null;
  /** An event of the block in each of its threads: what a join of that thread conflicts with. */
  readonly #members = new Map<number, EventFact>();
  readonly #reached = new Map<number, Reach>();
  /** For each thread that will be reached by its next event, from where: a fork, or the end of the block. */
  readonly #pending = new Map<number, Access>();
  #variables = new Map<number, Accesses>();
  readonly #locks = new Map<number, Accesses>();

  constructor(target: CycleTarget, blocks: OpenBlocks, entered: EnteredTransactions | null) {
    this.#target = target;
    this.block = target.block;
    this.#blocks = blocks;
    this.#entered = entered;
    this.#isLaterRound = entered !== null && entered.size > 0;
    this.#family = target.forkJoin === 'family' ? new Set() : null;
    this.start = target.block.begin;
    for (const { transaction } of entered?.values() ?? [])
      this.start = Math.min(this.start, OpenBlocks.startOf(transaction));
  }

  /** The conflicts along the cycle, or null if there is none. */
  get cycle(): Conflict[] | null {
    return this.#found?.cycle ?? null;
  }

  /** Whether the cycle is a happens-before path. */
  get isIncreasing(): boolean {
    return !this.#isLaterRound;
  }

  get interference(): Interference | null {
    return this.#interference;
  }

  open(interest: Interest): void {
    this.#interest = interest;
    if (this.#target.thread !== null) interest.thread(this.#target.thread);
    for (const thread of this.#entered?.keys() ?? []) interest.thread(thread);
  }

  step(event: number, thread: number, op: number, operand: number, location: number): boolean {
    if (!this.#isSettled && event > this.#target.event && !this.#settle()) return false;
    if (event === this.#target.block.begin) {
      if (op !== Op.begin) {
        // The fork or join after which a piece of a block starts is not part of it.
        this.#otherEvent(event, thread, op, operand, location);
        this.#begin(event, thread);
        return true;
      }
      this.#begin(event, thread);
    } else if (this.thread < 0 && event > this.#target.block.begin) {
      return false;
    }
    const isCut = this.#target.forkJoin === 'boundary' && (op === Op.fork || op === Op.join);
    if (isCut && thread === this.thread && this.#isOpen) this.#end(this.#members.get(thread));

    if (this.#isOwn(thread)) this.#ownEvent(event, thread, op, operand, location);
    else if (this.#isSettled) this.#lookBetween(event, thread, op, operand, location);
    else this.#otherEvent(event, thread, op, operand, location);

    if (
      op === Op.end &&
      thread === this.thread &&
      this.#isOpen &&
      this.#blocks.depth(thread) === this.block.depth + 1
    )
      this.#end(this.#blocks.fact(event, thread, op, operand, location));
    if (!this.#isSettled && event === this.#target.event && !this.#settle()) return false;
    return !this.#isSettled || this.#mayShowWorse();
  }

  #begin(event: number, thread: number): void {
    this.thread = thread;
    this.#interest.thread(thread);
    const open = this.#blocks.blocks(thread);
    this.enclosing = open.slice(0, this.block.depth);
    this.#isOpen = true;
    // An earlier transaction of the thread that was reached comes before this one.
    const reach = this.#reachOf(event, thread);
    if (reach !== undefined) this.#offer(event, { hops: reach.hops, cycle: conflictsTo(reach) });
  }

  /** The block is over; what its thread does later comes after it. */
  #end(last: EventFact | undefined): void {
    this.#isOpen = false;
    if (last !== undefined) this.#pending.set(this.thread, { fact: last, reach: null });
  }

  #isOwn(thread: number): boolean {
    return thread === this.thread ? this.#isOpen : this.#family?.has(thread) === true;
  }

  /** The noticing event has passed: what was found is the cycle. False if there is nothing more to look for. */
  #settle(): boolean {
    this.#isSettled = true;
    if (this.#found === null || this.#isLaterRound) return false;
    const own = new Map<number, Accesses>();
    this.#interest.release();
    this.#interest.thread(this.thread);
    for (const child of this.#family ?? []) this.#interest.thread(child);
    for (const [variable, accesses] of this.#variables) {
      if (!accesses.hasOwn) continue;
      own.set(variable, accesses);
      this.#interest.variable(variable);
    }
    this.#variables = own;
    this.#reached.clear();
    this.#pending.clear();
    this.#locks.clear();
    return true;
  }

  /** Whether the rest of the block may still show a worse pattern than was seen. */
  #mayShowWorse(): boolean {
    return (
      this.#isOpen && (this.#interference === null || severityOf(this.#interference.pattern) !== 'error')
    );
  }

  #ownEvent(event: number, thread: number, op: number, operand: number, location: number): void {
    const accesses = this.#accesses(op, operand);
    const kind = kindOf(op);
    const completed = op <= Op.update && accesses !== null ? accesses.completed(kind) : null;
    if (completed !== null) {
      const last = this.#blocks.fact(event, thread, op, operand, location);
      this.#interfere({ ...completed, last });
      const { first, between } = completed;
      this.#offer(event, {
        hops: 2,
        cycle: [
          { from: first, to: between },
          { from: between, to: last },
        ],
      });
    } else if (!this.#isSettled) {
      const access = op === Op.join ? this.#joinedOther(operand) : (accesses?.nearestOther(kind) ?? null);
      if (access !== null) {
        const to = this.#blocks.fact(event, thread, op, operand, location);
        const cycle = [...conflictsTo(access.reach), { from: access.fact, to }];
        this.#offer(event, { hops: access.hops + 1, cycle });
      }
    }
    this.#noteOwn(accesses, event, thread, op, operand, location);
  }

  #noteOwn(
    accesses: Accesses | null,
    event: number,
    thread: number,
    op: number,
    operand: number,
    location: number,
  ): void {
    if (!this.#members.has(thread))
      this.#members.set(thread, this.#blocks.fact(event, thread, op, operand, location));
    if (op === Op.fork) {
      this.#interest.thread(operand);
      if (this.#family !== null && this.#isOpen) this.#family.add(operand);
      else
        this.#pending.set(operand, {
          fact: this.#blocks.fact(event, thread, op, operand, location),
          reach: null,
        });
      return;
    }
    if (op > Op.release || (this.#isSettled && op > Op.update)) return;
    const known = accesses?.own(kindOf(op)) ?? null;
    if (known !== null) this.#blocks.overwrite(known, event, thread, op, location);
    else
      (accesses ?? this.#addAccesses(op, operand)).setOwn(
        kindOf(op),
        this.#blocks.fact(event, thread, op, operand, location),
      );
  }

  #otherEvent(event: number, thread: number, op: number, operand: number, location: number): void {
    const accesses = this.#accesses(op, operand);
    let reach = this.#reachOf(event, thread);
    const access = this.#nearest(accesses, thread, op, operand);
    if (access !== null && (reach === undefined || access.hops + 1 < reach.hops)) {
      const isFirst = reach === undefined;
      const to = this.#blocks.fact(event, thread, op, operand, location);
      // The block's own accesses are overwritten by later ones; this one is to stay.
      const from = access.hops === 0 ? { ...access.fact } : access.fact;
      reach = { hops: access.hops + 1, from, to, before: access.reach };
      this.#reached.set(thread, reach);
      this.#interest.thread(thread);
      if (isFirst) this.#enter(to, reach);
    }
    if (accesses !== null && op <= Op.update && accesses.isOpening(op as Op))
      accesses.open(this.#blocks.fact(event, thread, op, operand, location));
    if (reach !== undefined) this.#noteOther(accesses, reach, event, thread, op, operand, location);
  }

  #noteOther(
    accesses: Accesses | null,
    reach: Reach,
    event: number,
    thread: number,
    op: number,
    operand: number,
    location: number,
  ): void {
    if (op === Op.fork) {
      const fact = this.#blocks.fact(event, thread, op, operand, location);
      this.#pending.set(operand, { fact, reach });
      this.#interest.thread(operand);
    } else if (op <= Op.release) {
      const kind = kindOf(op);
      if (accesses !== null && !accesses.isCloser(kind, reach.hops)) return;
      const fact = this.#blocks.fact(event, thread, op, operand, location);
      (accesses ?? this.#addAccesses(op, operand)).setOther(kind, { fact, reach });
    }
  }

  /** The cycle is settled; what others do matters only between two accesses of the block. */
  #lookBetween(event: number, thread: number, op: number, operand: number, location: number): void {
    if (op > Op.update) return;
    const accesses = this.#variables.get(operand);
    if (accesses?.isOpening(op as Op)) accesses.open(this.#blocks.fact(event, thread, op, operand, location));
  }

  /** The event before this one, in the block or reached, that conflicts with it and has the fewest hops. */
  #nearest(accesses: Accesses | null, thread: number, op: number, operand: number): Access | null {
    const pending = this.#pending.get(thread);
    if (pending !== undefined) this.#pending.delete(thread);
    let nearest = pending ?? null;
    let other: Access | null = null;
    if (op === Op.join) other = this.#joined(operand);
    else if (accesses !== null) other = accesses.latestOwn(kindOf(op)) ?? accesses.nearestOther(kindOf(op));
    if (other !== null && (nearest === null || hopsTo(other) < hopsTo(nearest))) nearest = other;
    return nearest;
  }

  /** An event of a joined thread, if the thread is in the block or was reached. */
  #joined(thread: number): Access | null {
    const member = this.#members.get(thread);
    return member === undefined ? this.#joinedOther(thread) : { fact: member, reach: null };
  }

  #joinedOther(thread: number): Access | null {
    const reach = this.#reached.get(thread);
    return reach === undefined ? null : { fact: reach.to, reach };
  }

  /** How the thread was reached, if it was. What an earlier round entered counts from its first event on. */
  #reachOf(event: number, thread: number): Reach | undefined {
    const reach = this.#reached.get(thread);
    if (reach !== undefined || this.#entered === null) return reach;
    const entered = this.#entered.get(thread);
    if (entered === undefined || this.#blocks.transaction(thread, event) < entered.transaction)
      return undefined;
    this.#reached.set(thread, entered.reach);
    return entered.reach;
  }

  #enter({ thread, transaction }: EventFact, reach: Reach): void {
    if (this.#entered === null) return;
    const earliest = this.#entered.get(thread);
    if (earliest !== undefined && earliest.transaction <= transaction) return;
    this.#entered.set(thread, { transaction, reach });
    this.grew = true;
  }

  /** A cycle closed at the event that was reported is the one to show; else the shortest. */
  #offer(event: number, found: Found): void {
    if (this.#isSettled) return;
    if (this.#found === null || event === this.#target.event || found.hops < this.#found.hops)
      this.#found = found;
  }

  #interfere(interference: Interference): void {
    const known = this.#interference;
    if (
      known === null ||
      (severityOf(known.pattern) !== 'error' && severityOf(interference.pattern) === 'error')
    )
      this.#interference = interference;
  }

  #accesses(op: number, operand: number): Accesses | null {
    if (op <= Op.update) return this.#variables.get(operand) ?? null;
    return op <= Op.release ? (this.#locks.get(operand) ?? null) : null;
  }

  #addAccesses(op: number, operand: number): Accesses {
    const accesses = new Accesses();
    if (op <= Op.update) {
      this.#variables.set(operand, accesses);
      this.#interest.variable(operand);
    } else {
      this.#locks.set(operand, accesses);
      this.#interest.lock(operand);
    }
    return accesses;
  }
}

function kindOf(op: number): Op {
  return op <= Op.update ? (op as Op) : LOCK_KIND;
}

function conflictsTo(last: Reach | null): Conflict[] {
  const conflicts: Conflict[] = [];
  for (let reach: Reach | null = last; reach !== null; reach = reach.before)
    conflicts.push({ from: reach.from, to: reach.to });
  return conflicts.reverse();
}
