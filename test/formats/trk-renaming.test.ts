import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trk } from '../../src/formats/trk/index.ts';
import { renamedTrace } from '../../src/formats/trk/renaming.ts';
import { locationNameId, NO_LOCATION } from '../../src/trace/location.ts';
import { Op } from '../../src/trace/operation.ts';
import { decodeAll } from '../support/decode.ts';
import { print } from '../support/notation.ts';
import { chunk, endChunk, eventsBody, HEADER_2, namesBody } from '../support/trk-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'trackside-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A block around a block around two reads, at two places, and a variable that comes instead of another. */
const FIRST = chunk(
  eventsBody({
    events: 6,
    threads: ['t'],
    variables: ['0+8', 'y'],
    labels: ['outer', 'guessed'],
    locations: ['0+a', '0+b'],
    actions: [
      [Op.begin, 0, 0],
      [Op.read, 0, 0],
      [Op.end, 0, 0],
    ],
    places: [4, 4],
    widths: [1, 1, 1],
    columns: [0, 0, 1, 1, 2, 2, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1],
  }),
);
const NAMES = chunk(namesBody({ variables: [[0], [[0, '0+8']]] }));
const SECOND = chunk(
  eventsBody({
    events: 1,
    actions: [[Op.write, 0, 0]],
    places: [0],
    widths: [1, 0, 0],
    columns: [0],
  }),
);

async function renamed(bytes: readonly number[], isBlock: (label: string) => boolean): Promise<string> {
  const path = join(folder, 'run.trk');
  writeFileSync(path, Uint8Array.from(bytes));
  const pieces: Uint8Array[] = [];
  const renaming = { renamed: (_: string, name: string) => name.replace('0+', 'bank.c:'), isBlock };
  for await (const piece of renamedTrace(path, renaming)) pieces.push(Uint8Array.from(piece));
  const { trace, problem } = decodeAll(trk, Buffer.concat(pieces));
  expect(problem).toBeNull();
  const places = [...trace.batches()].flatMap(({ location, length }) =>
    [...location.subarray(0, length)].map((place) =>
      place === NO_LOCATION ? '' : trace.names.locations.text(locationNameId(place)).slice(-1),
    ),
  );
  return `${print(trace).replaceAll('"', '')} at ${places.join('')}`;
}

const WHOLE = [...HEADER_2, ...FIRST, ...NAMES, ...SECOND, ...endChunk(7)];

describe('a .trk file with other names', () => {
  it('has its events, and something that comes instead of something else is not taken for it', async () => {
    expect(await renamed(WHOLE, () => true)).toBe(
      't: begin outer, begin guessed, r bank.c:8, r y, end, end, w bank.c:8~2 at ababbb',
    );
  });

  it('does without blocks that are none', async () => {
    expect(await renamed(WHOLE, (label) => label !== 'guessed')).toBe(
      't: begin outer, r bank.c:8, r y, end, w bank.c:8~2 at aabb',
    );
  });

  it('is whole though it was cut', async () => {
    const cut = [...HEADER_2, ...FIRST, ...NAMES, ...SECOND.slice(0, 20)];
    expect(await renamed(cut, () => false)).toBe('t: r bank.c:8, r y at ab');
  });
});
