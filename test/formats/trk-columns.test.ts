import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ChunkColumns, type ColumnSizes, PlainColumns } from '../../src/formats/trk/columns.ts';
import { CompiledColumns } from '../../src/formats/trk/compiled-columns.ts';
import { EventBatch } from '../../src/trace/batch.ts';

const width = (least: number, most: number) => fc.integer({ min: least, max: most });

const chunk = fc.record({
  events: fc.integer({ min: 1, max: 40 }),
  actionWidth: width(1, 2),
  operandWidth: width(0, 4),
  locationWidth: width(0, 2),
  actions: fc.array(
    fc.record({
      op: width(0, 17),
      thread: width(0, 5),
      least: width(0, 9),
      range: fc.constantFrom(3, 300, 2 ** 30),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  locations: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  // Mostly small, so that most of them are in range.
  bytes: fc.array(fc.oneof({ weight: 30, arbitrary: fc.constantFrom(0, 1, 2) }, width(0, 255)), {
    minLength: 320,
    maxLength: 320,
  }),
});

/** What they make of the chunk, or null if it is refused. */
function decoded(
  columns: ChunkColumns,
  sizes: ColumnSizes,
  {
    actions,
    locations,
    bytes,
  }: {
    actions: { op: number; thread: number; least: number; range: number }[];
    locations: number[];
    bytes: number[];
  },
) {
  const { tables } = columns;
  actions.forEach(({ op, thread, least, range }, i) => {
    tables.actionOp[i] = op;
    tables.actionThread[i] = thread;
    tables.actionLeastOperand[i] = least;
    tables.actionOperandRange[i] = range;
  });
  tables.chunkLocations.set(locations);
  if (!columns.decode(Uint8Array.from(bytes), 0, sizes, actions.length, locations.length)) return null;
  const batch = new EventBatch();
  columns.copyEvents(0, sizes.events, batch);
  const { op, thread, operand, location, notable, notableCount, notedUpTo } = batch;
  const filled = [op, thread, operand, location].map((column) => [...column.subarray(0, sizes.events)]);
  return { filled, notable: [...notable.subarray(0, notableCount)], notedUpTo };
}

it('compiled code makes of the columns of a chunk what the plain one does', () => {
  const plain = new PlainColumns();
  const compiled = CompiledColumns.instance();
  let accepted = 0;
  fc.assert(
    fc.property(chunk, ({ events, actionWidth, operandWidth, locationWidth, ...rest }) => {
      const sizes = { events, actionWidth, operandWidth, locationWidth };
      const expected = decoded(plain, sizes, rest);
      if (expected !== null) accepted++;
      expect(decoded(compiled, sizes, rest)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(0);
});
