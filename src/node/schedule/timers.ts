import { AsyncResource } from 'node:async_hooks';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { types } from 'node:util';
import { define, type Patches } from '../support/patching.ts';
import { inTurn } from './completion.ts';
import type { Entry } from './entry.ts';
import { nativeTimeout } from './native.ts';
import type { SchedulingPoints } from './points.ts';
import type { TimeLimits } from './time-limits.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Callback = (...values: unknown[]) => unknown;

/** Longer ones are up at once. */
const LONGEST = 2 ** 31 - 1;

/** What an immediate takes: enough for those who only wait for a timer by immediates to see it come. */
const IMMEDIATE = 0.01;

/** The milliseconds of a timer that nobody means to wait for. */
const AT_ONCE = 1;

/** By how much a timer is late, in milliseconds, that was set for so many. */
export type Lateness = (delay: number) => number;

/** Lets the program's timers run in the order of the clock. */
export class ScheduledTimers {
  readonly #clock: VirtualClock;
  readonly #lateness: Lateness;
  readonly #points: SchedulingPoints;
  readonly #limits: TimeLimits;
  /** Whether the driver of a store is about to set a timer. */
  readonly #isByDriver: () => boolean;
  readonly #entries = new WeakMap<object, { entry: Entry; delay: number }>();

  constructor(
    clock: VirtualClock,
    lateness: Lateness,
    points: SchedulingPoints,
    limits: TimeLimits,
    isByDriver: () => boolean,
  ) {
    this.#isByDriver = isByDriver;
    this.#clock = clock;
    this.#lateness = lateness;
    this.#points = points;
    this.#limits = limits;
  }

  patch(patches: Patches): void {
    for (const holder of [globalThis, timers]) {
      patches.replace(holder, 'setTimeout', (original) => this.#setting(original, false));
      patches.replace(holder, 'setInterval', (original) => this.#setting(original, true));
      patches.replace(holder, 'setImmediate', (original) => this.#immediate(original));
      for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'])
        patches.replace(holder, name, (original) => this.#clearing(original));
    }
    const timer = nativeTimeout(() => {}, 0);
    clearTimeout(timer);
    this.#patchClass(patches, Object.getPrototypeOf(timer));
    this.#patchPromises(patches);
  }

  #setting(original: Callback, repeats: boolean): Callback {
    const scheduled = this;
    return function (this: unknown, ...values: unknown[]) {
      const call = () =>
        new.target === undefined
          ? Reflect.apply(original, this, values)
          : Reflect.construct(original, values, new.target);
      const callback = values[0];
      if (typeof callback !== 'function') return call();
      const delay = duration(values[1]);
      // Drivers send and connect so. The clock waits for what they send, and would do so in vain.
      if (delay <= AT_ONCE && scheduled.#isByDriver()) return call();
      const { entry, come } = scheduled.#entry(delay + scheduled.#lateness(delay), callback as Callback);
      if (!repeats) {
        entry.point = scheduled.#points.beginningTimer();
        scheduled.#limits.noteTimer(entry, delay);
      }
      values[0] = come(repeats ? () => scheduled.#clock.again(entry, delay) : () => {});
      return scheduled.#made(call() as object, entry, delay);
    };
  }

  #immediate(original: Callback): Callback {
    const scheduled = this;
    return function (this: unknown, ...values: unknown[]) {
      const callback = values[0];
      if (typeof callback !== 'function' || scheduled.#isByDriver())
        return Reflect.apply(original, this, values);
      const { entry, come } = scheduled.#entry(IMMEDIATE, callback as Callback);
      values[0] = come(() => {});
      return scheduled.#made(Reflect.apply(original, this, values) as object, entry, IMMEDIATE);
    };
  }

  #entry(after: number, callback: Callback): { entry: Entry; come: (first: () => void) => Callback } {
    const clock = this.#clock;
    const entry = clock.add(after, () => {});
    const context = new AsyncResource('Timer');
    const come = (first: () => void) =>
      function (this: unknown, ...values: unknown[]) {
        entry.run = () => {
          first();
          context.runInAsyncScope(callback, this, ...values);
        };
        clock.come(entry);
      };
    return { entry, come };
  }

  #made(timer: object, entry: Entry, delay: number): object {
    entry.timer = timer as NonNullable<Entry['timer']>;
    this.#entries.set(timer, { entry, delay });
    return timer;
  }

  #clearing(original: Callback): Callback {
    const scheduled = this;
    return function (this: unknown, ...values: unknown[]) {
      const result = Reflect.apply(original, this, values);
      scheduled.#cancel(values[0]);
      return result;
    };
  }

  /** By the timer or its number. */
  #cancel(cleared: unknown): void {
    const clock = this.#clock;
    if (typeof cleared === 'object' && cleared !== null) {
      const known = this.#entries.get(cleared);
      if (known !== undefined) clock.cancel(known.entry);
    } else if (typeof cleared === 'number' || typeof cleared === 'string') {
      for (const entry of clock.entries)
        if (entry.hasCome && entry.timer !== null && Number(entry.timer) === Number(cleared)) {
          clock.cancel(entry);
          return;
        }
    }
  }

  #patchClass(patches: Patches, prototype: object): void {
    const scheduled = this;
    patches.replace(
      prototype,
      'refresh',
      (original) =>
        function (this: object) {
          const known = scheduled.#entries.get(this);
          if (known !== undefined) scheduled.#clock.again(known.entry, known.delay);
          return Reflect.apply(original, this, []);
        },
    );
    const dispose = Object.getOwnPropertySymbols(prototype).filter((key) => /dispose/i.test(String(key)));
    for (const key of ['close', ...dispose])
      patches.replace(
        prototype,
        key,
        (original) =>
          function (this: object) {
            const result = Reflect.apply(original, this, []);
            scheduled.#cancel(this);
            return result;
          },
      );
  }

  #patchPromises(patches: Patches): void {
    const clock = this.#clock;
    const points = this.#points;
    const limits = this.#limits;
    /** Immediates run in the order in which they were set, which Node promises: those are never held. */
    const settled = (
      original: Callback,
      durationOf: (delay: unknown) => number,
      isImmediate = false,
    ): Callback =>
      function (this: unknown, ...values: unknown[]) {
        const after = durationOf(values[0]);
        const result = Reflect.apply(original, this, values);
        if (!types.isPromise(result)) return result;
        return inTurn(clock, result as Promise<unknown>, after, {
          isFile: false,
          point: isImmediate ? null : points.beginning(),
          made: (entry) => limits.noteTimer(entry, after),
        });
      };
    const late = (delay: unknown) => duration(delay) + this.#lateness(duration(delay));
    patches.replace(timersPromises, 'setTimeout', (original) => settled(original, late));
    patches.replace(timersPromises, 'setImmediate', (original) => settled(original, () => IMMEDIATE, true));
    const scheduler = Object.getPrototypeOf(timersPromises.scheduler) as object;
    patches.replace(scheduler, 'wait', (original) => settled(original, late));
    patches.replace(scheduler, 'yield', (original) => settled(original, () => IMMEDIATE, true));
    patches.replace(
      timersPromises,
      'setInterval',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const iterator = Reflect.apply(original, this, values) as { next: Callback };
          const delay = duration(values[0]);
          let due = clock.time() + delay;
          const next = settled(iterator.next, () => {
            const after = Math.max(0, due - clock.time());
            due += delay;
            return after;
          });
          define(iterator, 'next', { value: next, configurable: true, writable: true });
          return iterator;
        },
    );
  }
}

/** In milliseconds, as timers take it. */
function duration(delay: unknown): number {
  const number = Number(delay);
  return number >= 1 && number <= LONGEST ? Math.trunc(number) : 1;
}
