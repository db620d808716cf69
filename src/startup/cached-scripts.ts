import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { CachedCode, CodeCache } from './code-cache.ts';

const BEFORE = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const AFTER = Buffer.from('\n})');

type Wrapper = (
  exports: unknown,
  require: (id: string) => unknown,
  module: object,
  ...path: string[]
) => void;

interface Loaded {
  name: string;
  script: Script;
  source: Buffer;
  /** What the cache gave; null if it had nothing that fits. */
  cached: CachedCode | null;
}

/**
 * Loads the CommonJS files of one folder as Node does, but with the code that earlier runs have compiled. Node does
 * so itself only from 22.8 on. What lies elsewhere is left to Node. The files must not use `import()`, which Node 20
 * cannot do in code that was kept.
 */
export class CachedScripts {
  readonly #folder: string;
  readonly #elsewhere: (id: string) => unknown;
  readonly #cache: CodeCache;
  readonly #modules = new Map<string, { exports: unknown }>();
  readonly #loaded: Loaded[] = [];

  constructor(folder: string, elsewhere: (id: string) => unknown, cache: CodeCache) {
    this.#folder = folder;
    this.#elsewhere = elsewhere;
    this.#cache = cache;
  }

  /** Our files name each other as `./name`; everything else is a package or belongs to Node. */
  readonly require = (id: string): unknown =>
    id.startsWith('./') ? this.#module(id.slice(2)).exports : this.#elsewhere(id);

  /** Called when all is done: functions that were compiled by then need not be compiled the next time. */
  keep(): void {
    const wanted = this.#loaded.filter(({ cached }) => !cached?.isComplete);
    if (wanted.length === 0 || !this.#cache.isWritable()) return;
    for (const { name, script, source, cached } of wanted)
      this.#cache.write(name, source, script.createCachedData(), cached);
  }

  #module(name: string): { exports: unknown } {
    const known = this.#modules.get(name);
    if (known !== undefined) return known;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const path = join(this.#folder, name);
    const run = this.#compile(name, path).runInThisContext() as Wrapper;
    run(module.exports, this.require, module, path, this.#folder);
    return module;
  }

  #compile(name: string, path: string): Script {
    const source = readFileSync(path);
    const cached = this.#cache.read(name, source);
    // One string, which V8 need not put together; and the build makes ASCII, which is faster to load as what takes a byte for each letter.
    const text = Buffer.concat([BEFORE, source, AFTER]).toString(isAscii(source) ? 'latin1' : 'utf8');
    const script = new Script(text, {
      filename: path,
      columnOffset: -BEFORE.length,
      cachedData: cached?.data,
    });
    this.#loaded.push({ name, script, source, cached: script.cachedDataRejected ? null : cached });
    return script;
  }
}
