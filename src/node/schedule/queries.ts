import { AsyncResource } from 'node:async_hooks';
import type { Activation } from '../core/activation.ts';
import { callerPlace } from '../runtime/caller-place.ts';
import type { AskedOfStore, StoreSchedule } from '../runtime/scheduling.ts';
import { Gate } from './gate.ts';
import type { Point } from './point.ts';
import type { SchedulingPoints } from './points.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Milliseconds: a driver may have to ask something else first, of which it says nothing. */
const PATIENCE = 100;

/** Answers of one connection are given to the program in the order in which they were asked for. */
class Line {
  readonly #queue: Query[] = [];

  add(query: Query): void {
    this.#queue.push(query);
  }

  isFirst(query: Query): boolean {
    return this.#queue[0] === query;
  }

  /** What should have been answered before this one, and was not, is not going to be: it keeps nobody waiting. */
  skipTo(query: Query): void {
    // It was skipped itself, as it was sent later than it was asked for.
    if (!this.#queue.includes(query)) this.#queue.push(query);
    for (let i = this.#queue.indexOf(query) - 1; i >= 0; i--)
      if (!this.#queue[i].isAnswered) this.#queue.splice(i, 1);
  }

  over(query: Query): void {
    const at = this.#queue.indexOf(query);
    if (at >= 0) this.#queue.splice(at, 1);
    this.#queue[0]?.proceed();
  }
}

/** Something that a store was asked for. */
class Query implements AskedOfStore {
  readonly #queries: ScheduledQueries;
  readonly #line: Line;
  /** The milliseconds from its answer to when the program is to have it. */
  readonly #after: number;
  readonly #mayWait: boolean;
  readonly #point: Point | null;
  #done: () => void = () => {};
  #hand: (() => void) | null = null;
  isAnswered = false;

  constructor(queries: ScheduledQueries, line: Line, after: number, mayWait: boolean, point: Point | null) {
    this.#queries = queries;
    this.#line = line;
    this.#after = after;
    this.#mayWait = mayWait;
    this.#point = point;
    line.add(this);
  }

  send(start: () => unknown): unknown {
    // What may have to wait for others must not keep them from being sent.
    if (this.#mayWait) return start();
    return this.#queries.gate.begin((done) => {
      this.#done = done;
      if (this.isAnswered) done();
      return start();
    });
  }

  sent(): void {
    if (!this.#mayWait && !this.isAnswered) this.#done = this.#queries.gate.enter();
  }

  answered(hand: () => void): void {
    if (this.isAnswered) {
      hand();
      return;
    }
    this.isAnswered = true;
    this.#done();
    this.#line.skipTo(this);
    const context = new AsyncResource('Answer');
    this.#hand = () => context.runInAsyncScope(hand);
    this.proceed();
  }

  /** Hands the answer over in its turn, when those before it are. */
  proceed(): void {
    const { clock, points } = this.#queries;
    const hand = this.#hand;
    if (hand === null || !this.#line.isFirst(this)) return;
    this.#hand = null;
    const entry = clock.add(this.#after, () => {
      points.handedOver();
      try {
        hand();
      } finally {
        this.#line.over(this);
      }
    });
    entry.point = this.#point;
    clock.comeLater(entry);
  }
}

/**
 * Lets queries be sent one after the other, and hands their answers to the program in the order of the clock, as answers of
 * files: so whoever asked can be held back with what it has read, wherever it waits for that.
 */
export class ScheduledQueries implements StoreSchedule {
  readonly gate: Gate = new Gate(PATIENCE);
  readonly clock: VirtualClock;
  readonly points: SchedulingPoints;
  readonly #time: (activation: Activation | null) => number;
  readonly #lines = new WeakMap<object, Line>();
  #isDriver: ((file: string) => boolean) | null = null;

  constructor(
    clock: VirtualClock,
    points: SchedulingPoints,
    time: (activation: Activation | null) => number,
  ) {
    this.clock = clock;
    this.points = points;
    this.#time = time;
    // What is noted of a query when its answer comes must not depend on how long that takes.
    clock.isHeldUp = () => this.gate.isBusy;
    this.gate.onIdle = () => clock.goOn();
  }

  follow(isDriver: (file: string) => boolean): void {
    const known = new Map<string, boolean>();
    this.#isDriver = (file) => {
      let is = known.get(file);
      if (is === undefined) {
        is = isDriver(file);
        known.set(file, is);
      }
      return is;
    };
  }

  /** Whether code of a driver is running, as far as stacks tell. */
  isCalledByDriver(): boolean {
    if (this.#isDriver === null) return false;
    const caller = callerPlace(() => true, true);
    return caller !== null && this.#isDriver(caller.path);
  }

  asks(activation: Activation | null, site: number, connection: object, mayWait: boolean): AskedOfStore {
    const line = this.#lines.get(connection) ?? new Line();
    this.#lines.set(connection, line);
    const point = activation === null ? null : this.points.asking(activation, site);
    return new Query(this, line, this.#time(activation), mayWait, point);
  }
}
