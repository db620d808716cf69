import { createRequire } from 'node:module';
import { lockPackage } from '../loader/lock-package.ts';
import { declaredFormat, type ModuleFormat } from '../loader/module-kind.ts';
import type { ProgramOptions } from '../loader/program-options.ts';
import { isOwnCode, Selection } from '../loader/selection.ts';
import type { SourceTransformer } from '../loader/source-transformer.ts';
import { CodeCache } from './code-cache.ts';

/** The instrumenter, and all that it needs, in one file. */
const INSTRUMENTER = '../loader/worker-instrumenter.js';

/** Instruments what no isolate of this run has instrumented before. */
export class CachedTransformer implements SourceTransformer {
  readonly #program: ProgramOptions;
  readonly #selection: Selection;
  readonly #cache: CodeCache;
  #instrumenter: SourceTransformer | null = null;
  /** Its own files, and those of its packages, are not for itself. */
  #isLoading = false;

  constructor(program: ProgramOptions) {
    this.#program = program;
    this.#selection = new Selection(program);
    this.#cache = new CodeCache(program.spool);
  }

  selects(path: string): boolean {
    if (this.#isLoading || isOwnCode(path)) return false;
    return this.#selection.selects(path) && lockPackage(path) === null;
  }

  formatOf(path: string, source: string): ModuleFormat {
    return declaredFormat(path) ?? this.#loaded().formatOf(path, source);
  }

  transform(path: string, source: string, format: ModuleFormat): string {
    const known = this.#cache.find(path, source, format);
    if (known !== null) return known;
    const code = this.#loaded().transform(path, source, format);
    this.#cache.keep(path, source, format, code);
    return code;
  }

  modelled(path: string, source: string): string {
    return this.#loaded().modelled(path, source);
  }

  #loaded(): SourceTransformer {
    if (this.#instrumenter !== null) return this.#instrumenter;
    this.#isLoading = true;
    // Node may warn that it is new to require modules, which is nothing that the program has done.
    const { emitWarning } = process;
    process.emitWarning = () => {};
    try {
      const { Transformer } = createRequire(import.meta.url)(INSTRUMENTER);
      this.#instrumenter = new Transformer(this.#program) as SourceTransformer;
      return this.#instrumenter;
    } finally {
      process.emitWarning = emitWarning;
      this.#isLoading = false;
    }
  }
}
