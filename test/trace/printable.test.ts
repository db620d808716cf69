import { describe, expect, it } from 'vitest';
import { printable } from '../../src/trace/printable.ts';

describe('printable', () => {
  it.each([
    ['plain text', 'Bank.transfer', 'Bank.transfer'],
    ['emoji', '🏦 → 💸', '🏦 → 💸'],
    ['an escape sequence', '\u001b[31m', '\\x1b[31m'],
    ['line breaks', 'a\r\nb', 'a\\x0d\\x0ab'],
    ['a C1 control', '\u009b', '\\x9b'],
    ['a right-to-left override', '\u202eabc', '\\u202eabc'],
    ['a line separator', '\u2028', '\\u2028'],
  ])('shows %s', (_, name, shown) => {
    expect(printable(name)).toBe(shown);
  });

  it('shortens a megabyte in the middle', () => {
    const shown = printable(`head${'x'.repeat(1 << 20)}tail`, 40);
    expect(shown.length).toBeLessThanOrEqual(40);
    expect(shown).toMatch(/^head.*….*tail$/);
  });

  it('does not split a character when it shortens', () => {
    const shown = printable('🏦'.repeat(100), 20);
    expect(shown).toMatch(/^(🏦)+…(🏦)+$/u);
  });
});
