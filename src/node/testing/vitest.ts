/**
 * The plugin for Vitest, `trackside/vitest`.
 *
 * @module vitest
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { configIn } from '../config-file.ts';
import { RUNTIME_URL } from '../loader/transformer.ts';
import { type TestingOptions, workerOptions } from './options.ts';
import { PROVIDED } from './provided.ts';
import { runnerCommand } from './runner-command.ts';
import { TestSources } from './test-sources.ts';
import { VITEST_MODULE, vitestModule } from './vitest-versions.ts';

export type { TestingOptions } from './options.ts';

const SETUP = fileURLToPath(new URL('./vitest-setup.js', import.meta.url));

const RUNNER = fileURLToPath(new URL('./vitest-runner.js', import.meta.url));

const OWN_RUNNER = /[\\/]node[\\/]testing[\\/]vitest-runner\.js$/;

const MODULE_ID = `\0${VITEST_MODULE}`;

const BROWSER_MODE = `trackside: tests in Vitest's browser mode cannot be watched: they run in a browser, and Trackside watches Node.
  Give the plugin only to the project of a configuration whose tests run in Node, or leave it out where test.browser.enabled is set.`;

const OWN_FOLDER = fileURLToPath(new URL('../../', import.meta.url)).replaceAll('\\', '/');

/** The tool itself must be loaded by Node, once, however the project is set up; but for the runner, which imports from here. */
const OWN_FILES = new RegExp(`^${escaped(OWN_FOLDER)}(?!.*vitest-runner\\.js$)`);

/**
 * A plugin for Vitest: tests fail when a block that is meant to be atomic was violated while they ran.
 * `plugins: [trackside()]` in `vitest.config.ts`; other runs of Vite are not touched.
 */
export function trackside(options: TestingOptions = {}): Plugin {
  let sources: TestSources | null = null;
  let root = '';
  let module = '';
  return {
    name: 'trackside',
    // Types are still there, so that positions are those of the file that people edit.
    enforce: 'pre',
    async config(config, { mode }) {
      if (process.env.VITEST === undefined || mode === 'benchmark') return;
      const { test = {} } = config;
      refuseBrowser(test);
      root = resolve(config.root ?? process.cwd());
      const given = workerOptions(options, await configIn(root), root, temporaryFolder());
      if (given.prove) given.command = runnerCommand('vitest', root, projectOf(test));
      sources = new TestSources(root, given.instrument, RUNTIME_URL);
      module = vitestModule(
        versionIn(root),
        test.runner === undefined ? undefined : fileIn(root, test.runner),
      );
      // Whatever other setup files load is to be watched, too, so this one comes first.
      config.test = { ...test, setupFiles: [SETUP, ...[test.setupFiles ?? []].flat()], runner: RUNNER };
      const deps = {
        external: [OWN_FILES],
        ...(test.server?.deps?.inline === true ? {} : { inline: [OWN_RUNNER] }),
      };
      return { test: { provide: { [PROVIDED]: given } as never, server: { deps } } };
    },
    resolveId: {
      order: 'pre',
      handler(id, importer) {
        if (id === RUNTIME_URL) return fileURLToPath(id);
        if (id === VITEST_MODULE) return MODULE_ID;
        // The Vitest that is running, even where a linked package would find another one.
        const isOurs = id === 'vitest' && importer !== undefined && importer.startsWith(OWN_FOLDER);
        return isOurs ? this.resolve(id, join(root, 'tests'), { skipSelf: true }) : null;
      },
    },
    load: (id) => (id === MODULE_ID ? module : null),
    transform(code, id) {
      const source = sources?.transform(code, id) ?? null;
      return source === null ? null : { code: source.code, map: source.map };
    },
  };
}

export default trackside;

/** Of the Vitest that the project uses. */
function versionIn(root: string): string {
  return createRequire(join(root, 'tests'))('vitest/package.json').version;
}

/** A module that the configuration names, as Vitest finds it. */
function fileIn(root: string, name: string): string {
  if (existsSync(resolve(root, name))) return resolve(root, name);
  return createRequire(join(root, 'tests')).resolve(name);
}

/** The name of the project, where a configuration has several. */
function projectOf({ name }: { name?: unknown }): string | undefined {
  const label = typeof name === 'object' && name !== null && 'label' in name ? name.label : name;
  return typeof label === 'string' ? label : undefined;
}

interface BrowserSettings {
  browser?: { enabled?: boolean };
}

/** Also those of the projects that a configuration lists itself. */
function refuseBrowser(test: { projects?: unknown } & BrowserSettings): void {
  const projects = Array.isArray(test.projects) ? (test.projects as { test?: BrowserSettings }[]) : [];
  const asked = process.argv.some((arg) => /^--browser(?:[=.](?!.*\bfalse$)|$)/.test(arg));
  if (asked || [{ test }, ...projects].some((project) => project?.test?.browser?.enabled === true))
    throw new Error(BROWSER_MODE);
}

/** Gone when Vitest ends; the processes that write there may be killed, and cannot see to it. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
