import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mismatch } from '../../src/check/json-schema.ts';
import type { CheckReport, ViolationResult } from '../../src/check/result.ts';
import { resultsSchema } from '../../src/check/saved-results.ts';
import { type Run, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

interface ReportedRun extends Run {
  report: CheckReport;
  violations: ViolationResult[];
}

function reported(args: readonly string[]): ReportedRun {
  const path = join(folder.path, 'results.json');
  const run = trackside([args[0], '--reporter', 'text', '--reporter', `json=${path}`, ...args.slice(1)], {
    cwd: folder.path,
  });
  const report = JSON.parse(readFileSync(path, 'utf8'));
  expect(mismatch(report, resultsSchema())).toBeNull();
  return { ...run, report, violations: (report as CheckReport).results.flatMap((each) => each.violations) };
}

const WAIT = 'const wait = () => new Promise((done) => setTimeout(done, 2));\n';

/** Two withdrawals of 70 from 100. */
const withdrawals = (body: string) => `${WAIT}const account = { balance: 100 };
async function withdraw(amount) {${body}}
const paid = await Promise.all([withdraw(70), withdraw(70)]);
console.log('paid', paid.filter(Boolean).length, 'left', account.balance);
`;

folder.write(
  'overdrawn.mjs',
  withdrawals(`
  const left = account.balance - amount;
  if (left < 0) return false;
  await wait();
  account.balance = left;
  return true;
`),
);
/** In its third run, the first one with turns, it tells `trackside` to end. */
folder.write(
  'interrupted.mjs',
  `import { execFileSync } from 'node:child_process';
const counted = "echo run >> interrupted.txt; wc -l < interrupted.txt";
if (Number(execFileSync('sh', ['-c', counted])) === 3) {
  process.kill(process.ppid, 'SIGTERM');
  await new Promise((done) => setTimeout(done, 60_000));
}
${withdrawals(`
  const left = account.balance - amount;
  await wait();
  account.balance = left;
  return true;
`)}`,
);
folder.write(
  'harmless.mjs',
  `${WAIT}const cache = { page: null };
async function load() {
  if (cache.page === null) {
    await wait();
    cache.page = 'start';
  }
  return cache.page;
}
console.log(await Promise.all([load(), load()]));
`,
);
folder.write(
  'chance.mjs',
  withdrawals(`
  const left = account.balance - amount;
  await wait();
  account.balance = left;
  return Math.random() < 2;
`).replace("'left'", "Math.random(), 'left'"),
);
folder.write(
  'handshake.mjs',
  `${WAIT}let arrived = 0;
let open;
const both = new Promise((done) => { open = done; });
const log = { entries: 0 };
async function meet() {
  const before = log.entries;
  arrived += 1;
  if (arrived === 2) open();
  await both;
  log.entries = before + 1;
}
await Promise.all([meet(), meet()]);
console.log('entries', log.entries);
`,
);

describe('trackside prove', () => {
  it('proves a violation that changes the output, and shows how', () => {
    const { status, stderr, violations } = reported(['prove', '--fail-on', 'proved', 'overdrawn.mjs']);
    expect(status).toBe(1);
    expect(violations.map(({ proof }) => proof?.verdict)).toEqual(['harmful']);
    expect(violations[0].proof?.differences).toEqual([
      { what: 'output', observed: ['paid 2 left 30'], serial: ['paid 1 left 30'] },
    ]);
    expect(stderr).toContain('- paid 2 left 30\n');
    expect(stderr).toContain('+ paid 1 left 30\n');
  });

  it('sees no difference where calls one after the other come to the same', () => {
    const { violations } = reported(['prove', '--fail-on', 'warning', 'harmless.mjs']);
    expect(violations.map(({ proof }) => proof?.verdict)).toEqual(['no-difference']);
  });

  it('proves a lost update of a file by what is in it, and leaves it as the first run did', () => {
    folder.write('count.txt', '5');
    folder.write(
      'count.mjs',
      `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
if (existsSync('made')) throw new Error('left by another run');
mkdirSync('made');
async function count() {
  const n = Number(readFileSync('count.txt', 'utf8'));
  await null;
  writeFileSync('count.txt', String(n + 1));
}
await Promise.all([count(), count()]);
`,
    );
    const { violations } = reported(['prove', 'count.mjs']);
    expect(violations[0].proof).toMatchObject({
      verdict: 'harmful',
      differences: [{ what: 'file', name: 'count.txt', observed: ['6'], serial: ['7'] }],
    });
    expect(readFileSync(join(folder.path, 'count.txt'), 'utf8')).toBe('6');
  });

  it('runs a call by itself where what came between cannot wait: a timer, the program, callbacks', () => {
    folder.write(
      'flushed.mjs',
      `${WAIT}let pending = [1];
const stored = [];
async function flush() {
  const rows = [...pending];
  await wait();
  stored.push(...rows);
  pending = [];
}
const flushing = flush();
setTimeout(() => pending.push(2), 1);
await flushing;
await wait();
await flush();
console.log(stored);

const store = { seats: 2 };
const get = (done) => setTimeout(() => done(store.seats), 1);
const set = (seats, done) => setTimeout(() => { store.seats = seats; done(); }, 1);
function book(done) {
  get((seats) => set(seats - 1, done));
}
let left = 2;
const booked = () => { if (--left === 0) console.log('seats', store.seats); };
book(booked);
book(booked);
`,
    );
    const { violations } = reported(['prove', 'flushed.mjs']);
    const proofs = violations.map(({ block, proof }) => [block?.label, proof?.verdict, proof?.message]);
    expect(proofs.toSorted()).toEqual([
      ['book', 'harmful', expect.stringMatching(/call \d of 'book' (?:by itself|when all else was over)/)],
      ['flush', 'harmful', expect.stringMatching(/call 1 of 'flush' (?:by itself|when all else was over)/)],
    ]);
    const [first] = violations.filter(({ block }) => block?.label === 'book');
    expect(first.proof?.differences).toContainEqual({
      what: 'output',
      observed: ['seats 1'],
      serial: ['seats 0'],
    });
  });

  it('proves nothing of a program that does something else in each run, so that --fail-on proved lets it pass', () => {
    const { status, violations } = reported(['prove', '--fail-on', 'proved', 'chance.mjs']);
    expect(status).toBe(0);
    expect(violations.map(({ proof }) => proof?.verdict)).toEqual(['not-deterministic']);
  });

  it('says so if two calls cannot run one after the other, as each waits for the other one', () => {
    const { status, violations } = reported(['prove', 'handshake.mjs']);
    expect(status).toBe(1);
    expect(violations.map(({ proof }) => proof?.verdict)).toEqual(['not-possible']);
    expect(violations[0].proof?.message).toContain("call 2 of 'meet' still waited for its turn");
  });
});

describe('trackside run --what-if-atomic', () => {
  it('refuses a block that there is not, and says which there are', () => {
    const { status, stderr } = trackside(['run', '--what-if-atomic', 'withdrew', 'overdrawn.mjs'], {
      cwd: folder.path,
    });
    expect(stderr).toBe(
      "error: no block that ran is called 'withdrew'; expected one of 'withdraw', 'wait'\n",
    );
    expect(status).toBe(2);
  });

  it('takes another option behind it for no label', () => {
    const { report } = reported(['run', '--what-if-atomic', '--no-live', 'overdrawn.mjs']);
    expect(report.whatIf).toMatchObject([{ labels: ['withdraw'] }]);
  });

  it('says what is gone, what the program says instead, and how many calls waited', () => {
    const { status, stdout, report } = reported(['run', '--what-if-atomic', 'withdraw', 'overdrawn.mjs']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'paid 2 left 30\n' });
    expect(report.whatIf).toMatchObject([
      {
        labels: ['withdraw'],
        waited: 1,
        givenUp: null,
        gone: ['error: withdraw (lost-update)'],
        appeared: [],
        differences: [{ what: 'output', observed: ['paid 2 left 30'], serial: ['paid 1 left 30'] }],
      },
    ]);
  });

  it('tries the blocks of each violation where no label is given', () => {
    const { report } = reported(['run', '--what-if-atomic', 'overdrawn.mjs']);
    expect(report.whatIf?.map(({ labels }) => labels)).toEqual([['withdraw']]);
  });

  it('lets calls that a block makes itself pass', () => {
    folder.write(
      'nested.mjs',
      `${WAIT}let n = 0;
async function outer() { await inner(); await Promise.all([inner(), inner()]); }
async function inner() { await wait(); n += 1; }
await Promise.all([outer(), outer()]);
console.log(n);
`,
    );
    const { report, stdout } = reported(['run', '--what-if-atomic', '*er', 'nested.mjs']);
    expect(stdout).toBe('6\n');
    expect(report.whatIf).toMatchObject([{ waited: 1, givenUp: null, differences: [] }]);
  });

  it('gives up turns that would be a deadlock, and the program still ends', () => {
    const { report } = reported(['run', '--what-if-atomic', 'meet', 'handshake.mjs']);
    expect(report.whatIf?.[0].givenUp).toBe(
      "call 2 of 'meet' still waited for its turn when nothing else was left to do, which call 1 of 'meet' had",
    );
  });
});

it('says so of a program that does not end, and proves nothing', () => {
  folder.write('endless.mjs', 'setInterval(() => {}, 1000);');
  const { stderr } = trackside(['prove', '--timeout', '1', 'endless.mjs'], { cwd: folder.path });
  expect(stderr).toContain('the program had not ended after 1 s (--timeout), so that nothing can be proved');
});

it('proves nothing by a run that was interrupted, and starts no other', () => {
  const { status, stderr, violations } = reported(['prove', 'interrupted.mjs']);
  expect(violations.map(({ proof }) => proof?.verdict)).toEqual(['not-tried']);
  expect(stderr).toContain('not tried: interrupted');
  expect(readFileSync(join(folder.path, 'interrupted.txt'), 'utf8')).toBe('run\n'.repeat(3));
  expect(status).toBe(1);
});
