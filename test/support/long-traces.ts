import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from './random-traces.ts';
import { TransactionGraph } from './transaction-graph.ts';

export interface LongTraceShape {
  events: number;
  /** How many threads act at a time; joined ones are replaced by new ones. */
  threads: number;
  variables: number;
  locks: number;
  /** One in so many accesses is a write, one in so many an update. */
  writes: number;
  updates: number;
  /** One in so many steps inside a block ends it. */
  blockLength: number;
  /** One in so many steps joins a thread and forks another. */
  threadLife: number;
}

/** A trace that is serializable up to its last event and, if `firstEvent` is set, no longer with it. */
export interface LongTrace {
  trace: MemoryTrace;
  firstEvent: number | null;
}

class Actor {
  readonly thread: number;
  depth = 0;
  readonly held: number[] = [];

  constructor(thread: number) {
    this.thread = thread;
  }
}

/**
 * A long trace in which threads come and go. What would close a cycle is left out, which is how a trace can
 * be long and its transactions still entangled; with `ending`, the first such event after the others ends it.
 */
export function longTrace(seed: number, shape: LongTraceShape, ending: boolean): LongTrace {
  return new Generator(new Random(seed), shape).make(ending);
}

class Generator {
  readonly #random: Random;
  readonly #shape: LongTraceShape;
  readonly #trace = new MemoryTrace();
  readonly #graph = new TransactionGraph();
  readonly #actors: Actor[] = [];
  readonly #holder = new Map<number, Actor>();
  #threads = 0;

  constructor(random: Random, shape: LongTraceShape) {
    this.#random = random;
    this.#shape = shape;
    const { names } = this.#trace;
    for (let i = 0; i < shape.variables; i++) names.variables.internText(`x${i}`);
    for (let i = 0; i < shape.locks; i++) names.locks.internText(`l${i}`);
    names.labels.internText('block');
  }

  make(ending: boolean): LongTrace {
    const { events, threads } = this.#shape;
    for (let i = 0; i < threads; i++) this.#actors.push(this.#newActor());
    while (this.#trace.length < events) this.#step();
    if (!ending) return { trace: this.#trace, firstEvent: null };
    while (this.#step());
    return { trace: this.#trace, firstEvent: this.#trace.length };
  }

  /** Takes a step; false if it closed a cycle. Before the end is due it is left out then. */
  #step(): boolean {
    const actor = this.#actors[this.#random.below(this.#actors.length)];
    const random = this.#random;
    if (random.oneIn(this.#shape.threadLife)) return this.#replace(actor);
    if (actor.depth > 0 && random.oneIn(this.#shape.blockLength)) {
      actor.depth--;
      return this.#event(actor, Op.end, 0);
    }
    if (actor.depth < 2 && random.oneIn(actor.depth === 0 ? 3 : 20)) {
      actor.depth++;
      return this.#event(actor, Op.begin, 0);
    }
    if (this.#shape.locks > 0 && random.oneIn(6)) return this.#lockStep(actor);
    const op = random.oneIn(this.#shape.writes)
      ? Op.write
      : random.oneIn(this.#shape.updates)
        ? Op.update
        : Op.read;
    return this.#event(actor, op, random.below(this.#shape.variables));
  }

  #lockStep(actor: Actor): boolean {
    const held = actor.held.pop();
    if (held !== undefined) {
      this.#holder.delete(held);
      return this.#event(actor, Op.release, held);
    }
    const lock = this.#random.below(this.#shape.locks);
    if (this.#holder.has(lock)) return true;
    const before = this.#trace.length;
    const accepted = this.#event(actor, Op.acquire, lock);
    if (this.#trace.length > before) {
      this.#holder.set(lock, actor);
      actor.held.push(lock);
    }
    return accepted;
  }

  /** Another actor joins this one, whatever it has open, and forks a new one. */
  #replace(actor: Actor): boolean {
    const other = this.#actors[this.#random.below(this.#actors.length)];
    if (other === actor || actor.held.length > 0) return true;
    const before = this.#trace.length;
    const accepted = this.#event(other, Op.join, actor.thread);
    if (this.#trace.length > before && accepted) {
      const child = this.#newActor();
      this.#actors[this.#actors.indexOf(actor)] = child;
      this.#event(other, Op.fork, child.thread);
    }
    return accepted;
  }

  #event(actor: Actor, op: Op, operand: number): boolean {
    const accepted = this.#graph.accept(actor.thread, op, operand);
    if (accepted || this.#trace.length >= this.#shape.events) this.#trace.push(actor.thread, op, operand);
    return accepted;
  }

  #newActor(): Actor {
    return new Actor(this.#trace.names.threads.internText(`t${this.#threads++}`));
  }
}
