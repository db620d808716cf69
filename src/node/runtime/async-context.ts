import { AsyncLocalStorage, createHook, executionAsyncResource } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';
import { Given } from '../support/given.ts';

/** What goes along with whatever is registered with the event loop. */
export interface AsyncContext<Store extends object | null> {
  getStore(): Store | undefined;
  enterWith(store: Store): void;
  run<T>(store: Store, callback: () => T): T;
  /**
   * An `await` comes next, which makes so many promises, and whoever goes on there says by itself what it is: so nothing has to be kept
   * with these.
   */
  passOver?(promises: number): void;
  /** The promise that was made last, but for those that are passed over: right after an async function was called, its own. */
  lastPromise?(): object | null;
  /** How many resources and promises were made so far, where that is known. */
  made?(): number;
  /** Tells of each promise whose reaction is over, where that is known. */
  followReactions?(whenOver: (promise: object) => void): void;
}

type PromiseHook = (promise: object) => void;

/** What is needed of Node's own binding. */
interface AsyncWrap {
  readonly async_id_fields: Float64Array;
  readonly constants: { readonly kExecutionAsyncId: number };
  setPromiseHooks(
    init: PromiseHook | undefined,
    before: PromiseHook | undefined,
    after: PromiseHook | undefined,
    settled: PromiseHook | undefined,
  ): void;
}

/** From here on, Node has no hooks of promises for an AsyncLocalStorage. */
const FIRST_WITHOUT_HOOKS = 24;

/**
 * The same as an AsyncLocalStorage, of which there is to be one. Before Node 24 that has hooks of promises which number each promise and keep a
 * stack: 130 ns an `await`, where the program takes 60. Where Node lets us, we have hooks of our own which only pass the store on, in 50.
 */
export function makeAsyncContext<Store extends object | null>(): AsyncContext<Store> {
  const wrap = Number(process.versions.node.split('.')[0]) < FIRST_WITHOUT_HOOKS ? asyncWrap() : null;
  return wrap === null ? new AsyncLocalStorage<Store>() : leanContext<Store>(wrap);
}

/** Null if Node would warn of it, or has it no longer. */
function asyncWrap(): AsyncWrap | null {
  const { noDeprecation } = process;
  try {
    process.noDeprecation = true;
    const { binding } = process as unknown as { binding(name: string): Partial<AsyncWrap> };
    const wrap = binding('async_wrap');
    const isWhole =
      typeof wrap.setPromiseHooks === 'function' &&
      wrap.async_id_fields instanceof Float64Array &&
      typeof wrap.constants?.kExecutionAsyncId === 'number';
    return isWhole ? (wrap as AsyncWrap) : null;
  } catch {
    return null;
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(process, 'noDeprecation');
    else process.noDeprecation = noDeprecation;
  }
}

/** Ties a store to a resource of Node or a promise, by a field that nobody else can see. */
class Stored extends Given {
  #store: unknown;

  constructor(object: object, store: unknown) {
    super(object);
    this.#store = store;
  }

  static get(object: object): unknown {
    return #store in object ? (object as Stored).#store : undefined;
  }

  /** The same once more for promises, as in `stamp.ts`: those have a few shapes, and Node's resources have many. */
  static ofPromise(promise: object): unknown {
    return #store in promise ? (promise as Stored).#store : undefined;
  }

  static putWithPromise(promise: object, store: unknown): void {
    if (#store in promise) (promise as Stored).#store = store;
    else new Stored(promise, store);
  }

  static put(object: object, store: unknown): void {
    if (#store in object) (object as Stored).#store = store;
    else new Stored(object, store);
  }
}

/** In place of the store of a reaction that nobody has looked up. */
const UNREAD = Symbol('unread');

/** A reaction that is running. */
interface Reaction {
  readonly promise: object;
  /** The resource in which it began, by its number: another one may be entered in there. */
  readonly within: number;
  readonly store: unknown;
}

/**
 * Keeps the store with Node's resources, as an AsyncLocalStorage does, and with promises by hooks of its own. What it knows is in variables of
 * this function, as the hooks are called for each promise, and fields cost more.
 */
function leanContext<Store extends object | null>({
  async_id_fields: ids,
  constants: { kExecutionAsyncId: executing },
  setPromiseHooks,
}: AsyncWrap): AsyncContext<Store> {
  /** The reaction that is running, if there is one: see `Reaction`. */
  let promise: object | null = null;
  let within = 0;
  /** What it works for; `UNREAD` until somebody asks, as mostly another one is entered before. */
  let store: unknown;
  /** Those that have led to it: there may be several queues. */
  const outer: Reaction[] = [];
  /** How many of the promises that are made next are passed over. */
  let passed = 0;
  let whenOver: PromiseHook | null = null;
  let count = 0;
  let last: object | null = null;

  const isInReaction = () => promise !== null && within === ids[executing];
  const getStore = () => {
    if (!isInReaction()) return Stored.get(executionAsyncResource()) as Store | undefined;
    if (store === UNREAD) store = Stored.ofPromise(promise as object);
    return store as Store | undefined;
  };
  const enterWith = (entered: Store | undefined) => {
    passed = 0;
    if (isInReaction()) store = entered;
    else Stored.put(executionAsyncResource(), entered);
  };

  const init: PromiseHook = (made) => {
    count++;
    if (passed > 0) {
      passed--;
      return;
    }
    last = made;
    const known = getStore();
    if (known !== undefined) Stored.putWithPromise(made, known);
  };
  const before: PromiseHook = (reacting) => {
    passed = 0;
    if (promise !== null) outer.push({ promise, within, store });
    promise = reacting;
    within = ids[executing];
    store = UNREAD;
  };
  const after: PromiseHook = (reacted) => {
    passed = 0;
    promise = null;
    store = undefined;
    if (outer.length > 0) ({ promise, within, store } = outer.pop() as Reaction);
    if (whenOver !== null) whenOver(reacted);
  };
  // Known to Node, so that they stay when it has hooks of its own for somebody else, who has an AsyncLocalStorage.
  promiseHooks.createHook({ init, before, after });
  createHook({
    init(_id, _type, _trigger, resource) {
      count++;
      const known = getStore();
      if (known !== undefined) Stored.put(resource, known);
    },
  }).enable();
  // Nobody else does so far, and we need none of Node's.
  setPromiseHooks(init, before, after, undefined);

  return {
    getStore,
    enterWith,
    run(entered, callback) {
      const known = getStore();
      enterWith(entered);
      try {
        return callback();
      } finally {
        enterWith(known);
      }
    },
    passOver(promises) {
      passed = promises;
    },
    lastPromise() {
      const made = last;
      last = null;
      return made;
    },
    made: () => count,
    followReactions(follow) {
      whenOver = follow;
    },
  };
}
