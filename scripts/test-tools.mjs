// What tests need from the registry besides the development dependencies: test runners in several major versions, and
// newer Nodes for those that need one. Kept in a folder for caches, which clones share.
//
//   node scripts/test-tools.mjs        installs all of it
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The runners that the plugins are tested with, each with what it needs to run our tests. */
export const RUNNERS = {
  'vitest 3': { packages: ['vitest@3'], node: null },
  'vitest 5': { packages: ['vitest@5'], node: '22' },
  'jest 29': { packages: ['jest@29'], node: null },
  'jest 30': { packages: ['jest@30'], node: null },
  'mocha 11': { packages: ['mocha@11'], node: null },
};

const WEEK = 7 * 24 * 3600 * 1000;

function cacheFolder() {
  const base = process.env.TRACKSIDE_TEST_TOOLS ?? path.join(os.homedir(), '.cache', 'trackside-test-tools');
  fs.mkdirSync(base, { recursive: true });
  return base;
}

/** A folder by this name that `make` has filled: whole, or not there. Made again after a week, for newer releases. */
function made(name, make) {
  const folder = path.join(cacheFolder(), name);
  const age = fs.existsSync(folder) ? Date.now() - fs.statSync(folder).mtimeMs : Number.POSITIVE_INFINITY;
  if (age < WEEK) return folder;
  const scratch = fs.mkdtempSync(path.join(cacheFolder(), '.making-'));
  try {
    make(scratch);
    const old = `${scratch}-old`;
    if (fs.existsSync(folder)) fs.renameSync(folder, old);
    try {
      fs.renameSync(scratch, folder);
    } catch (error) {
      // Another process was sooner.
      if (!fs.existsSync(folder)) throw error;
    }
    fs.rmSync(old, { recursive: true, force: true });
  } catch (error) {
    // Old is better than none, where there is no registry.
    if (!fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

function npm(args, cwd) {
  // Tests do without the certificates that a registry may need: see vitest.config.ts.
  const { TRACKSIDE_TEST_CERTIFICATES: certificates = '', ...env } = process.env;
  execFileSync('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd,
    env: certificates === '' ? env : { ...env, NODE_EXTRA_CA_CERTS: certificates },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** The folder in whose `node_modules` these packages are. */
export function packagesOf(packages) {
  const name = packages.join('+').replaceAll(/[^\w.@+-]/g, '_');
  return made(name, (folder) => {
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
    npm(['install', '--ignore-scripts', ...packages], folder);
  });
}

/** The program `node` of the newest release with this major version. */
export function nodeOf(major) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const folder = made(`node-${system}-${process.arch}@${major}`, (scratch) => {
    npm(['pack', `node-${system}-${process.arch}@${major}`], scratch);
    const [archive] = fs.readdirSync(scratch);
    execFileSync('tar', ['xzf', archive], { cwd: scratch });
    fs.rmSync(path.join(scratch, archive));
  });
  return path.join(folder, 'package', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** A runner of the table: where its packages are, and the Node to run it with. */
export function runnerOf(name) {
  const { packages, node } = RUNNERS[name];
  const isNew = node === null || Number(process.versions.node.split('.')[0]) >= Number(node);
  return { folder: packagesOf(packages), node: isNew ? process.execPath : nodeOf(node) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(RUNNERS)) {
    const { folder, node } = runnerOf(name);
    console.log(`${name}: ${folder}, with ${node}`);
  }
}
