import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { configIn } from '../config-file.ts';
import { RUNTIME_URL } from '../loader/transformer.ts';
import { type TestingOptions, workerOptions } from './options.ts';
import { PROVIDED } from './provided.ts';
import { TestSources } from './test-sources.ts';

export type { TestingOptions } from './options.ts';

const SETUP = fileURLToPath(new URL('./vitest-setup.js', import.meta.url));

const VITEST_RUNNER = '@vitest/runner';

/** The tool itself must be loaded by Node, once, however the project is set up. */
const OWN_FILES = new RegExp(
  `^${escaped(fileURLToPath(new URL('../../', import.meta.url)).replaceAll('\\', '/'))}`,
);

/**
 * A plugin for Vitest: tests fail when a block that is meant to be atomic was violated while they ran.
 * `plugins: [trackside()]` in `vitest.config.ts`; other runs of Vite are not touched.
 */
export function trackside(options: TestingOptions = {}): Plugin {
  let root: string | null = null;
  let sources: TestSources | null = null;
  return {
    name: 'trackside',
    // Types are still there, so that positions are those of the file that people edit.
    enforce: 'pre',
    async config(config) {
      if (process.env.VITEST === undefined) return;
      root = resolve(config.root ?? process.cwd());
      const given = workerOptions({ ...(await configIn(root)), ...options }, root, temporaryFolder());
      sources = new TestSources(root, given.instrument, RUNTIME_URL);
      // Whatever other setup files load is to be watched, too, so this one comes first.
      config.test = { ...config.test, setupFiles: [SETUP, ...[config.test?.setupFiles ?? []].flat()] };
      return {
        test: { provide: { [PROVIDED]: given } as never, server: { deps: { external: [OWN_FILES] } } },
      };
    },
    resolveId: {
      order: 'pre',
      handler(id) {
        if (id === RUNTIME_URL) return fileURLToPath(id);
        // It belongs to Vitest, and need not lie where this package would find it.
        return id === VITEST_RUNNER && root !== null
          ? this.resolve(id, vitestIn(root), { skipSelf: true })
          : null;
      },
    },
    transform(code, id) {
      const source = sources?.transform(code, id) ?? null;
      return source === null ? null : { code: source.code, map: source.map };
    },
  };
}

export default trackside;

/** A file of the Vitest that the project uses. */
function vitestIn(root: string): string {
  return createRequire(join(root, 'tests')).resolve('vitest/package.json');
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
