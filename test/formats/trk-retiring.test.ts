import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceSection } from '../../src/formats/format.ts';
import { trk } from '../../src/formats/trk/index.ts';
import { TrkEncoder } from '../../src/formats/trk/writer.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { NO_LOCATION } from '../../src/trace/location.ts';
import { TraceNames } from '../../src/trace/names.ts';
import { Op } from '../../src/trace/operation.ts';
import { decodeAll } from '../support/decode.ts';
import {
  chunk,
  type EventsBody,
  endChunk,
  eventsBody,
  HEADER,
  HEADER_2,
  namesBody,
} from '../support/trk-bytes.ts';

/** One read of the variable with this id, by thread 0. */
function readOf(variable: number, names: Partial<EventsBody> = {}): number[] {
  return chunk(
    eventsBody({
      events: 1,
      ...names,
      actions: [[Op.read, 0, variable]],
      places: [0],
      widths: [1, 0, 0],
      columns: [0],
    }),
  );
}

const FIRST = readOf(0, { threads: ['t'], variables: ['x', 'y'] });
const file = (...chunks: readonly (readonly number[])[]) =>
  Uint8Array.from([...HEADER_2, ...FIRST, ...chunks.flat()]);

/** The variable of each event, as its number in memory and its name. */
function variablesOf(bytes: Uint8Array): string[] {
  const { trace, problem } = decodeAll(trk, bytes, { windowSizes: [7], batchCapacity: 2 });
  expect(problem).toBeNull();
  return [...trace.batches()].flatMap((batch) =>
    Array.from(batch.operand.subarray(0, batch.length), (id) => `${id} ${trace.names.variables.text(id)}`),
  );
}

const messageOf = (bytes: Uint8Array) => decodeAll(trk, bytes).problem?.describe() ?? 'accepted';

describe('an id of a .trk file that was retired', () => {
  it('can be given to another name', () => {
    const names = chunk(namesBody({ variables: [[0], [[0, 'z']]] }));
    expect(variablesOf(file(names, readOf(0), readOf(1), endChunk(3)))).toEqual(['0 x', '2 z', '1 y']);
  });

  it('is something else though it gets the same name', () => {
    const names = chunk(namesBody({ variables: [[0], [[0, 'x']]] }));
    expect(variablesOf(file(names, readOf(0), endChunk(2)))).toEqual(['0 x', '2 x~2']);
  });

  it('is told apart from all that had the same name, and from what really has such a name', () => {
    const again = chunk(namesBody({ variables: [[0], [[0, 'x']]] }));
    const real = readOf(2, { variables: ['x~2'] });
    expect(variablesOf(file(again, readOf(0), again, readOf(0), real, readOf(0), endChunk(5)))).toEqual([
      '0 x',
      '2 x~2',
      '3 x~3',
      '4 x~2',
      '3 x~3',
    ]);
  });

  it('leaves its name to what is defined later', () => {
    const names = chunk(namesBody({ variables: [[0], []] }));
    const later = readOf(2, { variables: ['x'] });
    expect(variablesOf(file(names, later, endChunk(2)))).toEqual(['0 x', '2 x~2']);
  });

  it('is still there under the other id of a name that has two', () => {
    const twice = readOf(2, { variables: ['x'] });
    const names = chunk(namesBody({ variables: [[0], [[0, 'x']]] }));
    expect(variablesOf(file(twice, names, readOf(0), readOf(2), endChunk(4)))).toEqual([
      '0 x',
      '0 x',
      '0 x',
      '0 x',
    ]);
  });

  it('is gone when the last id of its name is retired', () => {
    const twice = readOf(2, { variables: ['x'] });
    const names = chunk(namesBody({ variables: [[0, 2], [[2, 'x']]] }));
    expect(variablesOf(file(twice, names, readOf(2), endChunk(3)))).toEqual(['0 x', '0 x', '2 x~2']);
  });

  it('must not be used', () => {
    const names = chunk(namesBody({ variables: [[0], []], threads: [[], [[1, 'u']]] }));
    expect(messageOf(file(names, readOf(0)))).toContain(
      'the operand of event 2 (read) was retired; the 1 event before it is whole; found its id; expected one that has a name',
    );
    const thread = chunk(namesBody({ threads: [[0], []] }));
    expect(messageOf(file(thread, readOf(0)))).toContain('the thread of an action was retired');
  });

  it('must have had a name, and must not be retired again', () => {
    expect(messageOf(file(chunk(namesBody({ variables: [[2], []] }))))).toContain(
      'a retired id of variables has no name',
    );
    expect(messageOf(file(chunk(namesBody({ variables: [[0, 0], []] }))))).toContain(
      'an id of variables is retired again',
    );
  });
});

describe('a chunk of names', () => {
  it('names the next id of a table', () => {
    const names = chunk(namesBody({ variables: [[], [[2, 'z']]] }));
    expect(variablesOf(file(names, readOf(2), endChunk(2)))).toEqual(['0 x', '2 z']);
  });

  it('is refused when it names an id that has a name, or one far ahead', () => {
    for (const id of [1, 3])
      expect(messageOf(file(chunk(namesBody({ variables: [[], [[id, 'z']]] }))))).toContain(
        `an id of variables cannot be named; the 1 event before it is whole; found id ${id}; expected one that was retired, or the next`,
      );
  });

  it('is refused when it goes on', () => {
    expect(messageOf(file(chunk([...namesBody({}), 0])))).toContain('a chunk of names goes on');
  });

  it('is unknown in a file of version 1', () => {
    const bytes = Uint8Array.from([...HEADER, ...FIRST, ...chunk(namesBody({}))]);
    expect(messageOf(bytes)).toContain('unknown kind of chunk');
  });
});

/** The sections that a decoder shows. */
function sectionsOf(bytes: Uint8Array): (Omit<TraceSection, 'bytes'> & { text: string })[] {
  const sections: (Omit<TraceSection, 'bytes'> & { text: string })[] = [];
  const onSection = ({ bytes, ...section }: TraceSection) => {
    sections.push({ ...section, text: Buffer.from(bytes).toString() });
  };
  const decoder = trk.decoder({ names: new TraceNames(), lenient: false, onSection });
  decoder.decode(bytes, 0, bytes.length, true, new EventBatch());
  return sections;
}

describe('a section of a .trk file', () => {
  it('comes with its name, its version and the number of events before it', () => {
    const section = chunk([4, 2, 106, 115, 7, 104, 105]);
    expect(sectionsOf(file(section, readOf(1), section, endChunk(2)))).toEqual([
      { name: 'js', version: 7, events: 1, text: 'hi' },
      { name: 'js', version: 7, events: 2, text: 'hi' },
    ]);
  });

  it('is passed over by who does not ask for it, as are chunks of kinds from 128 on', () => {
    const section = chunk([4, 2, 106, 115, 7, 104, 105]);
    const unknown = chunk([128, 1, 2, 3]);
    expect(variablesOf(file(section, unknown, readOf(1), endChunk(2)))).toEqual(['0 x', '1 y']);
  });

  it('has a name', () => {
    expect(messageOf(file(chunk([4, 0, 1])))).toContain('impossible name of a section');
    expect(messageOf(file(chunk([4, 9, 1])))).toContain('impossible name of a section');
    expect(() => [...new TrkEncoder(new TraceNames()).section('', 1, new Uint8Array())]).toThrow(
      '1 to 255 bytes',
    );
  });
});

describe('a writer that retires variables', () => {
  it('needs no more ids than there are variables at a time, and what it wrote is what was meant', () => {
    const step = fc.oneof(
      fc.record({ use: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ retire: fc.integer({ min: 0, max: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const names = new TraceNames();
        const encoder = new TrkEncoder(names);
        names.threads.internText('t');
        for (let i = 0; i < 5; i++) names.variables.internText(`v${i}`);
        const pieces: Uint8Array[] = [];
        const generation = [0, 0, 0, 0, 0];
        const meant: string[] = [];
        for (const step of steps) {
          if ('use' in step) {
            const batch = new EventBatch(1);
            batch.push(0, Op.write, step.use, NO_LOCATION, 0);
            pieces.push(...encoder.encode(batch));
            meant.push(`v${step.use} ${generation[step.use]}`);
          } else {
            pieces.push(...encoder.flush());
            encoder.retireVariable(step.retire);
            generation[step.retire]++;
          }
        }
        pieces.push(...encoder.finish());
        const { trace, problem } = decodeAll(trk, Buffer.concat(pieces));
        expect(problem).toBeNull();
        const ids = [...trace.batches()].flatMap((batch) =>
          Array.from(batch.operand.subarray(0, batch.length)),
        );
        // The same variable exactly where the same name of the same generation was meant.
        const byMeaning = new Map<string, number>();
        ids.forEach((id, i) => {
          expect(trace.names.variables.text(id).split('~')[0]).toBe(meant[i].split(' ')[0]);
          byMeaning.set(meant[i], byMeaning.get(meant[i]) ?? id);
          expect(byMeaning.get(meant[i])).toBe(id);
        });
        expect(new Set(byMeaning.values()).size).toBe(byMeaning.size);
      }),
      { numRuns: 300 },
    );
  });
});
