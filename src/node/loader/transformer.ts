import { writeSync } from 'node:fs';
import {
  type BuiltFrom,
  type Instrumented,
  type InstrumentOptions,
  instrument,
} from '../instrument/instrument.ts';
import { BuiltFile } from '../originals/built-file.ts';
import { NoMap } from '../originals/map-text.ts';
import { changingImports } from './changing-imports.ts';
import { withModel } from './model-text.ts';
import { MODELS_URL, modelledPackage } from './modelled-package.ts';
import { moduleFormat } from './module-format.ts';
import { declaredFormat, isScript, isTypeScript, languageOf, type ModuleFormat } from './module-kind.ts';
import { isOfPackage, Selection, type SelectionOptions } from './selection.ts';
import type { SourceTransformer } from './source-transformer.ts';
import { withTestsMarked } from './test-functions.ts';
import { transformFor } from './tsconfig.ts';
import { isWatched } from './watched-files.ts';

/** The file that holds the probes for modules; a plain string, so that it can be handed to another thread. */
export const RUNTIME_URL = new URL('../loader/probes-module.js', import.meta.url).href;

const COMMONJS_NAMES_URL = new URL('../loader/commonjs-names.js', import.meta.url).href;

export class Transformer implements SourceTransformer {
  readonly #selection: Selection;
  readonly #atomic: readonly string[];
  readonly #turns: readonly string[];
  readonly #warned = new Set<string>();

  constructor(options: SelectionOptions) {
    this.#selection = new Selection(options);
    this.#atomic = options.atomic ?? [];
    this.#turns = options.turns?.labels ?? [];
  }

  selects(path: string): boolean {
    return isWatched(path, this.#selection);
  }

  formatOf(path: string, source: string): ModuleFormat {
    return moduleFormat(path, source);
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
      turns: this.#turns,
      changingImports: (specifier: string) => changingImports(specifier, path),
      ...(language === 'js' ? {} : { transform: transformFor(path) }),
      ...(isMadeModule(path, format) ? { commonJsNamesUrl: COMMONJS_NAMES_URL } : {}),
      ...(language === 'js' ? this.#builtFrom(path, source) : {}),
      ...more,
    };
    const instrumented = instrument(withTestsMarked(path, source), options);
    for (const warning of instrumented.warnings) this.#warn(warning);
    return instrumented;
  }

  modelled(path: string, source: string): string {
    return withModel(modelledPackage(path)!, path, source, MODELS_URL);
  }

  #builtFrom(path: string, source: string): { builtFrom?: BuiltFrom } {
    if (path.startsWith('data:')) return {};
    const shown = this.#selection.displayPath(path);
    try {
      const file = BuiltFile.of(path, source);
      // Of a package that comes without its sources, nobody could look at the places.
      const isUseful =
        file !== null && (!isOfPackage(path) || file.sources.some(({ content }) => content !== null));
      if (!isUseful) return {};
      return {
        builtFrom: {
          file,
          displayPath: (name) => this.#selection.displayPath(name),
          isWatched: (name) => this.#selection.selectsSource(name, path),
          language: (name) => (isScript(name) ? languageOf(name) : null),
        },
      };
    } catch (problem) {
      if (!(problem instanceof NoMap)) throw problem;
      if (!isOfPackage(path))
        this.#warn(
          `${shown}: its source map cannot be used: ${problem.message}; positions are those of the built file`,
        );
      return {};
    }
  }

  #warn(warning: string): void {
    if (this.#warned.has(warning)) return;
    this.#warned.add(warning);
    writeSync(2, `trackside: warning: ${warning}\n`);
  }
}

/** Whether a compiler might have made CommonJS of it. */
function isMadeModule(path: string, format: ModuleFormat): boolean {
  return format === 'module' && isTypeScript(path) && declaredFormat(path) === null;
}
