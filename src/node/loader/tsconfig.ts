import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { InstrumentOptions } from '../instrument/instrument.ts';

/** What of a `tsconfig.json` decides how a program runs. */
interface CompilerOptions {
  experimentalDecorators?: boolean;
  emitDecoratorMetadata?: boolean;
  jsx?: string;
  jsxFactory?: string;
  jsxFragmentFactory?: string;
  jsxImportSource?: string;
  useDefineForClassFields?: boolean;
  target?: string;
  baseUrl?: string;
  paths?: Record<string, string[]>;
  /** The folder of the file that `paths` is in; no option, but what decides what those mean. */
  pathsFolder?: string;
}

type Transform = NonNullable<InstrumentOptions['transform']>;

/** Without a tsconfig: decorators as most programs mean them. The standard ones are not in Node yet. */
const WITHOUT: Transform = { decorator: { legacy: true } };

/** A chain of `extends` longer than this is taken for a circle. */
const LONGEST_CHAIN = 10;

const known = new Map<string, CompilerOptions | null>();

/** What the nearest tsconfig says; null if there is none. */
export function compilerOptionsFor(path: string): CompilerOptions | null {
  const folder = dirname(path);
  let found = known.get(folder);
  if (found === undefined) {
    const file = nearest(folder);
    found = file === null ? null : optionsIn(file, LONGEST_CHAIN);
    known.set(folder, found);
  }
  return found;
}

/** How the nearest tsconfig wants a file to be compiled. */
export function transformFor(path: string): Transform {
  const options = compilerOptionsFor(path);
  return options === null ? WITHOUT : transformOf(options);
}

function nearest(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'tsconfig.json');
    if (existsSync(file)) return file;
    if (at === dirname(at)) return null;
  }
}

function optionsIn(file: string, depth: number): CompilerOptions {
  const config = parsed(file);
  const bases: unknown[] = depth === 0 ? [] : [config.extends ?? []].flat();
  let options: CompilerOptions = {};
  for (const base of bases) {
    const from = typeof base === 'string' ? baseFile(base, file) : null;
    if (from !== null) options = { ...options, ...optionsIn(from, depth - 1) };
  }
  const own: CompilerOptions = { ...config.compilerOptions };
  const folder = dirname(file);
  if (typeof own.baseUrl === 'string') own.baseUrl = resolve(folder, own.baseUrl);
  if (own.paths !== undefined) own.pathsFolder = folder;
  return { ...options, ...own };
}

function baseFile(name: string, file: string): string | null {
  if (name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(dirname(file), name);
    return (
      [path, `${path}.json`].find((candidate) => candidate.endsWith('.json') && existsSync(candidate)) ?? null
    );
  }
  const require = createRequire(file);
  for (const candidate of [name, `${name}/tsconfig.json`, `${name}.json`]) {
    try {
      const path = require.resolve(candidate);
      if (path.endsWith('.json')) return path;
    } catch {
      // Another one, or the compiler complains about it.
    }
  }
  return null;
}

/** JSON with comments and commas behind the last element; empty for what the compiler would complain about. */
function parsed(file: string): { extends?: string | string[]; compilerOptions?: CompilerOptions } {
  const strings = '"(?:\\\\.|[^"\\\\])*"';
  const without = (text: string, what: string) =>
    text.replace(new RegExp(`(${strings})|${what}`, 'g'), (_, string: string | undefined) => string ?? '');
  try {
    const plain = without(readFileSync(file, 'utf8'), '//[^\\n]*|/\\*[\\s\\S]*?\\*/');
    return JSON.parse(without(plain, ',(?=\\s*[}\\]])'));
  } catch {
    return {};
  }
}

function transformOf(options: CompilerOptions): Transform {
  const { experimentalDecorators = false, emitDecoratorMetadata = false } = options;
  const jsx = jsxOf(options);
  return {
    decorator: { legacy: experimentalDecorators, emitDecoratorMetadata },
    ...(jsx === null ? {} : { jsx }),
    ...(definesFields(options)
      ? {}
      : {
          assumptions: { setPublicClassFields: true },
          typescript: { removeClassFieldsWithoutInitializer: true },
        }),
  };
}

function jsxOf({
  jsx,
  jsxFactory,
  jsxFragmentFactory,
  jsxImportSource,
}: CompilerOptions): NonNullable<Transform['jsx']> | null {
  switch (jsx?.toLowerCase()) {
    case 'react':
      return {
        runtime: 'classic',
        ...(jsxFactory === undefined ? {} : { pragma: jsxFactory }),
        ...(jsxFragmentFactory === undefined ? {} : { pragmaFrag: jsxFragmentFactory }),
      };
    case 'react-jsx':
    case 'react-jsxdev':
      return {
        runtime: 'automatic',
        ...(jsxImportSource === undefined ? {} : { importSource: jsxImportSource }),
      };
    default:
      return null;
  }
}

/** Whether a field is there, undefined, though nothing is assigned to it: so by default from ES2022 on. */
function definesFields({ useDefineForClassFields, target }: CompilerOptions): boolean {
  if (useDefineForClassFields !== undefined) return useDefineForClassFields;
  const year = /^es(\d{4})$/i.exec(target ?? '')?.[1];
  if (year !== undefined) return Number(year) >= 2022;
  return target === undefined || target.toLowerCase() === 'esnext';
}
