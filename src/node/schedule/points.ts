import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { type Activation, PROMISING } from '../core/activation.ts';
import type { Log } from '../core/log.ts';
import { handoverOf, waitOf } from '../runtime/handover.ts';
import { isOwnPromise } from '../runtime/own-promises.ts';
import { behindOf, promiseRecord, tasksBehind } from '../runtime/promises.ts';
import type { Recorder } from '../runtime/recorder.ts';
import { Settled } from '../runtime/settled.ts';
import type { Places, Point } from './point.ts';
import type { Hold, Policy } from './policy.ts';
import type { TimeLimits } from './time-limits.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Callback = (this: unknown, ...values: unknown[]) => unknown;

/** In milliseconds; a shorter one is not worth it. */
const SHORTEST_HOLD = 1;

/** What somebody else could have noticed. */
const EFFECTS: ReadonlySet<number> = new Set([Op.read, Op.write, Op.update, Op.acquire, Op.release]);

/**
 * Where tasks go on. What a timer or a file ends is held back with the timer or the file itself. What comes from elsewhere,
 * such as an answer from the network, cannot be: there, an `await` gets something in its place that is settled later.
 */
export class SchedulingPoints {
  /** How many executors of promises are running. */
  executors = 0;
  readonly #clock: VirtualClock;
  readonly #places: Places;
  readonly #policy: Policy;
  readonly #limits: TimeLimits;
  readonly #recorder: Recorder;
  readonly #log: Log;
  /** Points of which it is not known yet where they are waited for. */
  #unplaced: Point[] = [];
  /** Where in the log the turn of the event loop began, and up to where nobody has done anything in it. */
  #quietUntil = 0;
  #isQuiet = true;

  constructor(clock: VirtualClock, places: Places, policy: Policy, limits: TimeLimits, recorder: Recorder) {
    this.#clock = clock;
    this.#places = places;
    this.#policy = policy;
    this.#limits = limits;
    this.#recorder = recorder;
    this.#log = recorder.tasks.log;
    clock.onDue = (point) => this.#hold(point);
    clock.onNewTurn = () => {
      limits.noteTurn();
      this.#unplaced = [];
      this.#quietUntil = this.#log.next;
      this.#isQuiet = true;
    };
  }

  /** Something begins that the current activation is going to wait for. */
  beginning(): Point | null {
    const { current } = this.#recorder.tasks;
    if (current === null) return null;
    const point = this.#point(current, 0);
    this.#unplaced.push(point);
    return point;
  }

  /** The activation asks a store for something, here. */
  asking(activation: Activation, site: number): Point {
    const point = this.#point(activation, site);
    if (this.#recorder.tasks.current === activation) this.#unplaced.push(point);
    return point;
  }

  /** What somebody waits for has come in its turn, and was held back with it: there is no need to do so once more. */
  handedOver(): void {
    this.#isQuiet = false;
  }

  /** Like `beginning` for a timer, if it is part of a promise. Other timers are nobody's way to go on. */
  beginningTimer(): Point | null {
    const isAwaited = this.executors > 0 || this.#recorder.tasks.current?.kind === PROMISING;
    return isAwaited ? this.beginning() : null;
  }

  /** In place of `value`, for an `await` whose result is passed through `settledValue`. */
  awaited(activation: Activation, value: unknown, site: number, asked: unknown = value): unknown {
    this.#noteWait(activation, value, site);
    return this.#isForeign(activation, value)
      ? this.#wait(this.#point(activation, site), asked, true)
      : asked;
  }

  /** The same where nobody does that. */
  passed(activation: Activation, value: unknown, site: number): unknown {
    this.#noteWait(activation, value, site);
    return this.#isForeign(activation, value)
      ? this.#wait(this.#point(activation, site), value, false)
      : value;
  }

  #noteWait(activation: Activation, value: unknown, site: number): void {
    const wait = waitOf(activation);
    // What a timer ends is nobody's to end.
    if (wait !== null && wait.seen.length > 0 && this.#unplaced.length === 0)
      this.#policy.noteBlocked(
        activation,
        wait.seen.map(({ variable }) => variable),
      );
    for (const point of this.#unplaced) point.site = site;
    this.#unplaced = [];
    const tasks = tasksBehind(value);
    if (tasks !== null) this.#policy.noteWait(activation, tasks);
  }

  /**
   * Whether it is a promise that nothing of the program is known to settle. What the program settles itself stays where it
   * is: nobody can come between that and whoever goes on then.
   */
  #isForeign(activation: Activation, value: unknown): boolean {
    if (!types.isPromise(value) || activation.child !== null || activation.answered !== null) return false;
    const record = promiseRecord(value);
    return (
      (record === undefined || (behindOf(record) === null && handoverOf(record) === null)) &&
      !isOwnPromise(value)
    );
  }

  #point(activation: Activation, site: number): Point {
    this.#clock.noteTurn();
    const choice = this.#places.choice(activation);
    return { activation, site, turn: this.#clock.turn, choice };
  }

  /**
   * A callback of a promise, which may run later than it is called; what it returns is then a promise for
   * its result.
   */
  reacting(activation: Activation, promise: unknown, run: Callback, site: number): Callback {
    this.#noteWait(activation, promise, site);
    if (!this.#isForeign(activation, promise)) return run;
    const point = this.#point(activation, site);
    const points = this;
    return function (this: unknown, ...values: unknown[]) {
      const call = () => Reflect.apply(run, this, values);
      const hold = points.#holdOf(point);
      return hold === null ? call() : points.#held(hold).then(call);
    };
  }

  // An async function, so that stacks still lead through it to whoever waits.
  async #wait(point: Point, value: unknown, isWrapped: boolean): Promise<unknown> {
    let result: unknown;
    try {
      result = await value;
    } finally {
      const hold = this.#holdOf(point);
      if (hold !== null) await this.#held(hold);
    }
    return isWrapped ? new Settled(result) : result;
  }

  /** Null if it goes on at once: it has not waited over a turn, or somebody has done something in this one. */
  #holdOf(point: Point): Hold | null {
    return point.turn === this.#clock.turn || !this.#isTurnQuiet() ? null : this.#hold(point);
  }

  /** As the policy says, as far as the program's own limits allow it. */
  #hold(point: Point): Hold | null {
    const most = this.#limits.most();
    return most < SHORTEST_HOLD ? null : this.#policy.hold(point, most);
  }

  #isTurnQuiet(): boolean {
    this.#log.forEachFrom(this.#quietUntil, (chunk, i) => {
      if (EFFECTS.has(chunk.op[i])) this.#isQuiet = false;
    });
    this.#quietUntil = this.#log.next;
    return this.#isQuiet;
  }

  #held(hold: Hold): Promise<void> {
    return new Promise<void>((resolve) => this.#clock.hold(hold, resolve));
  }
}
