import { createRequire } from 'node:module';
import { types } from 'node:util';
import { type Loading, loadModule, type ResolveContext, resolved } from './modules.ts';
import { EXPOSING_ARGUMENTS } from './own-arguments.ts';
import type { SourceTransformer } from './source-transformer.ts';

/*
 * Node 20 knows hooks for modules only in a thread of their own, which takes longer to start than most programs. What that
 * thread does can be done in the program's, by the same means as Node has for it, if Node was started so that it lets us (`EXPOSING_ARGUMENTS`).
 */

type Attributes = Record<string, string>;
type Load<Result> = (url: string, context: object) => Result;

/** Node's loader of modules, as far as it is used here. */
interface ModuleLoader {
  resolve(specifier: string, parentURL: string | undefined, importAttributes: Attributes): unknown;
  setCustomizations(customizations: Customizations | undefined): void;
  defaultResolve(specifier: string, parentURL: string | undefined, importAttributes: Attributes): object;
  register(...values: unknown[]): unknown;
}

/** What Node would ask the thread for. */
interface Customizations {
  allowImportMetaResolve: true;
  resolve(specifier: string, parentURL: string | undefined, importAttributes: Attributes): object;
  resolveSync(specifier: string, parentURL: string | undefined, importAttributes: Attributes): object;
  load: Load<Promise<object>>;
  loadSync: Load<object>;
  importMetaInitialize(meta: object, context: object, loader: ModuleLoader): void;
  register(...values: unknown[]): unknown;
  forceLoadHooks(): void;
}

/** Parts of Node, each loaded when it is first asked for: they depend on each other in circles. */
export interface Internals {
  readonly loader: ModuleLoader;
  load(): { defaultLoad: Load<Promise<object>>; defaultLoadSync: Load<object> };
  importMeta(): {
    initializeImportMeta(meta: object, context: object, loader: ModuleLoader): void;
  };
}

/** What is needed of Node for it; null if Node was not started so. */
export function internalsOfNode(): Internals | null {
  if (EXPOSING_ARGUMENTS.length === 0) return null;
  const internal = createRequire(import.meta.url);
  try {
    const { getOrInitializeCascadedLoader } = internal('internal/modules/esm/loader');
    return {
      get loader() {
        return getOrInitializeCascadedLoader();
      },
      load: () => internal('internal/modules/esm/load'),
      importMeta: () => internal('internal/modules/esm/initialize_import_meta'),
    };
  } catch {
    return null;
  }
}

/** Has modules instrumented in this thread. Where there are hooks of others, before or after ours, ours are in a thread with them. */
export function customizeLoader(
  internals: Internals,
  transformer: SourceTransformer,
  startThread: () => void,
): void {
  const { loader } = internals;
  if (isCustomized(loader)) {
    startThread();
    return;
  }
  const resolve: Customizations['resolve'] = (specifier, parentURL, importAttributes) => {
    const context: ResolveContext = { importAttributes, ...(parentURL === undefined ? {} : { parentURL }) };
    return resolved(specifier, context, () => loader.defaultResolve(specifier, parentURL, importAttributes));
  };
  const loading = (url: string): (Loading & { responseURL: string }) | null => {
    const loaded = loadModule(url, transformer);
    return loaded === null ? null : { ...loaded, responseURL: url };
  };
  loader.setCustomizations({
    allowImportMetaResolve: true,
    resolve,
    resolveSync: resolve,
    load: async (url, context) => loading(url) ?? internals.load().defaultLoad(url, context),
    loadSync: (url, context) => loading(url) ?? internals.load().defaultLoadSync(url, context),
    importMetaInitialize: (...values) => internals.importMeta().initializeImportMeta(...values),
    register(...values) {
      loader.setCustomizations(undefined);
      startThread();
      return loader.register(...values);
    },
    forceLoadHooks() {},
  });
}

/** Whether somebody was here before, by `--experimental-loader` or `register`: then a thread is asked, which takes its time. */
function isCustomized(loader: ModuleLoader): boolean {
  const answer = loader.resolve('node:module', undefined, {});
  if (!types.isPromise(answer)) return false;
  answer.catch(() => {});
  return true;
}
