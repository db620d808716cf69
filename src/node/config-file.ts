import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import type { TracksideConfig } from './config.ts';

const NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `trackside.config.${ending}`);

type Kind = 'text' | 'texts' | 'number' | 'boolean';

const EXPECTED: Readonly<Record<Kind, string>> = {
  text: 'a string',
  texts: 'an array of strings',
  number: 'a number',
  boolean: 'true or false',
};

const SETTINGS: ReadonlyMap<keyof TracksideConfig, Kind> = new Map([
  ['instrument', 'texts'],
  ['atomic', 'texts'],
  ['exclude', 'texts'],
  ['analysis', 'text'],
  ['failOn', 'text'],
  ['order', 'text'],
  ['schedule', 'text'],
  ['seed', 'number'],
  ['reporter', 'texts'],
  ['baseline', 'text'],
  ['prove', 'boolean'],
]);

/** The configuration file in this folder. */
export function configFileIn(folder: string): string | undefined {
  return NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** What it says; nothing if there is none. */
export async function configIn(folder: string): Promise<TracksideConfig> {
  const file = configFileIn(folder);
  return file === undefined ? {} : checked(await load(file), file);
}

async function load(file: string): Promise<unknown> {
  try {
    if (!/\.m?ts$/.test(file)) return (await import(pathToFileURL(file).href)).default;
    // Beside the file, so that its imports mean the same.
    const plain = join(dirname(file), `.${basename(file)}.${process.pid}.mjs`);
    const { transformSync } = await import('oxc-transform');
    const { code, errors } = transformSync(file, await readFile(file, 'utf8'));
    if (errors.length > 0) throw new Error(errors[0].message);
    await writeFile(plain, code);
    try {
      return (await import(pathToFileURL(plain).href)).default;
    } finally {
      await rm(plain, { force: true });
    }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new InputProblem('this configuration cannot be loaded', { file, found, cause: error });
  }
}

function checked(config: unknown, file: string): TracksideConfig {
  if (typeof config !== 'object' || config === null) {
    throw new InputProblem('this configuration exports nothing of use', {
      file,
      found: `a default export that is ${config === null ? 'null' : typeof config}`,
      expected: 'export default defineConfig({ … })',
    });
  }
  for (const [name, value] of Object.entries(config)) {
    const kind = SETTINGS.get(name as keyof TracksideConfig);
    if (kind === undefined) throw unknownName(`setting in ${file}`, name, [...SETTINGS.keys()]);
    if (isOfKind(value, kind)) continue;
    throw new InputProblem(`the setting ${quoted(name)} has a wrong value`, {
      file,
      found: typeof value,
      expected: EXPECTED[kind],
    });
  }
  return config;
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind !== 'texts') return typeof value === (kind === 'text' ? 'string' : kind);
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
