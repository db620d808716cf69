import Module, { createRequire } from 'node:module';

/** What Node has loaded of CommonJS, by path; without types. */
const { _cache: cache } = Module as unknown as { _cache: Record<string, unknown> };

const loaded = new Map<string, unknown>();

let isLoading = false;

/** Loads something of the tool's own while a program runs: a package, or one of the bundles, by `./name`. */
export function ownRequire(id: string): unknown {
  if (!loaded.has(id)) loaded.set(id, load(id));
  return loaded.get(id);
}

function load(id: string): unknown {
  // Node may warn that it is new to require modules, which is nothing that the program has done.
  const { emitWarning } = process;
  const known = new Set(Object.keys(cache));
  const before = isLoading;
  process.emitWarning = () => {};
  isLoading = true;
  try {
    return createRequire(new URL('../loader/instrumenter.cjs', import.meta.url))(id);
  } finally {
    isLoading = before;
    process.emitWarning = emitWarning;
    // The program may look there for what it has loaded itself.
    for (const path of Object.keys(cache)) if (!known.has(path)) delete cache[path];
  }
}

/** Whether what is being loaded just now is the tool's own, and not the program's. */
export function isLoadingOwn(): boolean {
  return isLoading;
}
