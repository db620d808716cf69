import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dataSource } from './evaluated-text.ts';
import { modelledPackage } from './modelled-package.ts';
import { isTypeScript } from './module-kind.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { typescriptFile } from './typescript-names.ts';
import { storePackage, withStoreNoted } from './unfollowed-stores.ts';

/*
 * What the hooks for ECMAScript modules do, in both forms that Node knows: called in the thread itself
 * (`registerHooks`), or in a thread of their own (`register`).
 */

/** What a hook is told of an import. */
export interface ResolveContext {
  parentURL?: string;
  importAttributes?: Record<string, string>;
}

export interface Loading {
  format: string;
  source: string | null;
  shortCircuit: true;
}

/** The module, instrumented; null if Node should load it as ever. CommonJS goes through `hookCommonJs`. */
export function loadModule(url: string, transformer: SourceTransformer): Loading | null {
  const text = dataSource(url);
  if (text !== null) return transformer.selects(url) ? instrumented(url, text, transformer) : null;
  const path = pathOf(url);
  if (path === null) return null;
  if (modelledPackage(path) !== null) return loadLock(path, transformer);
  const store = storePackage(path);
  if (store !== null) {
    const noted = loadStore(store, path, transformer);
    if (noted !== null) return noted;
  }
  if (!transformer.selects(path)) return null;
  const source = readFileSync(path, 'utf8');
  const format = transformer.formatOf(path, source);
  if (format === 'module') return instrumented(path, source, transformer);
  // Without a source Node hands the file to its CommonJS loader, which by itself would not take this ending.
  return isTypeScript(path) ? { format, source: null, shortCircuit: true } : null;
}

function instrumented(path: string, source: string, transformer: SourceTransformer): Loading {
  const format = 'module';
  return { format, source: transformer.transform(path, source, format), shortCircuit: true };
}

/** A package of locks: only a module with a default or the class itself has something for its model. */
function loadLock(path: string, transformer: SourceTransformer): Loading | null {
  const source = readFileSync(path, 'utf8');
  if (transformer.formatOf(path, source) !== 'module' || !/\bexport\b/.test(source)) return null;
  return { format: 'module', source: transformer.modelled(path, source), shortCircuit: true };
}

/** A package that keeps data elsewhere; CommonJS tells by itself. */
function loadStore(name: string, path: string, transformer: SourceTransformer): Loading | null {
  const source = readFileSync(path, 'utf8');
  const format = 'module';
  if (transformer.formatOf(path, source) !== format) return null;
  const text = transformer.selects(path) ? transformer.transform(path, source, format) : source;
  return { format, source: withStoreNoted(name, text), shortCircuit: true };
}

/** What a specifier stands for, where Node's own answer is there at once. */
export function resolved(specifier: string, context: ResolveContext, byNode: () => object): object {
  try {
    return withAttributes(byNode(), context);
  } catch (error) {
    const url = resolveTypeScript(specifier, context.parentURL);
    if (url === null) throw error;
    return { url, shortCircuit: true };
  }
}

/** For a specifier that Node does not find: the TypeScript file it may stand for. */
export function resolveTypeScript(specifier: string, parentUrl: string | undefined): string | null {
  const parent = parentUrl === undefined ? null : pathOf(parentUrl);
  const found = parent === null ? null : typescriptFile(specifier, parent);
  return found === null ? null : pathToFileURL(found).href;
}

/** What `importAttributes` says is missing in TypeScript that was meant to be compiled: `import data from './data.json'`. */
export function withAttributes<Result>(
  result: Result,
  { parentURL, importAttributes }: ResolveContext,
): Result {
  const { url } = result as { url: string };
  const parent = parentURL === undefined ? null : pathOf(parentURL);
  const isMissing = url.endsWith('.json') && Object.keys(importAttributes ?? {}).length === 0;
  return isMissing && parent !== null && isTypeScript(parent)
    ? { ...result, importAttributes: { type: 'json' } }
    : result;
}

function pathOf(url: string): string | null {
  return url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : null;
}
