import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dataSource } from './evaluated-text.ts';
import { lockPackage } from './lock-package.ts';
import { isTypeScript } from './module-kind.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { typescriptCandidates } from './typescript-names.ts';

/*
 * What the hooks for ECMAScript modules do, in both forms that Node knows: called in the thread itself
 * (`registerHooks`), or in a thread of their own (`register`).
 */

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
  if (lockPackage(path) !== null) return loadLock(path, transformer);
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
  if (transformer.formatOf(path, source) !== 'module' || !/^export\b/m.test(source)) return null;
  return { format: 'module', source: transformer.modelled(path, source), shortCircuit: true };
}

/** For a specifier that Node does not find: the TypeScript file it may stand for. */
export function resolveTypeScript(specifier: string, parentUrl: string | undefined): string | null {
  const parent = parentUrl === undefined ? null : pathOf(parentUrl);
  if (parent === null || !isTypeScript(parent) || !/^\.{1,2}\//.test(specifier)) return null;
  const found = typescriptCandidates(fileURLToPath(new URL(specifier, parentUrl)))[0];
  return found === undefined ? null : pathToFileURL(found).href;
}

function pathOf(url: string): string | null {
  return url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : null;
}
