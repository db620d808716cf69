import { isLoadingOwn } from '../support/own-require.ts';
import { instrumenter } from './instrumenter-link.ts';
import { declaredFormat, type ModuleFormat } from './module-kind.ts';
import { Selection, type SelectionOptions } from './selection.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { isWatched } from './watched-files.ts';

/** Loads the instrumenter when the first file is to be instrumented. */
export class LazyTransformer implements SourceTransformer {
  readonly #options: SelectionOptions;
  readonly #selection: Selection;
  #transformer: SourceTransformer | null = null;

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#selection = new Selection(options);
  }

  selects(path: string): boolean {
    // Its own files, and those of its packages, are not for itself.
    return !isLoadingOwn() && isWatched(path, this.#selection);
  }

  formatOf(path: string, source: string): ModuleFormat {
    return declaredFormat(path) ?? this.loaded().formatOf(path, source);
  }

  transform(path: string, source: string, format: ModuleFormat): string {
    return this.loaded().transform(path, source, format);
  }

  modelled(path: string, source: string): string {
    return this.loaded().modelled(path, source);
  }

  /** Loads it now, if it has not been. */
  loaded(): SourceTransformer {
    this.#transformer ??= new (instrumenter().Transformer)(this.#options);
    return this.#transformer;
  }
}
