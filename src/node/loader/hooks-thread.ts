import { hooksWith } from './hooks.ts';
import { LazyTransformer } from './lazy-transformer.ts';
import type { SelectionOptions } from './selection.ts';

export const { initialize, resolve, load } = hooksWith((options: SelectionOptions) => {
  const transformer = new LazyTransformer(options);
  // The program's thread waits until the hooks are there, but has something else to do while the rest is loaded.
  setImmediate(() => transformer.loaded());
  return transformer;
});
