import { createRequire } from 'node:module';
import type { ParseResult, ParserOptions } from 'oxc-parser';
import { wrap } from 'oxc-parser/src-js/wrap.js';

type ParseSync = (filename: string, text: string, options?: ParserOptions) => ParseResult;

/** A package of compiled code, which is the parser itself. */
interface Binding {
  parseSync(...values: Parameters<ParseSync>): unknown;
}

/** The ABI in the name of such a package. Where there is another one, the package below finds it. */
const ABI: Partial<Record<NodeJS.Platform, string>> = { linux: '-gnu', win32: '-msvc' };

/**
 * The parser. To load what the package `oxc-parser` has around it takes four times as long as to load the parser, and finding out
 * which one fits this machine half of that: it is asked for by its usual name first.
 */
export const parseSync: ParseSync = load();

function load(): ParseSync {
  const near = createRequire(import.meta.filename);
  try {
    const name = `@oxc-parser/binding-${process.platform}-${process.arch}${ABI[process.platform] ?? ''}`;
    const binding = createRequire(near.resolve('oxc-parser'))(name) as Binding;
    return (...values) => wrap(binding.parseSync(...values));
  } catch {
    return near('oxc-parser').parseSync;
  }
}
