import { createRequire } from 'node:module';
import type { EvaluatedText } from '../loader/evaluated-text.ts';
import type { InstrumentedFile } from '../loader/function-text.ts';
import { lockPackage } from '../loader/lock-package.ts';
import type { SourcePlace } from '../loader/messages.ts';
import { declaredFormat, type ModuleFormat } from '../loader/module-kind.ts';
import type { ProgramOptions } from '../loader/program-options.ts';
import { isOwnCode, Selection, type SelectionOptions } from '../loader/selection.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import { hasProbeMessage } from '../runtime/caught.ts';
import { CodeCache } from './code-cache.ts';

type Instrumenter = typeof import('./instrumenter.ts');

/** The instrumenter, and all that it needs, in one file. */
const INSTRUMENTER = '../loader/worker-instrumenter.js';

/** Instruments what no isolate of this run has instrumented before. */
export class CachedTransformer implements SourceTransformer {
  readonly #program: ProgramOptions & SelectionOptions;
  readonly #selection: Selection;
  readonly #cache: CodeCache;
  #instrumenter: Instrumenter | null = null;
  #transformer: SourceTransformer | null = null;
  /** Its own files, and those of its packages, are not for itself. */
  #isLoading = false;

  constructor(program: ProgramOptions & SelectionOptions) {
    this.#program = program;
    this.#selection = new Selection(program);
    this.#cache = new CodeCache(program.spool);
  }

  selects(path: string): boolean {
    if (this.#isLoading || isOwnCode(path)) return false;
    return this.#selection.selects(path) && lockPackage(path) === null;
  }

  formatOf(path: string, source: string): ModuleFormat {
    return declaredFormat(path) ?? this.#full().formatOf(path, source);
  }

  transform(path: string, source: string, format: ModuleFormat): string {
    const known = this.#cache.find(path, source, format);
    if (known !== null) return known;
    const code = this.#full().transform(path, source, format);
    this.#cache.keep(path, source, format, code);
    return code;
  }

  modelled(path: string, source: string): string {
    return this.#full().modelled(path, source);
  }

  repairMessage(error: unknown, place: SourcePlace, text: EvaluatedText | null): void {
    if (hasProbeMessage(error)) this.#loaded().repairMessage(error, place, text);
  }

  sourceOfFunction(text: string, file: InstrumentedFile): string | null {
    return this.#loaded().sourceOfFunction(text, file);
  }

  #full(): SourceTransformer {
    this.#transformer ??= new (this.#loaded().Transformer)(this.#program);
    return this.#transformer;
  }

  #loaded(): Instrumenter {
    if (this.#instrumenter !== null) return this.#instrumenter;
    this.#isLoading = true;
    // Node may warn that it is new to require modules, which is nothing that the program has done.
    const { emitWarning } = process;
    process.emitWarning = () => {};
    try {
      this.#instrumenter = createRequire(import.meta.url)(INSTRUMENTER) as Instrumenter;
      return this.#instrumenter;
    } finally {
      process.emitWarning = emitWarning;
      this.#isLoading = false;
    }
  }
}
