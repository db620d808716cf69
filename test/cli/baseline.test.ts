import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const PROGRAM = 'shop.mjs';
const BASELINE = 'known.json';

const SELL = `async function sell(count) {
  const left = stock.left;
  await null;
  stock.left = left - count;
}
`;

const REFUND = `async function refund(sum) {
  const old = till;
  await null;
  till = old - sum;
}
`;

const AUDIT = `async function audit() {
  await null;
  return stock.left;
}
`;

const MAIN = `await Promise.all([sell(1), sell(2)]);
await audit();
`;

const HEAD = `const stock = { left: 10 };
let till = 100;
`;

const EMPTY = '{ "tool": { "name": "trackside" }, "baseline": [] }';

const ORIGINAL = HEAD + SELL + AUDIT + MAIN;

function edit(source: string, name = PROGRAM): void {
  writeFileSync(join(folder.path, name), source);
}

function run(...args: string[]) {
  const all = ['run', '--baseline', BASELINE, '--reporter', 'text', '--reporter', 'json=out.json'];
  const { status, stderr } = trackside([...all, '--reporter', 'sarif=out.sarif', ...args, PROGRAM], {
    cwd: folder.path,
  });
  const read = (name: string) => JSON.parse(readFileSync(join(folder.path, name), 'utf8'));
  const { results, fixed } = read('out.json');
  return {
    status,
    stderr,
    fresh: results[0].violations.map(({ block }: { block: { label: string } }) => block.label),
    known: results[0].known,
    fixed: fixed.map(({ violation }: { violation: { block: { label: string } } }) => violation.block.label),
    sarif: read('out.sarif').runs[0].results,
  };
}

beforeEach(() => {
  edit(ORIGINAL);
  writeFileSync(join(folder.path, BASELINE), EMPTY);
});

describe('--update-baseline', () => {
  it('writes what is found, fails for none of it, and the next run is content', () => {
    expect(run().status).toBe(1);
    const { status, stderr } = run('--update-baseline');
    expect(stderr).toContain('known.json: 1 known violation, 1 added, 0 removed');
    expect(status).toBe(0);
    expect(run()).toMatchObject({ status: 0, fresh: [], known: 1, fixed: [] });
  });

  it('makes the file where there is none', () => {
    const file = join(folder.path, 'new.json');
    const { status } = trackside(['run', '--baseline', 'new.json', '--update-baseline', PROGRAM], {
      cwd: folder.path,
    });
    expect(status).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it('writes the same file again where nothing has changed', () => {
    run('--update-baseline');
    const before = readFileSync(join(folder.path, BASELINE), 'utf8');
    edit(`// a comment\n${ORIGINAL}`);
    run('--update-baseline');
    expect(readFileSync(join(folder.path, BASELINE), 'utf8')).toBe(before);
  });

  it('drops what is gone', () => {
    run('--update-baseline');
    edit(ORIGINAL.replace('sell(1), sell(2)', 'sell(1)'));
    expect(run('--update-baseline').stderr).toContain('known.json: 0 known violations, 0 added, 1 removed');
  });

  it('needs a file to write', () => {
    const { status, stderr } = trackside(['run', '--update-baseline', PROGRAM], { cwd: folder.path });
    expect(status).toBe(2);
    expect(stderr).toContain('--update-baseline needs a file to write');
  });
});

describe('a violation in the baseline', () => {
  let known = '';
  beforeAll(() => {
    edit(ORIGINAL);
    writeFileSync(join(folder.path, BASELINE), EMPTY);
    run('--update-baseline');
    known = readFileSync(join(folder.path, BASELINE), 'utf8');
  });
  beforeEach(() => writeFileSync(join(folder.path, BASELINE), known));

  it.each<[string, string]>([
    ['a comment is inserted at the top of the file', `// Stock and till.\n// Two lines.\n${ORIGINAL}`],
    ['its function moves below another', HEAD + AUDIT + SELL + MAIN],
    ['another function is renamed', ORIGINAL.replaceAll('audit', 'inspect')],
    [
      'its function is indented',
      ORIGINAL.replace(
        SELL,
        `{\n  var sell;\n${SELL.replace('async function sell', '  sell = async function sell')}}\n`,
      ),
    ],
    [
      'a line is inserted in its function',
      ORIGINAL.replace('  await null;\n  stock', '  // wait\n\n  await null;\n  stock'),
    ],
  ])('is still known where %s', (_, source) => {
    edit(source);
    expect(run()).toMatchObject({ status: 0, fresh: [], known: 1, fixed: [] });
  });

  it('is still known where its function moves to another file', () => {
    edit(`export const stock = { left: 10 };\nexport ${SELL}`, 'stock.mjs');
    edit(`import { sell, stock } from './stock.mjs';\n${AUDIT}${MAIN}`);
    expect(run()).toMatchObject({ status: 0, fresh: [], known: 1, fixed: [] });
  });

  it('does not hide a new one', () => {
    edit(`${HEAD}${SELL}${AUDIT}${REFUND}${MAIN}await Promise.all([refund(1), refund(2)]);\n`);
    expect(run()).toMatchObject({ status: 1, fresh: ['refund'], known: 1, fixed: [] });
  });

  it('does not hide its copy in another file', () => {
    edit(`export const stock = { left: 10 };\nexport ${SELL}`, 'stock.mjs');
    edit(
      `import * as other from './stock.mjs';\n${ORIGINAL}await Promise.all([other.sell(1), other.sell(2)]);\n`,
    );
    expect(run()).toMatchObject({ status: 1, fresh: ['sell'], known: 1 });
  });

  it('is listed when it is fixed', () => {
    edit(ORIGINAL.replace(/ {2}const left.*\n.*\n.*\n/, '  stock.left -= count;\n  await null;\n'));
    const { status, fixed, stderr } = run();
    expect({ status, fixed }).toEqual({ status: 0, fixed: ['sell'] });
    expect(stderr).toContain('1 known violation fixed, or at least not seen in this run');
  });

  it('is in the SARIF report, as unchanged and suppressed, under the same fingerprint', () => {
    const [before] = run().sarif;
    edit(`// a comment\n${ORIGINAL}`);
    const [after] = run().sarif;
    expect(after).toMatchObject({ baselineState: 'unchanged', suppressions: [{ kind: 'external' }] });
    expect(after.partialFingerprints).toEqual(before.partialFingerprints);
  });
});

it('results of a run with a baseline can be a baseline themselves', () => {
  run('--update-baseline');
  run();
  const { status } = trackside(['run', '--baseline', 'out.json', PROGRAM], { cwd: folder.path });
  expect(status).toBe(0);
});
