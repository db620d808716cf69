import type { Activation } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import { fraction, mix } from './hashing.ts';
import type { Places, Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';

/**
 * The number of orders that have to hold at once for a bug to show; one less changes of priority are made.
 */
const DEPTH = 3;

/**
 * No change comes later than this many steps. How many there are going to be, nobody knows; early ones are
 * likelier.
 */
const MOST_STEPS = 1000;

/**
 * Those in the lower half of priorities wait for others over turns, at most so many milliseconds each time.
 */
const LONGEST = 30;

/** Milliseconds of all holds together. */
const MOST_HELD = 4000;

/** What an operation on a file takes, in milliseconds. */
const FILE = 0.3;

/**
 * Priorities by chance, with few changes at chance steps (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). Who has a low one goes on when nobody else can.
 */
export class PctPolicy implements Policy {
  readonly #places: Places;
  readonly #changes = new Set<number>();
  /** Priorities of tasks that were changed: below all others. */
  readonly #changed = new WeakMap<Task, number>();
  #steps = 0;
  #lowest = 0;
  #held = 0;

  constructor(seed: number, places: Places) {
    this.#places = places;
    for (let i = 1; i < DEPTH; i++)
      this.#changes.add(Math.floor(MOST_STEPS ** fraction(mix(mix(seed, 7), i))));
  }

  hold({ activation }: Point, most: number): Hold | null {
    if (this.#changes.has(++this.#steps)) this.#changed.set(activation.task, --this.#lowest);
    const low = 0.5 - this.#priority(activation);
    if (low <= 0 || this.#held >= MOST_HELD) return null;
    const after = Math.min(most, 2 * LONGEST * Math.min(0.5, low));
    this.#held += after;
    return { after };
  }

  begin(): void {
    this.#steps = 0;
    this.#held = 0;
  }

  lateness(): number {
    return 0;
  }

  fileTime(): number {
    return FILE;
  }

  noteWait(): void {}

  noteBlocked(): void {}

  catchUp(): void {}

  /** From 0 to 1, or below after a change. */
  #priority({ task }: Activation): number {
    return this.#changed.get(task) ?? fraction(mix(this.#places.hash(task.root), 8));
  }
}
