import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import type { BlockFact, EventHandlers } from '../analysis.ts';
import { Contexts } from './contexts.ts';
import { DistinctAccesses } from './distinct-accesses.ts';

/* What a step of a unit is; the rest of its code is the number of the access, lock operation, thread, barrier
 * or channel. */
export const ACCESS = 0;
export const LOCK = 1;
export const FORK = 2;
export const JOIN = 3;
export const ARRIVE = 4;
export const LEAVE = 5;
export const SEND = 6;
export const RECEIVE = 7;
const TAG_BITS = 3;

export function tagOf(step: number): number {
  return step & ((1 << TAG_BITS) - 1);
}

export function numberIn(step: number): number {
  return step >> TAG_BITS;
}

/**
 * So many like accesses are kept between two lock operations of a unit. Wang and Stoller (§7.2) keep the first two;
 * here the latest is kept as well, because commuting updates make it matter which change was the last.
 */
const MOST_ALIKE = 3;

/** So many bytes are kept of a trace at most, as far as they are counted. */
export const USUAL_RECORD = 800_000_000;

/* What is kept of each, in bytes, with its places in tables. */
const BYTES_OF_STEP = 20;
const BYTES_OF_ACCESS = 64;
const BYTES_OF_LOCKSET = 40;
const BYTES_OF_UNIT = 20;

/** The steps of one unit, in their order. */
export class Steps {
  length = 0;
  codes = new Int32Array(64);
  events = new Float64Array(64);

  reserve(length: number): void {
    this.codes = grownInt32(this.codes, length);
    this.events = grownFloat64(this.events, length);
    this.length = length;
  }
}

/**
 * Writes down what each unit does, for analyses that look at all units when the trace is over. A unit is an
 * outermost block. What happens outside blocks is known by its distinct accesses only.
 */
export class UnitRecorder implements EventHandlers {
  readonly contexts = new Contexts();
  readonly accesses = new DistinctAccesses();
  readonly lockOperations = new DistinctAccesses();
  /** The last event that was recorded if there were too many, else null. */
  stoppedAt: number | null = null;
  readonly #limit: number;

  /* Per thread. */
  #openBlocks = new Int32Array(16);
  /** The label and the begin of the outermost open block. */
  #openLabel = new Int32Array(16);
  #openBegin = new Float64Array(16);
  /** The open unit plus one; 0 if there is none or it has no step yet. */
  #unitOf = new Int32Array(16);
  /** A number that no other thread has, and that changes where accesses must not be taken for alike. */
  #stretchOf = new Int32Array(16);
  #stretches = 0;
  /* Per access. */
  #lastStretch = new Int32Array(256);
  #alike = new Uint8Array(256);
  /** The step of the latest, where there are as many as are kept. */
  #latestStep = new Int32Array(256);
  #outside = new Float64Array(256);
  /* Per lock. */
  #acquiredAt = new Float64Array(16);
  #spans = new Uint8Array(16);
  /* Per unit. */
  #units = 0;
  #thread = new Int32Array(64);
  #label = new Int32Array(64);
  #begin = new Float64Array(64);
  #lastStep = new Int32Array(64);
  /* Per step. */
  #steps = 0;
  #code = new Int32Array(256);
  #event = new Float64Array(256);
  /** The steps before and after it in its unit plus one; 0 if there is none. */
  #previous = new Int32Array(256);
  #next = new Int32Array(256);

  /** Beyond `limit` bytes nothing more is recorded. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  read(thread: number, variable: number, event: number): void {
    this.#access(Op.read, thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#access(Op.write, thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#access(Op.update, thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    if (this.stoppedAt !== null) return;
    const operation = this.lockOperations.numberOf(lock, Op.acquire, this.contexts.of(thread, event), event);
    this.contexts.acquire(thread, lock, event);
    this.#acquiredAt = grownFloat64(this.#acquiredAt, lock + 1);
    this.#acquiredAt[lock] = event;
    this.#weigh(event);
    this.#add(thread, LOCK, operation, event);
    this.#newStretch(thread);
  }

  release(thread: number, lock: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.release(thread, lock);
    const operation = this.lockOperations.numberOf(lock, Op.release, this.contexts.of(thread, event), event);
    this.#weigh(event);
    if (!this.#isInUnit(thread) || this.#acquiredAt[lock] < this.#openBegin[thread]) this.#setSpanning(lock);
    this.#add(thread, LOCK, operation, event);
    this.#newStretch(thread);
  }

  fork(thread: number, child: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.fork(thread, child, event);
    this.#add(thread, FORK, child, event);
    this.#newStretch(thread);
  }

  join(thread: number, child: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.join(thread, child, event);
    this.#add(thread, JOIN, child, event);
    this.#newStretch(thread);
  }

  arrive(thread: number, barrier: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.arrive(thread, barrier, event);
    this.#add(thread, ARRIVE, barrier, event);
    this.#newStretch(thread);
  }

  leave(thread: number, barrier: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.leave(thread, barrier);
    this.#add(thread, LEAVE, barrier, event);
    this.#newStretch(thread);
  }

  send(thread: number, channel: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.send(thread, channel, event);
    this.#add(thread, SEND, channel, event);
    this.#newStretch(thread);
  }

  receive(thread: number, channel: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.receive(thread, channel);
    this.#add(thread, RECEIVE, channel, event);
    this.#newStretch(thread);
  }

  begin(thread: number, label: number, event: number): void {
    if (this.stoppedAt !== null) return;
    this.contexts.periods.act(thread);
    if (thread >= this.#openBlocks.length) this.#reserveThread(thread);
    if (this.#openBlocks[thread]++ > 0) return;
    this.#openLabel[thread] = label;
    this.#openBegin[thread] = event;
    this.#newStretch(thread);
  }

  end(thread: number): void {
    if (this.stoppedAt !== null) return;
    if (--this.#openBlocks[thread] === 0) this.#unitOf[thread] = 0;
  }

  /** What is to be said about what could not be kept. */
  notes(): string[] {
    if (this.stoppedAt === null) return [];
    return [
      `there was more than could be kept: nothing after event ${this.stoppedAt} was looked at; a trace with fewer or shorter blocks (--only) may fit`,
    ];
  }

  /** How many units have a step. */
  get units(): number {
    return this.#units;
  }

  get steps(): number {
    return this.#steps;
  }

  threadOf(unit: number): number {
    return this.#thread[unit];
  }

  blockOf(unit: number): BlockFact {
    return { label: this.#label[unit], begin: this.#begin[unit], depth: 0 };
  }

  labelOf(unit: number): number {
    return this.#label[unit];
  }

  stepsOf(unit: number, into: Steps): void {
    let length = 0;
    for (let step = this.#lastStep[unit]; step > 0; step = this.#previous[step - 1]) length++;
    into.reserve(length);
    for (let step = this.#lastStep[unit]; step > 0; step = this.#previous[step - 1]) {
      into.codes[--length] = this.#code[step - 1];
      into.events[length] = this.#event[step - 1];
    }
  }

  /** The first event that is such an access and is outside every block; 0 if there is none. */
  eventOutside(access: number): number {
    return access < this.#outside.length ? this.#outside[access] : 0;
  }

  /** Whether a thread that acquired and released the lock was not in one block all the time. */
  spansUnits(lock: number): boolean {
    return lock < this.#spans.length && this.#spans[lock] === 1;
  }

  #access(kind: number, thread: number, variable: number, event: number): void {
    if (this.stoppedAt !== null) return;
    const access = this.accesses.numberOf(variable, kind, this.contexts.of(thread, event), event);
    if (access >= this.#lastStretch.length) {
      this.#reserveAccess(access);
      this.#weigh(event);
    }
    if (!this.#isInUnit(thread)) {
      if (this.#outside[access] === 0) this.#outside[access] = event;
      return;
    }
    const stretch = this.#stretchOf[thread];
    if (this.#lastStretch[access] !== stretch) {
      this.#lastStretch[access] = stretch;
      this.#alike[access] = 0;
    }
    if (this.#alike[access] === MOST_ALIKE) {
      this.#moveToEnd(this.#latestStep[access], this.#unitOf[thread] - 1, event);
      return;
    }
    this.#alike[access]++;
    this.#latestStep[access] = this.#steps;
    this.#add(thread, ACCESS, access, event);
  }

  #moveToEnd(step: number, unit: number, event: number): void {
    this.#event[step] = event;
    const last = this.#lastStep[unit] - 1;
    if (last === step) return;
    const previous = this.#previous[step];
    const next = this.#next[step];
    if (previous > 0) this.#next[previous - 1] = next;
    this.#previous[next - 1] = previous;
    this.#append(step, unit);
  }

  #add(thread: number, tag: number, number: number, event: number): void {
    if (!this.#isInUnit(thread)) return;
    const unit = this.#unitOf[thread] > 0 ? this.#unitOf[thread] - 1 : this.#createUnit(thread);
    const step = this.#steps++;
    if (step >= this.#code.length) {
      this.#code = grownInt32(this.#code, step + 1);
      this.#event = grownFloat64(this.#event, step + 1);
      this.#previous = grownInt32(this.#previous, step + 1);
      this.#next = grownInt32(this.#next, step + 1);
    }
    this.#code[step] = (number << TAG_BITS) | tag;
    this.#event[step] = event;
    this.#append(step, unit);
    if ((step & 1023) === 0) this.#weigh(event);
  }

  #append(step: number, unit: number): void {
    const last = this.#lastStep[unit];
    this.#previous[step] = last;
    this.#next[step] = 0;
    if (last > 0) this.#next[last - 1] = step + 1;
    this.#lastStep[unit] = step + 1;
  }

  #createUnit(thread: number): number {
    const unit = this.#units++;
    this.#thread = grownInt32(this.#thread, unit + 1);
    this.#label = grownInt32(this.#label, unit + 1);
    this.#begin = grownFloat64(this.#begin, unit + 1);
    this.#lastStep = grownInt32(this.#lastStep, unit + 1);
    this.#thread[unit] = thread;
    this.#label[unit] = this.#openLabel[thread];
    this.#begin[unit] = this.#openBegin[thread];
    this.#unitOf[thread] = unit + 1;
    return unit;
  }

  #isInUnit(thread: number): boolean {
    return thread < this.#openBlocks.length && this.#openBlocks[thread] > 0;
  }

  /** Stops where there is too much, which is looked at whenever something new came. */
  #weigh(event: number): void {
    const bytes =
      this.#steps * BYTES_OF_STEP +
      (this.accesses.count + this.lockOperations.count) * BYTES_OF_ACCESS +
      this.contexts.locksets.count * BYTES_OF_LOCKSET +
      this.#units * BYTES_OF_UNIT;
    if (bytes > this.#limit) this.stoppedAt = event;
  }

  #newStretch(thread: number): void {
    if (this.#isInUnit(thread)) this.#stretchOf[thread] = ++this.#stretches;
  }

  #setSpanning(lock: number): void {
    this.#spans = grownUint8(this.#spans, lock + 1);
    this.#spans[lock] = 1;
  }

  #reserveThread(thread: number): void {
    this.#openBlocks = grownInt32(this.#openBlocks, thread + 1);
    this.#openLabel = grownInt32(this.#openLabel, thread + 1);
    this.#openBegin = grownFloat64(this.#openBegin, thread + 1);
    this.#unitOf = grownInt32(this.#unitOf, thread + 1);
    this.#stretchOf = grownInt32(this.#stretchOf, thread + 1);
  }

  #reserveAccess(access: number): void {
    this.#lastStretch = grownInt32(this.#lastStretch, access + 1);
    this.#alike = grownUint8(this.#alike, access + 1);
    this.#latestStep = grownInt32(this.#latestStep, access + 1);
    this.#outside = grownFloat64(this.#outside, access + 1);
  }
}
