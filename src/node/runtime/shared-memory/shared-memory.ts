import { EventFlag } from '../../../trace/facts.ts';
import { Op } from '../../../trace/operation.ts';
import type { Activation } from '../../core/activation.ts';
import { holdLock } from '../../core/lock-record.ts';
import { RUNNING } from '../../core/task.ts';
import type { VariableRecord } from '../../core/variable.ts';
import type { Recorder } from '../recorder.ts';
import type { Sites } from '../sites.ts';
import {
  ACQUIRE,
  changes,
  isOfLock,
  isVolatile,
  type Kinds,
  operations,
  RELEASE,
  UPDATE,
  VOLATILE_UPDATE,
} from './kinds.ts';
import { LockWords } from './lock-words.ts';
import { Looks } from './looks.ts';
import { SharedNames } from './names.ts';
import { SharedState } from './shared-state.ts';
import { Units } from './units.ts';
import { offsetIn, sizeIn, variableKey, variableOf } from './variables.ts';
import { indexOf, type Memory, type View, Views } from './views.ts';

/** Called before every access to shared memory, so that a schedule can hold it back. `stripe` is that of its place. */
export type BeforeAccess = (activation: Activation, stripe: number) => void;

const nothing = (): void => {};

const SIZES = [1, 2, 4, 8] as const;

/** An element of a typed array over shared memory. */
export interface Element {
  array: ArrayBufferView;
  view: View;
  index: number;
  /** Its place in the memory. */
  offset: number;
}

/** What came of an access, under the lock of its place. */
type Judge<T> = (value: T, stripe: number) => Kinds;

/** Records accesses to memory that isolates share: each in one step with the number that gives it its place in the order. */
export class SharedMemory {
  /** What is written is written only if it is still what it was. */
  isGuarded = false;
  /** Whether this isolate can have to do with shared memory. Until then everything is as if there were none. */
  isActive = false;
  beforeAccess: BeforeAccess | null = null;
  readonly recorder: Recorder;
  readonly units: Units;
  readonly views: Views;
  readonly lockWords: LockWords;
  readonly #isAlive = (isolate: number) => this.recorder.tasks.isolate?.region.isAlive(isolate) ?? true;
  readonly #looks = new Looks();
  readonly #listeners: (() => void)[] = [];
  #state: SharedState | null;

  readonly names: SharedNames;

  /** `state` is that of the other isolates; there is none yet in the first one. */
  constructor(recorder: Recorder, sites: Sites, state?: SharedArrayBuffer) {
    this.recorder = recorder;
    this.units = new Units(recorder);
    this.#state = state === undefined ? null : new SharedState(state);
    this.isActive = state !== undefined;
    this.views = new Views(recorder, () => this.state);
    this.names = new SharedNames(recorder, sites, () => this.state);
    this.lockWords = new LockWords(recorder, () => this.state, this.names);
  }

  get state(): SharedState {
    this.#state ??= new SharedState();
    return this.#state;
  }

  /** What every new isolate has to be given. */
  buffer(): SharedArrayBuffer {
    return this.state.buffer;
  }

  /** This isolate has come across shared memory, or may do so from now on. */
  activate(): void {
    if (this.isActive) return;
    this.isActive = true;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` as soon as the isolate is active. */
  whenActive(listener: () => void): void {
    if (this.isActive) listener();
    else this.#listeners.push(listener);
  }

  /** The element of a typed array at a key; null if there is none, or it is in ordinary memory. */
  elementAt(array: ArrayBufferView, key: unknown, site: number): Element | null {
    const view = this.views.find(array);
    if (view === null || view.size === 0) return null;
    this.activate();
    this.names.note(array, view, site);
    const index = indexOf(array, key);
    return index < 0 ? null : { array, view, index, offset: view.start + index * view.size };
  }

  /** Does an access to `size` bytes and logs it. `run` does it, and must run nothing of the program. */
  perform<T>(
    memory: Memory,
    offset: number,
    size: number,
    site: number,
    kinds: Kinds,
    run: () => T,
    judge?: Judge<T>,
  ): T {
    const { recorder } = this;
    const activation = recorder.tasks.acting();
    this.units.begin(activation, site, !isVolatile(kinds));
    const { isolate } = recorder.tasks;
    const { state } = this;
    const index = isolate?.index ?? 0;
    const stripe = state.stripeOf(memory.number, offset);
    if (this.beforeAccess !== null) this.beforeAccess(activation, stripe);
    const isLocked = isolate?.isExact === true;
    if (isLocked) state.lock(stripe, index, this.#isAlive);
    let value: T;
    try {
      // In the order of the log, so that nothing that is logged later has a lower number.
      const early = isLocked || isolate === null ? 0 : isolate.clock.take();
      value = run();
      let judged = judge === undefined ? kinds : judge(value, stripe);
      if (!isOfLock(judged)) judged = this.#inBlock(memory, offset, size, judged, activation);
      if (judged !== 0 && !this.#isRepeated(memory, offset, size, stripe, judged, activation)) {
        const sequence = isLocked ? isolate.clock.take() : early;
        this.#log(memory, offset, size, judged, activation, site, sequence);
      }
    } finally {
      if (isLocked) state.unlock(stripe);
    }
    isolate?.relieve();
    return value;
  }

  /** What a variable of shared memory is called. */
  nameOf({ parent, key }: VariableRecord): string {
    const memory = this.views.memoryBehind(parent);
    return memory === undefined
      ? ''
      : this.names.nameOf(memory, offsetIn(key as number), sizeIn(key as number));
  }

  /** Logs an access that happens right after this, where the two cannot be done in one step. */
  note(memory: Memory, offset: number, size: number, site: number, kinds: Kinds): void {
    this.perform(memory, offset, size, site, kinds, nothing);
  }

  /** What an access is, given what the block that it is in has seen before. */
  #inBlock(memory: Memory, offset: number, size: number, kinds: Kinds, activation: Activation): Kinds {
    const block = this.units.outermost(activation);
    if (block === null || kinds === 0) return kinds;
    return this.#looks.judge(variableOf(memory.record, offset, size, 0), block, kinds);
  }

  /** Whether nothing has happened there since this isolate did the same: to log it again would add no order. */
  #isRepeated(
    memory: Memory,
    offset: number,
    size: number,
    stripe: number,
    kinds: Kinds,
    activation: Activation,
  ): boolean {
    if (isOfLock(kinds)) return false;
    const { recorder, state } = this;
    const index = recorder.tasks.isolate?.index ?? 0;
    const isForeign = state.isForeign(stripe, index);
    const isLast = state.isLastAccess(stripe, index, memory.number, variableKey(offset, size));
    const variable = variableOf(memory.record, offset, size, 0);
    const isSameTask = variable.lastTask === activation.task;
    if (variable.epoch !== recorder.tasks.epoch) {
      variable.epoch = recorder.tasks.epoch;
      variable.kinds = 0;
    } else if (isLast && isSameTask && (variable.kinds & kinds) === kinds) return true;
    variable.kinds |= kinds;
    // It knows more from here on, so what it did before is worth an event again.
    if (isForeign || !isSameTask) variable.epoch = recorder.tasks.newEpoch();
    return false;
  }

  #log(
    memory: Memory,
    offset: number,
    size: number,
    kinds: Kinds,
    activation: Activation,
    site: number,
    sequence: number,
  ): void {
    const by = this.units.innermost(activation);
    const { log } = this.recorder.tasks;
    let number = sequence;
    if (isOfLock(kinds)) {
      const lock = this.lockWords.lockOf(memory, offset, size);
      if ((kinds & RELEASE) !== 0 && lock.holder !== null) {
        if (lock.holder.state === RUNNING) log.push(Op.release, lock.holder, by, lock, site, number);
        lock.holder = null;
        number = 0;
      }
      if ((kinds & ACQUIRE) !== 0) {
        holdLock(lock, activation.task);
        log.push(Op.acquire, activation.task, by, lock, site, number);
        number = 0;
      }
      this.recorder.tasks.newEpoch();
    }
    const accesses = kinds & ~(ACQUIRE | RELEASE);
    if (accesses !== 0) this.#logAccess(memory, offset, size, accesses, activation, site, number);
  }

  /**
   * Accesses that overlap have a variable in common, and neighbours have none. Where a memory is used with elements of several
   * sizes, an access also touches all that it covers of the smallest size. A change updates what is around it of larger sizes,
   * for those who were there before anybody used a smaller one: to change different parts of that commutes.
   */
  #logAccess(
    memory: Memory,
    offset: number,
    size: number,
    kinds: Kinds,
    activation: Activation,
    site: number,
    sequence: number,
  ): void {
    const { log } = this.recorder.tasks;
    const sizes = this.state.sizes(memory.number);
    const smallest = sizes & -sizes;
    // What happens at once must not be taken for several steps.
    const step = smallest < size && sizes !== 0 ? this.units.beginStep(activation, site) : null;
    const by = step ?? this.units.innermost(activation);
    let number = sequence;
    const push = (at: number, width: number, what: Kinds) => {
      const variable = variableOf(memory.record, at, width, site);
      for (const op of operations(what)) {
        variable.last = log.push(op, activation.task, by, variable, site, number);
        if (this.isGuarded && op === Op.volatileWrite) log.annotate(variable.last, EventFlag.guarded);
        number = 0;
      }
      variable.lastTask = activation.task;
    };
    push(offset, size, kinds);
    if (sizes === size || sizes === 0) return;
    if (smallest < size) for (let at = offset; at < offset + size; at += smallest) push(at, smallest, kinds);
    if (changes(kinds))
      for (const larger of SIZES)
        if (larger > size && (sizes & larger) !== 0)
          push(offset - (offset % larger), larger, isVolatile(kinds) ? VOLATILE_UPDATE : UPDATE);
    if (step !== null) this.units.endStep(step);
  }
}
