import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, trackside } from '../../cli/run.ts';

const folder = temporaryFolder();

test('a package that overwrites what the program keeps for it is an error', () => {
  mkdirSync(join(folder.path, 'node_modules/sessions'), { recursive: true });
  folder.write('node_modules/sessions/package.json', '{ "name": "sessions", "type": "module" }');
  folder.write(
    'node_modules/sessions/index.js',
    `export async function visit(store, change) {
       const session = { count: store.get() };
       await change(session);
       store.set(session.count);
     }`,
  );
  folder.write(
    'app.mjs',
    `import { visit } from 'sessions';
    const rows = new Map([['n', 0]]);
    const store = { get: () => rows.get('n'), set(value) { rows.set('n', value); } };
    const change = async (session) => { await null; session.count++; };
    await Promise.all([visit(store, change), visit(store, change)]);`,
  );
  const { stderr } = trackside(['run', '--instrument', 'node_modules/sessions/**', 'app.mjs'], {
    cwd: folder.path,
  });
  expect(stderr).toMatch(/^error: block 'visit'/m);
});
