import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { insertMeeting, Meetings } from './meetings.ts';
import { insertMessage, insertVolatile } from './messages.ts';
import { Random } from './random-traces.ts';

/*
 * Random programs without races: every variable is guarded by one lock or accessed by one thread. Locks are
 * acquired in each other, across blocks and in all orders, so that some programs can deadlock.
 */

/** What each thread does, in order; a thread's events all have its name. */
export type Program = readonly (readonly NamedEvent[])[];

/** What programs are made of. */
interface Makeup {
  threads: number;
  locks: number;
  variables: number;
  /** How deep blocks nest. */
  depth: number;
  /** How many locks a thread holds at a time. */
  held: number;
  /** Whether locks are acquired in one order only, so that no deadlock can come of it. */
  ordered: boolean;
  /**
   * Whether sections may end in another order than the reverse of their begins, and across ends of blocks.
   */
  crossed: boolean;
  /** Whether there is little else than locks, mostly in each other. */
  dense: boolean;
}

/** The trace of one run of the program with this seed; it ends where the program deadlocks, if it does. */
export function guardedTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  return randomRun(randomProgram(random), random);
}

function randomProgram(random: Random): Program {
  const threads = random.oneIn(2) ? 2 : random.between(2, 4);
  const dense = random.oneIn(3);
  const locks = random.between(dense ? 2 : 1, 3);
  const makeup: Makeup = {
    threads,
    locks,
    variables: random.below(3),
    depth: random.oneIn(2) ? 1 : 3,
    held: random.oneIn(3) && !dense ? 1 : random.between(dense ? 2 : 1, locks),
    ordered: random.oneIn(2),
    crossed: random.oneIn(2),
    dense,
  };
  const children = Array.from({ length: threads }, (): string[] => []);
  for (let t = 1; t < threads; t++) if (random.oneIn(3)) children[random.below(t)].push(`t${t + 1}`);
  const program = children.map((own, t) => new ThreadWriter(`t${t + 1}`, own, makeup, random).write());
  const meetings = random.oneIn(4) ? random.between(1, 2) : 0;
  for (const [t, own] of program.entries())
    for (let i = 0; i < meetings; i++) insertMeeting(own, `t${t + 1}`, random);
  if (random.oneIn(4)) for (let i = random.between(1, 2); i > 0; i--) insertMessage(program, `m${i}`, random);
  if (random.oneIn(4)) insertVolatile(program, 'v', random);
  return program;
}

class ThreadWriter {
  readonly #events: NamedEvent[] = [];
  readonly #name: string;
  readonly #unforked: string[];
  readonly #makeup: Makeup;
  readonly #random: Random;
  readonly #length: number;
  readonly #open: string[] = [];
  readonly #held: number[] = [];

  constructor(name: string, children: string[], makeup: Makeup, random: Random) {
    this.#name = name;
    this.#unforked = children;
    this.#makeup = makeup;
    this.#random = random;
    this.#length = random.between(4, 13);
  }

  write(): NamedEvent[] {
    if (this.#makeup.crossed) this.#anything();
    else while (this.#hasRoom()) this.#statement();
    while (this.#unforked.length > 0) this.#event(Op.fork, this.#unforked.pop()!);
    if (this.#random.oneIn(10)) return this.#events;
    while (this.#held.length > 0) this.#release(this.#held.length - 1);
    while (this.#open.length > 0) this.#event(Op.end, this.#open.pop()!);
    return this.#events;
  }

  #hasRoom(): boolean {
    return this.#events.length + this.#open.length + this.#held.length < this.#length;
  }

  /** Blocks and sections that lie in each other or beside each other. */
  #statement(): void {
    const random = this.#random;
    const { dense } = this.#makeup;
    const choice = random.below(dense ? 21 : 24);
    if (choice < 8 && this.#begin()) {
      while (this.#hasRoom() && !random.oneIn(8)) this.#statement();
      this.#event(Op.end, this.#open.pop()!);
    } else if (choice < 20 && this.#acquire()) {
      while (this.#hasRoom() && random.oneIn(dense ? 2 : 3)) this.#statement();
      this.#release(this.#held.length - 1);
    } else {
      this.#step();
    }
  }

  #anything(): void {
    const random = this.#random;
    while (this.#hasRoom()) {
      const choice = random.below(this.#makeup.dense ? 21 : 24);
      if (choice < 4) this.#begin();
      else if (choice < 13) this.#acquire();
      else if (choice < 19 && this.#held.length > 0) this.#release(random.below(this.#held.length));
      else if (choice < 20 && this.#open.length > 0) this.#event(Op.end, this.#open.pop()!);
      else this.#step();
    }
  }

  #begin(): boolean {
    if (this.#open.length === this.#makeup.depth) return false;
    const label = `${this.#name}.${this.#events.length + 1}`;
    this.#open.push(label);
    this.#event(Op.begin, label);
    return true;
  }

  #acquire(): boolean {
    const lock = this.#random.below(this.#makeup.locks);
    if (this.#held.length === this.#makeup.held || this.#held.includes(lock)) return false;
    if (this.#makeup.ordered && this.#held.some((other) => other > lock)) return false;
    this.#held.push(lock);
    this.#event(Op.acquire, `l${lock}`);
    return true;
  }

  #release(at: number): void {
    this.#event(Op.release, `l${this.#held.splice(at, 1)[0]}`);
  }

  #step(): void {
    const random = this.#random;
    const other = `t${random.between(1, this.#makeup.threads)}`;
    if (random.oneIn(6) && this.#unforked.length > 0) this.#event(Op.fork, this.#unforked.pop()!);
    else if (random.oneIn(16) && other !== this.#name) this.#event(Op.join, other);
    else this.#access();
  }

  /** Variable x1 is guarded by lock l1 and so on; a thread has a variable of its own. */
  #access(): void {
    const random = this.#random;
    const ops = [Op.read, Op.read, Op.write, Op.write, Op.update];
    const op = ops[random.below(ops.length)];
    const lock = this.#held[random.below(this.#held.length + 1)];
    if (lock !== undefined && lock < this.#makeup.variables) this.#event(op, `x${lock}`);
    else this.#event(op, `own-${this.#name}`);
  }

  #event(op: Op, operand: string): void {
    this.#events.push({ thread: this.#name, op, operand });
  }
}

/** Runs a program in a random order until all threads have ended or none can go on. */
function randomRun(program: Program, random: Random): NamedEvent[] {
  const events: NamedEvent[] = [];
  const position = program.map(() => 0);
  const threads = new Map(program.flatMap((own, t) => (own.length > 0 ? [[own[0].thread, t]] : [])));
  const forks = program.flat().filter(({ op }) => op === Op.fork);
  const unforked = new Set(forks.map(({ operand }) => operand));
  const holders = new Map<string, number>();
  const meetings = new Meetings(program.length);
  const sent = new Set<string>();

  const isOver = (thread: string) => {
    const t = threads.get(thread);
    return !unforked.has(thread) && (t === undefined || position[t] === program[t].length);
  };
  const canAct = (t: number) => {
    const event = program[t][position[t]];
    if (event === undefined || unforked.has(event.thread)) return false;
    if (event.op === Op.acquire) return !holders.has(event.operand);
    if (event.op === Op.leave) return meetings.mayLeave(t);
    if (event.op === Op.receive || event.op === Op.wait) return sent.has(event.operand);
    return event.op !== Op.join || isOver(event.operand);
  };

  /** How long a thread keeps its turn, on average. */
  const patience = random.between(1, 6);
  let t = random.below(program.length);
  for (;;) {
    const able = program.map((_, other) => other).filter(canAct);
    if (able.length === 0) return events;
    if (!able.includes(t) || random.oneIn(patience)) t = able[random.below(able.length)];
    const event = program[t][position[t]++];
    events.push(event);
    if (event.op === Op.acquire) holders.set(event.operand, t);
    if (event.op === Op.release) holders.delete(event.operand);
    if (event.op === Op.fork) unforked.delete(event.operand);
    if (event.op === Op.arrive) meetings.arrive(t);
    if (event.op === Op.send || event.op === Op.notify) sent.add(event.operand);
  }
}
