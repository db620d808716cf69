import { scriptsIn } from '../startup/scripts.ts';

/** Node's own, of the CommonJS file that this becomes a part of: to make another one takes as long as to load a module. */
declare const require: (id: string) => unknown;

/** Loads what the build has put beside this file, with code that was kept for this `user`. */
export function requireChunk(id: string, user?: string): void {
  // Code that was kept cannot import on Node 20, so it asks here; the build puts this in the place of `import()`.
  const importModule = (path: string) => import(path);
  Object.defineProperty(globalThis, Symbol.for('trackside.import'), { value: importModule });
  if (process.env.TRACKSIDE_DEBUG) {
    // The files of the command line are small for the sake of a quick start; bugs are looked for in the sources.
    process.setSourceMapsEnabled(true);
    require(id);
  } else {
    const scripts = scriptsIn(import.meta.dirname, require, user);
    process.once('exit', () => scripts.keep());
    scripts.require(id);
  }
}
