import { CachedTransformer } from './cached-transformer.ts';
import { LazyTransformer } from './lazy-transformer.ts';
import {
  type Loading,
  loadModule,
  type ResolveContext,
  resolveTypeScript,
  withAttributes,
} from './modules.ts';
import type { ProgramOptions } from './program-options.ts';
import type { SelectionOptions } from './selection.ts';
import type { SourceTransformer } from './source-transformer.ts';

/* The hooks for Node below 22.15, which runs them in a thread of their own. */

type Next<Context, Result> = (name: string, context: Context) => Promise<Result>;

/** What they are told. */
export type HooksOptions =
  | { isWorker: false; options: SelectionOptions }
  | { isWorker: true; options: ProgramOptions };

/** What a file of hooks exports. */
export interface Hooks {
  initialize(options: HooksOptions): void;
  resolve<Context extends ResolveContext, Result>(
    specifier: string,
    context: Context,
    next: Next<Context, Result>,
  ): Promise<Result | { url: string; shortCircuit: true }>;
  load<Context, Result>(
    url: string,
    context: Context,
    next: Next<Context, Result>,
  ): Promise<Result | Loading>;
}

/** `keep` is called when much of what is needed has been loaded: nobody tells the thread that it is about to end. */
export function makeHooks(keep: () => void): Hooks {
  let transformer: SourceTransformer;
  let hasKept = false;
  return {
    initialize(given) {
      transformer = given.isWorker ? new CachedTransformer(given.options) : startedLoading(given.options);
    },
    async resolve(specifier, context, next) {
      try {
        return withAttributes(await next(specifier, context), context);
      } catch (error) {
        const url = resolveTypeScript(specifier, context.parentURL);
        if (url === null) throw error;
        return { url, shortCircuit: true };
      }
    },
    async load(url, context, next) {
      const loaded = loadModule(url, transformer);
      if (loaded === null) return next(url, context);
      if (!hasKept) setImmediate(keep);
      hasKept = true;
      return loaded;
    },
  };
}

/** The program's thread waits until the hooks are there, but has something else to do while the rest is loaded. */
function startedLoading(options: SelectionOptions): SourceTransformer {
  const transformer = new LazyTransformer(options);
  setImmediate(() => transformer.loaded());
  return transformer;
}
