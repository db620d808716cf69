import module from 'node:module';
import { hookCommonJs } from './commonjs.ts';
import {
  type Loading,
  loadModule,
  type ResolveContext,
  resolveTypeScript,
  withAttributes,
} from './modules.ts';
import type { SourceTransformer } from './source-transformer.ts';

/** Of Node 22.15 and later; the types at hand are those of the oldest version that we run on. */
interface SynchronousHooks {
  resolve?(
    specifier: string,
    context: ResolveContext,
    next: (specifier: string, context: object) => unknown,
  ): unknown;
  load?(url: string, context: object, next: (url: string, context: object) => unknown): Loading | unknown;
}
type RegisterHooks = (hooks: SynchronousHooks) => void;

/** What Node below 22.15 runs in a thread of its own: a file that exports hooks, and what they are told. */
export interface HooksThread {
  url: URL;
  data: unknown;
}

/** From here on, every selected file that is loaded is instrumented. */
export function installHooks(transformer: SourceTransformer, thread: HooksThread): void {
  const { registerHooks } = module as unknown as { registerHooks?: RegisterHooks };
  hookCommonJs(transformer, registerHooks !== undefined);
  if (registerHooks === undefined) {
    module.register(thread.url, { data: thread.data });
    return;
  }
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return withAttributes(next(specifier, context), context);
      } catch (error) {
        const url = resolveTypeScript(specifier, context.parentURL);
        if (url === null) throw error;
        return { url, shortCircuit: true };
      }
    },
    load: (url, context, next) => loadModule(url, transformer) ?? next(url, context),
  });
}
