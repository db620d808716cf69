import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

/** A package of this name, which does nothing. */
function install(name: string, type: 'commonjs' | 'module', code: string): void {
  mkdirSync(`${folder.path}/node_modules/${name}`, { recursive: true });
  folder.write(`node_modules/${name}/package.json`, JSON.stringify({ name, type, main: 'index.js' }));
  folder.write(`node_modules/${name}/index.js`, code);
}

it('names the stores that a program has loaded and that are not followed, however they are loaded', () => {
  install('couchbase', 'commonjs', 'exports.Cluster = class {};');
  install('surrealdb', 'module', 'export class Surreal {}');
  install('left-pad', 'commonjs', 'module.exports = () => {};');
  const program = folder.write(
    'app.mjs',
    "import 'couchbase'; import 'surrealdb'; import 'left-pad';\nlet n = 0;\nasync function f() { await null; n++; }\nawait Promise.all([f(), f()]);\n",
  );
  const { status, stderr } = trackside(['run', program], { cwd: folder.path });
  const text = stderr.replace(/\s+/g, ' ');
  expect(text).toContain('Every block behaved as if it had run alone in all that was followed.');
  expect(text).toContain('Not followed: couchbase, surrealdb. Trackside has no adapter for them');
  expect(status).toBe(0);
});

it('names them also if the program starts a worker afterwards', () => {
  install('couchbase', 'commonjs', 'exports.Cluster = class {};');
  const program = folder.write(
    'threads.mjs',
    `import 'couchbase';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
async function f() { await null; }
await f();
await once(new Worker('0', { eval: true }), 'exit');
`,
  );
  const { stderr } = trackside(['run', program], { cwd: folder.path });
  expect(stderr).toContain('Not followed: couchbase.');
});

it('says that databases were not watched if --no-stores leaves out a driver that the program has loaded', () => {
  install('pg', 'commonjs', 'exports.Pool = class {};');
  const program = folder.write(
    'shop.mjs',
    "import 'pg';\nlet n = 0;\nasync function f() { await null; n++; }\nawait Promise.all([f(), f()]);\n",
  );
  const { stderr } = trackside(['run', '--no-stores', program], { cwd: folder.path });
  const text = stderr.replace(/\s+/g, ' ');
  expect(text).toContain('Every block behaved as if it had run alone in all that was followed.');
  expect(text).toContain('Not followed: pg. Databases were not watched (--no-stores)');
});
