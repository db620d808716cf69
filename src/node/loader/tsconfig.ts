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

const known = new Map<string, CompilerOptions | null>();

/** What the nearest tsconfig says; null if there is none. */
export function compilerOptionsFor(path: string): CompilerOptions | null {
  const folder = dirname(path);
  let found = known.get(folder);
  if (found === undefined) {
    const file = nearest(folder);
    found = file === null ? null : optionsIn(file, []);
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

/** `around`: the files that extend this one. */
function optionsIn(file: string, around: readonly string[]): CompilerOptions {
  if (around.includes(file)) return {};
  const config = parsed(file);
  const bases: unknown[] = [config.extends ?? []].flat();
  let options: CompilerOptions = {};
  for (const base of bases) {
    const from = typeof base === 'string' ? baseFile(base, file) : null;
    if (from !== null) options = { ...options, ...optionsIn(from, [...around, file]) };
  }
  const own = optionsOf(config.compilerOptions);
  const folder = dirname(file);
  if (own.baseUrl !== undefined) own.baseUrl = resolve(folder, own.baseUrl);
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

/** Of what kind an option has to be; others, and what is of another kind, are the compiler's business. */
const KINDS = new Map([
  ...['experimentalDecorators', 'emitDecoratorMetadata', 'useDefineForClassFields'].map(
    (name) => [name, 'boolean'] as const,
  ),
  ...['jsx', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource', 'target', 'baseUrl'].map(
    (name) => [name, 'string'] as const,
  ),
  ['paths', 'object'] as const,
]);

function optionsOf(given: unknown): CompilerOptions {
  return Object.fromEntries(
    Object.entries(given ?? {}).filter(([name, value]) => value !== null && typeof value === KINDS.get(name)),
  );
}

/** JSON with comments and commas behind the last element; empty for what the compiler would complain about. */
function parsed(file: string): { extends?: unknown; compilerOptions?: unknown } {
  const strings = '"(?:\\\\.|[^"\\\\])*"';
  const without = (text: string, what: string) =>
    text.replace(new RegExp(`(${strings})|${what}`, 'g'), (_, string: string | undefined) => string ?? '');
  try {
    const plain = without(readFileSync(file, 'utf8'), '//[^\\n]*|/\\*[\\s\\S]*?\\*/');
    return JSON.parse(without(plain, ',(?=\\s*[}\\]])')) ?? {};
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
