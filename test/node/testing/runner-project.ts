import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A project in which this package is installed as from the registry, with what lies in other folders beside it. */
export function projectWith(folder: string, linked: Readonly<Record<string, string>>): string {
  const modules = join(folder, 'node_modules');
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(join(modules, 'trackside'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(modules, 'trackside/package.json'));
  cpSync(join(ROOT, 'dist'), join(modules, 'trackside/dist'), {
    recursive: true,
    filter: (path) => !/\.(?:map|d\.ts)$/.test(path),
  });
  const own = Object.keys(dependencies).map((name) => [name, join(ROOT, 'node_modules', name)]);
  for (const [name, path] of [...own, ...Object.entries(linked)]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(path, join(modules, name));
  }
  return folder;
}

/** Writes files of a project. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A test that is broken and one that is not, whatever runs them; `head` gets `test` from there. */
export const STOCK = {
  'stock.js': `exports.Stock = class Stock {
  left = 10;
  async sell(count) {
    const left = this.left;
    await null;
    this.left = left - count;
  }
  async reserve(count) {
    this.left = this.left - count;
    await null;
  }
};
`,
};

export const tests = (head: string) => `${head}
const { Stock } = require('./stock.js');

test('fixed', async () => {
  const stock = new Stock();
  await Promise.all([stock.reserve(1), stock.reserve(2)]);
});

test('broken', async () => {
  const stock = new Stock();
  await Promise.all([stock.sell(1), stock.sell(2)]);
});
`;
