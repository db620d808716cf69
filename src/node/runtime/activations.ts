import { types } from 'node:util';
import { type Activation, ASYNC, GENERATOR, PROMISING } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import type { ActivationToken, Probes, SiteNumber } from '../probes.ts';
import { caught } from './caught.ts';
import { Chain } from './chains.ts';
import { Handover, handoverOf, noteWait, noting, setHandover, setReturned } from './handover.ts';
import { watchedIterable } from './iteration.ts';
import { addOwnPromise } from './own-promises.ts';
import { behindOf, bind, bindChained, promiseRecord } from './promises.ts';
import { reaction } from './reactions.ts';
import type { Recorder } from './recorder.ts';
import type { SchedulingPoints } from './scheduling.ts';
import { settledValue } from './settled.ts';
import { isAwaitedByMany, noteJoined, noteWaiter } from './single-flight.ts';
import type { Sites } from './sites.ts';
import { findRecordOfPromise, isObject } from './stamp.ts';

type ActivationProbes = Pick<
  Probes,
  | 'enter'
  | 'exit'
  | 'suspend'
  | 'resume'
  | 'resumed'
  | 'caught'
  | 'tail'
  | 'kept'
  | 'awaited'
  | 'enterGenerator'
  | 'exitGenerator'
  | 'yielding'
  | 'yielded'
  | 'delegated'
  | 'enterPromising'
  | 'promised'
  | 'failed'
  | 'reaction'
  | 'chained'
  | 'machine'
  | 'executor'
  | 'made'
>;

/** What the state machines of `__generator` return in front of a value. */
const RETURN = 2;
const YIELD = 4;

/** With `points`, what waits goes on when a schedule says so. */
export function activationProbes(
  recorder: Recorder,
  sites: Sites,
  points: SchedulingPoints | null = null,
): ActivationProbes {
  const { tasks, callbacks } = recorder;
  // A schedule is to give the same trace, whenever garbage is collected.
  const abandoned = points === null ? recorder.abandoned : null;
  /** What is being made by a `then`. */
  let chain: Chain | null = null;
  tasks.context.followReactions?.((promise) => Chain.of(promise)?.leave(tasks));
  /** Of the promise that is being made. */
  let handover: Handover | null = null;

  /** Of the latest wait: the method of what is waited for that is going to be called. */
  let then: Then | null = null;

  /** How many promises the `await` makes of it, as far as that is certain. */
  let madeByAwait = 0;

  /** Gives the activation that waits. */
  function suspend(token: ActivationToken, value: unknown, site: SiteNumber): Activation | null {
    if (token === undefined && !callbacks.isAtTopLevel) return null;
    const activation = (token ?? tasks.current) as Activation;
    if (token !== undefined) tasks.resume(activation);
    const { undecided } = activation;
    // To ask the engine whether something is a promise takes a while; that of a function which was just called is known.
    const isCalled = undecided !== null && undecided.promise === value;
    if (undecided !== null) {
      // Two modules that wait at once are one task, and a task waits for one call of its own.
      if (isObject(value) && activation.child === null) tasks.nest(activation, site);
      else tasks.forkUndecided(activation);
    }
    if (activation.recent !== null) {
      bind(value, activation.recent);
      activation.recent = null;
    }
    // Most values that are awaited are none, and to ask about any object takes a while.
    const isPlain = isObject(value) && (isCalled || isPlainPromise(value));
    madeByAwait = isPlain ? 1 : isObject(value) ? 0 : 2;
    const promise = isPlain ? findRecordOfPromise(value) : promiseRecord(value);
    const behind = promise === undefined ? null : behindOf(promise);
    activation.awaited = promise ?? null;
    if (promise !== undefined) noteWaiter(activation, promise);
    activation.suspendedAt = site;
    noteWait(tasks, activation, promise, site);
    then = isObject(value) && !isPlain ? thenOf(value, recorder.followsStores) : null;
    if (promise === undefined && then !== null) {
      activation.thenable = tasks.reserve('then', site);
      activation.awaitsAt = site;
    }
    if (token === undefined) callbacks.suspendMain(behind);
    else tasks.suspend(activation, behind);
    return activation;
  }

  /** What an `await` gets in the place of something that is run when it is waited for: as many steps, and the same results. */
  function inContext(activation: Activation, value: object, then: Then): object {
    return {
      // biome-ignore lint/suspicious/noThenProperty: that is what it stands for
      then: (...values: unknown[]) =>
        callbacks.inContextOf(activation, () => Reflect.apply(then, value, values)),
    };
  }

  /** Without a token it is the top level of a module. */
  function resumed(token: ActivationToken, hasFailed = false): void {
    if (token === undefined) callbacks.resumeMain();
    else if (tasks.current !== token) tasks.resume(token as Activation);
    if (hasFailed) recorder.noteFailure();
  }

  /** What was awaited has given this back. */
  function noteGiven(activation: Activation, value: unknown, isUnused: boolean): void {
    const call = activation.child ?? activation.answered;
    activation.answered = null;
    if (isWaitingWithOthers(activation) || (call !== null && isWaitingWithOthers(call)))
      noteJoined(activation, value);
    if (call === null || !(call.isOver || call.lastsUntilAwaited)) return;
    if (isUnused || (isObject(value) && !Array.isArray(value))) call.gaveNoAnswer = true;
  }

  /** The activation returns something that may be a promise, and lasts until that is settled. */
  function goesOnIn(activation: Activation, value: object, site: SiteNumber): void {
    tasks.nest(activation, 0);
    const promise = promiseRecord(value);
    if (promise === undefined) {
      // What a library goes on with: `return repository.save(user)`.
      if (activation.child === null && types.isPromise(value)) {
        activation.awaitsAt = site;
        lastsUntilSettled(activation, value, new Handover(null, tasks.segment));
      }
      return;
    }
    activation.awaited = promise;
    noteWaiter(activation, promise);
    const returned = handoverOf(promise);
    if (returned?.maker === activation && !returned.isSettled) lastsUntilSettled(activation, value, returned);
  }

  function lastsUntilSettled(activation: Activation, promise: object, returned: Handover): void {
    setReturned(activation, returned);
    abandoned?.add(promise, activation);
  }

  function kept(value: unknown): void {
    const activation = tasks.current;
    if (activation === null) return;
    if (points !== null && activation.answered !== null) addOwnPromise(value);
    activation.answered = null;
    if (activation.undecided === null && activation.recent === null) return;
    if (activation.undecided !== null) tasks.forkUndecided(activation);
    const { recent } = activation;
    activation.recent = null;
    if (recent !== null) bind(value, recent);
  }

  /**
   * What is asked of the generator is asked of `iterable`, in the task of whoever asks, until that is
   * through.
   */
  function delegated<T>(generator: Activation, iterable: T): T {
    return watchedIterable(iterable, (ask) => {
      if (tasks.current !== generator) tasks.reenter(generator);
      try {
        return ask();
      } finally {
        resumed(generator);
        tasks.leave(generator);
      }
    });
  }

  return {
    enter(site) {
      const promise = tasks.context.lastPromise?.() ?? null;
      const activation = tasks.enter(ASYNC, site, sites.isBlock(site) && !isMarked(tasks.current));
      activation.promise = promise;
      return activation;
    },
    exit(token) {
      if (token !== undefined) tasks.exit(token as Activation);
    },
    suspend(token, value, site) {
      const activation = suspend(token, value, site);
      // Node would call its `then` in the context of the caller the first time, and later right behind the `then` of others.
      const asked =
        token !== undefined && activation !== null && then !== null
          ? (inContext(activation, value as object, then) as typeof value)
          : value;
      if (points !== null && activation !== null)
        return points.awaited(activation, value, site, asked) as typeof value;
      if (token !== undefined) tasks.context.passOver?.(madeByAwait);
      return asked;
    },
    resume(token, given, isUnused = false) {
      const value = points === null ? given : (settledValue(given) as typeof given);
      if (token !== undefined) {
        noteGiven(token as Activation, value, isUnused);
        recorder.looks.handOver(token as Activation, value);
      }
      if (recorder.answers.areAny && token !== undefined)
        recorder.answers.given(token as Activation, !isUnused);
      resumed(token);
      return value;
    },
    resumed,
    caught,
    tail(token, value, site) {
      if (token !== undefined && isObject(value)) goesOnIn(token as Activation, value, site);
      return value;
    },
    kept(value) {
      kept(value);
      return value;
    },
    awaited: (token, iterable, site) =>
      watchedIterable(iterable, (ask) => {
        const result = ask();
        const activation = suspend(token, result, site);
        return points === null || activation === null ? result : points.passed(activation, result, site);
      }),

    enterGenerator: (site) => tasks.enter(GENERATOR, site),
    exitGenerator(token) {
      if (token === undefined) return;
      resumed(token);
      tasks.leaveGenerator(token as Activation);
    },
    yielding(token, value) {
      if (token === undefined) return value;
      resumed(token);
      tasks.leaveGenerator(token as Activation);
      return value;
    },
    yielded(token, value) {
      if (token !== undefined) tasks.reenter(token as Activation);
      return value;
    },

    delegated: (token, iterable) =>
      token === undefined ? iterable : delegated(token as Activation, iterable),

    enterPromising: (site) => tasks.enter(PROMISING, site, sites.isBlock(site)),
    promised(token, value) {
      if (token === undefined) return value;
      const activation = token as Activation;
      if (!isObject(value)) {
        tasks.exit(activation);
        return value;
      }
      if (activation.recent !== null) {
        bind(value, activation.recent);
        activation.recent = null;
      }
      if (activation.undecided !== null) tasks.nest(activation, 0);
      activation.hasReturned = true;
      tasks.leave(activation);
      const chain = Chain.of(value);
      if (chain !== null) chain.returnedBy ??= activation;
      abandoned?.add(value, activation);
      return value;
    },
    failed(token, error) {
      if (token !== undefined) tasks.exit(token as Activation);
      return error;
    },
    reaction(promise, callback, site, isForFailure = false) {
      if (!isObject(promise)) return callback;
      chain ??= new Chain(promise);
      const wrapped = reaction(recorder, promise, callback, site, isForFailure, points, chain);
      return wrapped === null ? callback : (wrapped as typeof callback);
    },
    chained(promise, result, mayWait = false) {
      const made = chain;
      chain = null;
      bindChained(promise, result, made?.tasks ?? NONE);
      // With a schedule, callbacks may be called later.
      if (made === null || made.tasks.length === 0 || points !== null) return result;
      if (mayWait || !isPlainPromise(promise as object)) made.isOpen = true;
      if (types.isPromise(result)) made.tie(promise, result);
      return result;
    },
    executor(executor) {
      if (typeof executor !== 'function' || tasks.current === null) return executor;
      const made = new Handover(tasks.current, tasks.segment);
      const run = (resolve: (value: unknown) => void, reject: unknown) => {
        if (points !== null) points.executors++;
        try {
          executor(noting(tasks, made, resolve), reject);
        } finally {
          handover = made;
          if (points !== null) points.executors--;
        }
      };
      return run as typeof executor;
    },
    made(promise) {
      if (points !== null) addOwnPromise(promise);
      if (handover !== null && !handover.isSettled) setHandover(promise as object, handover);
      handover = null;
      return promise;
    },
    machine(token, body) {
      if (token === undefined || typeof body !== 'function') return body;
      const activation = token as Activation;
      let isWaiting = false;
      return function (this: unknown, state: MachineState) {
        if (isWaiting) {
          const value = sentTo(state);
          noteGiven(activation, value, value === undefined);
        }
        isWaiting = false;
        resumed(token);
        try {
          const step = Reflect.apply(body, this, [state]) as [number, unknown];
          if (step[0] === YIELD) {
            const waiting = suspend(token, step[1], 0);
            if (points !== null && waiting !== null) step[1] = points.passed(waiting, step[1], 0);
            isWaiting = true;
          } else if (step[0] === RETURN) {
            if (isObject(step[1])) goesOnIn(activation, step[1], 0);
            if (isInTry(state)) tasks.pause(activation);
            else tasks.exit(activation);
          }
          return step;
        } catch (error) {
          // The machine calls again at once if somebody catches this.
          if (!isInTry(state)) tasks.exit(activation);
          throw error;
        }
      } as typeof body;
    },
  };
}

const NONE: readonly Task[] = [];

/** Whether what the activation waits for, or has waited for, is awaited by others as well. */
function isWaitingWithOthers({ awaited }: Activation): boolean {
  return awaited !== null && isAwaitedByMany(awaited);
}

/** The parameter of a state machine's body. */
interface MachineState {
  trys?: readonly unknown[];
  sent?: () => unknown;
}

/** What the machine has been waiting for; undefined if it was an error. */
function sentTo(state: MachineState): unknown {
  try {
    return state.sent?.();
  } catch {
    return undefined;
  }
}

/** What `await` takes as it is. */
function isPlainPromise(value: object): boolean {
  return types.isPromise(value) && Object.getPrototypeOf(value) === Promise.prototype;
}

type Then = (...values: unknown[]) => unknown;

/**
 * The method of the object that an `await` calls, if it is no plain promise: a query that is run when it is waited for. A proxy is asked in
 * the place of the `await`, which then asks what stands for it; `asksProxies`: whether that may matter.
 */
function thenOf(value: object, asksProxies: boolean): Then | null {
  for (let holder: object | null = value; holder !== null; holder = Object.getPrototypeOf(holder)) {
    if (types.isProxy(holder)) return asksProxies ? askedThen(value) : null;
    const descriptor = Object.getOwnPropertyDescriptor(holder, 'then');
    if (descriptor !== undefined)
      return typeof descriptor.value === 'function' ? (descriptor.value as Then) : null;
  }
  return null;
}

function askedThen(value: object): Then | null {
  try {
    const then: unknown = Reflect.get(value, 'then');
    return typeof then === 'function' ? (then as Then) : null;
  } catch {
    // The `await` gets to know of it, too.
    return null;
  }
}

/**
 * Whether the async function that begins is what a marker was given: the block is there already, by the
 * name that it should have.
 */
function isMarked(caller: Activation | null): boolean {
  if (!caller?.isUnnamed) return false;
  caller.isUnnamed = false;
  return true;
}

/** Whether a `finally` or `catch` of the machine is going to run before it returns or throws. */
function isInTry(state: MachineState): boolean {
  return Array.isArray(state?.trys) && state.trys.length > 0;
}
