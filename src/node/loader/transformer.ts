import { writeSync } from 'node:fs';
import { type Instrumented, type InstrumentOptions, instrument } from '../instrument/instrument.ts';
import { modelOf } from '../runtime/locks/models.ts';
import { withTestsMarked } from '../testing/test-functions.ts';
import { withModel } from './lock-models.ts';
import { languageOf, type ModuleFormat } from './module-kind.ts';
import { packageName, Selection, type SelectionOptions } from './selection.ts';
import { transformFor } from './tsconfig.ts';

/** The file that holds the probes for modules; a plain string, so that it can be handed to another thread. */
export const RUNTIME_URL = new URL('./probes-module.js', import.meta.url).href;

const MODELS_URL = new URL('./lock-models.js', import.meta.url).href;

/** Below this folder lies the tool itself, which must not watch itself. */
const OWN_CODE = new URL('../../', import.meta.url).pathname;

/** Decides which files are instrumented, and does it. */
export class Transformer {
  readonly #selection: Selection;
  readonly #atomic: readonly string[];
  readonly #warned = new Set<string>();

  constructor(options: SelectionOptions) {
    this.#selection = new Selection(options);
    this.#atomic = options.atomic ?? [];
  }

  selects(path: string): boolean {
    if (path.startsWith(OWN_CODE) || !this.#selection.selects(path)) return false;
    // What a lock does inside is its own business: it is known by its interface.
    return lockPackage(path) === null;
  }

  transform(path: string, source: string, format: ModuleFormat): string {
    return this.instrumented(path, source, format).code;
  }

  /** The same with the map, for those who go on with the text. */
  instrumented(
    path: string,
    source: string,
    format: ModuleFormat,
    more: Partial<Pick<InstrumentOptions, 'runtimeUrl' | 'transform'>> = {},
  ): Instrumented {
    const displayPath = this.#selection.displayPath(path);
    const language = languageOf(path);
    const options = {
      path,
      displayPath,
      format,
      language,
      runtimeUrl: RUNTIME_URL,
      wantMap: true,
      atomic: this.#atomic,
      ...(language === 'js' ? {} : { transform: transformFor(path) }),
      ...more,
    };
    const instrumented = instrument(withTestsMarked(path, source), options);
    for (const warning of instrumented.warnings) this.#warn(warning);
    return instrumented;
  }

  /** The source of a module of a package of locks, with its model. */
  modelled(path: string, source: string): string {
    return withModel(lockPackage(path)!, path, source, MODELS_URL);
  }

  #warn(warning: string): void {
    if (this.#warned.has(warning)) return;
    this.#warned.add(warning);
    writeSync(2, `trackside: warning: ${warning}\n`);
  }
}

/** The name of the package of locks whose entry this file is. */
export function lockPackage(path: string): string | null {
  const name = packageName(path);
  return name !== null && modelOf(name) !== undefined ? name : null;
}
