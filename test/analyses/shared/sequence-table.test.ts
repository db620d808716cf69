import { describe, expect, it } from 'vitest';
import { SequenceTable } from '../../../src/analyses/shared/sequence-table.ts';

describe('sequences', () => {
  it('have one number each, even where one is the beginning of another', () => {
    const table = new SequenceTable();
    const numbers = new Map<string, number>();
    for (let i = 1; i < 1 << 12; i++) {
      const codes = Int32Array.from(i.toString(2).slice(1), Number);
      expect(table.find(codes, codes.length)).toBe(-1);
      numbers.set(codes.join(), table.number(codes, codes.length));
    }
    expect(table.size).toBe(numbers.size);
    for (const [codes, number] of numbers) {
      const known = table.get(number);
      expect(known.join()).toBe(codes);
      expect(table.find(known, known.length)).toBe(number);
      expect(table.number(known, known.length)).toBe(number);
    }
  });
});
