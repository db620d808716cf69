import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../src/trace/name-table.ts';

describe('NameTable', () => {
  it('gives dense ids in order of appearance', () => {
    const table = new NameTable();
    expect(['a', 'b', 'a', '', 'b', 'c'].map((name) => table.internText(name))).toEqual([0, 1, 0, 2, 1, 3]);
    expect(table.size).toBe(4);
  });

  it('keeps a hundred thousand names apart through every growth', () => {
    const table = new NameTable();
    let first = 0;
    while (first < 100_000 && table.internText(`V${first}`) === first) first++;
    expect(first).toBe(100_000);
    for (let i = 0; i < 100_000; i += 997) {
      expect(table.text(i)).toBe(`V${i}`);
      expect(table.findText(`V${i}`)).toBe(i);
    }
    expect(table.findText('V100000')).toBe(-1);
  });

  it('keeps numbered names apart from those that look like them', () => {
    const names = ['V1', 'V01', 'V10', 'V', '1', 'W1', 'V1x', 'V123456789', 'V0', 'V00', 'VV1', '11', 'V-1'];
    const table = new NameTable();
    const ids = [...names.keys()];
    expect(names.map((name) => table.internText(name))).toEqual(ids);
    expect(names.map((name) => table.internText(name))).toEqual(ids);
    expect(names.map((name) => table.findText(name))).toEqual(ids);
    expect(ids.map((id) => table.text(id))).toEqual(names);
  });

  it('knows a name again that came when its number was too large for a place by number', () => {
    const table = new NameTable();
    const far = table.internText('V2000000');
    for (let i = 0; i < 600_000; i++) table.internText(`V${i}`);
    expect(table.internText('V2000001')).toBe(600_001);
    expect(table.internText('V2000000')).toBe(far);
    expect(table.findText('V2000000')).toBe(far);
    expect(table.size).toBe(600_002);
  });

  it('agrees with a map on any names, in any order', () => {
    const numbered = fc
      .tuple(fc.constantFrom('V', 'W', 'é', '7'), fc.integer({ min: 0, max: 3_000_000 }))
      .map(([prefix, number]) => `${prefix}${number}`);
    const name = fc.oneof(numbered, fc.constantFrom('', 'V', 'V00', 'V01', '0'), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 300 }), (names) => {
        const table = new NameTable();
        const ids = new Map<string, number>();
        for (const each of names) {
          expect(table.findText(each)).toBe(ids.get(each) ?? -1);
          if (!ids.has(each)) ids.set(each, ids.size);
          expect(table.internText(each)).toBe(ids.get(each));
        }
        expect(names.map((each) => table.findText(each))).toEqual(names.map((each) => ids.get(each)));
      }),
      { numRuns: 200 },
    );
  });

  it('takes little memory for a number that is large', () => {
    const table = new NameTable();
    for (let i = 0; i < 100; i++) table.internText(`V${99_999_999 - i}`);
    expect(table.placesByNumber).toBeLessThan(1000);
    expect(table.findText('V99999999')).toBe(0);
  });

  it('uses the ids of what is gone again, if it is to, whatever the names', () => {
    const name = fc.constantFrom('V1', 'V2', 'V12', 'x', 'y', 'x~2', 'a long name', 'another');
    const step = fc.record({ name, isGone: fc.boolean(), isFreed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new NameTable();
        table.useAgain();
        const alive = new Map<string, number>();
        for (const { name, isGone, isFreed } of steps) {
          const id = table.internText(name);
          expect(id).toBe(alive.get(name) ?? id);
          expect([...alive].filter(([other, known]) => known === id && other !== name)).toEqual([]);
          alive.set(name, id);
          if (isGone) {
            table.retire(id);
            alive.delete(name);
          }
          if (isFreed) table.freed();
          for (const [other, known] of alive) expect(table.text(known).startsWith(other)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('takes the names of object properties', () => {
    const table = new NameTable();
    expect(table.findText('__proto__')).toBe(-1);
    expect(['__proto__', 'constructor', '__proto__'].map((name) => table.internText(name))).toEqual([
      0, 1, 0,
    ]);
  });

  it('keeps bytes that are not UTF-8, and shows each of them', () => {
    const table = new NameTable();
    const id = table.intern(Uint8Array.of(0xff, 0x41));
    expect([...table.bytes(id)]).toEqual([0xff, 0x41]);
    expect(table.text(id)).toBe('ÿA');
  });

  it('holds a name of a megabyte', () => {
    const table = new NameTable();
    const name = 'x'.repeat(1 << 20);
    table.internText('a');
    expect(table.text(table.internText(name))).toBe(name);
    expect(table.internText('b')).toBe(2);
  });
});

describe('names that are known to be new', () => {
  const ends = (...lengths: number[]) => {
    let end = 0;
    return Int32Array.from(lengths, (length) => {
      end += length;
      return end;
    });
  };

  it('are found by who looks for them later', () => {
    const names = new NameTable();
    names.internText('first');
    expect(names.appendNew(Buffer.from('V1other'), ends(2, 5))).toBe(1);
    expect([names.size, names.text(2)]).toEqual([3, 'other']);
    expect(names.findText('V1')).toBe(1);
    expect(names.appendNew(Buffer.from('last'), ends(4))).toBe(3);
    expect(['first', 'V1', 'other', 'last', 'next'].map((name) => names.internText(name))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });

  it('are not taken where something is gone, as they may be its names', () => {
    const names = new NameTable();
    names.useAgain();
    expect(names.appendNew(Buffer.from('x'), ends(1))).toBe(0);
    names.retire(0);
    expect(names.appendNew(Buffer.from('x'), ends(1))).toBe(-1);
    expect([names.internText('x'), names.text(1)]).toEqual([1, 'x~2']);
  });
});
