import type { Exports } from '../../runtime/locks/models.ts';
import { type AskedOfStore, AT_ONCE } from '../../runtime/scheduling.ts';
import { Patches } from '../../support/patching.ts';
import type { Ledger } from '../model/ledger.ts';

export type { Exports };

/**
 * Makes a driver tell the ledger what it does for the program. Returns what has to be exported in the place of the originals;
 * most need nothing, as the methods of their classes are replaced.
 */
export type Adapter = (exports: Exports, ledger: Ledger) => Exports;

export type Method = (this: unknown, ...values: unknown[]) => unknown;

/** The methods are replaced for as long as the process runs, as a driver is loaded once. */
export const patches: Patches = new Patches();

/** What an adapter does must not become the program's problem. */
export function safely(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (process.env.TRACKSIDE_DEBUG) throw error;
  }
}

/** For drivers that give promises: the value, or a promise for it if somebody has to wait. */
export function inTurn<T>(turn: AskedOfStore, value: T | Promise<T>): T | Promise<T> {
  if (turn === AT_ONCE) return value;
  // It may be rejected before anybody looks.
  if (value instanceof Promise) value.catch(() => {});
  return new Promise((resolve) => turn.answered(() => resolve(value)));
}

const taken = new WeakSet<object>();

/** Null for one that was taken before: a package may be loaded in several forms, around the same classes. */
export function takePrototype(value: unknown): object | null {
  const prototype = prototypeOf(value);
  if (prototype === null || taken.has(prototype)) return null;
  taken.add(prototype);
  return prototype;
}

export function prototypeOf(value: unknown): object | null {
  const prototype = typeof value === 'function' ? (value as { prototype?: unknown }).prototype : null;
  return typeof prototype === 'object' ? prototype : null;
}
