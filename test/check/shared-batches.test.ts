import { expect, it } from 'vitest';
import { IncomingBatches, OutgoingBatches, sharedBatches } from '../../src/check/shared-batches.ts';
import { SentNames } from '../../src/formats/sent-names.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { NameTable } from '../../src/trace/name-table.ts';

function batchOf(firstEvent: number, operands: readonly number[]): EventBatch {
  const batch = new EventBatch(16);
  batch.firstEvent = firstEvent;
  for (const operand of operands) batch.push(operand % 3, operand % 2, operand, 0, 0);
  return batch;
}

it('batches come out as they were put in, also empty ones, up to the end', () => {
  const buffer = sharedBatches();
  const outgoing = new OutgoingBatches(buffer);
  for (const given of [batchOf(1, [7, 8, 9]), batchOf(4, []), batchOf(4, [1]), null]) outgoing.put(given);
  const seen = [...new IncomingBatches(buffer).batches()].map((batch) => ({
    firstEvent: batch.firstEvent,
    length: batch.length,
    first: [batch.thread[0], batch.op[0], batch.operand[0]],
  }));
  expect(seen.map(({ firstEvent, length }) => [firstEvent, length])).toEqual([
    [1, 3],
    [4, 0],
    [4, 1],
  ]);
  expect(seen[0].first).toEqual([1, 1, 7]);
  expect(seen[2].first).toEqual([1, 1, 1]);
});

it('names that are sent with batches get ids in their order, however long they are', () => {
  const buffer = sharedBatches();
  const sent = new SentNames();
  const outgoing = new OutgoingBatches(buffer, sent);
  const variables = new NameTable();
  const batches = new IncomingBatches(buffer, variables).batches();
  const names = ['x', 'a name of some length', 'longer '.repeat(30_000), 'x', 'y'];
  const ids: number[] = [];
  for (const name of names) {
    const bytes = Buffer.from(name);
    outgoing.put(batchOf(1, [7, sent.add(bytes, 0, bytes.length)]));
    ids.push(batches.next().value!.operand[1]);
  }
  expect(ids).toEqual([0, 1, 2, 0, 3]);
  expect(names.every((name, i) => variables.text(ids[i]) === name)).toBe(true);
});

it('there is room again when batches are taken', () => {
  const buffer = sharedBatches();
  const outgoing = new OutgoingBatches(buffer);
  let put = 0;
  while (outgoing.put(batchOf(1 + put, [put]))) put++;
  expect(put).toBeGreaterThan(8);
  const incoming = new IncomingBatches(buffer).batches();
  for (let i = 0; i < 3; i++) expect(incoming.next().value).toMatchObject({ firstEvent: 1 + i });
  // A batch is given back when the next one is asked for.
  expect([1, 2, 3].map(() => outgoing.put(batchOf(1 + put, [put++])))).toEqual([true, true, false]);
});

it('who takes no more says so to the one who puts', () => {
  const buffer = sharedBatches();
  const outgoing = new OutgoingBatches(buffer);
  expect(outgoing.isAbandoned).toBe(false);
  new IncomingBatches(buffer).abandon();
  expect(outgoing.isAbandoned).toBe(true);
});
