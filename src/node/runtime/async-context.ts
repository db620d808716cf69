import { AsyncLocalStorage, createHook, executionAsyncResource } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';

/** What goes along with whatever is registered with the event loop. */
export interface AsyncContext<Store extends object | null> {
  getStore(): Store | undefined;
  enterWith(store: Store): void;
  run<T>(store: Store, callback: () => T): T;
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
  return wrap === null ? new AsyncLocalStorage<Store>() : new LeanContext<Store>(wrap);
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

/** A constructor that returns what it was given, so that a class derived from it adds its field to that. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is what the class is for.
    return object;
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

  static put(object: object, store: unknown): void {
    if (#store in object) (object as Stored).#store = store;
    else new Stored(object, store);
  }
}

/** A reaction that is running. */
interface Reaction {
  readonly promise: object;
  /** The resource in which it began, by its number: another one may be entered in there. */
  readonly within: number;
  readonly store: unknown;
}

/** Keeps the store with Node's resources, as an AsyncLocalStorage does, and with promises by hooks of its own. */
class LeanContext<Store extends object | null> implements AsyncContext<Store> {
  readonly #ids: Float64Array;
  readonly #executing: number;
  /** The reaction that is running, if there is one: see `Reaction`. */
  #promise: object | null = null;
  #within = 0;
  #store: unknown = undefined;
  /** Those that have led to it: there may be several queues. */
  readonly #outer: Reaction[] = [];

  constructor({ async_id_fields, constants, setPromiseHooks }: AsyncWrap) {
    this.#ids = async_id_fields;
    this.#executing = constants.kExecutionAsyncId;
    const init: PromiseHook = (promise) => {
      const store = this.getStore();
      if (store !== undefined) Stored.put(promise, store);
    };
    const before: PromiseHook = (promise) => {
      if (this.#promise !== null)
        this.#outer.push({ promise: this.#promise, within: this.#within, store: this.#store });
      this.#promise = promise;
      this.#within = this.#ids[this.#executing];
      this.#store = Stored.get(promise);
    };
    const after: PromiseHook = () => {
      this.#promise = null;
      this.#store = undefined;
      if (this.#outer.length > 0) this.#goBack();
    };
    // Known to Node, so that they stay when it has hooks of its own for somebody else, who has an AsyncLocalStorage.
    promiseHooks.createHook({ init, before, after });
    createHook({
      init: (_id, _type, _trigger, resource) => {
        const store = this.getStore();
        if (store !== undefined) Stored.put(resource, store);
      },
    }).enable();
    // Nobody else does so far, and we need none of Node's.
    setPromiseHooks(init, before, after, undefined);
  }

  getStore(): Store | undefined {
    return (this.#isInReaction ? this.#store : Stored.get(executionAsyncResource())) as Store | undefined;
  }

  enterWith(store: Store | undefined): void {
    if (this.#isInReaction) this.#store = store;
    else Stored.put(executionAsyncResource(), store);
  }

  run<T>(store: Store, callback: () => T): T {
    const before = this.getStore();
    this.enterWith(store);
    try {
      return callback();
    } finally {
      this.enterWith(before);
    }
  }

  get #isInReaction(): boolean {
    return this.#promise !== null && this.#within === this.#ids[this.#executing];
  }

  #goBack(): void {
    const { promise, within, store } = this.#outer.pop() as Reaction;
    this.#promise = promise;
    this.#within = within;
    this.#store = store;
  }
}
