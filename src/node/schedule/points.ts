import type { Activation } from '../runtime/activation.ts';
import type { Places, Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';
import { ReadyContinuations } from './ready.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The value of a promise, so that nobody looks into it for a `then` once more. */
class Settled {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** What an `await` has given, of a promise that came from `SchedulingPoints`, or of any other. */
export function settledValue(value: unknown): unknown {
  return value instanceof Settled ? value.value : value;
}

/** Where tasks go on: gives an `await` something that is settled as the original is, but when the policy says so. */
export class SchedulingPoints {
  readonly #clock: VirtualClock;
  readonly #places: Places;
  readonly #policy: Policy;
  readonly #ready: ReadyContinuations;

  constructor(clock: VirtualClock, places: Places, policy: Policy) {
    this.#clock = clock;
    this.#places = places;
    this.#policy = policy;
    this.#ready = new ReadyContinuations(policy.gathered);
  }

  /** In place of `value`, for an `await` whose result is passed through `settledValue`. */
  awaited(activation: Activation, value: unknown, site: number): unknown {
    const point = this.#point(activation, site);
    return point === null ? value : this.#wait(point, value, true);
  }

  /** The same where nobody does that. */
  passed(activation: Activation, value: unknown, site: number): unknown {
    const point = this.#point(activation, site);
    return point === null ? value : this.#wait(point, value, false);
  }

  #point(activation: Activation, site: number): Point | null {
    this.#clock.noteTurn();
    const choice = this.#places.choice(activation);
    const point: Point = { activation, site, turn: this.#clock.turn, choice };
    return this.#policy.mayMove(point) ? point : null;
  }

  // An async function, so that stacks still lead through it to whoever waits.
  async #wait(point: Point, value: unknown, isWrapped: boolean): Promise<unknown> {
    let result: unknown;
    try {
      result = await value;
    } finally {
      if (point.turn !== this.#clock.turn) {
        const hold = this.#policy.hold(point);
        if (hold !== null) await this.#hold(hold);
      }
      const rank = this.#policy.rank(point);
      if (rank !== null) await this.#ready.wait(rank);
    }
    return isWrapped ? new Settled(result) : result;
  }

  #hold(hold: Hold): Promise<void> {
    return new Promise((resolve) => {
      const begun = this.#clock.now;
      const entry = this.#clock.hold(hold.after, () => {
        hold.over?.(this.#clock.now - begun);
        resolve();
      });
      hold.begun?.(() => this.#clock.endHold(entry));
    });
  }
}
