import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from '../support/random-traces.ts';
import { blocksOf } from './oracle.ts';

/*
 * Which blocks of a program other schedules violate, by trying them.
 *
 * A program is what an observed trace shows of it: for each thread, what it did, in order. A schedule runs the
 * threads in another order, as locks, forks and joins allow: an acquire waits until the lock is free, a thread
 * that is forked waits for its fork, a join waits for the fork and for all events of its thread. A schedule may
 * stop anywhere.
 *
 * Values are not known, so a schedule is *feasible* only if every read finds the same write as in the trace; what
 * a thread does after a read of something else cannot be told. But a prediction is about just that: the sections
 * of one lock come in another order, and read something else. So reads are held to what they found until the
 * first acquire of that lock that is out of its order in the trace; from then on all threads are taken to do what
 * they did (SideTrack, §1: synchronized blocks terminate).
 */

/** A list of events for each thread. */
export type Program = readonly (readonly NamedEvent[])[];

/** What to look for. */
export interface Target {
  /** The number of the begin of a block, in the observed trace. */
  block: number;
  /** The lock whose acquires may come in another order while values are not cared for; null for any order at all. */
  lock: string | null;
}

/** Bits of what happened to a lock, or to a variable by one kind of access, after the begin of the block. */
const BY_BLOCK = 1;
const BY_OTHERS = 2;

export class Schedules {
  readonly #events: readonly NamedEvent[];
  readonly #threads = new Map<string, number>();
  readonly #locks = new Map<string, number>();
  readonly #variables = new Map<string, number>();
  /** For each thread: the indices of its events. */
  readonly #program: number[][] = [];
  readonly #operand: Int32Array;
  readonly #thread: Int32Array;
  readonly #isForked: boolean[] = [];
  /** For each read: the index of the write that it found, plus one. */
  readonly #writer: Int32Array;
  /** For each acquire: how many acquires of its lock came before it. */
  readonly #rank: Int32Array;

  /* Where each part of a state begins. A state is a list of small integers. */
  readonly #taint: number;
  readonly #holder: number;
  readonly #lockTaint: number;
  readonly #acquires: number;
  readonly #variableTaint: number;
  readonly #lastWriter: number;
  readonly #deviated: number;
  readonly #size: number;

  #target!: { thread: number; first: number; last: number; lock: number };
  #seen = new Set<string>();
  #path: number[] = [];

  constructor(observed: readonly NamedEvent[]) {
    this.#events = observed;
    this.#operand = new Int32Array(observed.length);
    this.#thread = new Int32Array(observed.length);
    this.#writer = new Int32Array(observed.length);
    this.#rank = new Int32Array(observed.length);
    const writers = new Map<number, number>();
    const ranks = new Map<number, number>();
    for (const [i, { thread, op, operand }] of observed.entries()) {
      const t = this.#threadId(thread);
      this.#thread[i] = t;
      this.#program[t].push(i);
      if (op === Op.fork || op === Op.join) {
        this.#operand[i] = this.#threadId(operand);
        if (op === Op.fork) this.#isForked[this.#operand[i]] = true;
      } else if (op === Op.acquire || op === Op.release) {
        const lock = idOf(this.#locks, operand);
        this.#operand[i] = lock;
        if (op === Op.acquire) ranks.set(lock, (this.#rank[i] = ranks.get(lock) ?? 0) + 1);
      } else if (op <= Op.update) {
        const variable = idOf(this.#variables, operand);
        this.#operand[i] = variable;
        this.#writer[i] = writers.get(variable) ?? 0;
        if (op !== Op.read) writers.set(variable, i + 1);
      }
    }
    const threads = this.#threads.size;
    this.#taint = threads;
    this.#holder = this.#taint + threads;
    this.#lockTaint = this.#holder + this.#locks.size;
    this.#acquires = this.#lockTaint + this.#locks.size;
    this.#variableTaint = this.#acquires + this.#locks.size;
    this.#lastWriter = this.#variableTaint + 3 * this.#variables.size;
    this.#deviated = this.#lastWriter + this.#variables.size;
    this.#size = this.#deviated + 1;
  }

  /** The blocks that some schedule violates, by the numbers of their begins; see `Target` for `lock`. */
  violable(lock: string | null | 'some lock'): number[] {
    const locks = lock === 'some lock' ? [...this.#locks.keys()] : [lock];
    return blocksOf(this.#events, 'edge')
      .map(({ begin }) => begin)
      .filter((block) => locks.some((lock) => this.find({ block, lock }) !== null))
      .sort((a, b) => a - b);
  }

  /** A feasible schedule that violates the block, as the numbers of its events; null if there is none. */
  find({ block, lock }: Target): number[] | null {
    const found = blocksOf(this.#events, 'edge').find(({ begin }) => begin === block);
    if (found === undefined) throw new Error(`no block begins at ${block}`);
    const thread = this.#thread[found.first];
    const own = this.#program[thread];
    this.#target = {
      thread,
      first: own.indexOf(found.first),
      last: own.indexOf(found.last),
      lock: lock === null ? -1 : idOf(this.#locks, lock),
    };
    this.#seen = new Set();
    this.#path = [];
    const start = new Uint16Array(this.#size);
    if (lock === null) start[this.#deviated] = 1;
    return this.#search(start) ? this.#path.map((i) => i + 1) : null;
  }

  #search(state: Uint16Array): boolean {
    const key = String.fromCharCode.apply(null, state as unknown as number[]);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    for (let t = 0; t < this.#program.length; t++) {
      const i = this.#program[t][state[t]];
      if (i === undefined || !this.#isEnabled(state, t, i)) continue;
      this.#path.push(i);
      const after = state.slice();
      if (this.#step(after, t, i)) return true;
      if (after[this.#target.thread] <= this.#target.last && this.#search(after)) return true;
      this.#path.pop();
    }
    return false;
  }

  #isEnabled(state: Uint16Array, t: number, i: number): boolean {
    if (state[t] === 0 && this.#isForked[t] && !this.#wasForked(state, t)) return false;
    const operand = this.#operand[i];
    switch (this.#events[i].op) {
      case Op.acquire:
        return state[this.#holder + operand] === 0;
      case Op.join:
        return (
          state[operand] === this.#program[operand].length &&
          (!this.#isForked[operand] || this.#wasForked(state, operand))
        );
      case Op.read:
        return state[this.#deviated] === 1 || state[this.#lastWriter + operand] === this.#writer[i];
      default:
        return true;
    }
  }

  #wasForked(state: Uint16Array, child: number): boolean {
    return this.#program.some((own, t) =>
      own.slice(0, state[t]).some((i) => this.#events[i].op === Op.fork && this.#operand[i] === child),
    );
  }

  /**
   * Changes the state by one event of a thread, and says whether the block is violated by it: it is an event of
   * the block and comes after one of another thread that comes after the begin.
   */
  #step(state: Uint16Array, t: number, i: number): boolean {
    const { thread, first, last, lock } = this.#target;
    const isInBlock = t === thread && state[t] >= first && state[t] <= last;
    const { op } = this.#events[i];
    const operand = this.#operand[i];
    state[t]++;
    if (op === Op.begin || op === Op.end) return false;

    const before = this.#conflicting(state, op, operand);
    if (isInBlock && (before & BY_OTHERS) !== 0) return true;
    if (t !== thread && before !== 0) state[this.#taint + t] = 1;
    const mark = isInBlock ? BY_BLOCK : t !== thread && state[this.#taint + t] === 1 ? BY_OTHERS : 0;

    if (op === Op.acquire) {
      if (operand === lock && this.#rank[i] !== state[this.#acquires + operand]) this.#deviate(state);
      state[this.#acquires + operand]++;
      state[this.#holder + operand] = t + 1;
    }
    if (op === Op.release) state[this.#holder + operand] = 0;
    if (op === Op.acquire || op === Op.release) state[this.#lockTaint + operand] |= mark;
    // The target's own thread cannot be tainted: what it does is in the block, or too early, or too late.
    if (op === Op.fork && mark !== 0 && operand !== thread) state[this.#taint + operand] = 1;
    if (op <= Op.update) {
      state[this.#variableTaint + 3 * operand + op] |= mark;
      if (op !== Op.read && state[this.#deviated] === 0) state[this.#lastWriter + operand] = i + 1;
    }
    return false;
  }

  /** By whom there was something, after the begin of the block, with which an operation conflicts. */
  #conflicting(state: Uint16Array, op: Op, operand: number): number {
    if (op === Op.acquire || op === Op.release) return state[this.#lockTaint + operand];
    if (op === Op.join) {
      const hasEvents = this.#program[operand].length > 0;
      return hasEvents && state[this.#taint + operand] === 1 ? BY_OTHERS : 0;
    }
    if (op > Op.update) return 0;
    let by = 0;
    for (let other = 0; other <= Op.update; other++)
      if (other !== op || op === Op.write) by |= state[this.#variableTaint + 3 * operand + other];
    return by;
  }

  /** From now on it does not matter what is read. */
  #deviate(state: Uint16Array): void {
    state[this.#deviated] = 1;
    state.fill(0, this.#lastWriter, this.#deviated);
  }

  #threadId(name: string): number {
    const t = idOf(this.#threads, name);
    if (t === this.#program.length) {
      this.#program.push([]);
      this.#isForked.push(false);
    }
    return t;
  }
}

function idOf(ids: Map<string, number>, name: string): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}

/**
 * Whether the discipline holds that every variable that several threads access, and not all in the same commuting
 * way, has a lock that all of them hold.
 */
export function isGuarded(events: readonly NamedEvent[]): boolean {
  const held = new Map<string, Set<string>>();
  const uses = new Map<string, { threads: Set<string>; ops: Set<Op>; locks: Set<string> }>();
  for (const { thread, op, operand } of events) {
    const own = held.get(thread) ?? new Set();
    held.set(thread, own);
    if (op === Op.acquire) own.add(operand);
    if (op === Op.release) own.delete(operand);
    if (op > Op.update) continue;
    const use = uses.get(operand) ?? { threads: new Set(), ops: new Set(), locks: new Set(own) };
    use.threads.add(thread);
    use.ops.add(op);
    for (const lock of use.locks) if (!own.has(lock)) use.locks.delete(lock);
    uses.set(operand, use);
  }
  return [...uses.values()].every(
    ({ threads, ops, locks }) =>
      threads.size === 1 || locks.size > 0 || (ops.size === 1 && !ops.has(Op.write)),
  );
}

/** Runs a program in a random order until all threads have ended or none can go on. */
export function randomRun(program: Program, random: Random): NamedEvent[] {
  const events: NamedEvent[] = [];
  const position = program.map(() => 0);
  const holder = new Map<string, number>();
  const isForked = new Set(program.flatMap((own) => forksIn(own)));
  const names = new Map(program.flatMap((own, t) => (own.length > 0 ? [[own[0].thread, t]] : [])));
  const forked = new Set<string>();
  const canAct = (t: number) => {
    const event = program[t][position[t]];
    if (event === undefined || (isForked.has(event.thread) && !forked.has(event.thread))) return false;
    if (event.op === Op.acquire) return !holder.has(event.operand);
    if (event.op !== Op.join) return true;
    const child = names.get(event.operand);
    const isOver = child === undefined || position[child] === program[child].length;
    return isOver && (!isForked.has(event.operand) || forked.has(event.operand));
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
    if (event.op === Op.acquire) holder.set(event.operand, t);
    if (event.op === Op.release) holder.delete(event.operand);
    if (event.op === Op.fork) forked.add(event.operand);
  }
}

function forksIn(own: readonly NamedEvent[]): string[] {
  return own.filter(({ op }) => op === Op.fork).map(({ operand }) => operand);
}

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
  /** Whether sections may end in another order than the reverse of their begins, and across ends of blocks. */
  crossed: boolean;
}

/**
 * The program with this seed: 2 to 4 threads, in which every variable is guarded by one lock or accessed by one
 * thread. Some threads fork and join others. Some leave locks and blocks open; some programs can deadlock.
 */
export function randomProgram(seed: number): Program {
  const random = new Random(seed);
  const threads = random.oneIn(2) ? 2 : random.between(2, 4);
  const locks = random.between(1, 3);
  const makeup: Makeup = {
    threads,
    locks,
    variables: random.below(3),
    depth: random.oneIn(2) ? 1 : 3,
    held: random.oneIn(3) ? 1 : random.between(1, locks),
    ordered: random.oneIn(2),
    crossed: random.oneIn(2),
  };
  const children = Array.from({ length: threads }, (): string[] => []);
  for (let t = 1; t < threads; t++) if (random.oneIn(3)) children[random.below(t)].push(`t${t + 1}`);
  return children.map((own, t) => new ThreadWriter(`t${t + 1}`, own, makeup, random).write());
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
    this.#length = random.between(2, 9);
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
    const choice = random.below(16);
    if (choice < 4 && this.#begin()) {
      while (this.#hasRoom() && !random.oneIn(8)) this.#statement();
      this.#event(Op.end, this.#open.pop()!);
    } else if (choice < 12 && this.#acquire()) {
      while (this.#hasRoom() && random.oneIn(2)) this.#statement();
      this.#release(this.#held.length - 1);
    } else {
      this.#access(choice);
    }
  }

  #anything(): void {
    const random = this.#random;
    while (this.#hasRoom()) {
      const choice = random.below(24);
      if (choice < 4) this.#begin();
      else if (choice < 13) this.#acquire();
      else if (choice < 19 && this.#held.length > 0) this.#release(random.below(this.#held.length));
      else if (choice < 20 && this.#open.length > 0) this.#event(Op.end, this.#open.pop()!);
      else this.#access(random.below(16));
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

  /**
   * Mostly an access; variable x1 is guarded by lock l1 and so on, and a thread has a variable of its own.
   * Otherwise a fork or a join.
   */
  #access(choice: number): void {
    const random = this.#random;
    if (choice === 0 && this.#unforked.length > 0) return this.#event(Op.fork, this.#unforked.pop()!);
    const other = `t${random.between(1, this.#makeup.threads)}`;
    if (choice === 1 && other !== this.#name) return this.#event(Op.join, other);
    const ops = [Op.read, Op.read, Op.write, Op.write, Op.update];
    const op = ops[random.below(ops.length)];
    const lock = this.#held[random.below(this.#held.length + 1)];
    if (lock !== undefined && lock < this.#makeup.variables) this.#event(op, `x${lock}`);
    else this.#event(op, `own ${this.#name}`);
  }

  #event(op: Op, operand: string): void {
    this.#events.push({ thread: this.#name, op, operand });
  }
}
