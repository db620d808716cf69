import type { Runtime } from '../runtime/index.ts';
import { type Exports, modelOf } from '../runtime/locks/models.ts';
import type { Ledger } from '../stores/model/ledger.ts';
import { isDriver, isModelled } from './modelled-package.ts';
import { stores } from './stores-link.ts';

/*
 * Packages of locks, and drivers of databases, are known by their interface. A CommonJS module is handed to its model when it has been loaded; to
 * the text of a module is added that it does so itself, as what a module exports cannot be changed from outside.
 */

/** Where the text that is added to modules finds `modelled` in `globalThis`. */
export const MODELLED = Symbol.for('trackside.modelled');

let runtime: Runtime | null = null;
let followsStores = false;
/** Made for the first driver. */
let ledger: Ledger | null = null;

/** From now on, models tell this runtime; those of drivers, too, if stores are to be followed. */
export function modelsTell(to: Runtime, areStoresFollowed: boolean): void {
  runtime = to;
  followsStores = areStoresFollowed;
  Reflect.set(globalThis, MODELLED, { modelled, noteStore });
}

/** What is known of the stores that the program has used; null if there were none. */
export function storeLedger(): Ledger | null {
  return ledger;
}

/** What the package should export in the place of what it does; called at the end of a module by the text added to it. */
function modelled(name: string, exports: Exports): Exports {
  if (runtime === null) return {};
  const model = modelOf(name);
  if (model !== undefined) return model(exports, runtime.recorder, runtime.fileWritten);
  if (!isDriver(name)) return {};
  if (!followsStores) {
    noteSwitchedOff(name);
    return {};
  }
  const { adapterOf, Ledger } = stores();
  if (ledger === null) {
    ledger = new Ledger(runtime);
    runtime.storeSchedule?.follow(isModelled);
  }
  return adapterOf(name)?.(exports, ledger) ?? {};
}

/** The program has loaded a file of a package that keeps data elsewhere; called by text added to modules, too. */
export function noteStore(name: string): void {
  if (runtime === null || unfollowed.has(name)) return;
  if (followsStores && isDriver(name) && stores().adapterOf(name) !== undefined) return;
  unfollowed.add(name);
  runtime.noteUnfollowed(name);
}

const unfollowed = new Set<string>();

/** A driver that would be followed. */
function noteSwitchedOff(name: string): void {
  if (name === 'pg-pool' || unfollowed.has(name)) return;
  unfollowed.add(name);
  runtime?.noteSwitchedOff(name);
}

/** The program is about to load a module of Node that is a driver. */
export function modelBuiltin(name: string): void {
  if (hasModelled.has(name)) return;
  hasModelled.add(name);
  if (!followsStores) noteSwitchedOff(name);
  else modelled(name, (process.getBuiltinModule(name) ?? {}) as Exports);
}

const hasModelled = new Set<string>();

/** For `module.exports`. */
export function modelledCommonJs(name: string, exported: unknown): unknown {
  const named = typeof exported === 'object' && exported !== null ? { ...exported } : {};
  const replaced = modelled(name, { default: exported, ...named });
  if (typeof exported === 'function') return replaced.default ?? exported;
  for (const [key, value] of Object.entries(replaced)) Reflect.set(exported as object, key, value);
  return exported;
}
