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

/** A serializable trace, and events that would have made it another. */
export interface LongTrace {
  trace: MemoryTrace;
  leftOut: readonly LeftOut[];
}

/** An event that would have closed a cycle as the one after the first `after`. */
export interface LeftOut {
  after: number;
  thread: number;
  op: Op;
  operand: number;
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
 * be long and its transactions still entangled.
 */
export function longTrace(seed: number, shape: LongTraceShape): LongTrace {
  return new Generator(new Random(seed), shape).make();
}

/** The trace up to the event that was left out, and that event. */
export function withLeftOut({ trace }: LongTrace, { after, thread, op, operand }: LeftOut): MemoryTrace {
  const cyclic = new MemoryTrace();
  for (const table of ['threads', 'variables', 'locks', 'labels'] as const)
    for (let id = 0; id < trace.names[table].size; id++)
      cyclic.names[table].internText(trace.names[table].text(id));
  for (const batch of trace.batches())
    for (let i = 0; i < batch.length && cyclic.length < after; i++)
      cyclic.push(batch.thread[i], batch.op[i] as Op, batch.operand[i]);
  cyclic.push(thread, op, operand);
  return cyclic;
}

class Generator {
  readonly #random: Random;
  readonly #shape: LongTraceShape;
  readonly #trace = new MemoryTrace();
  readonly #graph = new TransactionGraph();
  readonly #actors: Actor[] = [];
  readonly #holder = new Map<number, Actor>();
  readonly #leftOut: LeftOut[] = [];
  #threads = 0;

  constructor(random: Random, shape: LongTraceShape) {
    this.#random = random;
    this.#shape = shape;
    const { names } = this.#trace;
    for (let i = 0; i < shape.variables; i++) names.variables.internText(`x${i}`);
    for (let i = 0; i < shape.locks; i++) names.locks.internText(`l${i}`);
    names.labels.internText('block');
  }

  make(): LongTrace {
    const { events, threads } = this.#shape;
    for (let i = 0; i < threads; i++) this.#actors.push(this.#newActor());
    while (this.#trace.length < events) this.#step();
    return { trace: this.#trace, leftOut: this.#leftOut };
  }

  #step(): void {
    const random = this.#random;
    const actor = this.#actors[random.below(this.#actors.length)];
    if (random.oneIn(this.#shape.threadLife)) {
      this.#replace(actor);
    } else if (actor.depth > 0 && random.oneIn(this.#shape.blockLength)) {
      actor.depth--;
      this.#event(actor, Op.end, 0);
    } else if (actor.depth < 2 && random.oneIn(actor.depth === 0 ? 3 : 20)) {
      actor.depth++;
      this.#event(actor, Op.begin, 0);
    } else if (this.#shape.locks > 0 && random.oneIn(6)) {
      this.#lockStep(actor);
    } else {
      this.#event(actor, this.#access(), random.below(this.#shape.variables));
    }
  }

  #access(): Op {
    if (this.#random.oneIn(this.#shape.writes)) return Op.write;
    return this.#random.oneIn(this.#shape.updates) ? Op.update : Op.read;
  }

  #lockStep(actor: Actor): void {
    const held = actor.held.pop();
    if (held !== undefined) {
      this.#holder.delete(held);
      this.#event(actor, Op.release, held);
      return;
    }
    const lock = this.#random.below(this.#shape.locks);
    if (this.#holder.has(lock) || !this.#event(actor, Op.acquire, lock)) return;
    this.#holder.set(lock, actor);
    actor.held.push(lock);
  }

  /** Another actor joins this one, whatever it has open, and forks a new one. */
  #replace(actor: Actor): void {
    const other = this.#actors[this.#random.below(this.#actors.length)];
    if (other === actor || actor.held.length > 0) return;
    if (!this.#event(other, Op.join, actor.thread)) return;
    const child = this.#newActor();
    this.#actors[this.#actors.indexOf(actor)] = child;
    this.#event(other, Op.fork, child.thread);
  }

  /** Whether the event could be added. */
  #event({ thread }: Actor, op: Op, operand: number): boolean {
    const accepted = this.#graph.accept(thread, op, operand);
    if (accepted) this.#trace.push(thread, op, operand);
    else this.#leftOut.push({ after: this.#trace.length, thread, op, operand });
    return accepted;
  }

  #newActor(): Actor {
    return new Actor(this.#trace.names.threads.internText(`t${this.#threads++}`));
  }
}
