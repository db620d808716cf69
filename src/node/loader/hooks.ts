import {
  type Loading,
  loadModule,
  type ResolveContext,
  resolveTypeScript,
  withAttributes,
} from './modules.ts';
import type { SourceTransformer } from './source-transformer.ts';

/* The hooks for Node below 22.15, which runs them in a thread of their own. */

type Next<Context, Result> = (name: string, context: Context) => Promise<Result>;

/** What a file of hooks exports. */
export interface Hooks<Options> {
  initialize(options: Options): void;
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

export function hooksWith<Options>(makeTransformer: (options: Options) => SourceTransformer): Hooks<Options> {
  let transformer: SourceTransformer;
  return {
    initialize(options) {
      transformer = makeTransformer(options);
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
      return loadModule(url, transformer) ?? next(url, context);
    },
  };
}
