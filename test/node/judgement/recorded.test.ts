import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonReport, JsonResult } from '../../../src/check/json-results.ts';
import { check, temporaryFolder, trackside } from '../../cli/run.ts';

const { path, write } = temporaryFolder();

/** An error, a warning, and one that only a comment in the source keeps away. */
const SHOP = `
const account = { balance: 100 };
const shop = { price: 10, views: 0 };
async function withdraw(amount) {
  const { balance } = account;
  await null;
  account.balance = balance - amount;
}
async function charge() {
  const shown = shop.price;
  await null;
  account.paid = shown;
  return shop.price;
}
async function raise() {
  shop.price = 12;
  account.paid = 0;
}
// trackside-ignore-next-line the newest one wins
async function view() {
  const { views } = shop;
  await null;
  shop.views = views + 1;
}
async function visit() {
  await view();
}
await Promise.all([withdraw(1), withdraw(2), charge(), raise(), visit(), visit()]);
`;

it('a recorded program is judged the same when its sources are gone', () => {
  write('shop.mjs', SHOP);
  trackside(['run', '--no-live', '--reporter', 'json=run.json', 'shop.mjs'], { cwd: path });
  const [ran] = (JSON.parse(readFileSync(join(path, 'run.json'), 'utf8')) as JsonReport).results;
  trackside(['record', '--quiet', '-o', 'shop.trk', 'shop.mjs'], { cwd: path });
  renameSync(join(path, 'shop.mjs'), join(path, 'elsewhere.txt'));
  const { result } = check(['shop.trk'], { cwd: path });
  expect(rulesByLabel(ran)).toEqual([
    ['withdraw', 'stale-act'],
    ['charge', 'stale-elsewhere'],
  ]);
  expect(result.violations).toEqual(ran.violations);
});

/** `handle` only calls what is excluded; `transfer` has looked by itself before it does. */
const CALLERS = `
const shop = { stock: 5 };
const account = { balance: 100 };
async function take() {
  const { stock } = shop;
  await null;
  shop.stock = stock - 1;
}
async function handle() {
  await take();
}
async function pay(amount) {
  await null;
  account.balance = account.balance - amount;
}
async function transfer(amount) {
  if (account.balance < amount) return;
  await pay(amount);
}
await Promise.all([handle(), handle(), transfer(60), transfer(70)]);
`;

it('--exclude keeps what a function does by itself from its callers, but not what they had read before', () => {
  write('callers.mjs', CALLERS);
  trackside(['record', '--quiet', '-o', 'callers.trk', 'callers.mjs'], { cwd: path });
  const { result } = check(['callers.trk', '--exclude', 'take', '--exclude', 'pay'], { cwd: path });
  expect(rulesByLabel(result)).toEqual([['transfer', 'stale-act']]);
});

function rulesByLabel({ violations }: JsonResult): unknown[] {
  return violations.map(({ block, because }) => [block?.label, because?.rule]);
}

/** What is excluded goes by its own read, but its caller had looked, too. */
const BOTH_LOOK = `
const account = { balance: 100 };
async function withdraw(amount) {
  const { balance } = account;
  await null;
  account.balance = balance - amount;
}
async function transfer(amount) {
  if (account.balance < amount) return;
  await null;
  await withdraw(amount);
}
await Promise.all([transfer(60), transfer(70)]);
`;

it('--exclude of a function does not hide that its caller went by an old look', () => {
  write('both.mjs', BOTH_LOOK);
  trackside(['record', '--quiet', '-o', 'both.trk', 'both.mjs'], { cwd: path });
  const { result } = check(['both.trk', '--exclude', 'withdraw'], { cwd: path });
  expect(rulesByLabel(result)).toEqual([['transfer', 'stale-act']]);
});
