import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../cli/run.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const REGISTER = join(ROOT, 'dist/node/launch/register.js');
const EXAMPLES = join(ROOT, 'examples/testing/node');
const folder = temporaryFolder();

function nodeTest(cwd: string, files: readonly string[]) {
  const own = /^(?:VITEST|NODE_TEST_CONTEXT$|NODE_OPTIONS$|TRACKSIDE)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const args = ['--import', REGISTER, '--test', '--test-reporter=tap', ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

const BANK = `
let balance = 0;
async function deposit(amount) {
  const old = balance;
  await null;
  balance = old + amount;
}
`;

describe('node --test', () => {
  it('fails the test during which a block was violated, with both lines', () => {
    const { status, stdout } = nodeTest(EXAMPLES, ['broken.test.mjs']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ *not ok \d+ - two withdrawals at once$/m);
    expect(stdout).toContain('What this test ran was not atomic.');
    expect(stdout).toContain('account.mjs:12:21');
    expect(stdout).toContain('account.mjs:15:5');
  });

  it('is content with the fixed one', () => {
    const { status, stdout, stderr } = nodeTest(EXAMPLES, ['fixed.test.mjs']);
    expect(stdout).toMatch(/^# pass 1$/m);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('tells each test what happened in that test', () => {
    folder.write(
      'several.test.mjs',
      `import { describe, it, test } from 'node:test';
${BANK}
let later;
async function start() {
  const old = balance;
  later = save(old);
}
async function save(old) {
  await null;
  await null;
  await null;
  balance = old + 1;
}
test('broken', async () => { await Promise.all([deposit(1), deposit(2)]); });
test('sound', async () => { await deposit(1); await deposit(2); });
describe('in a suite', () => {
  it('sound too', async () => { await deposit(1); });
  it('left something running', async () => { await start(); const done = later; await start(); await done; await later; });
  it('broken too', async () => { await Promise.all([deposit(1), deposit(2)]); });
});`,
    );
    const { stdout } = nodeTest(folder.path, ['several.test.mjs']);
    const failed = [...stdout.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name);
    expect(failed).toEqual(['broken', 'left something running', 'broken too', 'in a suite']);
  });

  it('fails the file for what goes on after the last test', () => {
    folder.write(
      'late.test.mjs',
      `import { test } from 'node:test';
${BANK.replace('await null', 'await new Promise((resolve) => setTimeout(resolve, 50))')}
test('does not wait', () => { deposit(1); deposit(2); });`,
    );
    const { status, stdout } = nodeTest(folder.path, ['late.test.mjs']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ *ok \d+ - does not wait$/m);
    expect(stdout).toContain('What went on after the end of a test was not atomic.');
  });

  it('reads trackside.config.ts', () => {
    folder.write(
      'deposits.test.mjs',
      `import { test } from 'node:test';
${BANK}
test('two at once', async () => { await Promise.all([deposit(1), deposit(2)]); });`,
    );
    expect(nodeTest(folder.path, ['deposits.test.mjs']).status).toBe(1);
    folder.write('trackside.config.ts', `export default { exclude: ['deposit'] as string[] };`);
    expect(nodeTest(folder.path, ['deposits.test.mjs']).status).toBe(0);
  });
});
