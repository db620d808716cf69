import { type Activation, PROMISING } from '../runtime/activation.ts';
import { tasksBehind } from '../runtime/promises.ts';
import type { Places, Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';
import { ReadyContinuations } from './ready.ts';
import { Settled } from './settled.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Callback = (this: unknown, ...values: unknown[]) => unknown;

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
    this.#noteWait(activation, value);
    const point = this.#point(activation, site);
    return point === null ? value : this.#wait(point, value, true);
  }

  /** The same where nobody does that. */
  passed(activation: Activation, value: unknown, site: number): unknown {
    this.#noteWait(activation, value);
    const point = this.#point(activation, site);
    return point === null ? value : this.#wait(point, value, false);
  }

  #noteWait(activation: Activation, value: unknown): void {
    const tasks = tasksBehind(value);
    if (tasks !== null) this.#policy.noteWait(activation, tasks);
  }

  #point(activation: Activation, site: number): Point | null {
    this.#clock.noteTurn();
    const choice = this.#places.choice(activation);
    const point: Point = { activation, site, turn: this.#clock.turn, choice };
    return this.#policy.mayMove(point) ? point : null;
  }

  /** A callback of a promise, which may run later than it is called; what it returns is then a promise for its result. */
  reacting(activation: Activation, promise: unknown, run: Callback, site: number): Callback {
    this.#noteWait(activation, promise);
    const point = this.#point(activation, site);
    if (point === null) return run;
    const points = this;
    return function (this: unknown, ...values: unknown[]) {
      const call = () => Reflect.apply(run, this, values);
      const waiting = points.#waiting(point);
      return waiting === null ? call() : waiting.then(call);
    };
  }

  /** A callback of a timer, which may run later than it is called and whose result nobody wants. */
  starting(activation: Activation | null): (run: () => void) => void {
    const point = activation?.kind === PROMISING ? this.#point(activation, activation.site) : null;
    if (point === null) return (run) => run();
    return (run) => {
      const hold = this.#policy.hold(point);
      if (hold === null) run();
      else this.#hold(hold, run);
    };
  }

  // An async function, so that stacks still lead through it to whoever waits.
  async #wait(point: Point, value: unknown, isWrapped: boolean): Promise<unknown> {
    let result: unknown;
    try {
      result = await value;
    } finally {
      const waiting = this.#waiting(point);
      if (waiting !== null) await waiting;
    }
    return isWrapped ? new Settled(result) : result;
  }

  /** Null if it goes on at once. */
  #waiting(point: Point): Promise<void> | null {
    const hold = point.turn === this.#clock.turn ? null : this.#policy.hold(point);
    if (hold !== null)
      return new Promise<void>((resolve) => this.#hold(hold, resolve)).then(
        () => this.#inTurn(point) ?? undefined,
      );
    return this.#inTurn(point);
  }

  #inTurn(point: Point): Promise<void> | null {
    const rank = this.#policy.rank(point);
    return rank === null ? null : this.#ready.wait(rank);
  }

  #hold(hold: Hold, run: () => void): void {
    const begun = this.#clock.now;
    const entry = this.#clock.hold(hold.after, () => {
      hold.over?.(this.#clock.now - begun);
      run();
    });
    hold.begun?.(() => this.#clock.endHold(entry));
  }
}
