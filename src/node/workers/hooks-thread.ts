import { hooksWith } from '../loader/hooks.ts';
import type { ProgramOptions } from '../loader/program-options.ts';
import { CachedTransformer } from './cached-transformer.ts';

export const { initialize, resolve, load } = hooksWith(
  (program: ProgramOptions) => new CachedTransformer(program),
);
