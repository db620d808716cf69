import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ViolationResult } from '../../src/check/result.ts';
import { parseResults } from '../../src/check/saved-results.ts';
import { ADVICE, adviceFor } from '../../src/report/advice/index.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';
import { BROKEN } from '../stores/advice.ts';

/*
 * Advice is right if whoever follows it is rid of the problem: each program is run, the code that the report suggests is put
 * in the place of what was wrong, and it is run again.
 */

interface AdvisedProgram {
  /** The row that the report must choose. */
  advice: string;
  what: string;
  /** What is there before; `act` is the function that the advice is about. */
  before: string;
  parameters: string;
  broken: string;
  /** Calls `act`, and prints what came of it. */
  after: string;
  prints: { broken: string; right: string };
}

const WAIT = "import { setTimeout as wait } from 'node:timers/promises';";
const FILES = `${WAIT}
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
const path = join(await mkdtemp(join(tmpdir(), 'trackside-advice-')), 'state');`;

const PROGRAMS: readonly AdvisedProgram[] = [
  {
    what: 'a withdrawal that checks, waits and then pays',
    advice: 'check-and-act-at-once',
    before: `${WAIT}
const account = { balance: 100 };
const slow = () => wait(2);
const isAllowed = (balance) => balance >= 70;
const changed = (balance) => {
  paid += 70;
  return balance - 70;
};
let paid = 0;`,
    parameters: '',
    broken: `const left = account.balance - 70;
if (left < 0) return;
await slow();
account.balance = left;
paid += 70;`,
    after: `await Promise.all([act(), act()]);
console.log(account.balance, paid);`,
    prints: { broken: '30 140', right: '30 70' },
  },
  {
    what: 'a limit that is checked before it is waited for',
    advice: 'check-and-act-at-once',
    before: `${WAIT}
let value = 0;
const slow = () => wait(2);
const isAllowed = (value) => value < 1;
const changed = (value) => value + 1;`,
    parameters: '',
    broken: `if (value >= 1) return;
await slow();
value++;`,
    after: `await Promise.all([act(), act(), act()]);
console.log(value);`,
    prints: { broken: '3', right: '1' },
  },
  {
    what: 'settings that are copied, changed and put back',
    advice: 'change-what-is-there',
    before: `${WAIT}
const store = { settings: {} };
let count = 0;
const slow = () => wait(2, { ['option' + ++count]: true });
const merged = (settings, news) => ({ ...settings, ...news });`,
    parameters: '',
    broken: `const before = store.settings;
const news = await slow();
store.settings = { ...before, ...news };`,
    after: `await Promise.all([act(), act()]);
console.log(Object.keys(store.settings).join());`,
    prints: { broken: 'option2', right: 'option1,option2' },
  },
  {
    what: 'a sum whose old value is read before the wait',
    advice: 'update-in-one-step',
    before: `${WAIT}
const cart = { total: 0 };
const slow = () => wait(2, 5);`,
    parameters: '',
    broken: 'cart.total += await slow();',
    after: `await Promise.all([act(), act()]);
console.log(cart.total);`,
    prints: { broken: '5', right: '10' },
  },
  {
    what: 'a cache that two tasks fill at once',
    advice: 'share-the-promise',
    before: `${WAIT}
const cache = new Map();
const pending = new Map();
let made = 0;
async function make(key) {
  made++;
  await wait(2);
  return key.length;
}`,
    parameters: 'key',
    broken: `if (!cache.has(key)) cache.set(key, await make(key));
return cache.get(key);`,
    after: `const got = await Promise.all([act('abc'), act('abc')]);
console.log(got.join(), made);`,
    prints: { broken: '3,3 2', right: '3,3 1' },
  },
  {
    what: 'workers that look at a job before they take it',
    advice: 'take-first',
    before: `${WAIT}
const queue = ['a', 'b'];
const done = [];
async function handle(job) {
  await wait(2);
  done.push(job);
}`,
    parameters: '',
    broken: `if (queue.length === 0) return;
const job = queue[0];
await handle(job);
queue.shift();`,
    after: `await Promise.all([act(), act()]);
console.log(done.join());`,
    prints: { broken: 'a,a', right: 'a,b' },
  },
  {
    what: 'a file that is written in two pieces while another task reads it',
    advice: 'write-aside-and-rename',
    before: `${FILES}
await writeFile(path, '[0]');
const content = '[1,2,3]';
let tell;
const isHalf = new Promise((resolve) => { tell = resolve; });
let read;`,
    parameters: '',
    broken: `await writeFile(path, content.slice(0, 4));
tell();
await read;
await writeFile(path, content);`,
    after: `const look = async () => {
  await Promise.race([isHalf, wait(30)]);
  return readFile(path, 'utf8');
};
read = look();
const [, text] = await Promise.all([act(), read]);
const seen = (() => { try { return JSON.parse(text) && 'whole'; } catch { return 'torn'; } })();
console.log(seen);`,
    prints: { broken: 'torn', right: 'whole' },
  },
  {
    what: 'a counter in a file',
    advice: 'queue-updates-of-file',
    before: `${FILES}
await writeFile(path, '0');
let last = Promise.resolve();
async function update(file) {
  const count = Number(await readFile(file, 'utf8'));
  await writeFile(file, String(count + 1));
}`,
    parameters: '',
    broken: `const count = Number(await readFile(path, 'utf8'));
await writeFile(path, String(count + 1));`,
    after: `await Promise.all([act(), act()]);
console.log(await readFile(path, 'utf8'));`,
    prints: { broken: '1', right: '2' },
  },
  {
    what: 'a user who is kept where all requests keep theirs',
    advice: 'keep-your-own',
    before: `${WAIT}
const session = { user: '' };
const users = ['ann', 'bob'];
const said = [];
const made = () => users.shift();
const slow = () => wait(2);
const use = (user) => said.push(user);`,
    parameters: '',
    broken: `session.user = made();
await slow();
use(session.user);`,
    after: `await Promise.all([act(), act()]);
console.log(said.join());`,
    prints: { broken: 'bob,bob', right: 'ann,bob' },
  },
  {
    what: 'a price that is shown and then charged',
    advice: 'read-once',
    before: `${WAIT}
const shop = { price: 10 };
const prices = [];
const slow = () => wait(4);
const use = (price) => prices.push(price);
const raise = async () => { shop.price = 12; };`,
    parameters: '',
    broken: `const shown = shop.price;
await slow();
if (shop.price >= shown) use(shop.price);`,
    after: `await Promise.all([act(), raise()]);
console.log(prices.join());`,
    prints: { broken: '12', right: '10' },
  },
  {
    what: 'a result that is put together in the sight of all',
    advice: 'write-once',
    before: `${WAIT}
const page = { text: '' };
const slow = () => wait(4, 'all of it');
const seen = [];
const look = async () => { seen.push(page.text); };`,
    parameters: '',
    broken: `page.text = 'half';
const rest = await slow();
page.text = rest;`,
    after: `await Promise.all([act(), look()]);
console.log(seen.join());`,
    prints: { broken: 'half', right: '' },
  },
  {
    what: 'threads that count in shared memory',
    advice: 'atomic-update',
    before: `import { Worker, isMainThread, workerData } from 'node:worker_threads';
const cells = new Int32Array(isMainThread ? new SharedArrayBuffer(8) : workerData);
const index = 0;
const change = 1;
const changed = (old) => old + 1;`,
    parameters: '',
    broken: `const old = cells[index];
if (Atomics.add(cells, 1, 1) === 0) Atomics.wait(cells, 1, 1);
else Atomics.notify(cells, 1);
cells[index] = old + 2;`,
    after: `if (isMainThread) {
  const exits = [1, 2].map(() => new Promise((resolve) => {
    new Worker(new URL(import.meta.url), { workerData: cells.buffer }).on('exit', resolve);
  }));
  await Promise.all(exits);
  console.log(cells[index]);
} else await act();`,
    prints: { broken: '2', right: '4' },
  },
];

const folder = temporaryFolder();

function run(
  name: string,
  { before, parameters, after }: AdvisedProgram,
  body: string,
  ...options: string[]
) {
  const lines = body.split('\n').map((line) => `  ${line}`);
  const source = `${before}\nasync function act(${parameters}) {\n${lines.join('\n')}\n}\n${after}\n`;
  const program = folder.write(`${name}.mjs`, source);
  const results = `${program}.json`;
  const { status, stdout } = trackside(
    ['run', '--no-live', ...options, '--reporter', `json=${results}`, program],
    {
      cwd: folder.path,
    },
  );
  const report = parseResults(readFileSync(results, 'utf8'), results);
  return { status, stdout: stdout.trimEnd(), found: report.results.flatMap(({ violations }) => violations) };
}

/** What the report says first about the function. */
function worst(found: readonly ViolationResult[]): ViolationResult {
  const own = found.filter(({ block }) => block?.label === 'act');
  return own.find(({ severity }) => severity === 'error') ?? own[0];
}

describe('the advice that a report gives', () => {
  it.each(PROGRAMS)('is right for $what: $advice', (program) => {
    const { advice, broken, prints } = program;
    const before = run(`${advice}-broken`, program, broken, '--notes');
    expect(before.stdout).toBe(prints.broken);
    const { name, sketch } = adviceFor(worst(before.found), 'program');
    expect(name).toBe(advice);
    const after = run(`${advice}-followed`, program, sketch.join('\n'));
    expect(after).toEqual({ status: 0, stdout: prints.right, found: [] });
  });

  it('has a program for each row with code, here or with the tests of databases', () => {
    const tested = new Set([...PROGRAMS, ...BROKEN].map(({ advice }) => advice));
    const rows = ADVICE.filter(({ sketch }) => sketch !== undefined).map(({ name }) => name);
    expect(rows.filter((name) => !tested.has(name))).toEqual([]);
  });
});
