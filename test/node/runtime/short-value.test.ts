import { describe, expect, it } from 'vitest';
import { looksSecret, shortValue } from '../../../src/node/runtime/short-value.ts';

describe('the value of an access', () => {
  it.each([
    [100, '100'],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [undefined, 'undefined'],
    [null, 'null'],
    [12n, '12n'],
    ['open', '"open"'],
    ['a "b"\n\u001b[31m', '"a \\"b\\"\\n\\u001b[31m"'],
    ['x'.repeat(1000), `"${'x'.repeat(23)}…"`],
    [`${'x'.repeat(22)}🦊🦊`, `"${'x'.repeat(22)}…"`],
  ])('is told in few characters: %o', (value, text) => {
    expect(shortValue(value)).toBe(text);
  });

  it('is not told of what is no primitive', () => {
    expect([{}, [], () => 1, Symbol('s'), new Map()].map(shortValue)).toEqual([null, null, null, null, null]);
  });

  it.each([
    ...['user.password', 'config.apiKey', 'API_KEY', 'token', 'session.accessToken', 'process.env.SECRET_2'],
    ...[
      'keys["a"].key',
      'this.#privateKey',
      'sessionId',
      'basicAuth',
      'card.cvv',
      'auth',
      'headers["cookie"]',
      'user.pin (a.ts:3)',
    ],
  ])('is never told of %s, which looks like a secret', (name) => {
    expect(looksSecret(name)).toBe(true);
  });

  it.each([
    'source.balance',
    'monkey',
    'keyboard.layout',
    'stock.lamp',
    'pinned',
    'spinner',
    'book.author',
    'session.user',
    'cart.total',
  ])('is told of %s', (name) => {
    expect(looksSecret(name)).toBe(false);
  });
});
