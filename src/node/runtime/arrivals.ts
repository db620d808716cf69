import type { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import type { ChannelRecord } from '../core/channel-record.ts';
import type { Task } from '../core/task.ts';

/** Something from another isolate: a message, or that a worker has ended. */
export interface Arrival {
  readonly op: typeof Op.receive | typeof Op.join;
  readonly subject: ChannelRecord | Task;
  /** Whether it is news to this activation; to all, without. */
  readonly hears?: (activation: Activation) => boolean;
}

/** The program may replace its own ones, and the runtime does. */
const { queueMicrotask } = globalThis;
const { nextTick } = process;

/**
 * What has arrived in this turn of the event loop. A turn begins with an empty queue of microtasks, so all that goes on in
 * it goes on because of what arrived: `await once(worker, 'exit')` joins the worker, by whatever promises that was
 * brought about.
 */
export class Arrivals {
  #arrived: Arrival[] = [];
  #rounds = 0;
  /** How many of them each task knows of. */
  readonly #heard = new Map<Task, number>();

  get isEmpty(): boolean {
    return this.#arrived.length === 0;
  }

  /** `rounds`: how many ticks one after the other may be due to it. */
  add(arrival: Arrival, rounds = 1): void {
    this.#arrived.push(arrival);
    this.#rounds = Math.max(this.#rounds, rounds);
    if (this.#arrived.length === 1) this.#forgetLater();
  }

  /** Microtasks come before the tick that one of them asks for, and the end of the turn after all of these. */
  #forgetLater(): void {
    queueMicrotask(() =>
      nextTick(() => {
        if (--this.#rounds > 0) this.#forgetLater();
        else {
          this.#arrived = [];
          this.#heard.clear();
        }
      }),
    );
  }

  /** Those that are news to the task. */
  newsFor(task: Task): readonly Arrival[] {
    const heard = this.#heard.get(task) ?? 0;
    this.#heard.set(task, this.#arrived.length);
    return heard === 0 ? this.#arrived : this.#arrived.slice(heard);
  }
}
