import type { Activation } from '../core/activation.ts';
import { Decoration } from '../core/decoration.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import { areAlike, partsOf } from './alike.ts';
import { isFlag, isFoundIn } from './written-value.ts';

/*
 * Several who wait for one promise: whoever needs something that is being made waits for it with the others. What each of them
 * puts down afterwards is the same result, and nobody's work is lost if it is put down twice.
 */

/** What came of the last promise that gave anything, of those that an activation has waited for with others. */
const joined = new Decoration<Activation, { value: unknown }>('activation', () => ({ value: undefined }));

/** What waited for a promise first, and whether others have, too. */
const waiters = new Decoration<ObjectRecord, { first: Activation | null; areMany: boolean }>(
  'object',
  () => ({
    first: null,
    areMany: false,
  }),
);

/** The activation, or a callback of it, waits for the promise. */
export function noteWaiter(activation: Activation, promise: ObjectRecord): void {
  const state = waiters.in(promise);
  state.first ??= activation;
  if (state.first !== activation) state.areMany = true;
}

export function isAwaitedByMany(promise: ObjectRecord): boolean {
  return waiters.of(promise)?.areMany === true;
}

/** The promise comes to what another one does for which several have waited. */
export function noteShared(promise: ObjectRecord): void {
  waiters.in(promise).areMany = true;
}

/** The activation goes on with what came of a promise for which others have waited as well. */
export function noteJoined(activation: Activation, value: unknown): void {
  for (let inner: Activation | null = activation; inner !== null; inner = inner.outer) {
    const state = joined.in(inner);
    if (!isFlag(value)) state.value = value;
  }
}

/** Whether the value only says what came of a promise for which others have waited, too, or that it is over. */
export function isSharedResult(activation: Activation, value: unknown): boolean {
  for (let outer: Activation | null = activation; outer !== null; outer = outer.outer) {
    const state = joined.of(outer);
    if (state !== null && (isFlag(value) || isFoundIn(state.value, value))) return true;
  }
  return false;
}

/** What was made of a shared result and put there last, for the next one to be compared with. */
const put = new WeakMap<VariableRecord, readonly unknown[]>();
let isAnythingPut = false;

/**
 * Whether the value holds what came of a promise for which others have waited, too, as one did that such another has put there,
 * and differs from that in times only: `{ token, until: Date.now() + ttl }`. Notes it for the next one.
 */
export function isPutAgain(activation: Activation, variable: VariableRecord, value: unknown): boolean {
  let parts: readonly unknown[] | null = null;
  for (let outer: Activation | null = activation; outer !== null && parts === null; outer = outer.outer) {
    const state = joined.of(outer);
    if (state !== null && !isFlag(state.value)) parts = partsOf(value, state.value);
  }
  if (parts === null) {
    if (isAnythingPut) put.delete(variable);
    return false;
  }
  isAnythingPut = true;
  const before = put.get(variable);
  put.set(variable, parts);
  return before !== undefined && areAlike(before, parts);
}
