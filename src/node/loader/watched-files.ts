import { lockPackage } from './lock-package.ts';
import { isOwnCode, type Selection } from './selection.ts';

/** Whether a file is instrumented. */
export function isWatched(path: string, selection: Selection): boolean {
  if (isOwnCode(path) || !selection.selects(path)) return false;
  // What a lock does inside is its own business: it is known by its interface.
  return lockPackage(path) === null;
}
