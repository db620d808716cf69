/**
 * The plugin for Jest, `trackside/jest`.
 *
 * @module jest
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configIn } from '../config-file.ts';
import type { TransformerConfig } from './jest-transformer.ts';
import { type TestingOptions, workerOptions } from './options.ts';
import { PROVIDED_GLOBAL } from './provided.ts';
import { runnerCommand } from './runner-command.ts';

export type { TestingOptions } from './options.ts';

/** What of a configuration of Jest has to do with us; the rest stays as it is. */
export interface JestConfig {
  rootDir?: string;
  transform?: Record<string, string | readonly [string, Record<string, unknown>]>;
  setupFiles?: readonly string[];
  setupFilesAfterEnv?: readonly string[];
  globals?: Record<string, unknown>;
  [setting: string]: unknown;
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What Jest does with sources unless it is told otherwise. */
const USUAL_TRANSFORM = { '\\.[jt]sx?$': 'babel-jest' } as const;

/**
 * A configuration of Jest with which tests fail when a block that is meant to be atomic was violated while they ran:
 * `export default () => withTrackside({ … })` in `jest.config.mjs`: Jest 29 cannot load a module that waits at its top level.
 */
export async function withTrackside(
  config: JestConfig = {},
  options: TestingOptions = {},
): Promise<JestConfig> {
  const root = resolve(config.rootDir ?? process.cwd());
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const given = workerOptions(options, await configIn(root), root, folder);
  if (given.prove) given.command = runnerCommand('jest', root);
  const wrapped = Object.entries(config.transform ?? USUAL_TRANSFORM).map(([pattern, transformer]) => {
    const [name, settings] = typeof transformer === 'string' ? [transformer, {}] : transformer;
    const own: TransformerConfig = { root, instrument: given.instrument, transformer: name, settings };
    // What a file becomes depends on it, and Jest keeps what files have become.
    if (given.proofRun?.turns) own.turns = given.proofRun.turns.labels;
    return [pattern, [file('./jest-transformer.js'), own]];
  });
  return {
    ...config,
    transform: Object.fromEntries(wrapped),
    // Before any other file, so that whatever those load is watched.
    setupFiles: [file('./jest-start.cjs'), ...(config.setupFiles ?? [])],
    setupFilesAfterEnv: [file('./jest-hooks.cjs'), ...(config.setupFilesAfterEnv ?? [])],
    globals: { ...config.globals, [PROVIDED_GLOBAL]: given },
  };
}
