import type { Activation } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import { Given } from '../support/given.ts';
import type { Tasks } from './tasks.ts';

/**
 * A promise that `then` or `catch` has made, with callbacks of the program. Once its reaction is over, the callbacks that were not called never
 * will be: most that are given to `catch` are not. And if it is settled then, so is the work of the function that has returned it, whether or not
 * anybody waits for it: `app.get('/', (q, s, next) => Promise.resolve(f(q, s)).catch(next))`. Otherwise only the garbage collector would tell.
 */
export class Chain {
  /** Whose `then` it is. */
  #source: object | null;
  /** Those of its callbacks. */
  readonly tasks: Task[] = [];
  /** Whether it may wait for something else when its reaction is over: a callback has given a promise. */
  isOpen = false;
  /** The function that has returned it. */
  returnedBy: Activation | null = null;

  constructor(source: object) {
    this.#source = source;
  }

  /** Its promise is made; unless the callbacks are those of another `then`, among whose arguments this one was. */
  tie(source: unknown, promise: object): void {
    if (this.#source === source) new Tied(promise, this);
    this.#source = null;
    isAnyTied = true;
  }

  static of(promise: object): Chain | null {
    return isAnyTied ? Tied.find(promise) : null;
  }

  /** The reaction is over. */
  leave(tasks: Tasks): void {
    for (const task of this.tasks) tasks.giveUp(task);
    if (!this.isOpen && this.returnedBy !== null) tasks.abandon(this.returnedBy);
    this.returnedBy = null;
  }
}

/** Whether there is any: each promise is asked. */
let isAnyTied = false;

/** As in `stamp.ts`. */
class Tied extends Given {
  readonly #chain: Chain;

  constructor(promise: object, chain: Chain) {
    super(promise);
    this.#chain = chain;
  }

  static find(promise: object): Chain | null {
    return #chain in promise ? (promise as Tied).#chain : null;
  }
}
