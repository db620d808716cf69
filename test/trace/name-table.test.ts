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
    for (let i = 0; i < 100_000; i++) expect(table.internText(`V${i}`)).toBe(i);
    for (let i = 0; i < 100_000; i += 997) {
      expect(table.text(i)).toBe(`V${i}`);
      expect(table.findText(`V${i}`)).toBe(i);
    }
    expect(table.findText('V100000')).toBe(-1);
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
