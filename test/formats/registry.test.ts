import { describe, expect, it } from 'vitest';
import { detectFormat, formatByEnding, formatNamed } from '../../src/formats/registry.ts';

const detect = (text: string, path = 'trace') => detectFormat(Buffer.from(text), text.length, path).name;

describe('the format of a trace', () => {
  it('is told by its content, whatever the file is called', () => {
    expect(detect('T0|r(x)|1\n', 'trace.csv')).toBe('std');
    expect(detect('T0,T1\nr(x)|1,\n,w(x)|2\n', 'trace.std')).toBe('csv');
    expect(detect('starting\n@    Rd(0,x)  Final  A.java:1:2\n', 'trace.std')).toBe('rr');
    expect(detectFormat(Uint8Array.of(0x89, 0x54, 0x52, 0x4b), 4, 'trace.std').name).toBe('trk');
  });

  it('is told by the ending where the content tells nothing, and is STD at last', () => {
    expect(detect('???', 'trace.csv')).toBe('csv');
    expect(detect('', 'trace.TRK.gz')).toBe('trk');
    expect(detect('???', 'trace.xyz')).toBe('std');
    expect(detect('???', '-')).toBe('std');
  });

  it('is known by its name and by its endings', () => {
    expect(formatNamed('rr').title).toMatch(/RoadRunner/);
    expect(() => formatNamed('auto')).toThrow(/unknown format/);
    expect(formatByEnding('a.b/c')).toBeNull();
    expect(formatByEnding('trace.gz')).toBeNull();
    expect(formatByEnding('x.std.gz')?.name).toBe('std');
  });
});
