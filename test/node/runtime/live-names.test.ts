import { describe, expect, it } from 'vitest';
import { LiveNames } from '../../../src/node/runtime/live-names.ts';

describe('names of a running program', () => {
  it('have ids in the order in which they come', () => {
    const names = new LiveNames();
    expect([names.add('a', 0), names.add('b', 0), names.size]).toEqual([0, 1, 2]);
  });

  it('give their ids to others, oldest first', () => {
    const names = new LiveNames();
    for (const name of ['a', 'b', 'c']) names.add(name, 0);
    names.giveBack(2, 10);
    names.giveBack(0, 11);
    expect([names.add('d', 20), names.add('e', 20), names.add('f', 20)]).toEqual([2, 0, 3]);
    expect([names.text(2), names.text(0)]).toEqual(['d', 'e']);
  });

  it('keep their ids as long as somebody may look back', () => {
    const names = new LiveNames();
    names.add('a', 0);
    names.giveBack(0, 10);
    expect(names.add('b', 10)).toBe(1);
    expect(names.text(0)).toBe('a');
  });

  it('need no more ids than there are names at a time', () => {
    const names = new LiveNames();
    for (let event = 1; event <= 10_000; event++) names.giveBack(names.add(`name ${event}`, event), event);
    expect(names.size).toBe(1);
  });
});
