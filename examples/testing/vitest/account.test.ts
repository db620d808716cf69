import { expect, test } from 'vitest';
import { Account, FixedAccount } from './account.ts';

// Passes by itself: it forgets to look at the balance. With Trackside it fails, and says why.
test('two withdrawals at once', async () => {
  const account = new Account(100);
  expect(await Promise.all([account.withdraw(30), account.withdraw(40)])).toEqual([true, true]);
});

test('two withdrawals at once, fixed', async () => {
  const account = new FixedAccount(100);
  expect(await Promise.all([account.withdraw(30), account.withdraw(40)])).toEqual([true, true]);
});
