import type * as Stores from '../stores/index.ts';
import { ownRequire } from '../support/own-require.ts';

/** All that follows stores: programs without a driver never need it. */
export function stores(): typeof Stores {
  return ownRequire('./stores.cjs') as typeof Stores;
}
