import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { trk } from '../../src/formats/trk/index.ts';
import { Op } from '../../src/trace/operation.ts';
import { decodeAll } from '../support/decode.ts';
import { print, trace } from '../support/notation.ts';
import { chunk, type EventsBody, endChunk, eventsBody, HEADER, trkBytes, u32 } from '../support/trk-bytes.ts';

/** Two events in one chunk, right in every part: what the cases below spoil. */
const RIGHT: EventsBody = {
  events: 2,
  threads: ['t'],
  variables: ['x', 'y'],
  actions: [[Op.read, 0, 0]],
  places: [50],
  widths: [1, 1, 0],
  columns: [0, 0, 0, 1],
};
const FIRST = chunk(eventsBody({ ...RIGHT, places: [0] }));
const SECOND_AT = HEADER.length + FIRST.length;

/** The message for a file whose second chunk has this body; its frame is right. */
function refusedBody(body: readonly number[]): string {
  return refused([...HEADER, ...FIRST, ...chunk(body)]);
}

/** The message without its place, the same from any window. What came before the damage must have been read. */
function refused(bytes: readonly number[]): string {
  const file = Uint8Array.from(bytes);
  const { problem, trace: read } = decodeAll(trk, file);
  expect(decodeAll(trk, file, { windowSizes: [1], batchCapacity: 1 }).problem?.describe()).toBe(
    problem?.describe(),
  );
  if (file.length > SECOND_AT) expect(print(read)).toBe('t: r x, r y');
  return problem?.describe() ?? 'accepted';
}

/** How far into the second chunk's body a position is. */
const bodyByte = (offset: number) => `byte ${SECOND_AT + 8 + offset}`;
const WHOLE = 'the 2 events before it are whole';

describe('a .trk file is refused', () => {
  it('when its magic is wrong', () => {
    const asText = HEADER.filter((byte) => byte !== 0x0d);
    expect(refused([...asText, 0])).toBe(
      'byte 0: this is not a .trk file, or its first bytes were changed in a transfer as text; ' +
        'found 89 54 52 4b 0a 1a 0a 01; expected 89 54 52 4b 0d 0a 1a 0a',
    );
  });

  it('when its version is unknown, also by a lenient reader', () => {
    const file = [...HEADER.slice(0, 8), 3, 0, 0, 0];
    const message = 'byte 8: unknown version of .trk; found version 3; expected version 1 or 2';
    expect(refused(file)).toBe(message);
    expect(decodeAll(trk, Uint8Array.from(file), { lenient: true }).problem?.describe()).toBe(message);
  });

  it('when its header is cut', () => {
    expect(refused(HEADER.slice(0, 10))).toBe(
      'byte 0: the file is cut in its header; no events come before it; found 10 bytes; expected 12 bytes',
    );
  });

  it('when it was not finished', () => {
    expect(refused(HEADER)).toBe(
      'byte 12: the trace was not finished; no events come before it; found the end of the file; ' +
        'expected an end chunk',
    );
  });

  it('when a chunk is cut', () => {
    const second = chunk(eventsBody(RIGHT));
    const before = `byte ${SECOND_AT}: the file is cut in a chunk`;
    expect(refused([...HEADER, ...FIRST, ...second.slice(0, 5)])).toBe(
      `${before}; ${WHOLE}; found 5 bytes of it; expected at least 8`,
    );
    expect(refused([...HEADER, ...FIRST, ...second.slice(0, -1)])).toBe(
      `${before}, or the length of the chunk is corrupt; ${WHOLE}; ` +
        `found ${second.length - 1} bytes of it; expected ${second.length}`,
    );
  });

  it('when a chunk says that it is longer than the file, though that is all there', () => {
    const second = chunk(eventsBody(RIGHT));
    const found = second.length + endChunk(4).length;
    second[2] ^= 1;
    expect(refused([...HEADER, ...FIRST, ...second, ...endChunk(4)])).toBe(
      `byte ${SECOND_AT}: the length of a chunk is corrupt: the file ends with its end chunk, so that nothing was ` +
        `cut off; ${WHOLE}; found ${found} bytes of it; expected ${second.length + 2 ** 16}`,
    );
  });

  it('when a checksum is wrong', () => {
    const second = chunk(eventsBody(RIGHT));
    second[second.length - 1] ^= 1;
    expect(refused([...HEADER, ...FIRST, ...second])).toMatch(
      new RegExp(
        `^byte ${SECOND_AT}: a chunk has the wrong checksum; ${WHOLE}; found 0x[0-9a-f]{8}; expected 0x[0-9a-f]{8}$`,
      ),
    );
  });

  it.each([0, 67_108_865, 0xffffffff])('when a chunk says that it has %i bytes', (length) => {
    expect(refused([...HEADER, ...FIRST, ...u32(length), 0, 0, 0, 0])).toBe(
      `byte ${SECOND_AT}: impossible length of a chunk; ${WHOLE}; found ${length} bytes; expected 1 to 67108864`,
    );
  });

  it('when there is something after its end chunk', () => {
    expect(refused([...HEADER, ...FIRST, ...endChunk(2), 0])).toBe(
      `byte ${SECOND_AT + 17}: the file goes on after its end chunk; ${WHOLE}; found 1 byte; expected none`,
    );
  });

  it('when the end chunk counts other events, or is not one', () => {
    expect(refused([...HEADER, ...FIRST, ...endChunk(3)])).toBe(
      `${bodyByte(1)}: the end chunk counts other events; ${WHOLE}; found 3; expected 2`,
    );
    expect(refusedBody([2, 0, 0, 0, 0, 0, 0, 0, 1])).toBe(
      `${bodyByte(1)}: the end chunk counts other events; ${WHOLE}; found 72057594037927940; expected 2`,
    );
    expect(refusedBody([2, 2])).toBe(
      `${bodyByte(1)}: impossible length of an end chunk; ${WHOLE}; found 2 bytes; expected 9`,
    );
  });

  it('when a chunk is of an unknown kind', () => {
    expect(refusedBody([7])).toBe(
      `${bodyByte(0)}: unknown kind of chunk; ${WHOLE}; found 7; expected 1 (events) or 2 (end)`,
    );
  });

  it.each<[string, Partial<EventsBody>, number, string]>([
    [
      'claims too many events',
      { events: 65_537 },
      1,
      'the number of events is too large; found 65537; expected at most 65536',
    ],
    [
      'has more actions than events',
      { events: 0 },
      13,
      'the number of actions is too large; found 1; expected at most 0',
    ],
    [
      'has an unknown operation',
      { actions: [[18, 0, 0]] },
      14,
      'unknown operation; found 18; expected at most 17',
    ],
    [
      'has a thread without a name',
      { actions: [[0, 2, 0]] },
      15,
      'a thread has no name; found id 2; expected an id below 2',
    ],
    [
      'has a least operand without a name',
      { actions: [[0, 0, 4]] },
      16,
      'the least operand of action 0 (read) has no name; found id 4; expected an id below 4',
    ],
    [
      'has an operand of a kind without names',
      { actions: [[3, 0, 0]] },
      16,
      'the least operand of action 0 (acquire) has no name; found id 0; expected its name first',
    ],
    [
      'has a location without a name',
      { places: [4] },
      18,
      'a location has no name; found id 0; expected its name first',
    ],
    [
      'has a location that is too large',
      { places: [0xffffffff] },
      18,
      'a location is too large; found 2147483648; expected at most 2147483647',
    ],
    [
      'has more locations than events',
      { places: [0, 0, 0] },
      17,
      'the number of locations is too large; found 3; expected at most 2',
    ],
    [
      'has no action column',
      { widths: [0, 1, 0], columns: [] },
      19,
      'impossible width of the action column; found 0 bytes; expected 1 to 2',
    ],
    [
      'has an operand column that is too wide',
      { widths: [1, 5, 0] },
      20,
      'impossible width of the operand column; found 5 bytes; expected 0 to 4',
    ],
    [
      'has a location column that is too wide',
      { widths: [1, 1, 3] },
      21,
      'impossible width of the location column; found 3 bytes; expected 0 to 2',
    ],
    [
      'is shorter than its columns',
      { columns: [0, 0, 0] },
      22,
      'the columns do not fill their chunk; found 3 bytes; expected 4 bytes',
    ],
    [
      'is longer than its columns',
      { columns: [0, 0, 0, 0, 0] },
      22,
      'the columns do not fill their chunk; found 5 bytes; expected 4 bytes',
    ],
    [
      'has an event without an action',
      { columns: [0, 1, 0, 0] },
      23,
      'event 4 has no action; found action 1; expected below 1',
    ],
    [
      'has an event whose operand has no name',
      { columns: [0, 0, 4, 0] },
      24,
      'the operand of event 3 (read) has no name; found id 4; expected an id below 4',
    ],
    [
      'has an event without a location',
      { widths: [1, 1, 1], columns: [0, 0, 0, 0, 0, 1] },
      27,
      'event 4 has no location; found location 1; expected below 1',
    ],
    [
      'has events but no locations at all',
      { places: [] },
      25,
      'event 3 has no location; found location 0; expected below 0',
    ],
    [
      'has an event without an action in a wide column',
      { widths: [2, 0, 0], columns: [0, 0, 1, 0] },
      22,
      'event 3 has no action; found action 256; expected below 1',
    ],
    [
      'has an operand in a wide column that has no name',
      { widths: [1, 4, 0], columns: [0, 0, 0, 255, 0, 255, 0, 255, 0, 255] },
      25,
      'the operand of event 4 (read) has no name; found id 4294967295; expected an id below 4',
    ],
    [
      'has an event without a location in a wide column',
      { widths: [1, 0, 2], columns: [0, 0, 0, 0, 0, 1] },
      25,
      'event 4 has no location; found location 256; expected below 1',
    ],
  ])('when a chunk %s', (_, change, offset, message) => {
    const [what, ...rest] = message.split('; ');
    expect(refusedBody(eventsBody({ ...RIGHT, ...change }))).toBe(
      [`${bodyByte(offset)}: ${what}`, WHOLE, ...rest].join('; '),
    );
  });

  it.each([
    [[1], 1, 'the number of events is missing', 'the end of the chunk', 'more bytes'],
    [[1, 0x80], 2, 'the number of events is missing', 'the end of the chunk', 'more bytes'],
    [
      [1, 0xff, 0xff, 0xff, 0xff, 0x10],
      1,
      'the number of events does not fit in 32 bits',
      'a longer number',
      'at most 5 bytes',
    ],
    [[1, 0, 1, 5, 0x61], 4, 'a name is cut', '1 byte', '5 bytes'],
    [
      [1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f],
      7,
      'the length of a name is missing',
      'the end of the chunk',
      'more bytes',
    ],
    [
      [1, 0, 1, 0x81, 0x80, 0x80, 0x08],
      3,
      'the length of a name is too large',
      '16777217',
      'at most 16777216',
    ],
    [
      [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
      11,
      'the width of the location column is missing',
      'the end of the chunk',
      'more bytes',
    ],
  ])('when a body ends or overflows inside a number or name: %j', (body, offset, what, found, expected) => {
    expect(refusedBody(body)).toBe(
      `${bodyByte(offset)}: ${what}; ${WHOLE}; found ${found}; expected ${expected}`,
    );
  });
});

describe('a small file', () => {
  const NOTATION = 't: begin a, r x; u: w x, acq l; t: w x, end';
  let file: Uint8Array;
  let events: string[];

  beforeAll(async () => {
    const whole = trace(NOTATION);
    file = await trkBytes(whole);
    events = [...whole.events()].map((event) => JSON.stringify(event));
  });

  /** The events that come out of `bytes` are the first ones of the file; returns whether it was refused. */
  function readsOnlyWhatIsThere(bytes: Uint8Array): boolean {
    const strict = decodeAll(trk, bytes);
    const found = [...strict.trace.events()].map((event) => JSON.stringify(event));
    expect(found).toEqual(events.slice(0, found.length));
    return strict.problem !== null;
  }

  it('is refused wherever it is cut, and read up to there by a lenient reader', () => {
    for (let length = 1; length < file.length; length++) {
      const cut = file.subarray(0, length);
      expect(readsOnlyWhatIsThere(cut), `cut to ${length} bytes`).toBe(true);
      const lenient = decodeAll(trk, cut, { lenient: true, windowSizes: [3] });
      expect(lenient).toMatchObject({ problem: null, repaired: 1 });
      expect(lenient.trace.length).toBe(length < file.length - 17 ? 0 : 6);
    }
  });

  it('is refused whichever of its bits is turned over', () => {
    for (let bit = 0; bit < file.length * 8; bit++) {
      const damaged = Uint8Array.from(file);
      damaged[bit >>> 3] ^= 1 << (bit & 7);
      expect(readsOnlyWhatIsThere(damaged), `bit ${bit & 7} of byte ${bit >>> 3}`).toBe(true);
      if (bit >= HEADER.length * 8) {
        expect(decodeAll(trk, damaged, { lenient: true })).toMatchObject({ problem: null, repaired: 1 });
      }
    }
  });

  it('ends quietly for a lenient reader at its first damaged chunk, whatever follows', () => {
    const damaged = chunk(eventsBody(RIGHT));
    damaged[4] ^= 1;
    const bytes = Uint8Array.from([...HEADER, ...FIRST, ...damaged, ...FIRST, ...endChunk(4)]);
    const { trace: read, problem, repaired } = decodeAll(trk, bytes, { lenient: true, windowSizes: [5] });
    expect(print(read)).toBe('t: r x, r y');
    expect([problem, repaired]).toEqual([null, 1]);
  });
});

describe('any bytes', () => {
  const windows = { windowSizes: [13], batchCapacity: 3 };

  it('after a right header are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        decodeAll(trk, Uint8Array.from([...HEADER, ...bytes]), windows);
      }),
      { numRuns: 500 },
    );
  });

  it('under a right checksum are read or refused, and a refused chunk gives no events', () => {
    const right = eventsBody(RIGHT);
    const edit = fc.tuple(fc.nat(right.length - 1), fc.nat(255), fc.constantFrom('set', 'insert', 'remove'));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const body = [...right];
        for (const [at, byte, how] of edits)
          body.splice(at, how === 'insert' ? 0 : 1, ...(how === 'remove' ? [] : [byte]));
        const file = Uint8Array.from([...HEADER, ...FIRST, ...chunk(body)]);
        const { trace: read, problem } = decodeAll(trk, file, windows);
        expect(problem).not.toBeNull();
        const position = problem!.position.byte!;
        if (position < file.length) expect(read.length).toBe(2);
      }),
      { numRuns: 3000 },
    );
  });
});
