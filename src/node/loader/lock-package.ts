import { modelOf } from '../runtime/locks/models.ts';
import { packageName } from './selection.ts';

/** The name of the package of locks whose entry this file is. */
export function lockPackage(path: string): string | null {
  const name = packageName(path);
  return name !== null && modelOf(name) !== undefined ? name : null;
}
