import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import { IntList } from '../shared/int-list.ts';
import { codeOf, HELD, LARGEST_OPERAND } from './codes.ts';
import { Periods } from './periods.ts';
import { NO_LABEL, RecordedUnits } from './recorded-units.ts';
import { Trimmer } from './trimming.ts';

/** Units this short are trimmed when they end. */
const SHORT = 1 << 16;

class ThreadState {
  /** What the unit did so far, and the numbers of those events. */
  readonly codes = new IntList();
  readonly events = new IntList();
  /** How many blocks are open, and the outermost of them. */
  depth = 0;
  label = NO_LABEL;
  begin = 0;
  /** Whether the outermost block has a barrier, message or condition inside. */
  isCut = false;
  /** In the order in which they were acquired. */
  readonly held: number[] = [];
  /** The period in which the unit started. */
  period = 0;
  /** A unit that gets as long as this is trimmed before it ends. */
  trimmedAt = SHORT;
}

const UNTOUCHED = 0;
const SEVERAL = -1;

/** Who touches the variables or the locks. */
class Sharing {
  /** One more than the only thread that touched it. */
  #toucher = new Int32Array(64);
  /** In which ways, as bits. */
  #ways = new Uint8Array(64);
  size = 0;

  touch(id: number, thread: number, way: number): void {
    if (id >= this.size) {
      this.#toucher = grownInt32(this.#toucher, id + 1);
      this.#ways = grownUint8(this.#ways, id + 1);
      this.size = id + 1;
    }
    this.#ways[id] |= way;
    const toucher = this.#toucher[id];
    if (toucher === UNTOUCHED) this.#toucher[id] = thread + 1;
    else if (toucher !== thread + 1) this.#toucher[id] = SEVERAL;
  }

  isShared(id: number): boolean {
    return id < this.size && this.#toucher[id] === SEVERAL;
  }

  has(id: number, ways: number): boolean {
    return id < this.size && (this.#ways[id] & ways) === ways;
  }
}

const READ = 1 << Op.read;
const WRITTEN = 1 << Op.write;
const UPDATED = 1 << Op.update;

/**
 * Cuts the execution into units (Wang and Stoller, §2): every outermost block; outside blocks, every stretch in
 * which the thread holds a lock, and every single access without one; every fork and join outside blocks. A
 * barrier ends a unit wherever it is, and belongs to none: what comes after it in a block is another unit. So do
 * messages and conditions.
 */
export class Recorder {
  readonly units = new RecordedUnits();
  readonly periods = new Periods();
  /** The last event that was recorded if there were too many, else null. */
  stoppedAt: number | null = null;
  /** How many outermost blocks have a barrier, message or condition inside. */
  blocksCut = 0;
  readonly #limit: number;
  readonly #threads: (ThreadState | undefined)[] = [];
  readonly #trimmer = new Trimmer();
  readonly #variables = new Sharing();
  readonly #locks = new Sharing();

  /** Beyond `limit` integers nothing more is recorded. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Variables and locks have ids below these. */
  get variables(): number {
    return this.#variables.size;
  }

  get locks(): number {
    return this.#locks.size;
  }

  /** Whether accesses of different threads to the variable conflict (§7.3, as far as the trace tells). */
  isContended(variable: number): boolean {
    const ways = this.#variables;
    return ways.isShared(variable) && (ways.has(variable, WRITTEN) || ways.has(variable, READ | UPDATED));
  }

  isSharedLock(lock: number): boolean {
    return this.#locks.isShared(lock);
  }

  access(op: number, thread: number, variable: number, event: number): void {
    const state = this.#acting(thread, variable, event);
    if (state === null) return;
    this.#variables.touch(variable, thread, 1 << op);
    this.#append(thread, state, codeOf(op, variable), event);
    if (state.depth === 0 && state.held.length === 0) this.#endUnit(thread, state, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    const state = this.#acting(thread, lock, event);
    if (state === null) return;
    this.#locks.touch(lock, thread, 0);
    this.#append(thread, state, codeOf(Op.acquire, lock), event);
    state.held.push(lock);
  }

  release(thread: number, lock: number, event: number): void {
    const state = this.#acting(thread, lock, event);
    if (state === null) return;
    this.#append(thread, state, codeOf(Op.release, lock), event);
    state.held.splice(state.held.lastIndexOf(lock), 1);
    if (state.depth === 0 && state.held.length === 0) this.#endUnit(thread, state, event);
  }

  fork(thread: number, child: number, event: number): void {
    const state = this.#acting(thread, child, event);
    if (state === null) return;
    this.#cut(thread, state, codeOf(Op.fork, child), event);
    this.periods.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    const state = this.#acting(thread, child, event);
    if (state === null || !this.periods.hasEvents(child)) return;
    this.#cut(thread, state, codeOf(Op.join, child), event);
    this.periods.join(thread, child, event);
    // A thread that was joined does nothing more, and a block that it left open ends.
    const joined = this.#threads[child];
    if (joined !== undefined) this.#endUnit(child, joined, event);
    this.#threads[child] = undefined;
  }

  arrive(thread: number, barrier: number, event: number): void {
    const state = this.#acting(thread, barrier, event);
    if (state === null) return;
    this.#interrupt(thread, state, event);
    this.periods.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    const state = this.#acting(thread, barrier, event);
    if (state === null) return;
    this.#interrupt(thread, state, event);
    this.periods.leave(thread, barrier, event);
  }

  send(thread: number, channel: number, event: number): void {
    const state = this.#acting(thread, channel, event);
    if (state === null) return;
    this.#interrupt(thread, state, event);
    this.periods.send(thread, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    const state = this.#acting(thread, channel, event);
    if (state === null) return;
    this.#interrupt(thread, state, event);
    this.periods.receive(thread, channel, event);
  }

  begin(thread: number, label: number, event: number): void {
    const state = this.#acting(thread, 0, event);
    if (state === null || state.depth++ > 0) return;
    this.#endUnit(thread, state, event);
    state.label = label;
    state.begin = event;
    state.isCut = false;
  }

  end(thread: number, event: number): void {
    const state = this.#acting(thread, 0, event);
    if (state === null || --state.depth > 0) return;
    this.#endUnit(thread, state, event);
  }

  /** Units that are still open end here. */
  finish(lastEvent: number): void {
    this.#threads.forEach((state, thread) => {
      if (state !== undefined) this.#endUnit(thread, state, lastEvent);
    });
    this.periods.settle();
  }

  /** A fork or join: outside blocks it is a unit of its own. */
  #cut(thread: number, state: ThreadState, code: number, event: number): void {
    if (state.depth > 0) {
      this.#append(thread, state, code, event);
      return;
    }
    this.#endUnit(thread, state, event);
    this.#append(thread, state, code, event);
    this.#endUnit(thread, state, event);
  }

  /** Ends the unit; if it is that of a block, what follows in the block is told by the same label and begin. */
  #interrupt(thread: number, state: ThreadState, event: number): void {
    const { label } = state;
    this.#endUnit(thread, state, event);
    state.label = label;
    if (state.depth === 0 || state.isCut) return;
    state.isCut = true;
    this.blocksCut++;
  }

  #append(thread: number, state: ThreadState, code: number, event: number): void {
    if (state.codes.length === 0) {
      state.period = this.periods.enter(thread, event);
      for (const lock of state.held) {
        state.codes.push(codeOf(HELD, lock));
        state.events.push(0);
      }
    }
    state.codes.push(code);
    state.events.push(event);
    if (state.codes.length >= state.trimmedAt) this.#trimOpen(state, event);
  }

  #trimOpen(state: ThreadState, event: number): void {
    this.#trim(state);
    state.trimmedAt = Math.max(SHORT, 2 * state.codes.length);
    if (2 * state.codes.length > this.#limit) this.stoppedAt ??= event;
  }

  /** Takes out of the unit what makes no difference, whatever follows. */
  #trim({ codes, events }: ThreadState): void {
    const length = this.#trimmer.trim(codes.items, codes.length);
    const { kept } = this.#trimmer;
    for (let i = 0; i < length; i++) {
      codes.items[i] = codes.items[kept[i]];
      events.items[i] = events.items[kept[i]];
    }
    codes.length = length;
    events.length = length;
  }

  #endUnit(thread: number, state: ThreadState, event: number): void {
    const { codes, events, period, label, begin } = state;
    state.label = NO_LABEL;
    if (codes.length === 0) return;
    const { units } = this;
    if (codes.length > 1) this.#trim(state);
    state.trimmedAt = SHORT;
    units.add(thread, period, label, begin, codes.items, events.items, codes.length);
    codes.length = 0;
    events.length = 0;
    if (units.footprint > this.#limit) this.stoppedAt ??= event;
  }

  /** The state of a thread that acts; null when nothing more is recorded. */
  #acting(thread: number, operand: number, event: number): ThreadState | null {
    if (this.stoppedAt !== null) return null;
    if (operand > LARGEST_OPERAND) throw new RangeError(`more than ${LARGEST_OPERAND} names of one kind`);
    this.periods.enter(thread, event);
    let state = this.#threads[thread];
    if (state === undefined) {
      while (this.#threads.length <= thread) this.#threads.push(undefined);
      state = new ThreadState();
      this.#threads[thread] = state;
    }
    return state;
  }
}
