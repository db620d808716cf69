import { isModelled } from './modelled-package.ts';
import { isOwnCode, type Selection } from './selection.ts';

/** Whether a file is instrumented. */
export function isWatched(path: string, selection: Selection): boolean {
  if (isOwnCode(path) || !selection.selects(path)) return false;
  // What a lock or a driver does inside is its own business: it is known by its interface.
  return !isModelled(path);
}
