import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isLoadingOwn } from '../support/own-require.ts';
import type { ImportModule } from './install.ts';
import { modelledPackage } from './modelled-package.ts';
import { modelledCommonJs, noteStore } from './models.ts';
import { isTypeScript } from './module-kind.ts';
import { packageFolder } from './selection.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { typescriptFile } from './typescript-names.ts';
import { storePackage } from './unfollowed-stores.ts';

/** What Node's CommonJS loader consists of; it is meant to be patched, but has no types. */
interface Loaded {
  exports: unknown;
  filename: string;
  _compile(content: string, filename: string, format?: string): unknown;
}
interface Loader {
  prototype: Loaded;
  _extensions: Record<string, (module: Loaded, filename: string) => void>;
  _resolveFilename(request: string, parent?: { filename?: string }, ...rest: unknown[]): string;
}

/**
 * Instruments what `require` loads, and what `import` loads of CommonJS: in every version of Node it comes through here.
 * `look` gets each source of the program before it is run, where modules that are required do not go through the hooks for
 * modules; null where they do.
 */
export function hookCommonJs(
  transformer: SourceTransformer,
  importModule: ImportModule,
  look: ((source: string) => void) | null,
): void {
  const loader = Module as unknown as Loader;
  const { _compile: compile } = loader.prototype;
  loader.prototype._compile = function (content, filename, format) {
    if (!isLoadingOwn()) look?.(content);
    const isPlain = format === undefined || format.startsWith('commonjs');
    const isModule = format === 'module' && look !== null && !isTypeScript(filename);
    const instrumented =
      (isPlain || isModule) && transformer.selects(filename)
        ? transformer.transform(filename, content, isModule ? 'module' : 'commonjs')
        : content;
    const result = compile.call(this, instrumented, filename, format);
    const store = storePackage(filename);
    if (store !== null) noteStore(store);
    const name = modelledPackage(filename);
    if (name !== null && isEntryOf(name, filename)) this.exports = modelledCommonJs(name, this.exports);
    return result;
  };
  hookTypeScript(loader, transformer, importModule);
}

function hookTypeScript(loader: Loader, transformer: SourceTransformer, importModule: ImportModule): void {
  for (const ending of ['.ts', '.cts', '.tsx']) {
    const previous = loader._extensions[ending];
    loader._extensions[ending] = (module, filename) => {
      if (!transformer.selects(filename) && previous !== undefined) return previous(module, filename);
      const source = readFileSync(filename, 'utf8');
      const format = transformer.formatOf(filename, source);
      // The first file of a worker, which Node has not taken for a module by its name, and which may wait at its top level.
      if (format === 'module' && Object.is(module, process.mainModule))
        return void importModule(pathToFileURL(filename).href);
      const text = transformer.transform(filename, source, format);
      module._compile(text, filename, format === 'module' ? format : 'instrumented');
    };
  }
  const { _resolveFilename: resolveFilename } = loader;
  loader._resolveFilename = function (request, parent, ...rest) {
    try {
      return resolveFilename.call(this, request, parent, ...rest);
    } catch (error) {
      const found = parent?.filename === undefined ? null : typescriptFile(request, parent.filename);
      if (found === null) throw error;
      return found;
    }
  };
}

/** By its own name, or by that of its folder: a package may be installed under another one. */
const INSTALLED = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

function isEntryOf(name: string, filename: string): boolean {
  // Its entry exports a function that makes everything else.
  if (name === 'postgres') return /[\\/]src[\\/]query\.js$/.test(filename);
  // Packages may have a package.json in folders of their own, too, and be installed by another name.
  const [folder = packageFolder(filename)] = INSTALLED.exec(filename) ?? [];
  return [name, folder].some((id) => {
    try {
      return createRequire(filename).resolve(id) === filename;
    } catch {
      return false;
    }
  });
}
