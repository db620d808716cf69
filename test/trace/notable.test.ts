import { expect, it } from 'vitest';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { Random } from '../support/random-traces.ts';

const OPS = [Op.read, Op.write, Op.acquire, Op.release, Op.fork, Op.join, Op.begin, Op.end];

/** Any events in any order, so that all rules are broken now and then. */
function batchesOf(seed: number): { names: MemoryTrace['names']; batches: EventBatch[] } {
  const random = new Random(seed);
  const { names } = new MemoryTrace();
  for (const table of [names.threads, names.locks, names.variables, names.labels])
    for (const name of 'abcd') table.internText(name);
  const batches: EventBatch[] = [];
  let firstEvent = 1;
  for (let n = 0; n < 4; n++) {
    const batch = new EventBatch(64);
    batch.firstEvent = firstEvent;
    for (let i = random.below(64); i > 0; i--) {
      const op = random.oneIn(2) ? Op.read : OPS[random.below(OPS.length)];
      batch.push(random.below(4), op, random.below(4), 0, 0);
    }
    firstEvent += batch.length;
    batches.push(batch);
  }
  return { names, batches };
}

/** Notes some of the events at the start, as a decoder would. */
function note(batch: EventBatch, events: number): void {
  const seen = new Set<number>();
  const indexes: number[] = [];
  for (let i = 0; i < events; i++) {
    if (batch.op[i] > Op.update || !seen.has(batch.thread[i])) indexes.push(i);
    seen.add(batch.thread[i]);
  }
  const { length } = batch;
  batch.length = 0;
  batch.note(Int32Array.from(indexes), indexes.length, events);
  batch.length = length;
}

it('it is enough to look at notable events, with whatever rules they break', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const [whole, noted] = [false, true].map((isNoted) => {
      const { names, batches } = batchesOf(seed);
      const wellFormedness = new WellFormedness(names, { lenient: true });
      for (const batch of batches) {
        if (isNoted) note(batch, random.below(batch.length + 1));
        wellFormedness.check(batch);
      }
      const ops = batches.map(({ op, length }) => [...op.subarray(0, length)]);
      return { ops, repairs: [...wellFormedness.repairs], begun: wellFormedness.begun };
    });
    expect(noted, `seed ${seed}`).toEqual(whole);
  }
});
