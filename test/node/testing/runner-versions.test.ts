import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type RunnerName, runnerOf } from '../../../scripts/test-tools.mjs';
import { temporaryFolder } from '../../cli/run.ts';
import { projectWith, STOCK, tests, write } from './runner-project.ts';
import { BROKEN, vitest } from './vitest-run.ts';

/*
 * The plugins, with the test runners themselves, in the versions that people have. They come from the registry, once a week;
 * in CI a runner that cannot be had is a failure, elsewhere it is left out.
 */

const FIXTURE = fileURLToPath(new URL('../../fixtures/testing/vitest', import.meta.url));
const folder = temporaryFolder();

/** Null where there is no registry. */
function installed(name: RunnerName): { modules: string; node: string } | null {
  try {
    const { folder, node } = runnerOf(name);
    return { modules: join(folder, 'node_modules'), node };
  } catch (error) {
    if (process.env.CI) throw error;
    return null;
  }
}

function run(node: string, args: readonly string[], cwd: string) {
  const own = /^(?:VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$|TRACKSIDE|CI$|GITHUB)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const { status, stdout, stderr } = spawnSync(node, args, { cwd, encoding: 'utf8', env });
  return { status, printed: stripVTControlCharacters(stdout + stderr) };
}

describe.each(['vitest 3', 'vitest 5'] as const)('%s', (name) => {
  const runner = installed(name);

  it.skipIf(runner === null)('fails the tests during which a block was violated, at the access', () => {
    const { modules, node } = runner as NonNullable<typeof runner>;
    const project = projectWith(join(folder.path, name), { vitest: join(modules, 'vitest') });
    cpSync(FIXTURE, project, { recursive: true });
    const script = join(modules, 'vitest/vitest.mjs');
    const { failed, status, printed } = vitest(project, ['--exclude=failing.spec.ts'], {}, { script, node });
    expect(failed, printed).toEqual(BROKEN);
    expect(status).toBe(1);
    expect(printed).toMatch(/❯ Stock\.sell stock\.ts:10:5\n.*\n.*\n *10\| +this\.left = left - count;/);
    expect(printed).toContain('What went on after the end of a test was not atomic.');
  });
});

describe.each([
  ['jest 29', false],
  ['jest 30', true],
] as const)('%s', (name, prove) => {
  const runner = installed(name);

  it.skipIf(runner === null)('fails the test during which a block was violated, at the access', () => {
    const { modules, node } = runner as NonNullable<typeof runner>;
    const project = projectWith(join(folder.path, name), {
      jest: join(modules, 'jest'),
      'babel-jest': join(modules, 'babel-jest'),
    });
    write(project, {
      ...STOCK,
      'package.json': '{}',
      'stock.test.js': tests(''),
      'jest.config.mjs': `import { withTrackside } from 'trackside/jest';
const config = { rootDir: import.meta.dirname, cacheDirectory: '<rootDir>/cache' };
export default () => withTrackside(config, { schedule: 'provoke', prove: ${prove} });`,
    });
    const { status, printed } = run(node, [join(modules, 'jest/bin/jest.js'), '--no-color'], project);
    expect(printed).toMatch(/✓ fixed/);
    expect(printed).toMatch(/✕ broken/);
    expect(printed).toContain('AtomicityError: What this test ran was not atomic.');
    expect(printed).not.toContain('Warning');
    expect(printed).toMatch(/> 6 \| +this\.left = left - count;\n/);
    expect(printed).toContain("in the order of schedule 'provoke' with seed 1");
    expect(printed).toMatch(/at Stock\.sell \(stock\.js:6:5\)\n.*at Stock\.sell \(stock\.js:4:18\)/);
    if (prove)
      expect(printed.replaceAll(/\s+/g, ' ')).toMatch(
        /proved harmful: with call 1 of 'Stock\.sell' before call 2 of 'Stock\.sell', the test comes to another outcome .*left - 8 \+ 7 /,
      );
    expect(status).toBe(1);
  });
});

describe('mocha 11', () => {
  const runner = installed('mocha 11');

  it.skipIf(runner === null)('is watched as a program, and what its tests did is reported', () => {
    const { modules, node } = runner as NonNullable<typeof runner>;
    const project = projectWith(join(folder.path, 'mocha'), { mocha: join(modules, 'mocha') });
    write(project, {
      ...STOCK,
      'package.json': '{}',
      'test/stock.js': tests(`const { it: test } = require('mocha');`).replace('./stock', '../stock'),
    });
    const trackside = join(project, 'node_modules/trackside/dist/cli/main.js');
    const { status, printed } = run(node, [trackside, 'run', 'node_modules/mocha/bin/mocha.js'], project);
    expect(printed).toContain('2 passing');
    expect(printed).toContain("block 'Stock.sell'");
    expect(printed).toContain('stock.js:6:5');
    expect(status).toBe(1);
  });
});

it('node:test fails the test during which a block was violated, with the places of the accesses as its stack', () => {
  const project = projectWith(join(folder.path, 'node'), {});
  write(project, {
    ...STOCK,
    'package.json': '{}',
    'stock.test.js': tests(`const { test } = require('node:test');`),
    'trackside.config.mjs': `export default { schedule: 'provoke', seed: 7 };`,
  });
  const args = ['--import', 'trackside/register', '--test', '--test-reporter=spec'];
  const { printed } = run(process.execPath, args, project);
  expect(printed).toMatch(/✔ fixed/);
  expect(printed).toMatch(/✖ broken/);
  expect(printed).toContain("in the order of schedule 'provoke' with seed 7");
  expect(printed).toMatch(/at Stock\.sell \(.*stock\.js:6:5\)\n.*at Stock\.sell \(.*stock\.js:4:18\)/);
});
