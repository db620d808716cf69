import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Selection } from '../../src/node/loader/selection.ts';
import { temporaryFolder } from '../cli/run.ts';

const path = realpathSync(temporaryFolder().path);
for (const folder of ['app/node_modules/@org', 'app/src', 'node_modules/up', 'libs/mine[1]'])
  mkdirSync(join(path, folder), { recursive: true });
symlinkSync(join(path, 'libs/mine[1]'), join(path, 'app/node_modules/@org/mine'));

function selects(instrument: string[], file: string): boolean {
  return new Selection({ cwd: join(path, 'app'), entry: 'src/app.mjs', instrument }).selects(
    join(path, file),
  );
}

describe('what is instrumented', () => {
  it('is the program, and no package', () => {
    expect(selects([], 'app/src/app.mjs')).toBe(true);
    expect(selects([], 'app/node_modules/one/index.js')).toBe(false);
    expect(selects([], 'libs/mine[1]/index.js')).toBe(false);
  });

  it.each([
    ['in the working folder', 'app/node_modules/one/lib/index.js'],
    ['in a folder above', 'node_modules/one/index.js'],
    ['where pnpm keeps it', 'app/node_modules/.pnpm/one@1.0.0/node_modules/one/index.js'],
  ])('a package by its name, %s', (_, file) => {
    expect(selects(['node_modules/one/**'], file)).toBe(true);
    expect(selects(['node_modules/on/**'], file)).toBe(false);
    expect(selects(['node_modules/**', '!node_modules/one/**'], file)).toBe(false);
  });

  it('a package of the workspace, which is a link', () => {
    expect(selects(['node_modules/@org/mine/**'], 'libs/mine[1]/index.js')).toBe(true);
    expect(selects(['node_modules/@org/mine/**'], 'libs/mine1/index.js')).toBe(false);
    expect(selects(['node_modules/@org/other/**'], 'libs/mine[1]/index.js')).toBe(false);
  });
});
