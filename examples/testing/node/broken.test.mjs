import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from './account.mjs';

test('two withdrawals at once', async () => {
  const account = new Account(100);
  assert.deepEqual(await Promise.all([account.withdraw(30), account.withdraw(40)]), [true, true]);
});
