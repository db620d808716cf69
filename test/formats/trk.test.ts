import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Distinct } from '../../src/formats/trk/distinct.ts';
import { trk } from '../../src/formats/trk/index.ts';
import { TrkEncoder, TrkWriter } from '../../src/formats/trk/writer.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { internLocation, locationText, NO_LOCATION } from '../../src/trace/location.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { NameTable } from '../../src/trace/name-table.ts';
import { Op } from '../../src/trace/operation.ts';
import { type DecodeAllOptions, decodeAll } from '../support/decode.ts';
import { print, trace } from '../support/notation.ts';
import { chunk, endChunk, eventsBody, HEADER, trkBytes, trkPieces } from '../support/trk-bytes.ts';

/** An event whose names are bytes. */
interface ByteEvent {
  thread: Uint8Array;
  op: Op;
  operand: Uint8Array;
  location: Uint8Array | null;
}

function traceOf(events: Iterable<ByteEvent>): MemoryTrace {
  const result = new MemoryTrace();
  const { names } = result;
  for (const { thread, op, operand, location } of events) {
    const place =
      location === null ? NO_LOCATION : internLocation(names.locations, location, 0, location.length);
    result.push(names.threads.intern(thread), op, names.operandTable(op).intern(operand), place);
  }
  return result;
}

/** Every event with its names byte for byte, so that equal lists mean equal traces. */
function spelled(trace: MemoryTrace): string[] {
  const { names } = trace;
  const hex = (table: NameTable, id: number) => Buffer.from(table.bytes(id)).toString('hex');
  const lines: string[] = [];
  for (const batch of trace.batches()) {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      const operand = hex(names.operandTable(op), batch.operand[i]);
      const location = JSON.stringify(locationText(names.locations, batch.location[i]));
      lines.push(
        `${hex(names.threads, batch.thread[i])} ${op} ${operand} ${location} ${batch.location[i] & 1}`,
      );
    }
  }
  return lines;
}

async function expectRoundTrip(original: MemoryTrace, options: DecodeAllOptions = {}): Promise<void> {
  const { trace: read, problem, positions } = decodeAll(trk, await trkBytes(original), options);
  expect(problem).toBeNull();
  const expected = spelled(original);
  expect(spelled(read)).toEqual(expected);
  expect(positions).toEqual(expected.map((_, i) => ({ event: i + 1 })));
}

/** A trace of `length` events that differ from their neighbours in every column. */
function longTrace(
  length: number,
  sizes: { threads: number; variables: number; locations: number },
): MemoryTrace {
  const result = new MemoryTrace();
  const { names } = result;
  for (let i = 0; i < length; i++) {
    const variable = names.variables.internText(`v${Math.imul(i, 7919) % sizes.variables}`);
    const place = Buffer.from(String((i % sizes.locations) * 3));
    const location = internLocation(names.locations, place, 0, place.length);
    result.push(
      names.threads.internText(`t${i % sizes.threads}`),
      i % 3 === 0 ? Op.write : Op.read,
      variable,
      location,
    );
  }
  return result;
}

const text = (value: string) => Buffer.from(value);

describe('a trace written as .trk and read again', () => {
  it('is the same trace', async () => {
    const original = trace(
      't1: begin pay, r x, acq l; t2: u y; t1: fork t3, rel l, end; t3: w x; t1: join t3, arrive l, leave l, arrive b, vr x, vw y, vu z, send m; t2: receive m, notify m, wait m',
    );
    const { trace: read } = decodeAll(trk, await trkBytes(original));
    expect(print(read)).toBe(print(original));
  });

  it('may be empty', () => expectRoundTrip(new MemoryTrace()));

  it('keeps names of any bytes', () => {
    const hostile = ['', '\0', 'a\nb', '__proto__', '\u001b[31mred', '👩‍🚀', 'x|y)', ' '].map(text);
    const names = [...hostile, Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xc3), Buffer.alloc(1 << 20, 'n')];
    return expectRoundTrip(
      traceOf(names.map((name) => ({ thread: name, op: Op.begin, operand: name, location: name }))),
    );
  });

  it('keeps no location, an empty one, numbers and texts apart', () => {
    const places = ['', '0', '7', '07', '1073741823', '1073741824', '99999999999', '-1', 'A.java:3', ' 7'];
    const locations = [null, ...places.map(text), null];
    return expectRoundTrip(
      traceOf(
        locations.map((location) => ({ thread: text('t'), op: Op.read, operand: text('x'), location })),
      ),
    );
  });

  it('has one table of names per kind: a thread, a lock, a variable and a label may share a name', () =>
    expectRoundTrip(trace('n: begin n, acq n, w n, rel n, fork m, join m, end')));

  it.each([8191, 8192, 8193, 30_000])(
    'may be cut into chunks and batches anywhere: %i events',
    async (length) => {
      const original = longTrace(length, { threads: 5, variables: 700, locations: 50 });
      await expectRoundTrip(original);
      await expectRoundTrip(original, { batchCapacity: 1000, windowSizes: [50_000, 7] });
      await expectRoundTrip(original, { batchCapacity: 70_000, endsApart: true });
    },
  );

  it.each([
    ['threads', { threads: 9000, variables: 10, locations: 10 }],
    ['variables', { threads: 3, variables: 70_000, locations: 10 }],
    ['locations', { threads: 3, variables: 10, locations: 9000 }],
    ['everything', { threads: 300, variables: 66_000, locations: 300 }],
  ])('may need wide columns for many %s', (_, sizes) => expectRoundTrip(longTrace(70_000, sizes)));

  it('is the same however its bytes arrive', async () => {
    const name = fc.oneof(fc.constantFrom('a', 'b', 'c').map(text), fc.uint8Array({ maxLength: 12 }));
    const location = fc.option(fc.oneof(name, fc.nat().map(String).map(text)));
    const op = fc.integer({ min: Op.read, max: Op.end }).map((value) => value as Op);
    const event: fc.Arbitrary<ByteEvent> = fc.record({ thread: name, op, operand: name, location });
    const arrival = fc.record({
      windowSizes: fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 })),
      batchCapacity: fc.integer({ min: 1, max: 20 }),
      endsApart: fc.boolean(),
      lenient: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), arrival, (events, options) =>
        expectRoundTrip(traceOf(events), options),
      ),
      { numRuns: 300 },
    );
  });
});

describe('Distinct', () => {
  it('numbers pairs in the order in which they come, however they collide', () => {
    const distinct = new Distinct(64);
    const pairs = Array.from({ length: 64 }, (_, i) => [i >> 4, i & 15] as const);
    for (const round of ['first', 'second', 'cleared']) {
      if (round === 'cleared') distinct.clear();
      expect(pairs.map(([first, second]) => distinct.index(first, second))).toEqual(pairs.map((_, i) => i));
      expect(distinct.count).toBe(64);
    }
  });
});

describe('the writer', () => {
  it('writes the bytes that the documentation shows', async () => {
    const page = readFileSync(new URL('../../docs/reference/formats/trk.md', import.meta.url), 'utf8');
    const dump = /```trk\n(.*?)```/s.exec(page)![1];
    const documented = dump
      .split('\n')
      .flatMap((line) => /^(?:[0-9a-f]{2}(?: |$))*/.exec(line)![0].match(/\w\w/g) ?? []);
    const original = MemoryTrace.of([
      { thread: 'T1', op: Op.begin, operand: 'pay', location: '12' },
      { thread: 'T1', op: Op.read, operand: 'stock', location: '13' },
      { thread: 'T2', op: Op.write, operand: 'stock', location: 'a.c:9' },
      { thread: 'T1', op: Op.write, operand: 'total', location: '13' },
      { thread: 'T1', op: Op.end, operand: 'pay' },
    ]);
    const { names } = original;
    const encoder = new TrkEncoder(names);
    const pieces: Uint8Array[] = [];
    for (const batch of original.batches()) pieces.push(...encoder.encode(batch));
    pieces.push(...encoder.section('example.notes', 1, text('hi')));
    encoder.retireVariable(names.variables.findText('stock'));
    const last = new EventBatch();
    last.push(names.threads.findText('T2'), Op.read, names.variables.internText('item'), NO_LOCATION, 0);
    pieces.push(...encoder.encode(last), ...encoder.finish());
    expect(Buffer.concat(pieces).toString('hex')).toBe(documented.join(''));
  });

  it('numbers names in the order in which events use them and leaves unused ones out', async () => {
    const original = new MemoryTrace();
    const { threads, variables } = original.names;
    threads.internText('unused');
    const x = variables.internText('x');
    const y = variables.internText('y');
    original.push(threads.internText('t'), Op.write, y);
    original.push(threads.internText('t'), Op.write, x);
    const { names } = decodeAll(trk, await trkBytes(original)).trace;
    expect([names.threads.size, names.threads.text(0)]).toEqual([1, 't']);
    expect([names.variables.text(0), names.variables.text(1)]).toEqual(['y', 'x']);
  });

  it('leaves out events that were taken out', async () => {
    const original = trace('t: r x, w x, r y');
    original.batches()[0].op[1] = Op.skip;
    const { trace: read, problem } = decodeAll(trk, await trkBytes(original));
    expect(problem).toBeNull();
    expect(print(read)).toBe('t: r x, r y');
  });

  it('ends a chunk early when its names get long', async () => {
    const events = Array.from({ length: 40 }, (_, i) => ({
      thread: text('t'),
      op: Op.write,
      operand: Buffer.alloc(100_000, `${i},`),
      location: null,
    }));
    const original = traceOf(events);
    const pieces = await trkPieces(original);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(400_000);
    // Three such names pass 256 KiB: 14 chunks, the header and the end.
    expect(pieces).toHaveLength(16);
    await expectRoundTrip(original);
  });

  it('takes names of up to 16 MiB, three of them in one event', async () => {
    const longest = Buffer.alloc(16 * 1024 * 1024, 'n');
    const event = { thread: longest, op: Op.write, operand: longest, location: longest };
    const bytes = await trkBytes(traceOf([event, event]));
    const { trace: read, problem } = decodeAll(trk, bytes);
    expect(problem).toBeNull();
    expect(read.length).toBe(2);
    expect(Buffer.compare(read.names.variables.bytes(0), longest)).toBe(0);

    const tooLong = Buffer.alloc(longest.length + 1, 'n');
    await expect(trkBytes(traceOf([{ ...event, operand: tooLong }]))).rejects.toMatchObject({
      name: 'InputProblem',
      found: '16777217 bytes',
      expected: 'at most 16777216',
    });
  });

  it('makes what was written so far readable when asked to', async () => {
    const pieces: Uint8Array[] = [];
    const original = trace('t: r x, w x');
    const writer = new TrkWriter(original.names, async (bytes) => {
      pieces.push(bytes);
    });
    await writer.write(original.batches()[0]);
    expect(pieces).toEqual([]);
    await writer.flush();
    const { trace: read, problem } = decodeAll(trk, Buffer.concat(pieces));
    expect(print(read)).toBe('t: r x, w x');
    expect(problem!.describe()).toBe(
      `byte ${Buffer.concat(pieces).length}: the trace was not finished; the 2 events before it are whole; ` +
        'found the end of the file; expected an end chunk',
    );
  });
});

describe('the reader', () => {
  const read = (...bodies: number[][]) =>
    decodeAll(trk, Uint8Array.from([...HEADER, ...bodies.flatMap(chunk)]), { lenient: true });

  it('recognizes the format by its first bytes, however few were left of them', () => {
    expect(trk.detect(Uint8Array.from(HEADER), null)).toBe(true);
    expect(trk.detect(Uint8Array.from(HEADER.slice(0, 4)), 4)).toBe(true);
    expect(trk.detect(Uint8Array.from(HEADER.slice(0, 3)), 3)).toBe(false);
    expect(trk.detect(text('T1|r(x)|1\n'), null)).toBe(false);
  });

  it('takes a file of no bytes for an empty trace', () => {
    expect(decodeAll(trk, new Uint8Array(0))).toMatchObject({ problem: null, repaired: 0 });
  });

  it('takes the largest chunk that is allowed, with the widest columns, from any batch size', () => {
    const events = 65_536;
    const columns = [
      ...new Array<number>(events * 2).fill(0),
      ...Array.from({ length: events }, (_, i) => i % 2),
      ...new Array<number>(events * 5).fill(0),
    ];
    const body = eventsBody({
      events,
      threads: ['t'],
      variables: ['x', 'y'],
      actions: [[Op.write, 0, 0]],
      places: [0],
      widths: [2, 4, 2],
      columns,
    });
    const bytes = Uint8Array.from([...HEADER, ...chunk(body), ...endChunk(events)]);
    const { trace: read, problem } = decodeAll(trk, bytes, { batchCapacity: 10_000 });
    expect(problem).toBeNull();
    expect(read.length).toBe(events);
    expect([...read.events()].slice(-2).map((event) => event.operand)).toEqual(['x', 'y']);
  });

  it('lets a chunk define names for later ones and hold no events', () => {
    const names = {
      events: 0,
      threads: ['t'],
      variables: ['x'],
      actions: [],
      places: [],
      widths: [1, 0, 0],
      columns: [],
    };
    const use = { events: 1, actions: [[Op.read, 0, 0]], places: [0], widths: [1, 0, 0], columns: [0] };
    expect(print(read(eventsBody(names as never), eventsBody(use as never)).trace)).toBe('t: r x');
  });

  it('gives a name that is defined twice one id, for every kind of name', () => {
    const { trace: result } = read(
      eventsBody({
        events: 5,
        threads: ['t', 't', 'u'],
        locks: ['l', 'l', 'm'],
        variables: ['x', 'x', 'y'],
        labels: ['b', 'b', 'c'],
        actions: [
          [Op.fork, 1, 2],
          [Op.acquire, 0, 2],
          [Op.write, 1, 0],
          [Op.begin, 0, 2],
        ],
        places: [0],
        widths: [1, 1, 0],
        columns: [0, 1, 2, 2, 3, 0, 0, 1, 2, 0],
      }),
    );
    expect(print(result)).toBe('t: fork u, acq m, w x, w y, begin c');
    expect(result.names.threads.size).toBe(2);
  });

  it('knows every name behind one that is defined twice', () => {
    const variables = Array.from({ length: 300 }, (_, i) => `v${i === 100 ? 0 : i}`);
    const { trace: result } = read(
      eventsBody({
        events: 3,
        threads: ['t'],
        variables,
        actions: [
          [Op.read, 0, 99],
          [Op.write, 0, 299],
        ],
        places: [0],
        widths: [1, 1, 0],
        columns: [0, 0, 1, 0, 1, 0],
      }),
    );
    expect(print(result)).toBe('t: r v99, r v0, w v299');
  });

  it('takes a number that was defined as text for the number', () => {
    const { trace: result } = read(
      eventsBody({
        events: 3,
        threads: ['t'],
        variables: ['x'],
        locations: ['12', 'here'],
        actions: [[Op.read, 0, 0]],
        // 2, the text 12; 4, the text here; 25, the number 12.
        places: [4, 4, 42],
        widths: [1, 0, 1],
        columns: [0, 0, 0, 0, 1, 2],
      }),
    );
    const { location } = result.batches()[0];
    expect(location[0]).toBe(location[2]);
    expect([...result.events()].map((event) => event.location)).toEqual(['12', 'here', '12']);
  });
});
