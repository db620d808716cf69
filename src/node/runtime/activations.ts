import type { ActivationToken, Probes, SiteNumber } from '../probes.ts';
import { A_THING, type Activation, ASYNC, GENERATOR, NOTHING, PROMISING } from './activation.ts';
import { awaitedIterable } from './iteration.ts';
import { bind, bindChained, noteWaiter, standsForAll, tasksBehind } from './promises.ts';
import { reaction } from './reactions.ts';
import type { Recorder } from './recorder.ts';
import type { Sites } from './sites.ts';
import { isObject } from './stamp.ts';
import type { Task } from './task.ts';

type ActivationProbes = Pick<
  Probes,
  | 'enter'
  | 'exit'
  | 'suspend'
  | 'resume'
  | 'resumed'
  | 'tail'
  | 'kept'
  | 'awaited'
  | 'enterGenerator'
  | 'exitGenerator'
  | 'yielding'
  | 'yielded'
  | 'enterPromising'
  | 'promised'
  | 'failed'
  | 'reaction'
  | 'chained'
  | 'machine'
>;

/** What the state machines of `__generator` return in front of a value. */
const RETURN = 2;
const YIELD = 4;

export function activationProbes(recorder: Recorder, sites: Sites): ActivationProbes {
  /** Activations whose promise nobody can wait for any more. */
  const abandoned = new FinalizationRegistry<Activation>((activation) => recorder.abandon(activation));
  /** The tasks of the callbacks that are being given to a `then`. */
  let reactions: Task[] = [];

  function suspend(token: ActivationToken, value: unknown, site: SiteNumber): void {
    if (token === undefined && !recorder.isAtTopLevel) return;
    const activation = (token ?? recorder.current) as Activation;
    if (token !== undefined) recorder.resume(activation);
    if (activation.undecided !== null) {
      // Two modules that wait at once are one task, and a task waits for one call of its own.
      if (isObject(value) && activation.child === null) recorder.nest(activation, site);
      else recorder.forkUndecided(activation);
    }
    if (activation.recent !== null) {
      bind(value, activation.recent);
      activation.recent = null;
    }
    noteWaiter(activation, value);
    if (token === undefined) recorder.suspendMain(tasksBehind(value), standsForAll(value));
    else recorder.suspend(activation, tasksBehind(value), standsForAll(value));
  }

  /** Without a token it is the top level of a module. */
  function resumed(token: ActivationToken): void {
    if (token === undefined) recorder.resumeMain();
    else if (recorder.current !== token) recorder.resume(token as Activation);
  }

  /** What was awaited has given this back. */
  function noteGiven(activation: Activation, value: unknown, isUnused: boolean): void {
    const call = activation.child ?? activation.answered;
    activation.answered = null;
    if (call === null || !(call.isOver || call.kind === PROMISING)) return;
    if (isUnused) call.gave = NOTHING;
    else if (isObject(value) && !Array.isArray(value)) call.gave = A_THING;
  }

  function kept(value: unknown): void {
    const activation = recorder.current;
    if (activation === null) return;
    activation.answered = null;
    if (activation.undecided === null && activation.recent === null) return;
    if (activation.undecided !== null) recorder.forkUndecided(activation);
    const { recent } = activation;
    activation.recent = null;
    if (recent !== null) bind(value, recent);
  }

  return {
    enter: (site) => recorder.enter(ASYNC, site, sites.isBlock(site)),
    exit(token) {
      if (token !== undefined) recorder.exit(token as Activation);
    },
    suspend(token, value, site) {
      suspend(token, value, site);
      return value;
    },
    resume(token, value, isUnused = false) {
      if (token !== undefined) noteGiven(token as Activation, value, isUnused);
      resumed(token);
      return value;
    },
    resumed,
    tail(token, value) {
      if (token !== undefined && isObject(value)) recorder.nest(token as Activation, 0);
      return value;
    },
    kept(value) {
      kept(value);
      return value;
    },
    awaited: (token, iterable, site) => awaitedIterable(iterable, (value) => suspend(token, value, site)),

    enterGenerator: (site) => recorder.enter(GENERATOR, site),
    exitGenerator(token) {
      if (token === undefined) return;
      resumed(token);
      recorder.leaveGenerator(token as Activation);
    },
    yielding(token, value) {
      if (token === undefined) return value;
      resumed(token);
      recorder.leaveGenerator(token as Activation);
      return value;
    },
    yielded(token, value) {
      if (token !== undefined) recorder.reenter(token as Activation);
      return value;
    },

    enterPromising: (site) => recorder.enter(PROMISING, site, sites.isBlock(site)),
    promised(token, value) {
      if (token === undefined) return value;
      const activation = token as Activation;
      if (!isObject(value)) {
        recorder.exit(activation);
        return value;
      }
      if (activation.recent !== null) {
        bind(value, activation.recent);
        activation.recent = null;
      }
      if (activation.undecided !== null) recorder.nest(activation, 0);
      activation.hasReturned = true;
      recorder.leave(activation);
      abandoned.register(value, activation);
      return value;
    },
    failed(token, error) {
      if (token !== undefined) recorder.exit(token as Activation);
      return error;
    },
    reaction(promise, callback, site) {
      const wrapped = reaction(recorder, promise, callback, site);
      if (wrapped === null) return callback;
      reactions.push(wrapped.task);
      return wrapped.callback as typeof callback;
    },
    chained(promise, result) {
      const tasks = reactions;
      reactions = [];
      bindChained(promise, result, tasks);
      return result;
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
            suspend(token, step[1], 0);
            isWaiting = true;
          } else if (step[0] === RETURN) {
            if (isObject(step[1])) recorder.nest(activation, 0);
            if (isInTry(state)) recorder.pause(activation);
            else recorder.exit(activation);
          }
          return step;
        } catch (error) {
          // The machine calls again at once if somebody catches this.
          if (!isInTry(state)) recorder.exit(activation);
          throw error;
        }
      } as typeof body;
    },
  };
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

/** Whether a `finally` or `catch` of the machine is going to run before it returns or throws. */
function isInTry(state: MachineState): boolean {
  return Array.isArray(state?.trys) && state.trys.length > 0;
}
