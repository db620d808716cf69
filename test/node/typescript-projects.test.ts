import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    expect(stderr).toContain('Something is awaited between src/store/index.ts:5:9 and');
    expect(status).toBe(1);
  });

  it('finds require, module and __dirname where it imports, unless it declares them', () => {
    const { stdout } = run(
      'src/script.ts',
      `import { basename } from 'node:path';
const exports = 'own';
if (require.main === module) console.log(basename(__dirname), require('./legacy').name, exports);
`,
    );
    expect(stdout).toBe('src legacy.ts own\n');
  });
});
