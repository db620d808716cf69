/*
 * Single modules of the sources, which the build bundles away. Bundled here as they are in a tree, so that one run can measure
 * two versions: another checkout, or what `git archive` gives.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export const HERE = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles modules, named by their paths in `src` without an extension. Gives their URLs by these names; modules that several of
 * them import are there once.
 */
export async function bundle(names, tree = HERE) {
  // Inside of the tree, where what the bundles import from packages is found.
  const folder = mkdtempSync(path.join(tree, 'node_modules', '.trackside-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, path.join(tree, 'src', `${name}.ts`)])),
    platform: 'node',
    external: [/^node:/, /^oxc-/],
    logLevel: 'silent',
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  return Object.fromEntries(
    names.map((name) => [name, pathToFileURL(path.join(folder, `${name}.mjs`)).href]),
  );
}

/** The same, imported. */
export async function load(names, tree = HERE) {
  const urls = await bundle(names, tree);
  return Object.assign({}, ...(await Promise.all(names.map((name) => import(urls[name])))));
}

/** What a tree calls the modules that instrument a program and record it. */
export const RECORDING = ['node/instrument/instrument', 'node/runtime/index'];

export function temporaryFolder(name) {
  const folder = mkdtempSync(path.join(tmpdir(), `trackside-${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
