import { describe, expect, test } from 'vitest';
import { rapidbin } from '../../src/formats/rapidbin.ts';
import { MNEMONICS } from '../../src/trace/operation.ts';
import { decodeAll } from '../support/decode.ts';
import { rapidBin } from '../support/rapidbin.ts';

const TRACE = rapidBin([
  { thread: 0, op: 4, operand: 1, location: 7 },
  { thread: 1, op: 6, operand: 12, location: 0 },
  { thread: 1, op: 0, operand: 3, location: 1 },
  { thread: 1, op: 2, operand: 2 ** 34 - 1, location: 32767 },
  { thread: 1, op: 3, operand: 5, location: 2 },
  { thread: 1, op: 8, operand: 3, location: 3 },
  { thread: 1, op: 1, operand: 3, location: 4 },
  { thread: 1, op: 7, operand: 12, location: 5 },
  { thread: 0, op: 5, operand: 1, location: 6 },
  { thread: 1023, op: 2, operand: 0, location: 8 },
]);

const EVENTS = [
  'T0|fork(T1)|7',
  'T1|begin(12)|0',
  'T1|acq(L3)|1',
  'T1|r(V17179869183)|32767',
  'T1|w(V5)|2',
  'T1|rel(L3)|4',
  'T1|end(12)|5',
  'T0|join(T1)|6',
  'T1023|r(V0)|8',
];

function read(bytes: Uint8Array, options: Parameters<typeof decodeAll>[2] = {}) {
  const decoded = decodeAll(rapidbin, bytes, options);
  const events = [...decoded.trace.events()].map(
    ({ thread, op, operand, location }) => `${thread}|${MNEMONICS[op as number]}(${operand})|${location}`,
  );
  return {
    events,
    problem: decoded.problem?.describe(),
    repaired: decoded.repaired,
    positions: decoded.positions,
  };
}

describe('RapidBin', () => {
  test('numbers become names, and lock requests are passed over', () => {
    expect(read(TRACE)).toMatchObject({ events: EVENTS, problem: undefined, repaired: 0 });
  });

  test('the header is 18 bytes: int16 threads, int32 locks, int32 variables, int64 events', () => {
    expect([...TRACE.subarray(0, 18)]).toEqual([0, 3, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 10]);
  });

  test('the sign bits of header and events mean nothing', () => {
    const signed = TRACE.slice();
    for (const sign of [0, 2, 6, 10, 18, 26]) signed[sign] |= 0x80;
    expect(read(signed)).toMatchObject({ events: EVENTS, problem: undefined });
  });

  test('windows of any size give the same events, and say at which byte they stand', () => {
    for (const windowSizes of [[1], [7, 3], [25]]) {
      for (const endsApart of [true, false]) {
        const { events, positions } = read(TRACE, { windowSizes, endsApart, batchCapacity: 2 });
        expect(events).toEqual(EVENTS);
        expect(positions.map(({ byte }) => byte)).toEqual([18, 26, 34, 42, 50, 66, 74, 82, 90]);
      }
    }
  });

  test('no bytes and no events are both a trace of no events', () => {
    expect(read(new Uint8Array(0))).toMatchObject({ events: [], problem: undefined });
    expect(read(rapidBin([]))).toMatchObject({ events: [], problem: undefined });
  });

  test('numbers far apart cost no memory for those between', () => {
    const events = Array.from({ length: 5000 }, (_, i) => ({
      thread: i % 3,
      op: 2,
      operand: i % 2 === 0 ? i : 2 ** 34 - i,
      location: 0,
    }));
    const { trace } = decodeAll(rapidbin, rapidBin([...events, ...events]));
    expect(trace.names.variables.size).toBe(5000);
    expect(trace.length).toBe(10000);
  });
});

describe('a RapidBin file that is damaged', () => {
  test('is read up to the last whole event when it is cut', () => {
    const cut = TRACE.subarray(0, 18 + 3 * 8 + 5);
    const message =
      'byte 47: the file is cut: it ends before its last event; ' +
      'found 3 whole events and 5 bytes of the next; expected 10 events, as its header says';
    for (const windowSizes of [[100], [1], [9]]) {
      expect(read(cut, { windowSizes })).toMatchObject({ events: EVENTS.slice(0, 3), problem: message });
      const lenient = read(cut, { windowSizes, lenient: true, endsApart: true });
      expect(lenient).toMatchObject({ events: EVENTS.slice(0, 3), problem: undefined, repaired: 1 });
    }
  });

  test('is refused when the header itself is cut', () => {
    const cut = TRACE.subarray(0, 17);
    const message = 'byte 17: the file is cut in its header; found 17 bytes; expected a header of 18 bytes';
    expect(read(cut, { windowSizes: [4] })).toMatchObject({ events: [], problem: message });
    expect(read(cut, { lenient: true })).toMatchObject({ events: [], problem: undefined, repaired: 1 });
  });

  test('is refused behind its last event when more bytes follow', () => {
    const long = new Uint8Array([...TRACE, 1, 2, 3]);
    const message =
      'byte 98: the file goes on after its last event; ' +
      'found more bytes; expected the end after 10 events, as its header says';
    expect(read(long)).toMatchObject({ events: EVENTS, problem: message });
    for (const windowSizes of [[100], [1]]) {
      const lenient = read(long, { windowSizes, lenient: true });
      expect(lenient).toMatchObject({ events: EVENTS, problem: undefined, repaired: 1 });
    }
  });

  test('is refused at the byte of an operation that there is not', () => {
    const unknown = rapidBin([
      { thread: 0, op: 2, operand: 1, location: 1 },
      { thread: 0, op: 9, operand: 1, location: 2 },
      { thread: 0, op: 3, operand: 1, location: 3 },
    ]);
    expect(read(unknown)).toMatchObject({
      events: ['T0|r(V1)|1'],
      problem:
        'byte 26: unknown operation; found operation number 9 in event 2 of the file; expected a number from 0 to 8',
    });
    expect(read(unknown, { lenient: true })).toMatchObject({
      events: ['T0|r(V1)|1', 'T0|w(V1)|3'],
      problem: undefined,
      repaired: 1,
    });
  });

  test('may announce more events than any file holds', () => {
    const huge = TRACE.slice();
    huge.fill(0xff, 10, 18);
    const { events, problem } = read(huge);
    expect(events).toEqual(EVENTS);
    expect(problem).toContain('the file is cut');
  });
});

describe('RapidBin detection', () => {
  const detects = (bytes: Uint8Array, size: number | null = bytes.length) => rapidbin.detect(bytes, size);

  test('goes by the size that the header announces', () => {
    expect(detects(TRACE)).toBe(true);
    expect(detects(TRACE.subarray(0, 50), TRACE.length)).toBe(true);
    expect(detects(rapidBin([]))).toBe(true);
  });

  test('recognises a packed or a cut file by a header that makes sense', () => {
    expect(detects(TRACE, null)).toBe(true);
    expect(detects(TRACE.subarray(0, TRACE.length - 3))).toBe(true);
  });

  test('is not taken in by text, zeros, or other binary data', () => {
    expect(detects(new Uint8Array(0))).toBe(false);
    expect(detects(Buffer.from('T0|r(x)|12\nT0|w(x)|13\n'))).toBe(false);
    expect(detects(new Uint8Array(4096))).toBe(false);
    expect(detects(Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))).toBe(false);
    const noOperation = rapidBin([{ thread: 0, op: 9, operand: 1, location: 2 }]);
    expect(detects(noOperation)).toBe(false);
  });
});
