import type { EventResult, InterferenceResult, ViolationResult } from '../../check/result.ts';
import { Accesses } from '../../explain/accesses.ts';
import type { PatternName } from '../../explain/pattern.ts';
import type { EventFact, SeenEvent } from '../../explain/witness.ts';
import type { EventBatch } from '../../trace/batch.ts';
import { locationText } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { accessKind, isAccess, MNEMONICS, Op } from '../../trace/operation.ts';
import { HANDLER } from './consequence.ts';
import { TaskOrder } from './task-order.ts';

/** Two accesses of a block's family to a variable, with one of somebody else between them. */
export interface FoundInterference extends InterferenceResult {
  variable: string;
  pattern: PatternName;
  /**
   * Whether the last access can go by what the first one saw or did. Not so in a task that knows nothing of it, nor in a
   * callback that was left behind by a block that is over: a socket's handler, say, or the next job of a queue.
   */
  isConnected: boolean;
}

/** So many are kept for each block: the first of each variable and pattern, connected or not. */
const MOST_PER_BLOCK = 100;

/** So many blocks of one label are looked at; the others look the same. */
const MOST_PER_LABEL = 25;

/** The names of those that stand for all callbacks of an activation. */
const BACKGROUND = /^callbacks#\d+$/;

/** One violated block while the trace passes by. */
class WatchedBlock {
  readonly violation: ViolationResult;
  readonly variables = new Map<number, Accesses>();
  readonly found = new Map<string, FoundInterference>();
  isOpen = true;
  /** Its own; those of its family are others. */
  thread = -1;

  constructor(violation: ViolationResult) {
    this.violation = violation;
  }
}

/**
 * Finds, for violated blocks, all the ways in which they were. An analysis reports a block once, at the first event that
 * violates it, which may be harmless: a flag that somebody looked at, before the update that got lost.
 */
export class InterferenceSearch {
  readonly #names: TraceNames;
  /** The violated blocks by the event at which they begin. */
  readonly #byBegin = new Map<number, WatchedBlock>();
  /** Per thread: the watched blocks in whose families its events are, outermost first (SEMANTICS: families). */
  readonly #families: (readonly WatchedBlock[] | undefined)[] = [];
  /** Per thread: for each open block whether it is watched. */
  readonly #open: (WatchedBlock | null)[][] = [];
  /** Per variable: the watched blocks that have accessed it. */
  readonly #interested: (Set<WatchedBlock> | undefined)[] = [];
  readonly #order = new TaskOrder();

  constructor(names: TraceNames, violations: readonly ViolationResult[]) {
    this.#names = names;
    const labels = new Map<string, number>();
    for (const violation of violations) {
      const { block, kind } = violation;
      if (block === null || kind !== 'transaction') continue;
      const count = labels.get(block.label) ?? 0;
      labels.set(block.label, count + 1);
      if (count < MOST_PER_LABEL) this.#byBegin.set(block.begin, new WatchedBlock(violation));
    }
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const thread = batch.thread[i];
      const operand = batch.operand[i];
      const event = batch.firstEvent + i;
      this.#order.step(event, thread);
      if (isAccess(op)) this.#access(event, thread, op as Op, operand, batch.location[i]);
      else if (op === Op.begin) this.#begin(thread, event);
      else if (op === Op.end) this.#end(thread);
      else if (op === Op.fork) this.#fork(event, thread, operand);
      else if (op === Op.join) this.#join(event, thread, operand);
      else if (op === Op.send && this.#familiesOf(thread).length > 0)
        this.#order.send(event, thread, operand);
      else if (op === Op.receive && this.#familiesOf(thread).length > 0)
        this.#order.receive(event, thread, operand);
    }
  }

  /** For each block that was looked at, what was found. */
  *results(): Generator<[ViolationResult, FoundInterference[]]> {
    for (const { violation, found } of this.#byBegin.values()) yield [violation, [...found.values()]];
  }

  #familiesOf(thread: number): readonly WatchedBlock[] {
    return this.#families[thread] ?? [];
  }

  #fork(event: number, thread: number, child: number): void {
    const families = this.#familiesOf(thread);
    this.#families[child] = families.filter(({ isOpen }) => isOpen);
    if (families.length === 0) return;
    if (BACKGROUND.test(this.#names.threads.text(child))) this.#order.forkBackground(event, thread, child);
    else this.#order.fork(event, thread, child);
  }

  #join(event: number, thread: number, task: number): void {
    if (this.#familiesOf(thread).length > 0) this.#order.join(event, thread, task);
    else this.#order.end(event, task);
  }

  #begin(thread: number, event: number): void {
    const block = this.#byBegin.get(event) ?? null;
    this.#open[thread] ??= [];
    this.#open[thread].push(block);
    if (block === null) return;
    block.thread = thread;
    this.#families[thread] = [...this.#familiesOf(thread), block];
  }

  #end(thread: number): void {
    const block = this.#open[thread]?.pop() ?? null;
    if (block === null) return;
    block.isOpen = false;
    this.#families[thread] = this.#familiesOf(thread).filter((other) => other !== block);
  }

  #access(event: number, thread: number, op: Op, variable: number, location: number): void {
    const own = this.#familiesOf(thread);
    const interested = this.#interested[variable];
    if (own.length === 0 && interested === undefined) return;
    const fact = { event, thread, op, operand: variable, location, block: null, transaction: 0 } as EventFact;
    if (interested !== undefined)
      for (const block of interested) {
        const accesses = block.variables.get(variable) as Accesses;
        if (!own.includes(block) && accesses.isOpening(accessKind(op))) accesses.open(fact);
      }
    for (const block of own) this.#ownAccess(block, fact);
  }

  #ownAccess(block: WatchedBlock, fact: EventFact): void {
    const { operand: variable } = fact;
    const kind = accessKind(fact.op);
    let accesses = block.variables.get(variable);
    if (accesses === undefined) {
      accesses = new Accesses();
      block.variables.set(variable, accesses);
      this.#interested[variable] ??= new Set();
      this.#interested[variable].add(block);
    }
    const completed = accesses.completed(kind);
    if (completed !== null) this.#find(block, variable, completed, fact);
    accesses.setOwn(kind, fact);
  }

  #find(
    { found, isOpen, thread }: WatchedBlock,
    variable: number,
    { pattern, first, between }: { pattern: PatternName; first: EventFact; between: EventFact },
    last: EventFact,
  ): void {
    // A block that is over does not read back what it wrote, nor do handlers of events go by what others of them saw. But a
    // promise that nobody awaits may well go by what was seen.
    const isLeftBehind =
      !isOpen &&
      first.thread !== last.thread &&
      (pattern === 'overwritten-before-read' || (first.thread !== thread && this.#isHandler(last.thread)));
    const isConnected = !isLeftBehind && this.#order.isOrdered(first, last, isOpen);
    const key = `${variable} ${pattern} ${isConnected}`;
    if (found.has(key) || found.size === MOST_PER_BLOCK) return;
    found.set(key, {
      variable: this.#names.variables.text(variable),
      pattern,
      isConnected,
      first: this.#result(first),
      between: this.#result(between),
      last: this.#result(last),
    });
  }

  /** Whether the thread is what the event loop called: a timer, an event. */
  #isHandler(thread: number): boolean {
    return HANDLER.test(this.#names.threads.text(thread));
  }

  #result({ event, thread, op, operand, location }: SeenEvent): EventResult {
    return {
      event,
      thread: this.#names.threads.text(thread),
      op: MNEMONICS[op],
      operand: this.#names.variables.text(operand),
      kind: 'variable',
      location: locationText(this.#names.locations, location),
    };
  }
}
