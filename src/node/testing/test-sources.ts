import { formatBySyntax } from '../loader/module-format.ts';
import { Transformer } from '../loader/transformer.ts';
import { selectionIn } from './options.ts';
import { proofRun } from './proof-run.ts';

/** A name that Vite has for a file: its path, perhaps with a query. */
const QUERY = /[?#].*$/;
/** What Vite itself adds to a name to get around caches. */
const HARMLESS_QUERY = /^\?(?:[tv]=[^&]*&?)*$/;

/** Calls that the runner moves to the top of the file, above what the instrumented text needs. */
const MOVED_CALLS =
  /\b(?:vi|vitest|jest)\s*\.\s*(?:mock|unmock|hoisted|deepUnmock|enableAutomock|disableAutomock)\s*[(<]/;

/** An instrumented file. */
export interface TestSource {
  code: string;
  map: string | null;
  /** The code with its map in a comment at its end. */
  codeWithMap: string;
}

/** Instruments the files of a project that a test runner loads by itself. */
export class TestSources {
  readonly #transformer: Transformer;
  readonly #runtimeUrl: string;

  /** `runtimeUrl` is what modules import the probes from. */
  constructor(root: string, instrument: readonly string[], runtimeUrl: string) {
    this.#transformer = new Transformer(selectionIn(root, instrument, proofRun()));
    this.#runtimeUrl = runtimeUrl;
  }

  /** Null if the file is to be left alone. */
  transform(source: string, id: string): TestSource | null {
    const path = id.replace(QUERY, '');
    if (path.startsWith('\0') || !HARMLESS_QUERY.test(id.slice(path.length) || '?')) return null;
    if (!this.#transformer.selects(path) || MOVED_CALLS.test(source)) return null;
    const { code: codeWithMap, map } = this.#transformer.instrumented(
      path,
      source,
      formatBySyntax(path, source),
      {
        runtimeUrl: this.#runtimeUrl,
        // Whoever comes next knows what the project's compiler does with imports that nobody uses.
        transform: { typescript: { onlyRemoveTypeImports: true } },
      },
    );
    const code = map === undefined ? codeWithMap : codeWithMap.replace(/\n\/\/# sourceMappingURL=.*$/, '');
    return { code, map: map ?? null, codeWithMap };
  }
}
