import { fraction, mix } from './hashing.ts';
import type { Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';

/** The share of the points that are held, and for how many milliseconds at least and at most. */
const HELD = 0.3;
const SHORTEST = 0.5;
const LONGEST = 40;

/** The share of timers that are late. */
const LATE = 0.3;

/** Milliseconds of all holds together: a program is not to be slowed down without end. */
const MOST_HELD = 4000;

/** Every choice by the seed. */
export class RandomPolicy implements Policy {
  #held = 0;

  hold({ choice }: Point, most: number): Hold | null {
    if (fraction(mix(choice, 1)) >= HELD || this.#held >= MOST_HELD) return null;
    const after = Math.min(most, SHORTEST * (LONGEST / SHORTEST) ** fraction(mix(choice, 2)));
    this.#held += after;
    return { after };
  }

  lateness(choice: number, delay: number): number {
    if (fraction(mix(choice, 4)) >= LATE) return 0;
    return fraction(mix(choice, 5)) * Math.min(LONGEST, Math.max(2, delay / 2));
  }

  fileTime(choice: number): number {
    return 0.1 + 3 * fraction(mix(choice, 6));
  }

  begin(): void {
    this.#held = 0;
  }

  noteWait(): void {}

  noteBlocked(): void {}

  catchUp(): void {}
}
