/*
 * What instrumented code calls. `src/node/instrument` writes these calls, `src/node/runtime` answers them; this
 * list is all that they know of each other. docs/explanation/javascript-internals.md says how the pieces work together.
 *
 * Every probe returns one of its arguments, so that the expression around it stays as it was.
 */

/** A property key as the program gave it: not yet converted, because converting may run the program's code. */
export type Key = unknown;

/** A key that a pattern takes out of an object, with those that it takes out of the value in turn. */
export type TakenKey = string | readonly [key: string, keys: readonly TakenKey[]];

/** A call of an async function that is going on. Opaque to instrumented code. */
export type ActivationToken = object | undefined;

/** The tracked bindings of one scope that is alive. Opaque to instrumented code; undefined before its scope is entered. */
export type ScopeToken = object | undefined;

/** A call of a plain function that may be a block. Opaque to instrumented code; undefined if there is no shared memory. */
export type UnitToken = object | undefined;

/** A place, as number of a site of the file plus the file's base. */
export type SiteNumber = number;

export interface Probes {
  // ---- Properties -------------------------------------------------------------------------------------------
  /** `o.p` → `read(o, 'p', s).p`, also for `#p` and before `?.`; does nothing for null and undefined. */
  read<T>(object: T, key: Key, site: SiteNumber): T;
  /** `Reflect.get(o, k)` → `Reflect.get(o, readKey(o, k, s))`; `o[k]` where it cannot be rewritten as below. */
  readKey<K>(object: unknown, key: K, site: SiteNumber): K;
  /** `o.p = v` → `o.p = write(o, 'p', s, v)`: after the value, right before the assignment. The key is the same whenever the site is. */
  write<V>(object: unknown, key: Key, site: SiteNumber, value: V): V;
  /** The same for `o[k] = v`, whose key may be another one each time. */
  writeIn<V>(object: unknown, key: Key, site: SiteNumber, value: V): V;
  /** A write without a value to pass: targets of destructuring, `[o.p] = v` → `[written(o, 'p', s).p] = v`. */
  written<T>(object: T, key: Key, site: SiteNumber): T;
  /** The same with a computed key: `Reflect.set(o, k, v)` → `Reflect.set(o, writtenKey(o, k, s), v)`. */
  writtenKey<K>(object: unknown, key: K, site: SiteNumber): K;
  /** `delete o.p` → `delete deleted(o, 'p', s).p`. */
  deleted<T>(object: T, key: Key, site: SiteNumber): T;
  /** The same with a computed key: `delete o[k]` → `delete o[deletedKey(o, k, s)]`. */
  deletedKey<K>(object: unknown, key: K, site: SiteNumber): K;
  /** `o.p++` whose value is used, `o.p *= v` without a suspension in v → `changed(o, 'p', s).p++`: a read and a write. */
  changed<T>(object: T, key: Key, site: SiteNumber): T;
  /**
   * `o.p += d`, `o.p -= d`, `o.p++`, `o.p--` whose value nobody uses → `o.p = added(o, 'p', s, o.p, d)`, and so on.
   * Computes the new value as the operator would, strings and bigints included.
   */
  added(object: unknown, key: Key, site: SiteNumber, old: unknown, by: unknown): unknown;
  subtracted(object: unknown, key: Key, site: SiteNumber, old: unknown, by: unknown): unknown;
  incremented(object: unknown, key: Key, site: SiteNumber, old: unknown): unknown;
  decremented(object: unknown, key: Key, site: SiteNumber, old: unknown): unknown;

  // ---- By a key that may be an index -----------------------------------------------------------------------------
  // These return the object or, for an element of a typed array in memory that threads share, something in its place
  // on which the access takes effect and is recorded at once, so that no other thread can come between the two.
  /** `o[k]` → `readIn(o, k, s)[k]`; a key that cannot be repeated: `(t1 = o, t2 = k, readIn(t1, t2, s))[t2]`. */
  readIn<T>(object: T, key: Key, site: SiteNumber): T;
  /**
   * `o[k] = v` → `target(o, k, s)[k] = writeIn(o, k, s, v)`; `o[k] += d`, whose value nobody uses, →
   * `(t = target(o, k, s))[k] = added(o, k, s, t[k], d)`, and so on. Records nothing for other objects.
   */
  target<T>(object: T, key: Key, site: SiteNumber): T;
  /** `o[k] ||= v` → `tested(o, k, s)[k] ||= writeIn(o, k, s, v)`: a read. */
  tested<T>(object: T, key: Key, site: SiteNumber): T;
  /** `o[k]++` whose value is used, `o[k] *= v` → `changedIn(o, k, s)[k]++`: a read and a write. */
  changedIn<T>(object: T, key: Key, site: SiteNumber): T;
  /** Targets of destructuring: `[o[k]] = v` → `[writtenIn(o, k, s)[k]] = v`. */
  writtenIn<T>(object: T, key: Key, site: SiteNumber): T;

  // ---- Shared memory ----------------------------------------------------------------------------------------------
  /**
   * Says where the next call of a function is: `Atomics.load(a, i)` → `Atomics.load(a, i, announce(s, used))`;
   * `announce(IGNORED, false)` on a line that is ignored.
   */
  announce(site: SiteNumber, isUsed: boolean): void;
  /**
   * A plain function that touches memory which threads share is a block, too:
   * `const u = enterUnit(s, n); try { … } finally { u && exitUnit(u) }`. The `n` sites before `s` are those in the function;
   * infinitely many if all that it calls counts. What a loop does each time is a step, and no block inside of another.
   */
  enterUnit(site: SiteNumber, ownSites: number, isStep?: boolean): UnitToken;
  exitUnit(unit: UnitToken): void;

  // ---- Objects as a whole ------------------------------------------------------------------------------------------
  /** `'p' in o` → `'p' in hasKey(o, 'p', s)`. */
  hasKey<T>(object: T, key: Key, site: SiteNumber): T;
  /** `const { a, b: { c } } = v` → `… = taken(v, ['a', ['b', ['c']]], s)`; keys undefined when there is a rest. */
  taken<T>(object: T, keys: readonly TakenKey[] | undefined, site: SiteNumber): T;
  /** `for (k in o)`, `{ ...o }`, `Object.keys(o)` → the keys of `enumerated(o, s)`, and their values if `values`. */
  enumerated<T>(object: T, site: SiteNumber, values: boolean): T;
  /** `Object.assign(o, p)` → `Object.assign(o, assigned(o, p, s))`: reads the keys and values of p, writes them to o. */
  assigned<S>(target: unknown, source: S, site: SiteNumber): S;
  /** `for (x of o)`, `[...o]`, `[a] = o` → `iterated(o, s)`; `most` says how many elements are read, if not all. */
  iterated<T>(object: T, site: SiteNumber, most?: number): T;
  /**
   * `structuredClone(o)` → `structuredClone(copied(o, s))`, and so on: reads all that can be reached from it. `isFresh`: nobody else
   * can come to the object itself.
   */
  copied<T>(object: T, site: SiteNumber, isFresh?: boolean): T;

  // ---- Methods of built-in containers -------------------------------------------------------------------------
  // Written around every call of a method whose name is in `TRACKED_METHODS`, whatever it is called on. The
  // runtime finds out whether it is the built-in one. `used` says whether somebody uses the result.
  /** No argument, or a spread: `o.clear()` → `method(o, 'clear', s, used).clear()`. */
  method<T>(object: T, name: string, site: SiteNumber, used: boolean): T;
  /** One argument: `o.get(k)` → `o.get(methodArgument(o, 'get', s, used, k))`. */
  methodArgument<A>(object: unknown, name: string, site: SiteNumber, used: boolean, argument: A): A;
  /**
   * More: `o.set(k, v)` → `o.set(t = k, methodArguments(o, 'set', s, used, t, v))`: returns the last one, `v`. The second of
   * more than two comes behind it: `o.set(k, v, w)` → `o.set(t = k, u = v, methodArguments(o, 'set', s, used, t, w, u))`.
   */
  methodArguments<A>(
    object: unknown,
    name: string,
    site: SiteNumber,
    used: boolean,
    first: unknown,
    last: A,
    ...second: [unknown?]
  ): A;
  /** `super.get(k)` → `super.get(superArgument(this, super.get, 'get', s, used, k, k))`; `first` and `last` as above. */
  superArgument<A>(
    object: unknown,
    method: unknown,
    name: string,
    site: SiteNumber,
    used: boolean,
    first: unknown,
    last: A,
  ): A;

  // ---- Bindings: captured by another function and assigned more than once -------------------------------------
  /**
   * At the start of the scope: `const s = scope(names, site)`; `var` for the scope of a module or a function. `module` is the
   * file of a module that exports some of them.
   */
  scope(names: readonly string[], site: SiteNumber, module?: string): ScopeToken;
  /** What a module imports of a file that changes it: `var s = importedScope(names, module)`. */
  importedScope(names: readonly string[], module: string): ScopeToken;
  /** `x` → `(bindingRead(scope, i, s), x)`; for a call `(bindingRead(scope, i, s), x(…))`. */
  bindingRead(scope: ScopeToken, index: number, site: SiteNumber): void;
  /** `x = v` → `x = bindingWrite(scope, i, s, v)`; with an anonymous function `(bindingWrite(…), x = () => …)`. */
  bindingWrite<V>(scope: ScopeToken, index: number, site: SiteNumber, value?: V): V;
  /** As for properties: `x++` used → `(bindingChanged(scope, i, s), x++)`. */
  bindingChanged(scope: ScopeToken, index: number, site: SiteNumber): void;
  bindingAdded(scope: ScopeToken, index: number, site: SiteNumber, old: unknown, by: unknown): unknown;
  bindingSubtracted(scope: ScopeToken, index: number, site: SiteNumber, old: unknown, by: unknown): unknown;
  bindingIncremented(scope: ScopeToken, index: number, site: SiteNumber, old: unknown): unknown;
  bindingDecremented(scope: ScopeToken, index: number, site: SiteNumber, old: unknown): unknown;

  // ---- Activations -------------------------------------------------------------------------------------------
  /** First in the body of an async function: `const a = enter(s); try { … } finally { exit(a) }`. */
  enter(site: SiteNumber): ActivationToken;
  exit(activation: ActivationToken): void;
  /** `await x` → `resume(a, await suspend(a, x, s))`, and `resume(a, …, true)` where nobody uses the value. */
  suspend<V>(activation: ActivationToken, value: V, site: SiteNumber): V;
  resume<V>(activation: ActivationToken, value: V, isUnused?: boolean): V;
  /** First in every `catch` and `finally` block of an async function; `resumed(a, true)` in a `catch`. */
  resumed(activation: ActivationToken, hasFailed?: boolean): void;
  /** First in every `catch (e)`: messages of V8 that quote a probe are put right. */
  caught(error: unknown): void;
  /** `return f(x)` in an async function → `return tail(a, f(x), s)`; not inside a `try`, where the block goes on. */
  tail<V>(activation: ActivationToken, value: V, site: SiteNumber): V;
  /** Any other call, as far as its value is not just returned: `f(x)` → `kept(f(x))`. */
  kept<V>(value: V): V;
  /** `for await (x of o)` → `for await (x of awaited(a, o, s))`; its body, and what follows, begin with `resumed(a)`. */
  awaited<T>(activation: ActivationToken, iterable: T, site: SiteNumber): T;
  /** First in an async generator, which runs in the task of whoever asks for the next value and is no block. */
  enterGenerator(site: SiteNumber): ActivationToken;
  exitGenerator(activation: ActivationToken): void;
  /** `yield v` in an async generator → `yielded(a, yield yielding(a, v))`. */
  yielding<V>(activation: ActivationToken, value: V): V;
  yielded<V>(activation: ActivationToken, value: V): V;
  /** `yield* o` in an async generator → `resume(a, yield* delegated(a, o))`. */
  delegated<T>(activation: ActivationToken, iterable: T): T;
  /**
   * First in a plain function that makes a promise and returns it: `let a = enterPromising(s)`, and `return v` →
   * `return promised(a, v, a = void 0)`; around the body `try { … } finally { a && failed(a) }`. (A `catch` that throws
   * again would change the place that Node shows for an uncaught error.)
   */
  enterPromising(site: SiteNumber): ActivationToken;
  promised<V>(activation: ActivationToken, value: V): V;
  failed<E>(activation: ActivationToken, error?: E): E | undefined;
  /**
   * `p.then(f, g)` → `chained(t = p, t.then(reaction(t, f, s), reaction(t, g, s, true)))`; also `catch` and `finally`. `mayWait`: the result may wait
   * for what no `reaction` sees, a `finally` or a callback that is none here.
   */
  reaction<F>(promise: unknown, callback: F, site: SiteNumber, isForFailure?: boolean): F;
  chained<P>(promise: unknown, result: P, mayWait?: boolean): P;
  /** `new Promise(f)` → `made(new Promise(executor(f)))`. */
  executor<F>(executor: F): F;
  made<P>(promise: P): P;
  /** `__generator(this, function (_a) {…})` → `__generator(this, machine(a, function (_a) {…}))`. */
  machine<F>(activation: ActivationToken, body: F): F;

  /**
   * First in a plain function that gives functions to others, to go on in them: `const a = enterContinuing(s); try { … }
   * finally { exitContinuing(a) }`.
   */
  enterContinuing(site: SiteNumber): ActivationToken;
  exitContinuing(activation: ActivationToken): void;
  /** Such a function: `get(k, (error, v) => …)` → `get(k, continuation((error, v) => …, s))`. */
  continuation<F>(callback: F, site: SiteNumber): F;
  /** The function that begins at this site calls what it was given to call in the end: `cb(e)` → `(calledBack(s), cb(e))`. */
  calledBack(site: SiteNumber): void;

  // ---- Blocks that take turns (`--what-if-atomic`) -----------------------------------------------------------------
  /** In front of the body of an async function: `const t = turn(a, s); if (t) resume(a, await suspend(a, t, s));`. */
  turn(activation: ActivationToken, site: SiteNumber): Promise<void> | undefined;
  /** Beside `exit(a)`. */
  turnOver(activation: ActivationToken): void;
  /** Around the body of a plain function that makes a promise: `return inTurn(s, () => { … })`. */
  inTurn<V>(site: SiteNumber, body: () => V): V;

  // ---- Files ---------------------------------------------------------------------------------------------------
  /**
   * First in an instrumented file: gives its sites numbers and returns the first of them. `sites` holds, for each, line,
   * column (both from 1) and an index into `texts` (the label of a block, the source text of an access), or -1. For the
   * site of a function, -2 says that it is to be followed, but is no block (`trackside-ignore-next-line`).
   * `facts` says what is known of the sites beyond that (`FileFacts` as JSON); `mentions` are the numbers, within the file, of reads
   * whose value is only told to somebody, as in a line of a log. `built` says which sources the places are in, if the file was
   * built from others (`BuiltSources` as JSON).
   * A function that another module calls before this one has begun gives its probes NaN for a site.
   */
  file(
    path: string,
    sites: readonly number[],
    texts: readonly string[],
    facts?: string,
    mentions?: readonly number[],
    built?: string,
  ): SiteNumber;
  /** In a class that a builder has renamed: `class e { static { named(this, 'Account') } … }`. */
  named(renamed: object, name: string): void;
}

/** The sources of a built file that its sites are in. */
export interface BuiltSources {
  /** As reports name them. */
  readonly paths: readonly string[];
  /** Per site: which of them its place is in; -1 for the built file itself. */
  readonly of: readonly number[];
  /** The text of those that are in no file. */
  readonly contents: readonly (string | null)[];
  /** Properties that have another name than in the sources. */
  readonly renamed: readonly (readonly [built: string, original: string])[];
}

/** In place of a site: the call is not to be recorded. */
export const IGNORED = -1;

/**
 * What the names begin with that the instrumenter puts into a file, unless the file uses that itself: then a number
 * follows the letters. Files of packages have one of their own, so that the text of a function tells them apart.
 */
export const PREFIX = '__ts';
export const PACKAGE_PREFIX = '__tsp';

const NAME = new RegExp(`\\b(?:${PREFIX}|${PACKAGE_PREFIX})\\d*_`);

/** Whether a name of the instrumenter occurs in a text. */
export function hasProbeName(text: string): boolean {
  return NAME.test(text);
}

/** The functions of `Atomics` that access an element. */
export const ATOMICS: ReadonlySet<string> = new Set([
  ...['load', 'store', 'add', 'sub', 'and', 'or', 'xor', 'exchange', 'compareExchange'],
  ...['wait', 'waitAsync', 'notify'],
]);

/** What `trackside`'s markers call (`src/node/markers.ts`). */
export interface MarkerProbes {
  markAtomic<T>(label: string, run: () => T): T;
  markAccess(name: string, access: 'read' | 'write'): void;
  markLock<T>(name: string, run: () => T): T;
}
