import { ownRequire } from '../support/own-require.ts';
import type * as Instrumenter from './instrumenter.ts';

/** The instrumenter, which takes as long to load as all else together: many threads of a program never need it. */
export function instrumenter(): typeof Instrumenter {
  return ownRequire('./instrumenter.cjs') as typeof Instrumenter;
}
