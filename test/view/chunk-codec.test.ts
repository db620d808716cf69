import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChunk, encodeChunk } from '../../src/view/chunk-codec.ts';

const id = fc.oneof(fc.nat(300), fc.nat(0x7fffffff));
const events = fc.array(fc.record({ op: fc.nat(10), thread: id, operand: id, location: id }), {
  maxLength: 300,
});
const open = fc.array(fc.record({ thread: id, label: id, begin: id }), { maxLength: 5 });

describe('a chunk of a page', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(events, open, (events, open) => {
        const columns = {
          length: events.length,
          op: Uint8Array.from(events, ({ op }) => op),
          thread: Int32Array.from(events, ({ thread }) => thread),
          operand: Int32Array.from(events, ({ operand }) => operand),
          location: Int32Array.from(events, ({ location }) => location),
        };
        expect(decodeChunk(encodeChunk(columns, open))).toEqual({ ...columns, open });
      }),
    );
  });

  it('has as many bytes a value as the largest one needs', () => {
    const columns = (thread: number) => ({
      length: 100,
      op: new Uint8Array(100),
      thread: new Int32Array(100).fill(thread),
      operand: new Int32Array(100),
      location: new Int32Array(100),
    });
    expect(encodeChunk(columns(0), [])).toHaveLength(5 + 100);
    expect(encodeChunk(columns(200), [])).toHaveLength(5 + 200);
    expect(encodeChunk(columns(70_000), [])).toHaveLength(5 + 400);
  });
});
