import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { transformSync } from 'oxc-transform';
import type { TracksideConfig } from '../node/config.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { removeAtExit, spare } from './scratch.ts';

const NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `trackside.config.${ending}`);

type Kind = 'text' | 'texts';

const SETTINGS: ReadonlyMap<keyof TracksideConfig, Kind> = new Map([
  ['instrument', 'texts'],
  ['atomic', 'texts'],
  ['exclude', 'texts'],
  ['analysis', 'text'],
  ['failOn', 'text'],
  ['reporter', 'texts'],
  ['baseline', 'text'],
]);

/** Gives a command's options the values of the configuration file, where the command line is silent. */
export async function applyConfig(command: Command, folder: string): Promise<void> {
  const file = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return;
  const config = checked(await load(file), file);
  for (const [name, value] of Object.entries(config)) {
    const option = command.options.find((candidate) => candidate.attributeName() === name);
    if (option === undefined || command.getOptionValueSource(name) !== 'default') continue;
    // The same checks as for the command line.
    const parse = option.parseArg as ((value: string, previous: unknown) => unknown) | undefined;
    const values = Array.isArray(value) ? value : [value];
    const parsed = values.reduce((previous, each) => parse?.(each, previous) ?? each, option.defaultValue);
    command.setOptionValueWithSource(name, parsed, 'config');
  }
}

async function load(file: string): Promise<unknown> {
  try {
    if (!/\.m?ts$/.test(file)) return (await import(pathToFileURL(file).href)).default;
    // Beside the file, so that its imports mean the same.
    const plain = join(dirname(file), `.${basename(file)}.${process.pid}.mjs`);
    removeAtExit(plain);
    const { code, errors } = transformSync(file, await readFile(file, 'utf8'));
    if (errors.length > 0) throw new Error(errors[0].message);
    await writeFile(plain, code);
    try {
      return (await import(pathToFileURL(plain).href)).default;
    } finally {
      await rm(plain, { force: true });
      spare(plain);
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
    const fits = kind === 'text' ? typeof value === 'string' : isTexts(value);
    if (fits) continue;
    throw new InputProblem(`the setting ${quoted(name)} has a wrong value`, {
      file,
      found: typeof value,
      expected: kind === 'text' ? 'a string' : 'an array of strings',
    });
  }
  return config;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
