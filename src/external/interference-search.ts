import type { ViolationResult } from '../check/result.ts';
import { Accesses } from '../explain/accesses.ts';
import { severityOf } from '../explain/pattern.ts';
import type { EventFact } from '../explain/witness.ts';
import type { EventBatch } from '../trace/batch.ts';
import { accessKind, isAccess, Op } from '../trace/operation.ts';
import { type FoundInterference, type OwnFact, WatchedBlock } from './watched-block.ts';

/** So many of a block's reads of one variable are remembered. */
const MOST_LOOKS = 8;

/** What whoever wrote the trace knows, and what the trace says where it is now. */
export interface TraceFacts {
  isHarmless: TwoAccesses;
  isLookedAtAgain: TwoAccesses;
  isSecondLook: TwoAccesses;
  isDoubtful: (first: EventFact, last: EventFact, block: WatchedBlock) => boolean;
  isOwnCode: (first: EventFact, last: EventFact, block: WatchedBlock) => boolean;
  changesAreSteps: boolean;
  writesSettle: boolean;
  hasOverloads: boolean;
  /** What a thread had done before to data of its own, if the location says so. */
  earlierAccess: (location: number) => 'read' | 'written' | null;
  variable: (id: number) => string;
  /** So many blocks of one label are looked at. */
  mostPerLabel: number;
  /** Whether the block that begins there is one of those to be looked at first. */
  isLikely: (begin: number) => boolean;
}

type TwoAccesses = (one: EventFact, other: EventFact) => boolean;

/**
 * What threads did to data of their own is not in the trace. If another thread comes later, that one reads a variable that stands for
 * it, at a location that says where and what it was, and then accesses the data.
 */
class AccessesBefore {
  /** By variable that stands for others: where it was written, and in which watched blocks. */
  readonly #standIns = new Map<number, { event: number; thread: number; blocks: WatchedBlock[] }>();
  /** Per thread: those that it has read for the access that comes next. */
  readonly #due: { standIn: number; op: Op; location: number }[][] = [];
  /** By location: what was done there before; null for others. */
  readonly #operations = new Map<number, Op | null>();
  readonly #facts: TraceFacts;

  constructor(facts: TraceFacts) {
    this.#facts = facts;
  }

  /** Whether the event only says that something was done before. `own` are the watched blocks that it is in. */
  isStandIn(
    { op, thread, operand, location, firstEvent }: EventBatch,
    i: number,
    own: WatchedBlock[],
  ): boolean {
    if (op[i] === Op.volatileWrite) {
      if (own.length > 0)
        this.#standIns.set(operand[i], { event: firstEvent + i, thread: thread[i], blocks: own });
      else this.#standIns.delete(operand[i]);
    }
    if (op[i] !== Op.volatileRead || !this.#standIns.has(operand[i])) return false;
    const done = this.#operationAt(location[i]);
    if (done === null) return false;
    this.#due[thread[i]] ??= [];
    this.#due[thread[i]].push({ standIn: operand[i], op: done, location: location[i] });
    return true;
  }

  #operationAt(location: number): Op | null {
    let op = this.#operations.get(location);
    if (op === undefined) {
      const done = this.#facts.earlierAccess(location);
      op = done === null ? null : done === 'read' ? Op.read : Op.write;
      this.#operations.set(location, op);
    }
    return op;
  }

  /** What was done to a variable before, now that the thread is about to access it, in blocks that are still open. */
  take(thread: number, variable: number): { block: WatchedBlock; fact: EventFact }[] {
    const due = this.#due[thread];
    if (due === undefined || due.length === 0) return [];
    this.#due[thread] = [];
    return due.flatMap(({ standIn, op, location }) => {
      const { event, thread, blocks } = this.#standIns.get(standIn) ?? { event: 0, thread: 0, blocks: [] };
      const operand = variable;
      const fact = {
        event,
        thread,
        op: op as EventFact['op'],
        operand,
        location,
        block: null,
        transaction: 0,
      };
      return blocks.filter(({ isOver }) => !isOver).map((block) => ({ block, fact }));
    });
  }
}

/** Follows violated blocks through the trace, and what others do to the variables that they have accessed. */
export class InterferenceSearch {
  readonly #byBegin = new Map<number, WatchedBlock>();
  readonly #byViolation = new Map<ViolationResult, WatchedBlock>();
  /** Per thread: its open blocks, watched or not, outermost first. */
  readonly #open: (WatchedBlock | null)[][] = [];
  /** The same blocks: their functions, and whether they have changed anything so far. */
  readonly #functions: { label: number; isChanging: boolean }[][] = [];
  /** The functions that change anything that threads share. */
  readonly #changing = new Set<number>();
  /** By variable: the thread that has accessed it, or -1 for several. */
  readonly #accessedBy: number[] = [];
  /** Per variable: the open watched blocks that have accessed it. */
  readonly #interested = new Map<number, Set<WatchedBlock>>();

  /** Per thread: the locks that it holds, and since when. */
  readonly #locks: { lock: number; event: number }[][] = [];
  readonly #before: AccessesBefore;
  readonly #facts: TraceFacts;

  constructor(violations: readonly ViolationResult[], facts: TraceFacts) {
    this.#facts = facts;
    this.#before = new AccessesBefore(facts);
    const labels = new Map<string, number>();
    for (const isTurnOfLikely of [true, false])
      for (const violation of violations) {
        const { block, kind } = violation;
        if (block === null || kind !== 'transaction') continue;
        if (facts.isLikely(block.begin) !== isTurnOfLikely) continue;
        const count = labels.get(block.label) ?? 0;
        labels.set(block.label, count + 1);
        if (count >= facts.mostPerLabel) continue;
        const watched = new WatchedBlock(violation);
        this.#byBegin.set(block.begin, watched);
        this.#byViolation.set(violation, watched);
      }
  }

  /** Whether the block is one of the first of its label, or of the likely ones. */
  looksAt(violation: ViolationResult): boolean {
    return this.#byViolation.has(violation);
  }

  /** Whether all that happened to its variables is excused. */
  isExcused(violation: ViolationResult): boolean {
    const block = this.#byViolation.get(violation);
    return block !== undefined && block.worst === null && block.isExcused;
  }

  worstOf(violation: ViolationResult): FoundInterference | null {
    return this.#byViolation.get(violation)?.worst ?? null;
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const thread = batch.thread[i];
      if (isAccess(op)) this.#access(batch, i);
      else if (op === Op.acquire) {
        this.#locks[thread] ??= [];
        this.#locks[thread].push({ lock: batch.operand[i], event: batch.firstEvent + i });
      } else if (op === Op.release) this.#release(thread, batch.operand[i]);
      else if (op === Op.begin) {
        this.#open[thread] ??= [];
        const label = this.#functionOf(batch, i);
        for (const block of this.#open[thread]) block?.beginInner(label, batch.firstEvent + i);
        this.#open[thread].push(this.#byBegin.get(batch.firstEvent + i) ?? null);
        this.#functions[thread] ??= [];
        this.#functions[thread].push({ label, isChanging: false });
      } else if (op === Op.end) {
        this.#end(this.#open[thread]?.pop() ?? null);
        this.#endFunction(thread);
        for (const block of this.#open[thread] ?? []) block?.endInner(batch.firstEvent + i);
      }
    }
  }

  #noteChange(thread: number, variable: number, op: number): void {
    const by = this.#accessedBy[variable];
    if (by === undefined) this.#accessedBy[variable] = thread;
    else if (by !== thread) this.#accessedBy[variable] = -1;
    const function_ = this.#functions[thread]?.at(-1);
    if (function_ !== undefined && op === Op.write && this.#accessedBy[variable] === -1)
      function_.isChanging = true;
  }

  #endFunction(thread: number): void {
    const over = this.#functions[thread]?.pop();
    if (!over?.isChanging) return;
    this.#changing.add(over.label);
    const around = this.#functions[thread].at(-1);
    if (around !== undefined) around.isChanging = true;
  }

  /** The trace is over. */
  end(): void {
    for (const block of this.#byViolation.values()) block.judgeTwoSteps(this.#changing);
  }

  /** Functions that share a name begin at different places. */
  #functionOf({ operand, location }: EventBatch, i: number): number {
    return this.#facts.hasOverloads ? operand[i] * 2 ** 32 + location[i] : operand[i];
  }

  #release(thread: number, lock: number): void {
    const held = this.#locks[thread] ?? [];
    const at = held.findLastIndex((one) => one.lock === lock);
    if (at >= 0) held.splice(at, 1);
  }

  #end(block: WatchedBlock | null): void {
    if (block === null) return;
    for (const variable of block.variables.keys()) {
      const interested = this.#interested.get(variable);
      interested?.delete(block);
      if (interested?.size === 0) this.#interested.delete(variable);
    }
    block.end(this.#facts.changesAreSteps);
  }

  #access(batch: EventBatch, i: number): void {
    const variable = batch.operand[i];
    const thread = batch.thread[i];
    this.#noteChange(thread, variable, batch.op[i]);
    const own = this.#open[thread]?.filter((block) => block !== null) ?? [];
    if (this.#before.isStandIn(batch, i, own)) return;
    for (const { block, fact } of this.#before.take(thread, variable))
      this.#accessBefore(this.#accessesOf(block, variable), fact);
    const interested = this.#interested.get(variable);
    if (own.length === 0 && interested === undefined) return;
    const fact: OwnFact = {
      lockedAt: this.#locks[thread]?.at(-1)?.event ?? null,
      event: batch.firstEvent + i,
      thread,
      op: batch.op[i] as EventFact['op'],
      operand: variable,
      location: batch.location[i],
      block: null,
      transaction: 0,
    };
    const kind = accessKind(fact.op) as Op;
    for (const block of interested ?? []) {
      const accesses = block.variables.get(variable) as Accesses;
      if (own.includes(block)) continue;
      if (kind !== Op.read) block.changeByOther(variable, fact.location);
      if (accesses.isOpening(kind)) accesses.open(fact);
    }
    for (const block of own) this.#ownAccess(block, variable, kind, fact);
  }

  /** Of a read and a write that are only known to have been before, `n++` is what is meant. */
  #accessBefore(accesses: Accesses, fact: EventFact): void {
    const kind = accessKind(fact.op) as Op;
    const eventOf = (own: Op) => accesses.own(own)?.event ?? -1;
    const { writesSettle } = this.#facts;
    if (writesSettle && kind === Op.read && eventOf(Op.write) >= fact.event) return;
    if (writesSettle && kind === Op.write && eventOf(Op.read) <= fact.event) accesses.settle();
    if (eventOf(kind) < fact.event) accesses.setOwn(kind, fact);
  }

  #accessesOf(block: WatchedBlock, variable: number): Accesses {
    let accesses = block.variables.get(variable);
    if (accesses === undefined) {
      accesses = new Accesses();
      block.variables.set(variable, accesses);
      const interested = this.#interested.get(variable) ?? new Set();
      this.#interested.set(variable, interested.add(block));
    }
    return accesses;
  }

  #ownAccess(block: WatchedBlock, variable: number, done: Op, fact: OwnFact): void {
    const isAct = done === Op.update && block.lookedAt === this.#facts.variable(variable);
    const kind = isAct ? Op.write : done;
    let accesses = this.#accessesOf(block, variable);
    const completed = accesses.completed(kind);
    if (kind !== Op.read) this.#judgeSecondLook(block, variable, fact);
    if (completed !== null) {
      const looks = block.looks.get(variable) ?? [];
      if (kind === Op.read && completed.pattern !== 'intermediate-value-seen')
        block.looks.set(variable, [...looks.slice(1 - MOST_LOOKS), fact]);
      const severity = severityOf(completed.pattern);
      const found = { ...completed, last: fact, severity, variable: this.#facts.variable(variable) };
      const isHarmless = this.#facts.isHarmless(completed.first, fact);
      if (!isHarmless && this.#isSecondLook(found)) {
        block.secondLooks.set(variable, found);
      } else if (
        isHarmless ||
        this.#isSettled(found, accesses, looks) ||
        (completed.pattern === 'lost-update' && looks.some((look) => this.#facts.isLookedAtAgain(look, fact)))
      ) {
        block.isExcused = true;
        // It has looked at what is there now: what it had seen before counts no longer.
        accesses = new Accesses();
        block.variables.set(variable, accesses);
      } else if (
        this.#facts.isOwnCode(found.first, fact, block) ||
        !block.isRepeated(found, variable, this.#facts.changesAreSteps)
      ) {
        const isDoubtful = this.#facts.isDoubtful(found.first, fact, block);
        if (isDoubtful) block.worsen({ ...found, severity: 'warning' });
        else if (!this.#facts.changesAreSteps || !block.mayBeTwoSteps(found, fact)) block.worsen(found);
      }
    }
    if (kind === Op.read) block.read(variable, fact);
    else block.change(fact);
    if (kind === Op.write && this.#facts.writesSettle) accesses.settle();
    accesses.setOwn(kind, fact);
  }

  /** Whether what the block went by at first it has written before others came in, and it now writes what it has read since: `n++; …; n++`. */
  #isSettled(
    { pattern, first, between }: FoundInterference,
    accesses: Accesses,
    looks: readonly EventFact[],
  ): boolean {
    const written = accesses.own(Op.write)?.event ?? 0;
    const isOver = written > first.event && written < between.event;
    return this.#facts.changesAreSteps && pattern === 'lost-update' && isOver && looks.length > 0;
  }

  #isSecondLook({ pattern, first, last }: FoundInterference): boolean {
    const isUnderLockNow = isLocked(last) === true && isLocked(first) === false;
    return pattern === 'unrepeatable-read' && isUnderLockNow && this.#facts.isSecondLook(first, last);
  }

  /** Whoever writes after a second look that was no check, but a part of the writing, has gone by the first one. */
  #judgeSecondLook(block: WatchedBlock, variable: number, write: EventFact): void {
    const look = block.secondLooks.get(variable);
    if (look === undefined) return;
    block.secondLooks.delete(variable);
    if (this.#facts.isLookedAtAgain(look.last, write)) block.isExcused = true;
    else block.worsen(look);
  }
}

/** Null if it is not known. */
function isLocked({ lockedAt }: OwnFact): boolean | null {
  return lockedAt === undefined ? null : lockedAt !== null;
}
