import { inspect, types } from 'node:util';
import { Activation } from '../core/activation.ts';
import { define } from '../support/patching.ts';

/** Where AsyncLocalStorage keeps what is stored for a promise, before Node 24. */
const STORE = 'kResourceStore';

/** What it also needs to know of each. */
const IDS: readonly (string | undefined)[] = ['async_id_symbol', 'trigger_async_id_symbol'];

/**
 * Before Node 24 an AsyncLocalStorage keeps its own in properties of every promise, and `console.log(promise)` would show
 * ours. To keep them elsewhere takes microseconds a promise; so they are put out of sight when somebody looks.
 */
export function hideFromDisplay(): void {
  if (Object.hasOwn(Promise.prototype, inspect.custom)) return;
  const value = {
    [inspect.custom](this: unknown) {
      if (types.isPromise(this)) hide(this);
      // Shown as ever.
      return this;
    },
  }[inspect.custom];
  define(Promise.prototype, inspect.custom, { value, configurable: true, writable: true });
}

function hide(promise: object): void {
  const isOurs = new Map<symbol, boolean>();
  for (const key of Object.getOwnPropertySymbols(promise)) {
    if (key.description !== STORE) continue;
    const { value } = Object.getOwnPropertyDescriptor(promise, key) ?? {};
    isOurs.set(key, value === null || value === undefined || value instanceof Activation);
  }
  const isAlone = [...isOurs.values()].every(Boolean);
  // The program may have an AsyncLocalStorage of its own, for which the ids would be there anyway.
  for (const key of Object.getOwnPropertySymbols(promise))
    if (isOurs.get(key) === true || (isAlone && IDS.includes(key.description)))
      define(promise, key, { enumerable: false });
}
