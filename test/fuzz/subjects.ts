import { crc32 } from 'node:zlib';
import { csv } from '../../src/formats/csv.ts';
import { CsvWriter } from '../../src/formats/csv-writer.ts';
import type { Format } from '../../src/formats/format.ts';
import { rapidbin } from '../../src/formats/rapidbin.ts';
import { roadrunner } from '../../src/formats/roadrunner.ts';
import { std } from '../../src/formats/std.ts';
import { StdWriter } from '../../src/formats/std-writer.ts';
import { trk } from '../../src/formats/trk/index.ts';
import { ChunkPacker } from '../../src/formats/trk/packed-chunk.ts';
import { TrkWriter } from '../../src/formats/trk/writer.ts';
import type { ByteSink, TraceWriter } from '../../src/formats/writer.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { rapidBin } from '../support/rapidbin.ts';

/** A format to fuzz, and valid inputs to start from. */
export interface Subject {
  format: Format;
  isText: boolean;
  seeds: Uint8Array[];
  /** Makes checksums right again, so that what lies behind them is reached. */
  reseal?: (bytes: Uint8Array) => Uint8Array;
}

const GENERATED = 12;

export async function subjects(): Promise<Subject[]> {
  const traces = Array.from({ length: GENERATED }, (_, seed) =>
    located(randomTrace(seed, { maxEvents: 20 })),
  );
  const texts = (...parts: string[]) => parts.map((part) => new Uint8Array(Buffer.from(part)));
  return [
    {
      format: std,
      isText: true,
      seeds: [
        ...texts(
          'T0|begin(Bank.transfer)|1\nT0|r(a.balance)|2\nT1|w(a.balance)|9\nT0|w(a.balance)|3\nT0|end(Bank.transfer)|4\n',
          'main|fork(é)|f.js:3\r\né|acq(l)\r\né|rel(l)|\r\nmain|join(é)\r\n\r\n',
          'T0|begin|1\nT0|end\nT12|r(V12345)|678\nT12|r(V12345)|679\nT12|acq(L3)|0',
        ),
        ...(await all(traces, (trace, sink) => new StdWriter(trace.names, sink))),
      ],
    },
    {
      format: roadrunner,
      isText: true,
      seeds: [
        ...texts(
          '[banner]\n@   Enter(0,A.main([Ljava/lang/String;)V) from null\n@    Start(0,1)\n@    ARd(1,null.A.v_I)  Final  A.java:50:7\n',
          '@    Acquire(2,@03)\r\n@    AWr(2,@05[13])  Final  F.java:1:2\r\n@    Release(2,@03)\r\n@  Notify(2,@03)\r\n',
        ),
        ...traces.map((events) => new Uint8Array(Buffer.from(asRoadRunner(events)))),
      ],
    },
    {
      format: csv,
      isText: true,
      seeds: [
        ...texts(
          'start(T1),\n,enter(A.m()V)\n,r(x)\n,exit(A.m()V)\njoin(T1),\n',
          '"a,b","say ""hi""","two\nlines"\n,,"r(m[1,2])"\n"w(""x)|y"")|f.js, line 3",,\n,begin,\n',
        ),
        ...(await all(traces, (trace, sink) => new CsvWriter(trace.names, everyThread(trace), sink))),
      ],
    },
    { format: rapidbin, isText: false, seeds: [rapidBin([]), ...traces.map(asRapidBin)] },
    {
      format: trk,
      isText: false,
      seeds: [
        ...(await all([[], ...traces], (trace, sink) => new TrkWriter(trace.names, sink))),
        ...(await all(
          traces,
          (trace, sink) => new TrkWriter(trace.names, sink, { packer: new ChunkPacker() }),
        )),
      ],
      reseal: resealTrk,
    },
  ];
}

/** The events with places: none, numbers and texts. */
function located(events: NamedEvent[]): NamedEvent[] {
  return events.map((event, i) => ({ ...event, location: [null, String(i), `f${i % 3}.js:${i}`][i % 3] }));
}

async function all(
  traces: readonly NamedEvent[][],
  writer: (trace: MemoryTrace, sink: ByteSink) => TraceWriter,
): Promise<Uint8Array[]> {
  const inputs: Uint8Array[] = [];
  for (const events of traces) {
    const trace = MemoryTrace.of(events);
    const parts: Uint8Array[] = [];
    const writing = writer(trace, async (part) => void parts.push(part));
    for (const batch of trace.batches()) await writing.write(batch);
    await writing.finish();
    inputs.push(new Uint8Array(Buffer.concat(parts)));
  }
  return inputs;
}

function everyThread(trace: MemoryTrace): number[] {
  return Array.from({ length: trace.names.threads.size }, (_, thread) => thread);
}

const ROADRUNNER_WORDS = ['Rd', 'AWr', 'Wr', 'Acquire', 'Release', 'Start', 'Join', 'Enter', 'Exit'];

function asRoadRunner(events: readonly NamedEvent[]): string {
  const lines = events.map(
    ({ thread, op, operand, location }) =>
      `@   ${ROADRUNNER_WORDS[op as number]}(${thread},${operand})${location == null ? '' : `  Final  ${location}`}\n`,
  );
  return lines.join('');
}

/** In the order of `Op`; RapidBin knows no updates, and nothing that comes after `end`. */
const RAPIDBIN_OPERATIONS = [2, 3, 3, 0, 1, 4, 5, 6, 7];

function asRapidBin(events: readonly NamedEvent[]): Uint8Array {
  const numbers = new Map<string, number>();
  const number = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name) as number;
  };
  return rapidBin(
    events
      .filter(({ op }) => op < RAPIDBIN_OPERATIONS.length)
      .map(({ thread, op, operand }, i) => ({
        thread: number(`thread ${thread}`),
        op: RAPIDBIN_OPERATIONS[op as number],
        operand: number(op === Op.fork || op === Op.join ? `thread ${operand}` : operand),
        location: i,
      })),
  );
}

const TRK_HEADER = 12;
const TRK_FRAME = 8;

/** Gives every chunk that is all there the checksum of what it now holds. */
function resealTrk(input: Uint8Array): Uint8Array {
  const bytes = Buffer.from(input);
  for (let at = TRK_HEADER; at + TRK_FRAME <= bytes.length; ) {
    const end = at + TRK_FRAME + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    bytes.writeUInt32LE(crc32(bytes.subarray(at + TRK_FRAME, end)), at + 4);
    at = end;
  }
  return bytes;
}
