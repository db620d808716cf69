import { readFileSync } from 'node:fs';
import module from 'node:module';
import { secretly } from '../support/quietly.ts';
import { hookCommonJs } from './commonjs.ts';
import { customizeLoader, internalsOfNode } from './customized-loader.ts';
import type { HooksOptions } from './hooks.ts';
import { modelBuiltin } from './models.ts';
import { type Loading, loadModule, type ResolveContext, resolved } from './modules.ts';
import type { SourceTransformer } from './source-transformer.ts';

/** Of Node 22.15 and later; the types at hand are those of the oldest version that we run on. */
interface SynchronousHooks {
  resolve?(
    specifier: string,
    context: ResolveContext,
    next: (specifier: string, context: object) => object,
  ): object;
  load?(url: string, context: object, next: (url: string, context: object) => unknown): Loading | unknown;
}
type RegisterHooks = (hooks: SynchronousHooks) => void;

const HOOKS_THREAD = new URL('../loader/hooks-thread.js', import.meta.url);

/** Without these words CommonJS loads no module, and has no hooks of its own. */
const MODULE_WORDS = /\b(?:import|export|register)\b/;

/** `import()`, which code that was kept does not have. */
export type ImportModule = (url: string) => Promise<unknown>;

export interface InstallOptions {
  /** What the hooks are told if they run in a thread of their own. */
  given: HooksOptions;
  /** The first file that will be loaded, if it is CommonJS. */
  commonJs: string | null;
  importModule: ImportModule;
}

/** From here on, every selected file that is loaded is instrumented. */
export function installHooks(
  transformer: SourceTransformer,
  { given, commonJs, importModule }: InstallOptions,
): void {
  const { registerHooks } = module as unknown as { registerHooks?: RegisterHooks };
  if (registerHooks === undefined) {
    const startThread = () => secretly(() => module.register(HOOKS_THREAD, { data: given }));
    const internals = internalsOfNode();
    const customize = once(
      internals === null ? startThread : () => customizeLoader(internals, transformer, startThread),
    );
    // To start a thread takes longer than to load a small program, which may never need it.
    if (commonJs === null || mayLoadModules(commonJs)) customize();
    hookCommonJs(transformer, importModule, (source) => {
      if (MODULE_WORDS.test(source)) customize();
    });
    return;
  }
  hookCommonJs(transformer, importModule, null);
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'node:sqlite') modelBuiltin(specifier);
      return resolved(specifier, context, () => next(specifier, context));
    },
    load: (url, context, next) => loadModule(url, transformer) ?? next(url, context),
  });
}

function mayLoadModules(path: string): boolean {
  try {
    return MODULE_WORDS.test(readFileSync(path, 'utf8'));
  } catch {
    // Node will complain about it.
    return false;
  }
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
