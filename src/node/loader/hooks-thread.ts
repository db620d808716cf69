import { type Loading, loadModule, resolveTypeScript } from './modules.ts';
import type { SelectionOptions } from './selection.ts';
import { Transformer } from './transformer.ts';

/* The hooks for Node below 22.15, which runs them in a thread of their own. */

type Next<Context, Result> = (name: string, context: Context) => Promise<Result>;

let transformer: Transformer;

export function initialize(options: SelectionOptions): void {
  transformer = new Transformer(options);
}

export async function resolve<Context extends { parentURL?: string }, Result>(
  specifier: string,
  context: Context,
  next: Next<Context, Result>,
): Promise<Result | { url: string; shortCircuit: true }> {
  try {
    return await next(specifier, context);
  } catch (error) {
    const url = resolveTypeScript(specifier, context.parentURL);
    if (url === null) throw error;
    return { url, shortCircuit: true };
  }
}

export async function load<Context, Result>(
  url: string,
  context: Context,
  next: Next<Context, Result>,
): Promise<Result | Loading> {
  return loadModule(url, transformer) ?? next(url, context);
}
