import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainColumns } from '../../src/formats/trk/columns.ts';
import { CompiledColumns } from '../../src/formats/trk/compiled-columns.ts';
import { Cursor } from '../../src/formats/trk/cursor.ts';
import { EventChunkReader } from '../../src/formats/trk/event-chunk.ts';
import { trk } from '../../src/formats/trk/index.ts';
import { CHUNK_EVENTS, ChunkKind, FRAME_BYTES, HEADER_BYTES } from '../../src/formats/trk/layout.ts';
import { NameTemplates } from '../../src/formats/trk/name-templates.ts';
import { ChunkPacker, type GatheredEvents } from '../../src/formats/trk/packed-chunk.ts';
import { codeLengths, MOST_CODE_BITS, prefixCodes } from '../../src/formats/trk/prefix-code.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { TraceNames } from '../../src/trace/names.ts';
import { Op } from '../../src/trace/operation.ts';
import { traces } from '../support/arbitraries.ts';
import { decodeAll } from '../support/decode.ts';
import { Random } from '../support/random-traces.ts';
import { chunk, endChunk, eventsBody, trkBytes, trkPieces } from '../support/trk-bytes.ts';

const packed = (trace: MemoryTrace) => trkBytes(trace, { packer: new ChunkPacker() });
const textOf = (trace: MemoryTrace) => JSON.stringify([...trace.events()]);

/** A trace with new, recent and old operands, names with and without numbers, and several chunks. */
function longTrace(events: number, variables: number): MemoryTrace {
  const random = new Random(1);
  const named: NamedEvent[] = [];
  for (let i = 0; i < events; i++) {
    const variable = random.below(4) === 0 ? random.below(variables) : i % 50;
    named.push({
      thread: `T${random.below(5)}`,
      op: [Op.read, Op.write, Op.begin, Op.end, Op.acquire][random.below(5)],
      operand:
        variable % 9 === 0
          ? `own${'~'.repeat(variable % 200)}`
          : `V${variable % 3}.${variable}[0${variable % 2}]`,
      location: [null, String(variable % 700), `f.js:${variable % 12}`][i % 3],
    });
  }
  return MemoryTrace.of(named);
}

describe('a packed file', () => {
  it('holds the events that were written', async () => {
    await fc.assert(
      fc.asyncProperty(traces(), async (trace) => {
        const { trace: read, problem } = decodeAll(trk, await packed(trace), { windowSizes: [7] });
        expect([textOf(read), problem]).toEqual([textOf(trace), null]);
      }),
      { numRuns: 200 },
    );
  });

  it('holds chunk after chunk, in less room', async () => {
    const trace = longTrace(20_000, 3000);
    const bytes = await packed(trace);
    expect(textOf(decodeAll(trk, bytes).trace)).toBe(textOf(trace));
    expect(bytes.length).toBeLessThan(0.7 * (await trkBytes(trace)).length);
  });

  it('has plain chunks where a code would have too many actions, or a name is too long', async () => {
    const manyThreads = MemoryTrace.of(
      Array.from({ length: 5000 }, (_, i) => ({ thread: `T${i}`, op: Op.read, operand: 'x' })),
    );
    const longName = MemoryTrace.of([{ thread: 't', op: Op.read, operand: 'n'.repeat(600_000) }]);
    for (const trace of [manyThreads, longName]) {
      const pieces = await trkPieces(trace, { packer: new ChunkPacker() });
      expect(pieces[1][FRAME_BYTES]).toBe(ChunkKind.events);
      expect(textOf(decodeAll(trk, Buffer.concat(pieces)).trace)).toBe(textOf(trace));
    }
  });

  it('has packed chunks also where names are far longer than what they would be packed in', async () => {
    const trace = MemoryTrace.of(
      Array.from({ length: 3000 }, (_, i) => ({
        thread: 't',
        op: Op.read,
        operand: `${'n'.repeat(150)}${i}`,
      })),
    );
    const pieces = await trkPieces(trace, { packer: new ChunkPacker() });
    expect(pieces[1][FRAME_BYTES]).toBe(ChunkKind.packed);
    expect(textOf(decodeAll(trk, Buffer.concat(pieces)).trace)).toBe(textOf(trace));
  });

  it('may have plain chunks in between, with many names of their own', async () => {
    class EveryOther extends ChunkPacker {
      #chunks = 0;
      override pack(events: GatheredEvents): Uint8Array | null {
        const bytes = super.pack(events);
        return this.#chunks++ % 2 === 0 ? null : bytes;
      }
    }
    const trace = longTrace(4 * CHUNK_EVENTS, 20_000);
    const pieces = await trkPieces(trace, { packer: new EveryOther() });
    const kinds = pieces.slice(1, -1).map((piece) => piece[FRAME_BYTES]);
    expect(kinds).toEqual([ChunkKind.events, ChunkKind.packed, ChunkKind.events, ChunkKind.packed]);
    expect(textOf(decodeAll(trk, Buffer.concat(pieces)).trace)).toBe(textOf(trace));
  });

  it('is refused whichever of its bits is turned over', async () => {
    const bytes = await packed(longTrace(40, 20));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Uint8Array.from(bytes);
      damaged[bit >>> 3] ^= 1 << (bit & 7);
      expect(decodeAll(trk, damaged).problem, `bit ${bit & 7} of byte ${bit >>> 3}`).not.toBeNull();
    }
  });
});

it('names of a packed file that the table has already are those', async () => {
  const pieces = await trkPieces(longTrace(50, 20), { packer: new ChunkPacker() });
  const names = new TraceNames();
  for (const thread of ['T4', 'T0']) names.threads.internText(thread);
  const reader = new EventChunkReader(names);
  const body = pieces[1].subarray(FRAME_BYTES);
  reader.readPacked(new Cursor(body, 1, body.length, 0, 0));
  const threads = Array.from({ length: names.threads.size }, (_, id) => names.threads.text(id));
  expect(threads.slice(0, 2)).toEqual(['T4', 'T0']);
  expect(threads.toSorted()).toEqual(['T0', 'T1', 'T2', 'T3', 'T4']);
});

describe('compiled code', () => {
  const plain = new PlainColumns();
  const compiled = CompiledColumns.instance();

  /** What a reader makes of the bodies of chunks, up to the one that it refuses, and why. */
  function read(bodies: readonly Uint8Array[], columns: PlainColumns | CompiledColumns) {
    const names = new TraceNames();
    const reader = new EventChunkReader(names, columns);
    const batch = new EventBatch(8192);
    const events: number[][] = [];
    try {
      for (const body of bodies) {
        const count = reader.readPacked(new Cursor(body, 1, body.length, 0, 0));
        batch.advance();
        columns.copyEvents(0, count, batch);
        for (const column of [batch.op, batch.thread, batch.operand, batch.location])
          events.push([...column.subarray(0, count)]);
        events.push([...batch.notable.subarray(0, batch.notableCount)]);
      }
    } catch (problem) {
      return { events, names: names.variables.size, problem: (problem as Error).message };
    }
    const texts = Array.from({ length: names.variables.size }, (_, id) => names.variables.text(id));
    return { events, names: texts.join(), problem: null };
  }

  const bodiesOf = (pieces: readonly Uint8Array[]) =>
    pieces.slice(1, -1).map((piece) => Uint8Array.from(piece.subarray(FRAME_BYTES)));

  it('unpacks what the plain one does', async () => {
    const bodies = bodiesOf(await trkPieces(longTrace(12_000, 3000), { packer: new ChunkPacker() }));
    const expected = read(bodies, plain);
    expect(expected.problem).toBeNull();
    expect(read(bodies, compiled)).toEqual(expected);
  });

  it('refuses what the plain one does', async () => {
    const [body] = bodiesOf(await trkPieces(longTrace(60, 40), { packer: new ChunkPacker() }));
    let refused = 0;
    for (let bit = 8; bit < body.length * 8; bit++) {
      const damaged = Uint8Array.from(body);
      damaged[bit >>> 3] ^= 1 << (bit & 7);
      const expected = read([damaged], plain);
      if (expected.problem !== null) refused++;
      expect(read([damaged], compiled), `bit ${bit & 7} of byte ${bit >>> 3}`).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe('names by templates', () => {
  const list = (names: readonly string[]) =>
    Buffer.concat(names.map((name) => Buffer.from(String.fromCharCode(name.length) + name)));
  const size = (...names: string[]) => NameTemplates.pack(list(names), names.length)?.length;

  it('take the bits of their numbers, or of the differences between them', () => {
    const counted = Array.from({ length: 800 }, (_, i) => `V${i + 100_000}`);
    expect(size(...counted)).toBeLessThan(20);
    const scattered = counted.map((_, i) => `V${(i * 7919) % 1024}.x`);
    expect(size(...scattered)).toBeLessThan(20 + (800 * 10) / 8);
  });

  it('are not used where they would take more', () => {
    expect(size('alpha', 'beta')).toBeUndefined();
    expect(size(...Array.from({ length: 100 }, (_, i) => `${'x'.repeat(i)}${i}`))).toBeUndefined();
  });
});

describe('a prefix code', () => {
  it('is whole, and no longer than it may be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1 << 20 }), { minLength: 1, maxLength: 300 }),
        (counts) => {
          const lengths = codeLengths(counts)!;
          expect(Math.max(...lengths)).toBeLessThanOrEqual(MOST_CODE_BITS);
          expect(prefixCodes(lengths)).not.toBeNull();
        },
      ),
    );
  });

  it('is none if bits would mean nothing, or two things', () => {
    expect(prefixCodes(Uint8Array.of(1, 2))).toBeNull();
    expect(prefixCodes(Uint8Array.of(1, 1, 2))).toBeNull();
    expect(prefixCodes(Uint8Array.of(2))).toBeNull();
    expect(prefixCodes(Uint8Array.of(1, 0, 1))).toBeNull();
    expect(prefixCodes(Uint8Array.of(1, 2, 2))).not.toBeNull();
  });
});

it('a plain chunk behind a packed one may define its names again', async () => {
  const [header, first] = await trkPieces(MemoryTrace.of([{ thread: 't', op: Op.read, operand: 'x' }]), {
    packer: new ChunkPacker(),
  });
  const again = eventsBody({
    events: 2,
    variables: ['y', 'x'],
    actions: [[Op.write, 0, 1]],
    places: [0],
    widths: [1, 1, 0],
    columns: [0, 0, 0, 1],
  });
  const { trace, problem } = decodeAll(
    trk,
    Uint8Array.from([...header, ...first, ...chunk(again), ...endChunk(3)]),
  );
  expect([...trace.events()].map(({ operand }) => operand)).toEqual(['x', 'y', 'x']);
  expect([trace.names.variables.size, problem]).toEqual([2, null]);
});

it('a packed chunk must not claim more names than its events could use', async () => {
  const pieces = await trkPieces(MemoryTrace.of([{ thread: 't', op: Op.read, operand: 'x' }]), {
    packer: new ChunkPacker(),
  });
  const file = Buffer.concat(pieces);
  // Kind, events, and how many threads are new.
  const at = HEADER_BYTES + FRAME_BYTES + 2;
  expect([...file.subarray(at - 2, at + 1)]).toEqual([ChunkKind.packed, 1, 1]);
  file[at] = 3;
  const body = file.subarray(
    HEADER_BYTES + FRAME_BYTES,
    HEADER_BYTES + FRAME_BYTES + file.readUInt32LE(HEADER_BYTES),
  );
  file.writeUInt32LE(crc32(body), HEADER_BYTES + 4);
  expect(decodeAll(trk, file).problem!.describe()).toMatch(
    /number of new threads is too large.*found 3; expected at most 2/,
  );
});
