import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { vitest } from './vitest-run.ts';

const PROJECT = fileURLToPath(new URL('../../fixtures/testing/prove', import.meta.url));

describe('a failing test is run again as a proof', () => {
  const run = vitest(PROJECT, [join(PROJECT, 'account.spec.ts')]);

  it('that shows how it ends when the calls take turns', () => {
    const message = run.messages('account.spec.ts', 'two withdrawals (of 70)');
    expect(message.replaceAll(/\s+/g, ' ')).toContain(
      "proved harmful: with call 1 of 'Account.withdraw' before call 2 of 'Account.withdraw', the test comes to another outcome",
    );
    expect(message).toContain(
      '- failed: AssertionError: expected [ true, true ] to include false\n    + passed\n',
    );
    expect(message).toContain('- paid 2\n    + paid 1\n');
  });

  it('that says what is not the same each time', () => {
    const message = run.messages('account.spec.ts', 'chance');
    expect(message).toContain('not proved: the test does not do the same when it is run again (output)');
  });
});
