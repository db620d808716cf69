import { type Exports, modelOf } from '../runtime/locks/models.ts';
import type { Recorder } from '../runtime/recorder.ts';

/*
 * Packages of locks are known by their interface. A CommonJS module is handed to its model when it has been loaded; to
 * the text of a module is added that it does so itself, as what a module exports cannot be changed from outside.
 */

/** Where the text that is added to modules finds `modelled` in `globalThis`. */
export const MODELLED = Symbol.for('trackside.modelled');

let recorder: Recorder | null = null;

/** From now on, models tell this recorder. */
export function modelsTell(to: Recorder): void {
  recorder = to;
  Reflect.set(globalThis, MODELLED, modelled);
}

/** What the package should export in the place of what it does; called at the end of a module by the text added to it. */
function modelled(name: string, exports: Exports): Exports {
  const model = modelOf(name);
  return model === undefined || recorder === null ? {} : model(exports, recorder);
}

/** For `module.exports`. */
export function modelledCommonJs(name: string, exported: unknown): unknown {
  const named = typeof exported === 'object' && exported !== null ? { ...exported } : {};
  const replaced = modelled(name, { default: exported, ...named });
  if (typeof exported === 'function') return replaced.default ?? exported;
  for (const [key, value] of Object.entries(replaced)) Reflect.set(exported as object, key, value);
  return exported;
}
