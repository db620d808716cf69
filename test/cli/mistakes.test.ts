import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { nodeOf } from '../../scripts/test-tools.mjs';
import { MAIN, temporaryFolder, trackside } from './run.ts';

/* Mistakes that are easily made, and what is said about them. */

const folder = temporaryFolder();
folder.write(
  'shop.mjs',
  `let stock = 10;
async function sell(count) {
  const left = stock;
  await null;
  stock = left - count;
}
await Promise.all([sell(1), sell(2)]);
`,
);

const run = (...args: string[]) => trackside(args, { cwd: folder.path });

describe('a label that no block has', () => {
  it.each(['--atomic', '--only'])('is refused in %s, with one that was run', (option) => {
    const { status, stderr } = run('run', option, 'sel', 'shop.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain(
      `error: no block that was run is named by ${option} 'sel'; expected a label such as 'sell'`,
    );
  });

  it('is refused by explore, too', () => {
    const { status, stderr } = run('explore', '--runs', '1', '--atomic', 'Foo.*', 'shop.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain("no block that was run is named by --atomic 'Foo.*'");
  });

  it('is only warned about where a configuration names it, which may be for other programs', () => {
    folder.write('trackside.config.mjs', `export default { atomic: ['Foo.*', 'sell'] };`);
    const { status, stderr } = run('run', 'shop.mjs');
    folder.write('trackside.config.mjs', 'export default {};');
    expect(stderr).toContain("warning: no block that was run is named by --atomic 'Foo.*'");
    expect(status).toBe(1);
  });

  it('is none of the trouble of a program that fails', () => {
    folder.write('fails.mjs', 'process.exitCode = 7;');
    expect(run('run', '--atomic', 'later', 'fails.mjs').status).toBe(7);
  });
});

describe('a program that is given to check', () => {
  it('is not read as a trace: run is the command for it', () => {
    const { status, stderr } = run('check', 'shop.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain('error: shop.mjs: this is a program, not a trace;');
    expect(stderr).toContain('trackside run shop.mjs');
  });

  it('may be a trace if a format is named', () => {
    folder.write('trace.js', 'T1|r(x)|1\n');
    expect(run('check', '--format', 'std', 'trace.js').status).toBe(0);
  });
});

describe('--fail-on', () => {
  folder.write(
    'mild.mjs',
    `const seats = new Set(Array.from({ length: 40 }, (_, row) => row + 'a'));
async function reserve() {
  const [seat] = [...seats];
  await null;
  seats.delete(seat);
}
await Promise.all([reserve(), reserve()]);
`,
  );

  it('is the same for a run and for its saved results', () => {
    expect(run('run', '--reporter', 'json=mild.json', 'mild.mjs').status).toBe(0);
    expect(run('report', 'mild.json').status).toBe(0);
    expect(run('merge', 'mild.json').status).toBe(0);
    expect(run('report', '--fail-on', 'warning', 'mild.json').status).toBe(1);
    expect(run('run', '--fail-on', 'warning', 'mild.mjs').status).toBe(1);
  });
});

/** Null where there is no registry. */
function oldNode(): string | null {
  try {
    return nodeOf('18');
  } catch (error) {
    if (process.env.CI) throw error;
    return null;
  }
}

const old = oldNode();

it.skipIf(old === null)('a Node that is too old is told so, in three lines', () => {
  const { status, stderr } = spawnSync(old as string, [MAIN, 'run', 'shop.mjs'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^error: trackside needs Node 20\.19 or newer, and this is Node 18\.\d+\.\d+\.$/),
    'Nothing was run. Install a newer Node, for example with: nvm install --lts',
    'Then run the same command again.',
    '',
  ]);
});
