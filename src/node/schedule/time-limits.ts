import timers from 'node:timers';
import type { Patches } from '../support/patching.ts';
import type { Entry } from './entry.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Function_ = (...values: unknown[]) => unknown;

/** What the callbacks of timers do, or speak of, that end something which takes too long; and how they are called. */
const GIVES_UP = /\b(?:reject|abort|destroy|exit)\w*\(|(?<!set|clear)time[-_ ]?d?[-_ ]?out/i;
const GIVING_UP = /abort|time[-_ ]?d?[-_ ]?out/i;

/** A timer that winds itself up again ends nothing yet: it is the clock by which `fetch` measures its own, longer limits. */
const TICKS = /\brefresh\w*\(/i;

/** The callback of a timer is not read any further. */
const LONGEST_TEXT = 2000;

/** This share of a limit may be spent on holds; the rest is for what the program does. */
const SHARE = 0.4;

/** Something that a program does not wait for any longer than it has said. */
interface Limit {
  /** The time on the virtual clock up to which tasks may be held. */
  readonly until: number;
  readonly due: number;
  /** Null for a timer of Node's own. */
  readonly entry: Entry | null;
}

/**
 * The time limits that a program has set itself: they are not to run out because of holds. Timers that end something, by what
 * their callbacks say; those that are raced against something else; `AbortSignal.timeout`.
 */
export class TimeLimits {
  readonly #clock: VirtualClock;
  #limits: Limit[] = [];
  /** The timers that were set in this turn. */
  #recent: { entry: Entry; delay: number }[] = [];
  /** Whether the timer that is being set gives something up. */
  #givesUp = false;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** For how many milliseconds a task may be held now. */
  most(): number {
    const { now } = this.#clock;
    this.#limits = this.#limits.filter(({ entry, due }) => due > now && (entry === null || entry.place >= 0));
    return this.#limits.reduce((most, { until }) => Math.min(most, until - now), Number.POSITIVE_INFINITY);
  }

  noteTurn(): void {
    this.#recent = [];
  }

  /** A timer has been set. */
  noteTimer(entry: Entry, delay: number): void {
    if (this.#givesUp) this.#add(delay, entry);
    else this.#recent.push({ entry, delay });
  }

  #add(delay: number, entry: Entry | null): void {
    const now = this.#clock.time();
    const until = now + SHARE * delay;
    this.#limits.push({ until, due: now + delay, entry });
    this.#clock.shortenHolds(until);
  }

  /** Has to be the last one to patch timers, as it looks at the program's own callbacks. */
  patch(patches: Patches): void {
    const limits = this;
    for (const holder of [globalThis, timers])
      patches.replace(
        holder,
        'setTimeout',
        (original) =>
          function (this: unknown, ...values: unknown[]) {
            limits.#givesUp = givesUp(values[0]);
            try {
              return new.target === undefined
                ? Reflect.apply(original, this, values)
                : Reflect.construct(original, values, new.target);
            } finally {
              limits.#givesUp = false;
            }
          },
      );
    patches.replace(
      Promise,
      'race',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          for (const { entry, delay } of limits.#recent) limits.#add(delay, entry);
          limits.#recent = [];
          return Reflect.apply(original, this, values);
        },
    );
    patches.replace(
      AbortSignal,
      'timeout',
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const signal = Reflect.apply(original, this, values);
          limits.#add(Number(values[0]), null);
          return signal;
        },
    );
  }
}

const textOf = Function.prototype.toString;

function givesUp(callback: unknown): boolean {
  if (typeof callback !== 'function') return false;
  const text = (Reflect.apply(textOf, callback as Function_, []) as string).slice(0, LONGEST_TEXT);
  if (TICKS.test(text)) return false;
  return GIVES_UP.test(text) || GIVING_UP.test(String(callback.name));
}
