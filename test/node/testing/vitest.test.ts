import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../cli/run.ts';
import { BROKEN, vitest } from './vitest-run.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROJECT = join(ROOT, 'test/fixtures/testing/vitest');
const folder = temporaryFolder();

/** Fails by itself, on purpose. */
const FAILING = 'failing.spec.ts';

describe.each([
  ['a process for each file', ['--pool=forks']],
  ['a thread for all files', ['--pool=threads', '--no-isolate', '--maxWorkers=1']],
])('with %s', (_, args) => {
  const run = vitest(PROJECT, [...args, `--exclude=${FAILING}`]);

  it('fails the tests during which a block was violated, and no others', () => {
    expect(run.failed).toEqual(BROKEN);
    for (const failed of BROKEN) {
      const [file, test] = failed.split(': ');
      expect(run.messages(file, test)).toMatch(/^AtomicityError: What this test ran was not atomic\./);
    }
    expect(run.status).toBe(1);
  });

  it('says which lines came between which, without colours', () => {
    const message = run.messages('sequential.spec.ts', 'broken');
    expect(message).toContain("block 'Stock.sell'");
    expect(message).toMatch(/\(lost\s+update\)/);
    expect(message).toMatch(/r\(Stock#\d+\.left\) +stock\.ts:8:18/);
    expect(message).toMatch(/w\(Stock#\d+\.left\) +stock\.ts:10:5/);
    expect(message).toContain('const left = this.left;');
    expect(message).not.toContain('\x1b');
  });

  it('points at the access that makes it wrong, in the file as it is', () => {
    expect(run.printed).toMatch(
      /❯ Stock\.sell stock\.ts:10:5\n.*\n.*\n *10\| +this\.left = left - count;\n *\| +\^/,
    );
    expect(run.printed).toMatch(/❯ Stock\.sell stock\.ts:8:18/);
  });

  it('tells what goes on after the end of its test with the file', () => {
    const file = run.files.get('leftovers.spec.ts');
    expect(file?.status).toBe('failed');
    expect(file?.message).toContain('What went on after the end of a test was not atomic.');
    expect(file?.message).toContain("block 'Stock.sell'");
  });
});

it('is as easy to set up as the example says', () => {
  const run = vitest(join(ROOT, 'examples/testing/vitest'), []);
  expect(run.failed).toEqual(['account.test.ts: two withdrawals at once']);
  expect(run.messages('account.test.ts', 'two withdrawals at once')).toMatch(
    /account\.ts:17:[\s\S]*account\.ts:20:/,
  );
});

describe('other failures', () => {
  it('keep their positions', () => {
    const run = vitest(PROJECT, ['failing'], { mode: 'warn' });
    expect(run.messages(FAILING, 'in the test')).toContain('failing.spec.ts:18:21');
    expect(run.messages(FAILING, 'in what it calls')).toContain('failing.spec.ts:9:9');
  });

  it('are explained where tests run in a browser', () => {
    const run = vitest(PROJECT, ['sequential', '--browser.enabled']);
    expect(run.status).toBe(1);
    expect(run.printed).toContain("trackside: tests in Vitest's browser mode cannot be watched");
  });

  it('are explained where a pool cannot be watched', () => {
    const { printed } = vitest(PROJECT, ['sequential', '--pool=vmThreads']);
    expect(printed).toContain(
      'trackside: tests in vmThreads or vmForks cannot be watched; set pool to forks or threads',
    );
  });
});

describe('the options of the plugin', () => {
  it('can ask for warnings instead of failures', () => {
    const run = vitest(PROJECT, ['sequential'], { mode: 'warn' });
    expect(run.failed).toEqual([]);
    expect(run.status).toBe(0);
    expect(run.printed).toContain('trackside: What this test ran was not atomic.');
    expect(run.printed).toContain('stock.ts:10:5');
  });

  it('can ask for failures instead of warnings', () => {
    const run = vitest(PROJECT, ['mild'], { failOn: 'warning' });
    expect(run.failed).toEqual(['mild.spec.ts: gives a post another tag']);
    expect(run.messages('mild.spec.ts', 'gives a post another tag')).toContain("warning: block 'retag'");
  });

  it('can ask for another order, which the failure names', () => {
    expect(vitest(PROJECT, ['rare']).failed).toEqual([]);
    const run = vitest(PROJECT, ['rare'], { schedule: 'provoke', seed: 1 });
    expect(run.failed).toEqual(['rare.spec.ts: breaks only if a timer is late']);
    expect(run.messages('rare.spec.ts', 'breaks only if a timer is late')).toContain(
      "Tasks went on in the order of schedule 'provoke' with seed 1. To have it again, run this test with TRACKSIDE_SEED=1.",
    );
  });

  it('can leave blocks out', () => {
    expect(vitest(PROJECT, ['sequential'], { exclude: ['Stock.sell'] }).failed).toEqual([]);
  });

  it('are refused where they make no sense', () => {
    const run = vitest(PROJECT, ['sequential'], { mode: 'explode' });
    expect(run.status).toBe(1);
    expect(run.printed).toContain('trackside: mode is "explode"; expected fail or warn');
  });

  it('are refused where they are misspelt', () => {
    const run = vitest(PROJECT, ['sequential'], { failOnn: 'warning' });
    expect(run.status).toBe(1);
    expect(run.printed).toContain(
      `trackside: unknown option of the plugin 'failOnn' (did you mean 'failOn'?)`,
    );
  });
});

describe('a package', () => {
  const project = join(folder.path, 'project');
  mkdirSync(join(project, 'node_modules/shelf'), { recursive: true });
  for (const name of ['vitest', 'trackside'])
    symlinkSync(
      name === 'trackside' ? ROOT : join(ROOT, 'node_modules', name),
      join(project, 'node_modules', name),
    );
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);
  // Vite takes `import` for what it is, whatever this says.
  write('package.json', '{ "type": "commonjs" }');
  write('vitest.config.mjs', readFileSync(join(PROJECT, 'vitest.config.mjs'), 'utf8'));
  write('node_modules/shelf/package.json', '{ "name": "shelf", "main": "index.js" }');
  write(
    'node_modules/shelf/index.js',
    `exports.Shelf = class Shelf {
  items = 0;
  async put() {
    const { items } = this;
    await null;
    this.items = items + 1;
  }
};`,
  );
  write(
    'shelf.test.js',
    `import { Shelf } from 'shelf';
import { test } from 'vitest';

test('two at once', async () => {
  const shelf = new Shelf();
  await Promise.all([shelf.put(), shelf.put()]);
});`,
  );

  it('is not watched by itself', () => {
    expect(vitest(project, []).failed).toEqual([]);
  });

  it('is watched where it is named, in trackside.config.ts too', () => {
    write('trackside.config.ts', `export default { instrument: ['node_modules/shelf/**'] as string[] };`);
    const run = vitest(project, []);
    expect(run.failed).toEqual(['shelf.test.js: two at once']);
    expect(run.messages('shelf.test.js', 'two at once')).toContain('node_modules/shelf/index.js:6:');
  });
});
