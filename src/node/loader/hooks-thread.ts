import { hooksWith } from './hooks.ts';
import type { SelectionOptions } from './selection.ts';
import { Transformer } from './transformer.ts';

export const { initialize, resolve, load } = hooksWith(
  (options: SelectionOptions) => new Transformer(options),
);
