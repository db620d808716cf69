import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { accessKind, channelOf, isAccess, isDispatch, isReceipt, Op } from '../../src/trace/operation.ts';
import { History, isVolatile } from './history.ts';
import { blocksOf } from './oracle.ts';

/*
 * Which blocks of a program other schedules violate, by trying them.
 *
 * A program is what an observed trace shows of it: for each thread, what it did, in order. A schedule runs
 * the threads in another order, as locks, forks, joins and barriers allow: an acquire waits until the lock is free,
 * a thread that is forked waits for its fork, a join waits for the fork and for all events of its thread, and who
 * leaves a barrier waits for all who arrived in the same round; who receives waits for all who had sent in the trace.
 * A schedule may stop anywhere.
 *
 * Values are not known, so what a thread does after it has read something else than in the trace cannot be
 * told. But a prediction is about just that: sections of one lock come in another order, and read something
 * else. So a schedule is *feasible* for a lock if up to the first acquire of that lock that comes out of its
 * turn, all locks are acquired and all volatile variables accessed in the order of the trace, and hence, in a
 * program without races, every read finds the same write; from then on, all threads are taken to do what they did. SideTrack's paper says the
 * same in other words: the other trace shares a prefix with the observed one (§3), and synchronized blocks
 * terminate (§1).
 */

/** What to look for. */
export interface Target {
  /** The number of the begin of a block, in the observed trace. */
  block: number;
  /**
   * The lock that may be acquired out of turn, and after it all others; null if no order is to be kept at
   * all.
   */
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
  /** 1 for a re-entrant acquire or its release, which do nothing. */
  readonly #isInner: Uint8Array;
  readonly #thread: Int32Array;
  readonly #isForked: boolean[] = [];
  /** For each arrival at a barrier and departure from it: its round, counted from 0. */
  readonly #round: Int32Array;
  readonly #arrivals: number[][] = [];
  /** For each event of a channel: its channel, counted from 0. */
  readonly #channel: Int32Array;
  /** For each receipt, what had been sent; for each volatile access, those before it that it conflicts with. */
  readonly #before: number[][] = [];
  /** For each acquire: how many acquires of its lock came before it. */
  readonly #rank: Int32Array;

  /* Where each part of a state begins. A state is a list of small integers. */
  readonly #taint: number;
  readonly #holder: number;
  readonly #lockTaint: number;
  readonly #roundTaint: number;
  readonly #channelTaint: number;
  readonly #acquires: number;
  readonly #variableTaint: number;
  readonly #deviated: number;
  readonly #size: number;

  #target!: { thread: number; first: number; last: number; lock: number };
  #seen = new Set<string>();
  #path: number[] = [];

  constructor(observed: readonly NamedEvent[]) {
    this.#events = observed;
    this.#operand = new Int32Array(observed.length);
    this.#isInner = new Uint8Array(observed.length);
    this.#thread = new Int32Array(observed.length);
    this.#rank = new Int32Array(observed.length);
    this.#round = new Int32Array(observed.length);
    this.#channel = new Int32Array(observed.length);
    const history = new History(observed);
    const { round } = history;
    const channels = new Map<number, number>();
    const rounds = new Map<number, number>();
    const ranks = new Map<number, number>();
    const depths = new Map<number, number>();
    for (const [i, { thread, op, operand }] of observed.entries()) {
      const isBefore = (j: number) =>
        history.conflict(j, i) && (isReceipt(op) ? isDispatch(observed[j].op) : isVolatile(observed[j].op));
      const ordered = isReceipt(op) || isVolatile(op);
      this.#before.push(ordered ? [...observed.keys()].slice(0, i).filter(isBefore) : []);
      const t = this.#threadId(thread);
      this.#thread[i] = t;
      this.#program[t].push(i);
      if (op === Op.fork || op === Op.join) {
        this.#operand[i] = this.#threadId(operand);
        if (op === Op.fork) this.#isForked[this.#operand[i]] = true;
      } else if (op === Op.acquire || op === Op.release) {
        const lock = idOf(this.#locks, operand);
        this.#operand[i] = lock;
        const depth = depths.get(lock) ?? 0;
        depths.set(lock, op === Op.acquire ? depth + 1 : depth - 1);
        this.#isInner[i] = (op === Op.acquire ? depth : depth - 1) > 0 ? 1 : 0;
        if (op === Op.acquire && depth === 0) {
          this.#rank[i] = ranks.get(lock) ?? 0;
          ranks.set(lock, this.#rank[i] + 1);
        }
      } else if (isAccess(op)) {
        this.#operand[i] = idOf(this.#variables, operand);
      } else if (isDispatch(op) || isReceipt(op)) {
        const channel = channelOf(op, history.operand[i]);
        this.#channel[i] = channels.get(channel) ?? channels.set(channel, channels.size).size - 1;
      } else if (op === Op.arrive || op === Op.leave) {
        this.#round[i] = rounds.get(round[i]) ?? rounds.set(round[i], rounds.size).size - 1;
        if (op === Op.leave) continue;
        while (this.#arrivals.length < rounds.size) this.#arrivals.push([]);
        this.#arrivals[this.#round[i]].push(i);
      }
    }
    const threads = this.#threads.size;
    this.#taint = threads;
    this.#holder = this.#taint + threads;
    this.#lockTaint = this.#holder + this.#locks.size;
    this.#roundTaint = this.#lockTaint + this.#locks.size;
    this.#channelTaint = this.#roundTaint + rounds.size;
    this.#acquires = this.#channelTaint + channels.size;
    this.#variableTaint = this.#acquires + this.#locks.size;
    this.#deviated = this.#variableTaint + 3 * this.#variables.size;
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
    if (this.#isInner[i] === 1) return true;
    const operand = this.#operand[i];
    if (isReceipt(this.#events[i].op) || state[this.#deviated] === 0)
      if (!this.#before[i].every((other) => this.#happened(state, other))) return false;
    switch (this.#events[i].op) {
      case Op.acquire:
        return (
          state[this.#holder + operand] === 0 &&
          (state[this.#deviated] === 1 || operand === this.#target.lock || this.#isInTurn(state, i))
        );
      case Op.join:
        return (
          state[operand] === this.#program[operand].length &&
          (!this.#isForked[operand] || this.#wasForked(state, operand))
        );
      case Op.leave:
        return this.#arrivals[this.#round[i]].every((other) => this.#happened(state, other));
      default:
        return true;
    }
  }

  #happened(state: Uint16Array, i: number): boolean {
    return this.#program[this.#thread[i]].indexOf(i) < state[this.#thread[i]];
  }

  #isInTurn(state: Uint16Array, i: number): boolean {
    return this.#rank[i] === state[this.#acquires + this.#operand[i]];
  }

  #wasForked(state: Uint16Array, child: number): boolean {
    return this.#program.some((own, t) =>
      own.slice(0, state[t]).some((i) => this.#events[i].op === Op.fork && this.#operand[i] === child),
    );
  }

  /**
   * Changes the state by one event of a thread, and says whether the block is violated by it: it is an event
   * of the block and comes after one of another thread that comes after the begin.
   */
  #step(state: Uint16Array, t: number, i: number): boolean {
    const { thread, first, last } = this.#target;
    const isInBlock = t === thread && state[t] >= first && state[t] <= last;
    const { op } = this.#events[i];
    const operand = this.#operand[i];
    state[t]++;
    if (op === Op.begin || op === Op.end || this.#isInner[i] === 1) return false;

    let before = 0;
    if (op === Op.leave) before = state[this.#roundTaint + this.#round[i]];
    else if (isReceipt(op)) before = state[this.#channelTaint + this.#channel[i]];
    else before = this.#conflicting(state, op, operand);
    if (isInBlock && (before & BY_OTHERS) !== 0) return true;
    if (t !== thread && before !== 0) state[this.#taint + t] = 1;
    const mark = isInBlock ? BY_BLOCK : t !== thread && state[this.#taint + t] === 1 ? BY_OTHERS : 0;

    if (op === Op.acquire) {
      if (!this.#isInTurn(state, i)) state[this.#deviated] = 1;
      state[this.#acquires + operand]++;
      state[this.#holder + operand] = t + 1;
    }
    if (op === Op.release) state[this.#holder + operand] = 0;
    if (op === Op.arrive) state[this.#roundTaint + this.#round[i]] |= mark;
    if (isDispatch(op)) state[this.#channelTaint + this.#channel[i]] |= mark;
    if (op === Op.acquire || op === Op.release) state[this.#lockTaint + operand] |= mark;
    // The target's own thread cannot be tainted: what it does is in the block, or too early, or too late.
    if (op === Op.fork && mark !== 0 && operand !== thread) state[this.#taint + operand] = 1;
    if (isAccess(op)) state[this.#variableTaint + 3 * operand + accessKind(op)] |= mark;
    return false;
  }

  /** By whom there was something, after the begin of the block, with which an operation conflicts. */
  #conflicting(state: Uint16Array, op: Op, operand: number): number {
    if (op === Op.acquire || op === Op.release) return state[this.#lockTaint + operand];
    if (op === Op.join) {
      const hasEvents = this.#program[operand].length > 0;
      return hasEvents && state[this.#taint + operand] === 1 ? BY_OTHERS : 0;
    }
    if (!isAccess(op)) return 0;
    const kind = accessKind(op);
    let by = 0;
    for (let other = 0; other <= Op.update; other++)
      if (other !== kind || kind === Op.write) by |= state[this.#variableTaint + 3 * operand + other];
    return by;
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
 * Whether the discipline holds that every variable that several threads access, and not all in the same
 * commuting way, has a lock that all of them hold.
 */
export function isGuarded(events: readonly NamedEvent[]): boolean {
  const held = new Map<string, Set<string>>();
  const uses = new Map<string, { threads: Set<string>; ops: Set<Op>; locks: Set<string> }>();
  for (const { thread, op, operand } of events) {
    const own = held.get(thread) ?? new Set();
    held.set(thread, own);
    if (op === Op.acquire) own.add(operand);
    if (op === Op.release) own.delete(operand);
    // Volatile variables need no lock.
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
