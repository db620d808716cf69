import { SourceMap } from 'node:module';

/** What Node calls the text of a worker that is made of a script, in its stacks. */
export const WORKER_SCRIPT = '[worker eval]';

/** And if the text is a module. */
export const WORKER_MODULE = '[eval1]';

/** In front of a source map, as the last line of what is instrumented. */
const MAP = '\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/** Code without its source map, and the map; null if it has none, as nothing in it was changed. */
export function withoutMap(code: string): { code: string; map: string } | null {
  const at = code.lastIndexOf(MAP);
  if (at < 0) return null;
  return { code: code.slice(0, at), map: Buffer.from(code.slice(at + MAP.length), 'base64').toString() };
}

/** The text that a worker was made of, in the place of a file. Node itself does not look for its source map. */
export class EvaluatedText {
  readonly source: string;
  readonly #isCalled: (file: string) => boolean;
  readonly #readMap: () => string | null;
  #map: SourceMap | null | undefined;

  /** `isCalled` tells how stacks call it, `readMap` how its positions have changed. */
  constructor(source: string, isCalled: (file: string) => boolean, readMap: () => string | null) {
    this.source = source;
    this.#isCalled = isCalled;
    this.#readMap = readMap;
  }

  /** The text behind what stacks call a file, if it is this one. */
  sourceOf(file: string): string | null {
    return this.#isCalled(file) ? this.source : null;
  }

  /** The source map, if this is how stacks call the text. */
  mapOf(file: string): SourceMap | null {
    if (!this.#isCalled(file)) return null;
    if (this.#map === undefined) {
      const map = this.#readMap();
      this.#map = map === null ? null : new SourceMap(JSON.parse(map));
    }
    return this.#map;
  }
}

/** Whether stacks call so what came as text, and not from a file. */
export function isEvaluated(file: string): boolean {
  return file === WORKER_SCRIPT || file.endsWith(`/${WORKER_MODULE}`);
}

/** The program in a `data:` URL, as Node reads it; null for any other URL or path. */
export function dataSource(url: string): string | null {
  if (!url.startsWith('data:')) return null;
  const { pathname } = new URL(url);
  const [head, base64] = /^text\/javascript[^,]*?(;base64)?,/.exec(pathname) ?? [];
  if (head === undefined) return null;
  try {
    const body = decodeURIComponent(pathname.slice(head.length));
    return Buffer.from(body, base64 === undefined ? 'utf8' : 'base64').toString();
  } catch {
    // Node will say what is wrong with it.
    return null;
  }
}
