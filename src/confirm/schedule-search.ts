import {
  accessKind,
  channelOf,
  isAccess,
  isDispatch,
  isOfBarrier,
  isReceipt,
  Op,
} from '../trace/operation.ts';
import type { Prefix } from './prefix.ts';
import type { RecordedTrace } from './recorded-trace.ts';
import type { Stretch } from './target.ts';

/** Bits of what happened to a lock, in a round, through a channel, or to a variable by one kind of access, since the block's begin. */
const BY_BLOCK = 1;
const BY_OTHERS = 2;
const NOBODY = -1;

/** More events than this are not put in another order; the search goes as deep as there are events. */
const MOST_EVENTS = 4000;

/** Each state costs as much as there are threads, locks and variables. */
const MOST_WORK = 10_000_000;

export interface SearchResult {
  /** The events after the prefix, in their new order; null if none was found. */
  events: number[] | null;
  states: number;
  /** Whether everything was tried. */
  isExhausted: boolean;
}

/**
 * Looks for an order of some events of some threads, after a prefix that was run in the order of the trace, in
 * which a block is violated: depth first, the block's own thread first, and no state twice. A state is how far
 * each thread has come, the last write of each variable that is yet to be read, and what happened after the
 * block's begin to each thread, lock and variable; by that the violation is seen as soon as it happens.
 */
export class ScheduleSearch {
  readonly #trace: RecordedTrace;
  readonly #block: Stretch;
  readonly #sameReads: boolean;
  readonly #limit: number;
  readonly #prefix: Prefix;
  /** The threads that take part, by their slots: the block's own is 0. */
  readonly #threads: number[];
  readonly #slots = new Map<number, number>();
  readonly #counts: number[];
  readonly #locks = new Map<number, number>();
  readonly #variables = new Map<number, number>();
  readonly #rounds = new Map<number, number>();
  readonly #channels = new Map<number, number>();
  readonly #events: number;

  /* Where each part of a state begins. */
  readonly #taint: number;
  readonly #lockTaint: number;
  readonly #roundTaint: number;
  readonly #channelTaint: number;
  readonly #variableTaint: number;
  readonly #lastWriter: number;
  readonly #holder: number;
  readonly #size: number;

  readonly #seen = new Set<string>();
  readonly #path: number[] = [];
  #states = 0;

  /** From `prefix` to, at most, `limits`. */
  constructor(
    trace: RecordedTrace,
    block: Stretch,
    prefix: Prefix,
    limits: Prefix,
    options: { sameReads: boolean; states: number },
  ) {
    this.#trace = trace;
    this.#block = block;
    this.#prefix = prefix;
    this.#sameReads = options.sameReads;
    const others = [...limits.threads()].filter(
      (thread) => thread !== block.thread && limits.count(thread) > prefix.count(thread),
    );
    this.#threads = [block.thread, ...others];
    this.#counts = this.#threads.map((thread) => limits.count(thread));
    this.#counts[0] = Math.min(this.#counts[0], trace.position[block.last] + 1);
    let events = 0;
    this.#threads.forEach((thread, slot) => {
      this.#slots.set(thread, slot);
      const program = trace.program(thread);
      for (let i = prefix.count(thread); i < this.#counts[slot]; i++, events++) {
        const event = program[i];
        const op = trace.op[event];
        if (isAccess(op)) idOf(this.#variables, trace.operand[event]);
        else if (op === Op.acquire || op === Op.release) idOf(this.#locks, trace.operand[event]);
        else if (isOfBarrier(op)) idOf(this.#rounds, trace.waits.round(event));
        else if (isDispatch(op) || isReceipt(op)) idOf(this.#channels, channelOf(op, trace.operand[event]));
      }
    });
    this.#events = events;
    this.#taint = this.#threads.length;
    this.#lockTaint = this.#taint + this.#threads.length;
    this.#roundTaint = this.#lockTaint + this.#locks.size;
    this.#channelTaint = this.#roundTaint + this.#rounds.size;
    this.#variableTaint = this.#channelTaint + this.#channels.size;
    this.#lastWriter = this.#variableTaint + 3 * this.#variables.size;
    this.#holder = this.#lastWriter + this.#variables.size;
    this.#size = this.#holder + this.#locks.size;
    this.#limit = Math.min(options.states, Math.ceil(MOST_WORK / this.#size));
  }

  run(): SearchResult {
    if (this.#events > MOST_EVENTS) return { events: null, states: 0, isExhausted: false };
    const isFound = this.#search(this.#start());
    return {
      events: isFound ? this.#path : null,
      states: this.#states,
      isExhausted: isFound || this.#states < this.#limit,
    };
  }

  /** After the prefix, which ends before the block begins: nothing has come after its begin. */
  #start(): Int32Array {
    const state = new Int32Array(this.#size);
    state.fill(NOBODY, this.#holder);
    this.#threads.forEach((thread, slot) => {
      state[slot] = this.#prefix.count(thread);
    });
    const { op, operand, thread } = this.#trace;
    for (const event of this.#prefix.events()) {
      const kind = accessKind(op[event]);
      if (kind === Op.write || kind === Op.update) {
        const variable = this.#variables.get(operand[event]);
        if (variable !== undefined) state[this.#lastWriter + variable] = event;
      } else if (op[event] === Op.acquire || op[event] === Op.release) {
        const lock = this.#locks.get(operand[event]);
        const holder = op[event] === Op.acquire ? thread[event] : NOBODY;
        if (lock !== undefined) state[this.#holder + lock] = holder;
      }
    }
    return state;
  }

  #search(state: Int32Array): boolean {
    if (this.#states >= this.#limit) return false;
    const key = this.#key(state);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#states++;
    for (let slot = 0; slot < this.#threads.length; slot++) {
      const position = state[slot];
      if (position >= this.#counts[slot]) continue;
      const event = this.#trace.program(this.#threads[slot])[position];
      if (!this.#canHappen(state, slot, event)) continue;
      this.#path.push(event);
      const after = state.slice();
      // What the last event reads does not matter: nothing comes after it.
      if (this.#step(after, slot, event)) return true;
      if (this.#readsTheSame(state, event) && after[0] < this.#counts[0] && this.#search(after)) return true;
      this.#path.pop();
    }
    return false;
  }

  /** Who holds which lock follows from how far each thread has come. */
  #key(state: Int32Array): string {
    return state.subarray(0, this.#sameReads ? this.#holder : this.#lastWriter).join();
  }

  #canHappen(state: Int32Array, slot: number, event: number): boolean {
    const { op, operand } = this.#trace;
    const thread = this.#threads[slot];
    if (state[slot] === 0 && !this.#happened(state, this.#trace.forkOf(thread))) return false;
    if (op[event] === Op.acquire)
      return state[this.#holder + (this.#locks.get(operand[event]) as number)] === NOBODY;
    if (op[event] === Op.join) {
      const fork = this.#trace.forkOf(operand[event]);
      const last = this.#trace.program(operand[event]).at(-1) ?? 0;
      return (fork > event || this.#happened(state, fork)) && this.#happened(state, last);
    }
    return this.#trace.waits.before(event).every((other) => this.#happened(state, other));
  }

  #happened(state: Int32Array, event: number): boolean {
    if (event === 0) return true;
    const thread = this.#trace.thread[event];
    const slot = this.#slots.get(thread);
    const count = slot === undefined ? this.#prefix.count(thread) : state[slot];
    return this.#trace.position[event] < count;
  }

  #readsTheSame(state: Int32Array, event: number): boolean {
    const { op, operand, writer } = this.#trace;
    const kind = accessKind(op[event]);
    if (!this.#sameReads || (kind !== Op.read && kind !== Op.update)) return true;
    const variable = this.#variables.get(operand[event]) as number;
    return state[this.#lastWriter + variable] === writer[event];
  }

  /** Changes the state by one event, and says whether the block is violated by it. */
  #step(state: Int32Array, slot: number, event: number): boolean {
    const op = this.#trace.op[event];
    const operand = this.#trace.operand[event];
    const isOwn = slot === 0;
    const isInBlock = isOwn && state[0] >= this.#trace.position[this.#block.first];
    state[slot]++;
    if (op === Op.begin || op === Op.end) return false;

    const before = this.#conflicting(state, event);
    if (isInBlock && (before & BY_OTHERS) !== 0) return true;
    if (!isOwn && before !== 0) state[this.#taint + slot] = 1;
    const mark = isInBlock ? BY_BLOCK : !isOwn && state[this.#taint + slot] === 1 ? BY_OTHERS : 0;
    const kind = accessKind(op);
    if (kind !== Op.skip) {
      const variable = this.#variables.get(operand) as number;
      state[this.#variableTaint + 3 * variable + kind] |= mark;
      if (kind !== Op.read) state[this.#lastWriter + variable] = event;
    } else if (op === Op.acquire || op === Op.release) {
      const lock = this.#locks.get(operand) as number;
      state[this.#lockTaint + lock] |= mark;
      state[this.#holder + lock] = op === Op.acquire ? this.#threads[slot] : NOBODY;
    } else if (op === Op.arrive) {
      state[this.#roundTaint + this.#round(event)] |= mark;
    } else if (isDispatch(op)) {
      state[this.#channelTaint + this.#channel(event)] |= mark;
    } else if (op === Op.fork && mark !== 0) {
      const child = this.#slots.get(operand);
      if (child !== undefined && child !== 0) state[this.#taint + child] = 1;
    }
    return false;
  }

  /** By whom there was something, since the begin of the block, with which an operation conflicts. */
  #conflicting(state: Int32Array, event: number): number {
    const op = this.#trace.op[event];
    const operand = this.#trace.operand[event];
    if (op === Op.acquire || op === Op.release)
      return state[this.#lockTaint + (this.#locks.get(operand) as number)];
    if (op === Op.join) {
      const child = this.#slots.get(operand);
      return child !== undefined && child !== 0 && state[this.#taint + child] === 1 ? BY_OTHERS : 0;
    }
    if (op === Op.leave) return state[this.#roundTaint + this.#round(event)];
    if (isReceipt(op)) return state[this.#channelTaint + this.#channel(event)];
    const kind = accessKind(op);
    if (kind === Op.skip) return 0;
    const variable = this.#variableTaint + 3 * (this.#variables.get(operand) as number);
    let by = 0;
    for (let other = 0; other <= Op.update; other++)
      if (other !== kind || kind === Op.write) by |= state[variable + other];
    return by;
  }

  #channel(event: number): number {
    const channel = channelOf(this.#trace.op[event], this.#trace.operand[event]);
    return this.#channels.get(channel) as number;
  }

  #round(event: number): number {
    return this.#rounds.get(this.#trace.waits.round(event)) as number;
  }
}

function idOf(ids: Map<number, number>, id: number): number {
  const known = ids.get(id);
  if (known !== undefined) return known;
  ids.set(id, ids.size);
  return ids.size - 1;
}
