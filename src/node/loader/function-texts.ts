import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasProbeName } from '../probes.ts';
import { define, originalOf, standsFor } from '../support/patching.ts';
import { type EvaluatedText, WORKER_MODULE, WORKER_SCRIPT, withoutMap } from './evaluated-text.ts';
import type { InstrumentedFile } from './function-text.ts';
import { instrumenter } from './instrumenter-link.ts';
import type { SourceTransformer } from './source-transformer.ts';

/** What is known of the files that are loaded. */
export interface LoadedFiles {
  /** How reports call them. */
  names(): Iterable<string>;
  /** Where names are relative to. */
  cwd: string;
  transformer: SourceTransformer;
  /** What the thread is made of, if that is no file. */
  text: EvaluatedText | null;
  /** Reads files without the program's having read them. */
  aside<T>(run: () => T): T;
}

/**
 * `String(f)` is what the author wrote: programs make workers of it, or run it in other places where there are no probes.
 */
export function keepFunctionTexts(files: LoadedFiles): void {
  const native = Function.prototype.toString;
  const known = new Map<string, InstrumentedFile | null>();
  const { toString: textOf } = {
    toString(this: unknown): string {
      const text = Reflect.apply(native, originalOf(this), []);
      return hasProbeName(text) ? (files.aside(() => original(text, files, known)) ?? text) : text;
    },
  };
  standsFor(textOf, native);
  define(Function.prototype, 'toString', {
    ...Object.getOwnPropertyDescriptor(Function.prototype, 'toString'),
    value: textOf,
  });
}

function original(
  text: string,
  files: LoadedFiles,
  known: Map<string, InstrumentedFile | null>,
): string | null {
  for (const name of files.names()) {
    let file = known.get(name);
    if (file === undefined) {
      file = instrumented(name, files);
      known.set(name, file);
    }
    const found = file === null ? null : instrumenter().sourceOfFunction(text, file);
    if (found !== null) return found;
  }
  return null;
}

/** Done again: what was made of it is not kept, as hardly any program asks for it. */
function instrumented(name: string, { cwd, transformer, text }: LoadedFiles): InstrumentedFile | null {
  const isText = name === WORKER_SCRIPT || name === WORKER_MODULE || name.startsWith('data:');
  const path = isText ? name : resolve(cwd, name);
  try {
    const source = isText ? text!.source : readFileSync(path, 'utf8');
    const format = name.startsWith('data:') ? 'module' : transformer.formatOf(path, source);
    const made = withoutMap(transformer.transform(path, source, format));
    return made === null ? null : { path, source, ...made };
  } catch {
    // It is not there any more.
    return null;
  }
}
