import type { MarkerProbes } from './probes.ts';
import { RUNTIME } from './runtime-symbol.ts';

/*
 * What a program can say about itself. Without the tool, nothing happens but the call of what was given.
 */

function markers(): MarkerProbes | undefined {
  return Reflect.get(globalThis, RUNTIME) as MarkerProbes | undefined;
}

/** Runs `run`, which is meant to be atomic: a block of this name, until what it returns is settled. */
export function atomic<T>(label: string, run: () => T): T {
  const runtime = markers();
  return runtime === undefined ? run() : runtime.markAtomic(label, run);
}

/** Something was read that no variable of the program stands for, such as a row of a database. */
export function read(name: string): void {
  markers()?.markAccess(name, 'read');
}

/** The same for something that was changed. */
export function write(name: string): void {
  markers()?.markAccess(name, 'write');
}

/** Runs `run`, which holds a lock of this name until what it returns is settled. The lock itself is the program's. */
export function lock<T>(name: string, run: () => T): T {
  const runtime = markers();
  return runtime === undefined ? run() : runtime.markLock(name, run);
}
