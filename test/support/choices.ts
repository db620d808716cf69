import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERAND_KINDS, Op } from '../../src/trace/operation.ts';

/*
 * Random traces are lists of choices, read as a well-formed trace: a choice that the rules forbid at its place
 * is passed over. So every list is a trace, and so is every list with some choices taken out.
 */

/** What one thread is to do next. Numbers of any size; each is taken modulo what there is to choose from. */
export interface Choice {
  thread: number;
  op: number;
  operand: number;
}

/** What traces are made of. */
export interface Shape {
  threads: number;
  /** How many threads need not be forked before they act. */
  roots: number;
  variables: number;
  locks: number;
  barriers: number;
  /** How many messages there are, and how many conditions. */
  messages: number;
  /** How many of the variables are accessed as volatile ones, too. */
  volatiles: number;
  /** How deep blocks nest. */
  depth: number;
  /** How often each operation is chosen, relative to the others; 0 leaves it out. */
  weights: Weights;
  /** Whether blocks that are open after the last choice are ended. */
  closed: boolean;
}

/** How large traces get, and of what they are made where that is not to vary. */
export interface TraceConstraints extends Partial<Shape> {
  /** At most so many events; ends that close the trace are not counted. */
  maxEvents?: number;
}

export type Weights = Readonly<Record<Exclude<keyof typeof Op, 'skip'>, number>>;

export const usualWeights: Weights = {
  read: 12,
  write: 12,
  update: 6,
  begin: 20,
  end: 5,
  acquire: 4,
  release: 6,
  fork: 4,
  join: 1,
  arrive: 4,
  leave: 8,
  volatileRead: 2,
  volatileWrite: 2,
  volatileUpdate: 1,
  send: 3,
  receive: 4,
  notify: 2,
  wait: 3,
};

export const usualShape: Shape = {
  threads: 4,
  roots: 2,
  variables: 3,
  locks: 1,
  barriers: 0,
  messages: 0,
  volatiles: 0,
  depth: 3,
  weights: usualWeights,
  closed: false,
};

/** The trace that `choices` stand for: at most one event each, and the ends of blocks if it is to be closed. */
export function interpret(choices: Iterable<Choice>, shape: Shape): NamedEvent[] {
  const builder = new TraceBuilder(shape);
  for (const choice of choices) builder.choose(choice);
  return builder.finish();
}

class Thread {
  readonly name: string;
  readonly isRoot: boolean;
  hasEvents = false;
  wasForked = false;
  wasJoined = false;
  readonly openBlocks: string[] = [];
  /** One entry for each acquire that was not released yet. */
  readonly heldLocks: string[] = [];
  /** The barriers at which it has arrived. */
  readonly barriers: string[] = [];

  constructor(name: string, isRoot: boolean) {
    this.name = name;
    this.isRoot = isRoot;
  }

  get canAct(): boolean {
    return (this.isRoot || this.wasForked) && !this.wasJoined;
  }
}

/** Takes choices one by one; for generators that decide as they go. */
export class TraceBuilder {
  readonly events: NamedEvent[] = [];
  readonly #shape: Shape;
  readonly #operations: Op[];
  readonly #threads: Thread[];
  readonly #holders = new Map<string, Thread>();
  readonly #isWanted: (events: readonly NamedEvent[]) => boolean;
  readonly #sent = new Set<string>();
  #labels = 0;

  /** An access after which the trace is not wanted is passed over. */
  constructor(shape: Shape, isWanted: (events: readonly NamedEvent[]) => boolean = () => true) {
    this.#shape = shape;
    this.#isWanted = isWanted;
    this.#operations = Object.entries(shape.weights).flatMap(([word, weight]) =>
      new Array<Op>(weight).fill(Op[word as keyof Weights]),
    );
    this.#threads = Array.from({ length: shape.threads }, (_, i) => new Thread(`t${i + 1}`, i < shape.roots));
  }

  choose(choice: Choice): void {
    const thread = this.#threads[choice.thread % this.#threads.length];
    if (!thread.canAct) return;
    const op = this.#operations[choice.op % this.#operations.length];
    const operand = this.#operand(thread, op, choice.operand);
    if (operand === null) return;
    this.events.push({ thread: thread.name, op, operand });
    if (OPERAND_KINDS[op] === 'variable' && !this.#isWanted(this.events)) this.events.pop();
    else thread.hasEvents = true;
  }

  finish(): NamedEvent[] {
    if (this.#shape.closed)
      for (const { name, canAct, openBlocks } of this.#threads)
        while (canAct && openBlocks.length > 0)
          this.events.push({ thread: name, op: Op.end, operand: openBlocks.pop()! });
    return this.events;
  }

  /** The operand that `pick` chooses, with what comes of it noted; or null if there is none to choose. */
  #operand(thread: Thread, op: Op, pick: number): string | null {
    switch (op) {
      case Op.acquire:
        return this.#acquire(thread, pick);
      case Op.release:
        return this.#release(thread, pick);
      case Op.fork:
        return this.#fork(thread, pick);
      case Op.join:
        return this.#join(thread, pick);
      case Op.arrive:
        return this.#arrive(thread, pick);
      case Op.leave:
        return takenFrom(thread.barriers, pick);
      case Op.send:
      case Op.receive:
      case Op.notify:
      case Op.wait:
        return this.#message(op, pick);
      case Op.volatileRead:
      case Op.volatileWrite:
      case Op.volatileUpdate:
        return this.#shape.volatiles === 0 ? null : `x${(pick % this.#shape.volatiles) + 1}`;
      case Op.begin:
        return this.#begin(thread);
      case Op.end:
        return thread.openBlocks.pop() ?? null;
      default:
        return `x${(pick % this.#shape.variables) + 1}`;
    }
  }

  #acquire(thread: Thread, pick: number): string | null {
    if (this.#shape.locks === 0) return null;
    const lock = `l${(pick % this.#shape.locks) + 1}`;
    const holder = this.#holders.get(lock) ?? thread;
    if (holder !== thread) return null;
    this.#holders.set(lock, thread);
    thread.heldLocks.push(lock);
    return lock;
  }

  #release(thread: Thread, pick: number): string | null {
    const lock = takenFrom(thread.heldLocks, pick);
    if (lock !== null && !thread.heldLocks.includes(lock)) this.#holders.delete(lock);
    return lock;
  }

  #arrive(thread: Thread, pick: number): string | null {
    if (this.#shape.barriers === 0) return null;
    const barrier = `b${(pick % this.#shape.barriers) + 1}`;
    if (thread.barriers.includes(barrier)) return null;
    thread.barriers.push(barrier);
    return barrier;
  }

  #message(op: Op, pick: number): string | null {
    if (this.#shape.messages === 0) return null;
    const message = `m${(pick % this.#shape.messages) + 1}`;
    if (op === Op.receive && !this.#sent.has(message)) return null;
    if (op === Op.send) this.#sent.add(message);
    return message;
  }

  #fork(thread: Thread, pick: number): string | null {
    const children = this.#threads.filter(
      (child) => child !== thread && !child.hasEvents && !child.wasForked,
    );
    if (children.length === 0) return null;
    const child = children[pick % children.length];
    child.wasForked = true;
    return child.name;
  }

  /** Any other thread may be joined: one that nobody forked, one without events, one that was joined before. */
  #join(thread: Thread, pick: number): string | null {
    const others = this.#threads.filter((other) => other !== thread);
    if (others.length === 0) return null;
    const child = others[pick % others.length];
    child.wasJoined = true;
    return child.name;
  }

  #begin(thread: Thread): string | null {
    if (thread.openBlocks.length === this.#shape.depth) return null;
    const label = `B${++this.#labels}`;
    thread.openBlocks.push(label);
    return label;
  }
}

function takenFrom(names: string[], pick: number): string | null {
  return names.length === 0 ? null : names.splice(pick % names.length, 1)[0];
}
