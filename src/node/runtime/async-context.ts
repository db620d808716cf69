import { AsyncLocalStorage, AsyncResource, createHook, executionAsyncResource } from 'node:async_hooks';
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
  /** Calls this once what the event loop has called is over, and before it calls anything else. */
  afterwards(run: () => void): void;
  /** The promise that was made last, but for those that are passed over: right after an async function was called, its own. */
  lastPromise?(): object | null;
  /** How many resources and promises were made so far, where that is known. */
  made?(): number;
  /** Tells of each promise whose reaction is over, where that is known. */
  followReactions?(whenOver: (promise: object) => void): void;
}

/** The program may replace its own ones, and the runtime does. */
const { queueMicrotask } = globalThis;
const { nextTick } = process;

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
  return wrap === null ? new PlainContext<Store>() : leanContext<Store>(wrap);
}

class PlainContext<Store> extends AsyncLocalStorage<Store> {
  afterwards(run: () => void): void {
    queueMicrotask(run);
  }
}

/** Null if Node would warn of it, or has it no longer. */
function asyncWrap(): AsyncWrap | null {
  const { binding } = process as unknown as { binding(name: string): Partial<AsyncWrap> };
  let node = process;
  let noDeprecation: boolean | undefined;
  try {
    // In the sandbox of a test runner `process` may be a copy, which Node does not look at.
    node = Reflect.construct(binding.constructor, ['return process'])() as NodeJS.Process;
    ({ noDeprecation } = node);
    node.noDeprecation = true;
    const wrap = binding('async_wrap');
    const isWhole =
      typeof wrap.setPromiseHooks === 'function' &&
      wrap.async_id_fields instanceof Float64Array &&
      typeof wrap.constants?.kExecutionAsyncId === 'number';
    return isWhole ? (wrap as AsyncWrap) : null;
  } catch {
    return null;
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(node, 'noDeprecation');
    else node.noDeprecation = noDeprecation;
  }
}

/** What the field is made with: to make it first and then to put the store into it takes longer. */
let given: unknown;

/** Ties a store to a resource of Node or a promise, by a field that nobody else can see. */
class Stored extends Given {
  #store = given;

  static get(object: object): unknown {
    return #store in object ? (object as Stored).#store : undefined;
  }

  /** The same once more for promises, as in `stamp.ts`: those have a few shapes, and Node's resources have many. */
  static ofPromise(promise: object): unknown {
    return #store in promise ? (promise as Stored).#store : undefined;
  }

  static put(object: object, store: unknown): void {
    if (#store in object) (object as Stored).#store = store;
    else Stored.putNew(object, store);
  }

  /** The same for one that was made just now. */
  static putNew(object: object, store: unknown): void {
    given = store;
    new Stored(object);
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
  /** Whether a resource is made for us, in which nothing of the program runs. */
  let isOurs = false;
  let last: object | null = null;

  /*
   * The resource that was asked about last, by its number, and what belongs to it: to find it and its field costs more than all else here. What is
   * entered goes to the resource itself when another one is asked about.
   */
  let known = 0;
  let resource = {};
  let storeOfResource: unknown;
  let isEntered = false;

  const findResource = () => {
    if (isEntered) Stored.put(resource, storeOfResource);
    isEntered = false;
    known = ids[executing];
    resource = executionAsyncResource();
    storeOfResource = Stored.get(resource);
  };
  const isInReaction = () => promise !== null && within === ids[executing];
  const getStore = () => {
    if (isInReaction()) {
      if (store === UNREAD) store = Stored.ofPromise(promise as object);
      return store as Store | undefined;
    }
    // Without a number, it may be any.
    if (known !== ids[executing] || known === 0) findResource();
    return storeOfResource as Store | undefined;
  };
  const enterWith = (entered: Store | undefined) => {
    passed = 0;
    if (isInReaction()) {
      store = entered;
      return;
    }
    if (known !== ids[executing] || known === 0) findResource();
    storeOfResource = entered;
    isEntered = true;
  };

  const init: PromiseHook = (made) => {
    count++;
    if (passed > 0) {
      passed--;
      return;
    }
    last = made;
    const going = getStore();
    if (going !== undefined) Stored.putNew(made, going);
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
    init(_id, _type, _trigger, made) {
      count++;
      if (isOurs) return;
      const going = getStore();
      if (going !== undefined) Stored.put(made, going);
    },
  }).enable();
  // Nobody else does so far, and we need none of Node's.
  setPromiseHooks(init, before, after, undefined);

  return {
    getStore,
    enterWith,
    run(entered, callback) {
      const before = getStore();
      enterWith(entered);
      try {
        return callback();
      } finally {
        enterWith(before);
      }
    },
    afterwards(over) {
      getStore();
      // A tick comes before all microtasks, and for one of those Node makes a resource which it enters. Among microtasks, it comes too late.
      if (promise !== null || resource instanceof AsyncResource) {
        queueMicrotask(over);
        return;
      }
      isOurs = true;
      nextTick(over);
      isOurs = false;
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
