import { describe, expect, it } from 'vitest';
import { Sequences } from '../../src/analyses/block/sequences.ts';

describe('sequences', () => {
  it('have one number each, even where one is the beginning of another', () => {
    const sequences = new Sequences();
    const numbers = new Map<string, number>();
    for (let i = 1; i < 1 << 12; i++) {
      const cells = [...i.toString(2).slice(1)].map(Number);
      expect(sequences.find(cells)).toBe(-1);
      numbers.set(cells.join(), sequences.numberOf(cells));
    }
    expect(sequences.count).toBe(numbers.size);
    for (const [cells, number] of numbers) {
      expect([...sequences.get(number)].join()).toBe(cells);
      expect(sequences.find([...sequences.get(number)])).toBe(number);
    }
  });
});
