import type { ScheduleOptions } from '../../trace/schedule-options.ts';
import type { Activation } from '../core/activation.ts';
import type { SharedMemory } from '../runtime/shared-memory/shared-memory.ts';
import type { Change } from '../runtime/shared-memory/units.ts';
import { fraction, mix } from './hashing.ts';

/** The program's own are replaced. */
const { wait } = Atomics;

/** Nobody ever wakes whoever sleeps here. */
const bed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Milliseconds of all pauses of a thread: those who wait for a word in a loop would pause for ever. */
const MOST_PAUSED = 2000;

/** By chance: before how many accesses, and for how many milliseconds at most. */
const SHARE = 0.1;
const LONGEST = 4;

/** With priorities: before how many accesses the threads with low ones pause, and for how long. */
const LOW_SHARE = 0.3;
const LOW_PAUSE = 3;
/** Priorities change so many times, early rather than late. */
const CHANGES = 2;
const LAST_CHANGE = 1000;

/** Milliseconds to wait for a rival, and for what it does next. */
const PATIENCE = 100;
const FOLLOW_UP = 3;
/** So often in vain at one step of a block, and then less and less often; and so often at all. */
const IN_VAIN = 3;
const ENOUGH = 10;

/** What a block has touched so far, by stripes. */
interface Touched {
  readonly stripes: Set<number>;
  steps: number;
}

/** What is known of one step of a block. */
interface Step {
  inVain: number;
  pauses: number;
  passed: number;
}

/** Holds threads back before accesses to the memory that they share. */
export class AccessPauses {
  readonly #memory: SharedMemory;
  readonly #kind: ScheduleOptions['kind'];
  readonly #seed: number;
  readonly #touched = new WeakMap<Activation | Change, Touched>();
  readonly #steps = new Map<number, Step>();
  readonly #changes = new Set<number>();
  #accesses = 0;
  #paused = 0;
  #priority: number;

  /** `seed` is one for this thread. */
  constructor(memory: SharedMemory, kind: ScheduleOptions['kind'], seed: number) {
    this.#memory = memory;
    this.#kind = kind;
    this.#seed = seed;
    this.#priority = fraction(mix(seed, 10));
    for (let i = 0; i < CHANGES; i++)
      this.#changes.add(Math.floor(LAST_CHANGE ** fraction(mix(mix(seed, 11), i))));
  }

  before(activation: Activation, stripe: number): void {
    const { isolate } = this.#memory.recorder.tasks;
    if (isolate === null || this.#paused >= MOST_PAUSED) return;
    if (this.#kind === 'provoke') this.#provoke(activation, stripe, isolate.index);
    else this.#byChance(mix(this.#seed, ++this.#accesses));
  }

  #byChance(choice: number): void {
    if (this.#changes.has(this.#accesses)) this.#priority = fraction(mix(choice, 1));
    if (this.#kind === 'random') {
      if (fraction(choice) < SHARE) this.#pause(LONGEST * fraction(mix(choice, 2)));
    } else if (this.#priority < 0.5 && fraction(choice) < LOW_SHARE) this.#pause(LOW_PAUSE);
  }

  /**
   * In the middle of a block, before it goes on: until another thread has come to what the block has
   * touched.
   */
  #provoke(activation: Activation, stripe: number, isolate: number): void {
    const { units } = this.#memory;
    // `a[i]++` outside of all blocks is one by itself.
    const change = units.outermost(activation) === null ? units.changing : null;
    const block = change?.block ?? units.outermost(activation);
    if (block === null) return;
    let touched = this.#touched.get(change ?? block);
    if (touched === undefined) {
      touched = { stripes: new Set(), steps: 0 };
      this.#touched.set(change ?? block, touched);
    }
    const step = this.#step(mix(block.site, touched.steps++));
    const isHeld = activation.task.locks?.some((lock) => lock.holder === activation.task) === true;
    if (touched.stripes.size > 0 && !isHeld && step.pauses < ENOUGH && isWorthATry(step)) {
      step.pauses++;
      if (!this.#awaitRival(touched.stripes, isolate)) step.inVain++;
    }
    touched.stripes.add(stripe);
  }

  /** Whether one came. */
  #awaitRival(stripes: ReadonlySet<number>, isolate: number): boolean {
    const { state } = this.#memory;
    for (let waited = 0; waited < PATIENCE && this.#paused < MOST_PAUSED; waited++) {
      for (const stripe of stripes)
        if (state.isForeign(stripe, isolate)) {
          // What it looked at it may be about to change.
          if (waited > 0) this.#pause(FOLLOW_UP);
          return true;
        }
      this.#pause(1);
    }
    return false;
  }

  #step(key: number): Step {
    let step = this.#steps.get(key);
    if (step === undefined) {
      step = { inVain: 0, pauses: 0, passed: 0 };
      this.#steps.set(key, step);
    }
    return step;
  }

  #pause(milliseconds: number): void {
    this.#paused += milliseconds;
    wait(bed, 0, 0, milliseconds);
  }
}

/** What was in vain so far may have come at a bad time: after a while it is tried again, twice as long after each time. */
function isWorthATry(step: Step): boolean {
  step.passed++;
  return step.inVain < IN_VAIN || step.passed >= 2 ** step.inVain;
}
