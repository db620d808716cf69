import { installHooks } from './install.ts';
import type { SelectionOptions } from './selection.ts';
import type { SourceTransformer } from './source-transformer.ts';

/** From here on, every selected file that is loaded is instrumented, with these options. */
export function startInstrumenting(transformer: SourceTransformer, options: SelectionOptions): void {
  installHooks(transformer, { url: new URL('./hooks-thread.js', import.meta.url), data: options });
}
