import { type Activation, ASYNC, CONTINUING, MARKED, PROMISING } from '../core/activation.ts';
import { isCalledBy, MOST_ANCESTORS } from '../core/ancestry.ts';
import { Decoration } from '../core/decoration.ts';
import { ENDED, type Task } from '../core/task.ts';
import type { Probes, SiteNumber } from '../probes.ts';
import { dressed } from '../support/patching.ts';
import { giveAway } from './calls-in-log.ts';
import { type Wait, waitInCallback, wakeInCallback } from './handover.ts';
import type { Recorder } from './recorder.ts';
import type { Sites } from './sites.ts';

type Callback = (...values: unknown[]) => unknown;

type ContinuationProbes = Pick<Probes, 'enterContinuing' | 'exitContinuing' | 'continuation' | 'calledBack'>;

/** What a function that goes on in callbacks is waiting for. */
interface Waiting {
  /** How many callbacks have not been called, and how many of the functions called in them are not over. */
  count: number;
  /** Whether it has called back whoever called it, and so is over as soon as it returns. */
  hasCalledBack: boolean;
  /** The function in whose callback it was called, which is not over before it is. */
  around: Activation | null;
}

/** A callback that is to be called. Knows nothing of the program, which would be kept as long as this is. */
export class Pending {
  readonly #block: Activation;
  readonly #less: (block: Activation) => void;
  #isCalled = false;

  constructor(block: Activation, less: (block: Activation) => void) {
    this.#block = block;
    this.#less = less;
  }

  get isOver(): boolean {
    return this.#isCalled || this.#block.isOver;
  }

  /** It has been called, or nobody can. */
  end(): void {
    if (!this.isOver) this.#less(this.#block);
    this.#isCalled = true;
  }
}

/** A callback that was given away. */
interface Given {
  callback: Callback;
  /** In which it runs. */
  task: Task;
  /** Who has given it away, and the block that it is part of. */
  by: Activation;
  block: Activation;
  wait: Wait;
}

const waiting = new Decoration<Activation, Waiting>('activation', () => ({
  count: 0,
  hasCalledBack: false,
  around: null,
}));

/**
 * Functions that go on in callbacks, without any promise. Such a call is a block from its begin until it has called back
 * whoever called it, or until the last of its callbacks is over; its callbacks run in tasks that it forks where it gives them
 * away. `isRepeatable`: nothing may depend on when garbage is collected.
 */
export function continuationProbes(
  recorder: Recorder,
  sites: Sites,
  isRepeatable: boolean,
): ContinuationProbes {
  /** Callbacks that nobody can call any more. */
  const abandoned = isRepeatable ? null : recorder.abandonedCallbacks;

  function settle(block: Activation): void {
    const { count, hasCalledBack } = waiting.in(block);
    if ((count === 0 || hasCalledBack) && block.hasReturned && !block.isOver) finish(block);
  }

  function finish(block: Activation): void {
    recorder.tasks.abandon(block);
    const { around } = waiting.in(block);
    if (around !== null) less(around);
  }

  function less(block: Activation): void {
    waiting.in(block).count--;
    settle(block);
  }

  /** Runs the callback for the block that has given it away. */
  function run(given: Given, self: unknown, values: unknown[]): unknown {
    const { callback, task, by, block, wait } = given;
    const { current } = recorder.tasks;
    // A callback of its own calls it.
    if (current !== null && isCalledBy(current, by)) return Reflect.apply(callback, self, values);
    if (current !== null) wakeInCallback(recorder.tasks, block, wait, current);
    const activation =
      task.state === ENDED || task.forkedAt < 0
        ? recorder.callbacks.enter('callback', by)
        : recorder.callbacks.start(task, by);
    try {
      return Reflect.apply(callback, self, values);
    } finally {
      if (current === null) recorder.callbacks.end(activation);
      else recorder.callbacks.goBack(activation, current);
    }
  }

  return {
    enterContinuing(site) {
      const around = recorder.tasks.current === null ? null : blockOf(recorder.tasks.current, site);
      // One round of a loop is over when the next one begins.
      if (around !== null && around.site === site && around.hasReturned) finish(around);
      return recorder.tasks.enter(CONTINUING, site, sites.isBlock(site));
    },
    exitContinuing(token) {
      const activation = token as Activation;
      const { count } = waiting.of(activation) ?? { count: 0 };
      if (count === 0 || !activation.isBlock) {
        recorder.tasks.exit(activation);
        return;
      }
      const around = activation.caller === null ? null : blockOf(activation.caller, -1);
      recorder.tasks.goOnLater(activation);
      if (around?.isBlock && !around.isOver) {
        waiting.in(activation).around = around;
        waiting.in(around).count++;
      }
      settle(activation);
    },
    continuation(callback, site) {
      const by = recorder.tasks.current;
      if (typeof callback !== 'function' || by === null) return callback;
      const block = blockOf(by, -1);
      if (block === null || !recorder.tasks.beBlock(block)) return callback;
      const state = waiting.in(block);
      state.count++;
      const pending = new Pending(block, less);
      const given: Given = {
        callback: callback as unknown as Callback,
        task: giveAway(recorder.tasks, site),
        by,
        block,
        wait: waitInCallback(recorder.tasks, block, by, site),
      };
      const wrapped = unnamed(function (this: unknown, ...values: unknown[]) {
        try {
          return block.isOver ? Reflect.apply(callback, this, values) : run(given, this, values);
        } finally {
          pending.end();
          // Whoever called it has run it, and from here on everybody does.
          if (block.isOver) recorder.tasks.giveUp(given.task);
        }
      });
      abandoned?.add(wrapped, pending);
      return dressed(wrapped, callback) as typeof callback;
    },
    calledBack(site: SiteNumber) {
      const block = recorder.tasks.current === null ? null : blockOf(recorder.tasks.current, site);
      if (block === null || block.site !== site) return;
      waiting.in(block).hasCalledBack = true;
      settle(block);
    },
  };
}

/** Most callbacks have no name: this one needs none that is taken away again. */
function unnamed(callback: Callback): Callback {
  return callback;
}

/**
 * The call that goes on in callbacks, of which the activation is part, and that is not over: the innermost one; if a `site` is
 * given, the one that began there, if there is one. What a promise stands for is a block by other means.
 */
function blockOf(activation: Activation, site: number): Activation | null {
  let innermost: Activation | null = null;
  let at: Activation | null = activation;
  for (let i = 0; at !== null && i < MOST_ANCESTORS; i++, at = at.caller) {
    if (at.kind === ASYNC || at.kind === PROMISING || at.kind === MARKED) break;
    if (at.kind !== CONTINUING || at.isOver) continue;
    innermost ??= at;
    if (site < 0 || at.site === site) return at;
  }
  return innermost;
}
