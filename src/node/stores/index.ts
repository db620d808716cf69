/* All that follows stores, in a bundle of its own: a program loads it with its first driver. See `loader/stores-link.ts`. */

export { adapterOf } from './drivers/registry.ts';
export { Ledger } from './model/ledger.ts';
