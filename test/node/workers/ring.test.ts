import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { build } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { FLAG_MASK, FLAG_SHIFT, KIND_SHIFT, RecordKind } from '../../../src/node/isolates/records.ts';
import {
  CHECKER,
  CheckerState,
  DOORBELL,
  IsolateState,
  MOST_ISOLATES,
  Region,
  STATE,
  WRITTEN,
} from '../../../src/node/isolates/region.ts';
import { RingWriter, readRing } from '../../../src/node/isolates/ring.ts';
import { isBefore, SequenceClock } from '../../../src/node/isolates/sequence-clock.ts';
import { WordQueue } from '../../../src/node/isolates/word-queue.ts';
import { EventFlag } from '../../../src/trace/facts.ts';

const RING = 16;

/** The module as a thread can load it. */
async function built(name: string): Promise<string> {
  const input = fileURLToPath(new URL(`../../../src/node/isolates/${name}.ts`, import.meta.url));
  const { output } = await build({ input, platform: 'node', write: false, output: { format: 'esm' } });
  return `data:text/javascript,${encodeURIComponent(output[0].code)}`;
}

/** All that has come, as numbers. */
function contents({ words, start, end }: WordQueue): number[] {
  return [...words.subarray(start, end)];
}

describe('a ring', () => {
  it('gives what was put into it, in order, across its edge', () => {
    const records = fc.array(fc.array(fc.integer(), { minLength: 1, maxLength: RING / 2 }), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(records, fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }), (written, reads) => {
        const region = new Region(undefined, RING);
        const writer = new RingWriter(region, 0);
        const queue = new WordQueue();
        let free = RING;
        for (const [i, record] of written.entries()) {
          // There is nobody else who could make room.
          if (free < record.length || reads[i]) {
            readRing(region, 0, queue);
            free = RING;
          }
          writer.begin(record.length);
          for (const word of record) writer.put(word);
          writer.publish();
          free -= record.length;
        }
        readRing(region, 0, queue);
        expect(contents(queue)).toEqual(written.flat());
      }),
    );
  });

  it('goes on where the counts of words wrap around', () => {
    const region = new Region(undefined, RING);
    region.isolate(0).fill(0x7fffffff - 3, WRITTEN, WRITTEN + 2);
    const writer = new RingWriter(region, 0);
    const queue = new WordQueue();
    for (let i = 0; i < 40; i++) {
      writer.begin(1);
      writer.put(i);
      writer.publish();
      readRing(region, 0, queue);
    }
    expect(contents(queue)).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });

  it('shows nothing of a record that its writer did not live to publish', () => {
    const region = new Region(undefined, RING);
    const writer = new RingWriter(region, 0);
    const queue = new WordQueue();
    writer.begin(2);
    writer.put(1);
    writer.put(2);
    writer.publish();
    writer.begin(3);
    writer.put(3);
    readRing(region, 0, queue);
    expect(contents(queue)).toEqual([1, 2]);
  });

  it('makes a thread wait that writes more than is read, and loses nothing of a million records', async () => {
    const region = new Region(undefined, 1 << 14);
    const writer = new Worker(
      `const { workerData: { buffer, region, ring } } = require('node:worker_threads');
       (async () => {
         const { Region } = await import(region);
         const { RingWriter } = await import(ring);
         const writer = new RingWriter(new Region(buffer), 0);
         for (let i = 1; i <= 1_000_000; i++) {
           writer.begin(2);
           writer.put(i);
           writer.put(-i);
         }
         writer.publish();
       })();`,
      {
        eval: true,
        workerData: { buffer: region.buffer, region: await built('region'), ring: await built('ring') },
      },
    );
    let next = 1;
    let most = 0;
    while (next <= 1_000_000) {
      const queue = new WordQueue();
      Atomics.wait(region.header, DOORBELL, Atomics.load(region.header, DOORBELL), 1);
      most = Math.max(most, readRing(region, 0, queue));
      for (const [i, word] of contents(queue).entries())
        if (word !== (i % 2 === 0 ? next : -next++)) throw new Error(`${word} instead of ${next}`);
    }
    expect(most).toBeLessThanOrEqual(1 << 14);
    await writer.terminate();
  });

  it('does not hold up a writer when nobody reads any more', () => {
    const region = new Region(undefined, RING);
    const writer = new RingWriter(region, 0);
    region.header[CHECKER] = CheckerState.failed;
    for (let i = 0; i < 10 * RING; i++) {
      writer.begin(1);
      writer.put(i);
    }
    writer.publish();
    expect(region.header[CHECKER]).toBe(CheckerState.failed);
  });
});

describe('the directory', () => {
  it('has room for so many isolates, and for others when they have gone', () => {
    const region = new Region(undefined, RING);
    const places = Array.from({ length: MOST_ISOLATES }, () => region.admit(0));
    expect(new Set(places).size).toBe(MOST_ISOLATES);
    expect(region.admit(0)).toBe(-1);
    region.end(5);
    expect(region.isAlive(5)).toBe(false);
    // It is free when all that it wrote has been read.
    expect(region.admit(0)).toBe(-1);
    region.isolate(5)[STATE] = IsolateState.free;
    expect(region.admit(0)).toBe(5);
  });

  it('knows that workers end with who made them', () => {
    const region = new Region(undefined, RING);
    const main = region.admit(-1);
    const parent = region.admit(main);
    const child = region.admit(parent);
    const other = region.admit(main);
    region.end(parent);
    expect([main, parent, child, other].map((index) => region.isAlive(index))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('numbers', () => {
  it('are never 0, and their order survives a wrap-around', () => {
    const region = new Region(undefined, RING);
    region.header[0] = -3;
    const clock = new SequenceClock(region, 0);
    const numbers = Array.from({ length: 6 }, () => clock.take());
    expect(numbers).not.toContain(0);
    for (let i = 1; i < numbers.length; i++) expect(isBefore(numbers[i - 1], numbers[i])).toBe(true);
    const large = Math.trunc(0x7fffffff);
    expect(isBefore(large, (large + 1) | 0)).toBe(true);
    expect(isBefore((large + 1) | 0, large)).toBe(false);
  });
});

it('there is room in a record for all that may be known of an event', () => {
  for (const flag of Object.values(EventFlag)) expect(flag & FLAG_MASK).toBe(flag);
  expect((FLAG_MASK << FLAG_SHIFT) >> KIND_SHIFT).toBe(0);
  expect(Math.max(...Object.values(RecordKind)) << KIND_SHIFT).toBeGreaterThan(0);
});
