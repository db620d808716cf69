import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changingImports } from '../../src/node/loader/changing-imports.ts';
import { transformFor } from '../../src/node/loader/tsconfig.ts';
import { typescriptFile } from '../../src/node/loader/typescript-names.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

/* TypeScript as it stands in projects whose compiler makes CommonJS of it. */

const { path, write } = temporaryFolder();
mkdirSync(join(path, 'src/store'), { recursive: true });
write('package.json', '{ "type": "commonjs" }');
write(
  'tsconfig.json',
  '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } /* ours */, } }',
);
write('src/stock.json', '{ "left": 1 }');
write(
  'src/store/index.ts',
  `import stock from '../stock.json';
export class Store {
  private left: number = stock.left;
  async take(): Promise<boolean> {
    if (this.left === 0) return false;
    await null;
    this.left -= 1;
    return true;
  }
}
`,
);
write(
  'src/legacy.ts',
  "import path = require('node:path');\nexport = { name: path.basename(__filename) };\n",
);

function run(name: string, source: string) {
  write(name, source);
  return trackside(['run', '--no-live', name], { cwd: path });
}

describe('TypeScript in a package of CommonJS', () => {
  it('imports as its compiler lets it: without endings, folders, by paths, JSON', () => {
    const { status, stdout, stderr } = run(
      'src/app.ts',
      `import { Store } from './store';
import { Store as Same } from '@/store';
import { Store as Again } from 'src/store/index';
const store = new Store();
console.log(await Promise.all([store.take(), store.take()]), Store === Same, Store === Again);
`,
    );
    expect(stdout).toBe('[ true, true ] true true\n');
    expect(stderr).toContain("error: block 'Store.take'");
    expect(stderr).toContain('(src/store/index.ts:5:9) and wrote it (src/store/index.ts:7:5)');
    expect(status).toBe(1);
  });

  it('finds require, module and __dirname where it imports, unless it declares them', () => {
    const { stdout } = run(
      'src/script.ts',
      `declare const require: any, __dirname: string;
import { basename } from 'node:path';
const exports = 'own';
if (require.main === module) console.log(basename(__dirname), require('./legacy').name, exports);
`,
    );
    expect(stdout).toBe('src legacy.ts own\n');
  });
});

describe('a tsconfig', () => {
  it.each([
    'null',
    '5',
    '{',
    '{ "compilerOptions": { "jsx": 1, "target": [], "baseUrl": {}, "paths": { "*": 3, "__proto__": [4] } } }',
    '{ "extends": ["./tsconfig.json", "./tsconfig.json", 7], "compilerOptions": null }',
  ])('that makes no sense is as good as none: %s', (text) => {
    const folder = `broken-${readdirSync(path).length}`;
    mkdirSync(join(path, folder));
    write(`${folder}/tsconfig.json`, text);
    const file = join(path, folder, 'app.ts');
    expect(() => transformFor(file)).not.toThrow();
    expect(typescriptFile('@/store', file)).toBeNull();
  });
});

it('modules that hand on all that the others export are each looked at once', () => {
  const names = Array.from({ length: 20 }, (_, i) => `barrel-${i}`);
  for (const name of names) {
    const others = names.filter((other) => other !== name).map((other) => `export * from './${other}.mjs';`);
    write(`${name}.mjs`, others.join('\n'));
  }
  write('barrel-7.mjs', 'export let count = 0; export const add = () => { count++; };');
  const module = join(path, 'barrel-7.mjs');
  expect([...changingImports('./barrel-0.mjs', join(path, 'app.mjs'))]).toEqual([
    ['count', { module, name: 'count' }],
  ]);
});
