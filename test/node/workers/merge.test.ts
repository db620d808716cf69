import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KIND_SHIFT, LAST, NUMBERED, RecordKind } from '../../../src/node/isolates/records.ts';
import { Region, STATE } from '../../../src/node/isolates/region.ts';
import { RingWriter } from '../../../src/node/isolates/ring.ts';
import { SequenceClock } from '../../../src/node/isolates/sequence-clock.ts';
import { Merge, type MergeTarget } from '../../../src/node/workers/merge.ts';

/** Notes what comes out: for each event the isolate, and its operand, which tells them apart. */
class Seen implements MergeTarget {
  readonly events: [isolate: number, operand: number][] = [];
  readonly names: string[] = [];
  readonly gone: number[] = [];

  event(isolate: number, _op: number, _thread: number, operand: number): void {
    this.events.push([isolate, operand]);
  }
  name(_isolate: number, _table: number, _id: number, bytes: Uint8Array): void {
    this.names.push(Buffer.from(bytes).toString());
  }
  forget(): void {}
  ended(isolate: number): void {
    this.gone.push(isolate);
  }
}

/** An isolate that logs events, and hands them over when it is told to. */
class Writer {
  readonly index: number;
  readonly #ring: RingWriter;
  readonly #clock: SequenceClock;
  #log: [number: number, operand: number][] = [];

  constructor(region: Region, parent: number) {
    this.index = region.admit(parent);
    this.#ring = new RingWriter(region, this.index);
    this.#clock = new SequenceClock(region, this.index);
  }

  log(operand: number, isNumbered: boolean): void {
    this.#log.push([isNumbered ? this.#clock.take() : 0, operand]);
  }

  flush(): void {
    for (const [number, operand] of this.#log) {
      this.#ring.begin(5);
      this.#ring.put(number === 0 ? 0 : NUMBERED);
      this.#ring.put(0);
      this.#ring.put(operand);
      this.#ring.put(0);
      if (number !== 0) this.#ring.put(number);
    }
    this.#log = [];
    this.#ring.publish();
    this.#clock.settle();
  }

  /** A name as it is sent: in two parts. */
  name(text: string): void {
    const bytes = Buffer.from(text);
    for (const [part, last] of [
      [bytes.subarray(0, 4), 0],
      [bytes.subarray(4), LAST],
    ] as const) {
      const words = (part.length + 3) >> 2;
      this.#ring.begin(3 + words);
      this.#ring.put((RecordKind.name << KIND_SHIFT) | last);
      this.#ring.put(7);
      this.#ring.put(part.length);
      for (let at = 0; at < part.length; at += 4)
        this.#ring.put(part[at] | (part[at + 1] << 8) | (part[at + 2] << 16) | (part[at + 3] << 24));
    }
    this.#ring.publish();
  }
}

const RING = 1024;

describe('the merge', () => {
  it('keeps the order of numbers, and that of each isolate, whoever hands over when', () => {
    const step = fc.record({
      isolate: fc.nat(3),
      does: fc.constantFrom('numbered', 'numbered', 'plain', 'plain', 'flush', 'look'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.constantFrom(0, -20), (steps, start) => {
        const region = new Region(undefined, RING);
        region.header[0] = start;
        const writers = Array.from({ length: 4 }, () => new Writer(region, -1));
        const seen = new Seen();
        const merge = new Merge(region, seen);
        const numbered: number[] = [];
        const own: number[][] = [[], [], [], []];
        for (const [i, { isolate, does }] of steps.entries()) {
          if (does === 'flush') writers[isolate].flush();
          else if (does === 'look') merge.round();
          else {
            if (does === 'numbered') numbered.push(i);
            own[isolate].push(i);
            writers[isolate].log(i, does === 'numbered');
          }
        }
        for (const writer of writers) writer.flush();
        while (merge.round() > 0);
        expect(
          seen.events.map(([, operand]) => operand).filter((operand) => numbered.includes(operand)),
        ).toEqual(numbered);
        for (const { index } of writers)
          expect(seen.events.filter(([isolate]) => isolate === index).map(([, operand]) => operand)).toEqual(
            own[index],
          );
      }),
    );
  });

  it('waits for whoever holds back a lower number, and for nobody else', () => {
    const region = new Region(undefined, RING);
    const [slow, fast, idle] = [new Writer(region, -1), new Writer(region, 0), new Writer(region, 0)];
    const seen = new Seen();
    const merge = new Merge(region, seen);
    fast.log(1, true);
    slow.log(2, true);
    fast.log(3, true);
    fast.flush();
    merge.round();
    expect(seen.events).toEqual([[fast.index, 1]]);
    slow.flush();
    merge.round();
    expect(seen.events.map(([, operand]) => operand)).toEqual([1, 2, 3]);
    idle.log(4, true);
    idle.flush();
    merge.round();
    expect(seen.events.length).toBe(4);
  });

  it('takes all that a killed isolate had handed over, and waits for nothing of the rest', () => {
    const region = new Region(undefined, RING);
    const [main, killed] = [new Writer(region, -1), new Writer(region, 0)];
    const seen = new Seen();
    const merge = new Merge(region, seen);
    killed.log(1, true);
    killed.flush();
    killed.log(2, true);
    main.log(3, true);
    main.flush();
    merge.round();
    expect(seen.events.map(([, operand]) => operand)).toEqual([1]);
    region.end(killed.index);
    merge.round();
    expect(seen.events.map(([, operand]) => operand)).toEqual([1, 3]);
    expect(seen.gone).toEqual([killed.index]);
  });

  it('lets another isolate have the place of one that has ended', () => {
    const region = new Region(undefined, RING);
    const main = new Writer(region, -1);
    const seen = new Seen();
    const merge = new Merge(region, seen);
    const first = new Writer(region, main.index);
    first.log(1, false);
    first.flush();
    region.end(first.index);
    const meanwhile = new Writer(region, main.index);
    merge.round();
    const second = new Writer(region, main.index);
    expect([meanwhile.index === first.index, second.index]).toEqual([false, first.index]);
    second.log(2, true);
    second.flush();
    merge.round();
    expect(seen.events).toEqual([
      [first.index, 1],
      [second.index, 2],
    ]);
    expect(region.isolate(second.index)[STATE]).toBe(1);
  });

  it('puts the parts of a long name together', () => {
    const region = new Region(undefined, RING);
    const writer = new Writer(region, -1);
    const seen = new Seen();
    writer.name('__proto__ of ünïcode');
    new Merge(region, seen).round();
    expect(seen.names).toEqual(['__proto__ of ünïcode']);
  });
});
