import type { BlockFact, ForkJoin } from '../analyses/analysis.ts';
import { isAccess, isBoundary, isReceipt, Op } from '../trace/operation.ts';
import { AccessedObjects, isOnObject, kindOf } from './accessed-objects.ts';
import { type Access, type Accesses, hopsTo, type Reach } from './accesses.ts';
import type { Interest } from './interest.ts';
import { OpenBlockFacts } from './open-block-facts.ts';
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
  /**
   * What was done at that event, if only a cycle of two conflicts is looked for that is closed there. Others are then
   * followed no further than to the same object, and what is remembered is no more than the block itself has accessed.
   */
  closing: ClosingOperation | null;
}

/** What an event did, and to what. */
export interface ClosingOperation {
  op: number;
  operand: number;
}

/**
 * So much more is looked at for a worse pattern after a cycle was found: a block may last as long as the trace, and so may
 * thousands.
 */
const MOST_AFTERWARDS = 4_000;
/** Of so many blocks around the violated one it is told: each of thousands that are nested would have thousands of them. */
const MOST_ENCLOSING = 100;

/** The earliest transaction of a thread that the block's transaction precedes, as far as is known. */
interface Entered {
  transaction: number;
  reach: Reach;
}

/** The transactions that were entered in earlier rounds, by thread. */
export type EnteredTransactions = Map<number, Entered>;

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
export class WitnessCycleSearch implements Search {
  readonly start: number;
  /** The thread of the block; -1 until its begin was seen. */
  thread = -1;
  enclosing: readonly BlockFact[] = [];
  /** The conflicts along the cycle, or null if there is none. */
  cycle: readonly Conflict[] | null = null;
  /** The worst that was seen inside the block, up to its end. */
  interference: Interference | null = null;
  /** Whether this round entered a transaction that no earlier round did, so that another round may find more. */
  grew = false;

  readonly #target: CycleTarget;
  #steps = 0;
  readonly #blocks: OpenBlockFacts;
  /** Null if only a happens-before path will do. */
  readonly #entered: EnteredTransactions | null;
  readonly #isLaterRound: boolean;
  #interest!: Interest;
  #isOpen = false;
  /** Whether the noticing event has passed, and with it any change of the cycle. */
  #isSettled = false;
  #hops = Number.POSITIVE_INFINITY;
  #foundAt = 0;

  readonly #family: Set<number> | null;
  /** An event of the block in each of its threads: what a join of that thread conflicts with. */
  readonly #members = new Map<number, EventFact>();
  readonly #reached = new Map<number, Reach>();
  /** For each thread that will be reached by its next event, from where: a fork, or the end of the block. */
  readonly #pending = new Map<number, Access>();
  readonly #objects: AccessedObjects;

  /* The event being looked at. */
  #event = 0;
  #actor = 0;
  #op = 0;
  #operand = 0;
  #location = 0;
  /** As which kind of access to its object it conflicts with others. */
  #kind: Op = Op.skip;
  #isAccess = false;

  constructor(target: CycleTarget, blocks: OpenBlockFacts, entered: EnteredTransactions | null) {
    this.#target = target;
    this.#blocks = blocks;
    this.#objects = new AccessedObjects(blocks);
    this.#entered = entered;
    this.#isLaterRound = entered !== null && entered.size > 0;
    this.#family = target.forkJoin === 'family' ? new Set() : null;
    this.start = target.block.begin;
    for (const { transaction } of entered?.values() ?? [])
      this.start = Math.min(this.start, OpenBlockFacts.startOf(transaction));
  }

  /** Whether nothing can be shorter, or closed later, than what was found. */
  get isShortest(): boolean {
    return this.#hops === 2 && this.#foundAt === this.#target.event;
  }

  /** Whether the cycle is a happens-before path. */
  get isIncreasing(): boolean {
    return !this.#isLaterRound;
  }

  open(interest: Interest): void {
    this.#interest = interest;
    if (this.#target.thread !== null) interest.thread(this.#target.thread);
    for (const thread of this.#entered?.keys() ?? []) interest.thread(thread);
    const { closing } = this.#target;
    if (closing === null) return;
    if (isAccess(closing.op)) interest.variable(closing.operand);
    else if (isOnObject(closing.op) || isReceipt(closing.op)) interest.lock(closing.operand);
  }

  step(event: number, thread: number, op: number, operand: number, location: number): boolean {
    if (!this.#isSettled && event > this.#target.event && !this.#settle()) return false;
    this.#event = event;
    this.#actor = thread;
    this.#op = op;
    this.#operand = operand;
    this.#location = location;
    this.#kind = kindOf(op);
    this.#isAccess = isAccess(op);

    const { block, forkJoin } = this.#target;
    if (event === block.begin) {
      // The event after which a piece of a block starts is not part of it.
      if (op !== Op.begin) this.#otherEvent();
      this.#begin();
      if (op !== Op.begin) return true;
    } else if (this.thread < 0 && event > block.begin) {
      return false;
    }
    const isOwner = thread === this.thread;
    if (isOwner && this.#isOpen && forkJoin === 'boundary' && isBoundary(op))
      this.#end(this.#members.get(thread));

    if (this.#isOpen && (isOwner || this.#family?.has(thread) === true)) this.#ownEvent();
    else if (this.#isSettled) this.#lookBetween();
    else this.#otherEvent();

    if (isOwner && this.#isOpen && op === Op.end && this.#blocks.depth(thread) === block.depth + 1)
      this.#end(this.#fact());
    if (!this.#isSettled && event === this.#target.event && !this.#settle()) return false;
    return !this.#isSettled || (this.#mayShowWorse() && ++this.#steps < MOST_AFTERWARDS);
  }

  #begin(): void {
    this.thread = this.#actor;
    this.#interest.thread(this.thread);
    this.enclosing = this.#blocks
      .blocks(this.thread)
      .slice(0, Math.min(this.#target.block.depth, MOST_ENCLOSING));
    this.#isOpen = true;
    // An earlier transaction of the thread that was reached comes before this one.
    const reach = this.#reachOfActor();
    if (reach !== undefined && this.#isWanted(reach.hops)) this.#offer(reach.hops, conflictsTo(reach));
  }

  /** The block is over; what its thread does later comes after it. */
  #end(last: EventFact | undefined): void {
    this.#isOpen = false;
    if (last !== undefined) this.#pending.set(this.thread, { fact: last, reach: null });
  }

  /** The noticing event has passed: what was found is the cycle. False if there is nothing more to look for. */
  #settle(): boolean {
    this.#isSettled = true;
    if (this.cycle === null || this.#isLaterRound) return false;
    this.#interest.release();
    this.#interest.thread(this.thread);
    for (const child of this.#family ?? []) this.#interest.thread(child);
    for (const variable of this.#objects.keepOwnVariables()) this.#interest.variable(variable);
    this.#reached.clear();
    this.#pending.clear();
    return true;
  }

  /** Whether the rest of the block may still show a worse pattern than was seen. */
  #mayShowWorse(): boolean {
    return this.#isOpen && (this.interference === null || severityOf(this.interference.pattern) !== 'error');
  }

  #ownEvent(): void {
    const accesses = this.#accesses();
    if (accesses !== null && this.#isAccess) this.#completeInterference(accesses);
    if (!this.#isSettled) this.#comeBack(accesses);
    if (!this.#members.has(this.#actor)) this.#members.set(this.#actor, this.#fact());
    if (this.#op === Op.fork) this.#forkOwn();
    else if (this.#isSettled ? this.#isAccess : isOnObject(this.#op)) this.#noteOwn(accesses);
  }

  #completeInterference(accesses: Accesses): void {
    if (!this.#isWanted(2) && !this.#mayShowWorse()) return;
    const completed = accesses.completed(this.#kind);
    if (completed === null) return;
    if (!this.#isWanted(2) && this.interference !== null && !isWorse(completed, this.interference)) return;
    const interference = { ...completed, last: this.#fact() };
    const { first, between, last } = interference;
    if (this.interference === null || isWorse(interference, this.interference))
      this.interference = interference;
    if (this.#isWanted(2))
      this.#offer(2, [
        { from: first, to: between },
        { from: between, to: last },
      ]);
  }

  /** Looks for a path that comes back to the block at this event. */
  #comeBack(accesses: Accesses | null): void {
    const access = this.#op === Op.join ? this.#joinedOther() : (accesses?.nearestOther(this.#kind) ?? null);
    if (access === null || !this.#isWanted(hopsTo(access) + 1)) return;
    this.#offer(hopsTo(access) + 1, [...conflictsTo(access.reach), { from: access.fact, to: this.#fact() }]);
  }

  #forkOwn(): void {
    this.#interest.thread(this.#operand);
    if (this.#family !== null && this.#isOpen) this.#family.add(this.#operand);
    else this.#pending.set(this.#operand, { fact: this.#fact(), reach: null });
  }

  #noteOwn(accesses: Accesses | null): void {
    if (this.#isAccess) this.#interest.unquieten(this.#operand);
    const known = accesses?.own(this.#kind) ?? null;
    if (known === null) (accesses ?? this.#addAccesses()).setOwn(this.#kind, this.#fact());
    else this.#blocks.overwrite(known, this.#event, this.#actor, this.#op, this.#location);
  }

  #otherEvent(): void {
    const accesses = this.#accesses();
    let reach = this.#reachOfActor();
    // One hop is the fewest there can be.
    if (reach?.hops !== 1) reach = this.#reachActor(this.#nearest(accesses), reach);
    if (reach?.hops === 1) this.#reachedDirectly();
    if (accesses !== null && this.#isAccess && accesses.isOpening(this.#kind)) accesses.open(this.#fact());
    if (reach !== undefined) this.#noteOther(accesses, reach);
  }

  /** The acting thread cannot be reached by fewer conflicts. */
  #reachedDirectly(): void {
    this.#interest.nearThread(this.#actor);
    // Only what it does to objects that are looked at anyway can close a cycle of two; the block may have forked it, and wait for it to the end.
    if (this.#target.closing !== null && this.#actor !== this.thread) this.#interest.dropThread(this.#actor);
  }

  /** How the acting thread is reached now that `nearest` comes before what it does. */
  #reachActor(nearest: Access | null, known: Reach | undefined): Reach | undefined {
    if (nearest === null || (known !== undefined && known.hops <= hopsTo(nearest) + 1)) return known;
    // The block's own accesses are overwritten by later ones; this one is to stay.
    const isOwnAccess = nearest.reach === null && isOnObject(nearest.fact.op);
    const from = isOwnAccess ? { ...nearest.fact } : nearest.fact;
    const reach = { hops: hopsTo(nearest) + 1, from, to: this.#fact(), before: nearest.reach };
    this.#reached.set(this.#actor, reach);
    if (this.#target.closing === null) this.#interest.thread(this.#actor);
    if (known === undefined) this.#enter(reach);
    return reach;
  }

  #noteOther(accesses: Accesses | null, reach: Reach): void {
    const { closing } = this.#target;
    if (closing !== null && !isSameObject(closing, this.#op, this.#operand)) {
      // It is only looked at for what comes between two accesses of the block, and that is noted now.
      if (accesses !== null && this.#isAccess && reach.hops === 1)
        this.#interest.quieten(this.#op, this.#operand);
      return;
    }
    if (this.#op === Op.fork) {
      this.#pending.set(this.#operand, { fact: this.#fact(), reach });
      this.#interest.thread(this.#operand);
    } else if (isOnObject(this.#op)) {
      const noted = accesses ?? this.#addAccesses();
      if (noted.isCloser(this.#kind, reach.hops)) noted.setOther(this.#kind, { fact: this.#fact(), reach });
      if (reach.hops === 1 && (this.#isAccess || this.#op <= Op.release))
        this.#interest.quieten(this.#op, this.#operand);
    }
  }

  /** The cycle is settled; what others do matters only between two accesses of the block. */
  #lookBetween(): void {
    if (!this.#isAccess) return;
    const accesses = this.#accesses();
    if (accesses?.isOpening(this.#kind)) accesses.open(this.#fact());
  }

  /** The event before this one, in the block or reached, that conflicts with it and has the fewest hops. */
  #nearest(accesses: Accesses | null): Access | null {
    const pending = this.#pending.get(this.#actor);
    if (pending !== undefined) this.#pending.delete(this.#actor);
    let nearest: Access | null = null;
    if (this.#op === Op.join) nearest = this.#joined();
    else if (accesses !== null) nearest = accesses.latestOwn(this.#kind) ?? accesses.nearestOther(this.#kind);
    if (pending === undefined) return nearest;
    return nearest !== null && hopsTo(nearest) <= hopsTo(pending) ? nearest : pending;
  }

  /** An event of the joined thread, if that is in the block or was reached. */
  #joined(): Access | null {
    const member = this.#members.get(this.#operand);
    return member === undefined ? this.#joinedOther() : { fact: member, reach: null };
  }

  #joinedOther(): Access | null {
    const reach = this.#reached.get(this.#operand);
    return reach === undefined ? null : { fact: reach.to, reach };
  }

  /** How the acting thread was reached, if it was. What an earlier round entered counts from its start on. */
  #reachOfActor(): Reach | undefined {
    const reach = this.#reached.get(this.#actor);
    if (reach !== undefined || this.#entered === null) return reach;
    const entered = this.#entered.get(this.#actor);
    if (entered === undefined) return undefined;
    if (this.#blocks.transaction(this.#actor, this.#event) < entered.transaction) return undefined;
    this.#reached.set(this.#actor, entered.reach);
    return entered.reach;
  }

  #enter(reach: Reach): void {
    if (this.#entered === null) return;
    const { thread, transaction } = reach.to;
    const earliest = this.#entered.get(thread);
    if (earliest !== undefined && earliest.transaction <= transaction) return;
    this.#entered.set(thread, { transaction, reach });
    this.grew = true;
  }

  /**
   * Whether a cycle that is closed here and has so many conflicts is better than what was found. One closed at
   * the event that was reported is better than any before; otherwise the shortest is best.
   */
  #isWanted(hops: number): boolean {
    if (this.#isSettled) return false;
    return hops < this.#hops || (this.#event === this.#target.event && this.#foundAt < this.#event);
  }

  #offer(hops: number, cycle: readonly Conflict[]): void {
    this.cycle = cycle;
    this.#hops = hops;
    this.#foundAt = this.#event;
  }

  #fact(): EventFact {
    return this.#blocks.fact(this.#event, this.#actor, this.#op, this.#operand, this.#location);
  }

  #accesses(): Accesses | null {
    return this.#objects.get(this.#actor, this.#op, this.#operand);
  }

  #addAccesses(): Accesses {
    if (this.#isAccess) this.#interest.variable(this.#operand);
    else this.#interest.lock(this.#operand);
    return this.#objects.add(this.#actor, this.#op, this.#operand);
  }
}

/** Whether two operations are on the same variable, or on the same name of another kind. */
function isSameObject({ op, operand }: ClosingOperation, otherOp: number, other: number): boolean {
  return operand === other && isAccess(op) === isAccess(otherOp) && isOnObject(otherOp);
}

function isWorse(a: Pick<Interference, 'pattern'>, b: Interference): boolean {
  return severityOf(a.pattern) === 'error' && severityOf(b.pattern) !== 'error';
}

function conflictsTo(last: Reach | null): Conflict[] {
  const conflicts: Conflict[] = [];
  for (let reach: Reach | null = last; reach !== null; reach = reach.before)
    conflicts.push({ from: reach.from, to: reach.to });
  return conflicts.reverse();
}
