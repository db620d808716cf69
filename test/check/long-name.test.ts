import { describe, expect, it } from 'vitest';
import { nameInResults } from '../../src/check/long-name.ts';

describe('a name in results', () => {
  it('is whole as long as people write names', () => {
    const name = `orders[${'x'.repeat(4000)}]`;
    expect(nameInResults(name)).toBe(name);
  });

  it('of a megabyte is cut, and still differs from others that start and end like it', () => {
    const one = nameInResults(`${'a'.repeat(500_000)}1${'b'.repeat(500_000)}`);
    const other = nameInResults(`${'a'.repeat(500_000)}2${'b'.repeat(500_000)}`);
    expect(one.length).toBeLessThan(4096);
    expect(one).toContain('(1000001 characters, ');
    expect(one).not.toBe(other);
  });

  it('is not cut within a character', () => {
    for (const start of ['', 'x']) {
      const name = nameInResults(start + '😀'.repeat(5000));
      expect(Buffer.from(name).toString()).toBe(name);
    }
  });
});
