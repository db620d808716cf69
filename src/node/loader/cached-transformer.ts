import { InstrumentedCodeCache } from './code-cache.ts';
import { LazyTransformer } from './lazy-transformer.ts';
import type { ModuleFormat } from './module-kind.ts';
import type { ProgramOptions } from './program-options.ts';
import type { SelectionOptions } from './selection.ts';

/** Instruments what no isolate of this run has instrumented before. */
export class CachedTransformer extends LazyTransformer {
  readonly #cache: InstrumentedCodeCache;

  constructor(program: ProgramOptions & SelectionOptions) {
    super(program);
    this.#cache = new InstrumentedCodeCache(program.spool);
  }

  override transform(path: string, source: string, format: ModuleFormat): string {
    const known = this.#cache.find(path, source, format);
    if (known !== null) return known;
    const code = super.transform(path, source, format);
    this.#cache.keep(path, source, format, code);
    return code;
  }
}
