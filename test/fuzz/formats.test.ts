import { expect, test } from 'vitest';
import type { Format } from '../../src/formats/format.ts';
import { MAX_NAME_GROWTH } from '../../src/formats/trk/layout.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { Op } from '../../src/trace/operation.ts';
import { type Decoded, decodeAll } from '../support/decode.ts';
import { Random } from '../support/random-traces.ts';
import { mutate } from './mutate.ts';
import { type Subject, subjects } from './subjects.ts';

/*
 * Whatever bytes a decoder is given, it must come to an end, throw nothing but `InputProblem` (`decodeAll`
 * lets anything else through), and give what it gives however the bytes are cut into windows. The suite runs
 * the same few thousand inputs every time; TRACKSIDE_FUZZ_RUNS=100000 makes it as many for each format.
 */
const RUNS = Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 500);

const all = await subjects();
const everySeed = all.flatMap(({ seeds }) => seeds);

test.each(all)('valid $format.name inputs are read without complaint', ({ format, seeds }) => {
  for (const seed of seeds) {
    const { problem, repaired } = decodeAll(format, seed);
    expect(problem).toBeNull();
    expect(repaired).toBe(0);
  }
});

test.each(all)(
  `$format.name survives ${RUNS} mutated inputs`,
  { timeout: 180_000 + RUNS * 20 },
  (subject) => {
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(run);
      const input = inputOf(subject, random);
      try {
        examine(subject, input, random);
      } catch (error) {
        const shown = JSON.stringify(Buffer.from(input).toString('latin1'));
        throw new Error(`run ${run}, input (Latin-1) ${shown}: ${(error as Error).stack}`, { cause: error });
      }
    }
  },
);

const BAD_LINES = [
  'x|',
  '|r(x)',
  'T|r(',
  'T|r(\0)',
  '@ Rd(',
  '@ Rd(1,)',
  '@ Wr(1,x)y',
  '"',
  '"a"b',
  'r(',
  'r(x),w(x)',
  ',"r(',
  '""""x',
];

// Not by the clock: what takes a second when each line is looked at once takes an hour when each costs all others.
test.each(
  all.filter(({ isText }) => isText).flatMap(({ format }) => BAD_LINES.map((line) => ({ format, line }))),
)('$format.name passes over 200000 lines of $line in linear time', ({ format, line }) => {
  const input = Buffer.from(`${line}\n`.repeat(200_000));
  const { problem, trace } = decodeAll(format, input, { lenient: true, windowSizes: [1 << 20] });
  expect(problem).toBeNull();
  expect(trace.length).toBe(0);
});

function inputOf({ seeds, reseal }: Subject, random: Random): Uint8Array {
  const others = random.oneIn(10) ? everySeed : seeds;
  const input = mutate(seeds[random.below(seeds.length)], others, random);
  return reseal !== undefined && !random.oneIn(4) ? reseal(input) : input;
}

function examine({ format, isText, seeds }: Subject, input: Uint8Array, random: Random): void {
  for (const { format: other } of all) other.detect(input, random.oneIn(2) ? input.length : null);

  const strict = decodeAll(format, input, { batchCapacity: 100 });
  const lenient = decodeAll(format, input, { lenient: true, batchCapacity: 100 });
  const windows = {
    windowSizes: Array.from({ length: random.between(1, 3) }, () =>
      random.between(1, random.oneIn(2) ? 8 : 200),
    ),
    endsApart: random.oneIn(2),
    batchCapacity: random.between(1, 20),
  };
  agree(decodeAll(format, input, windows), strict, input);
  agree(decodeAll(format, input, { ...windows, lenient: true }), lenient, input);

  const stale = seeds[random.below(seeds.length)];
  same(eventsAmidStaleBytes(format, input, stale), eventsOf(strict), 'events with other bytes behind them');

  // Leniency changes nothing before the first problem, and nothing at all without one.
  const certain = eventsOf(strict);
  const repaired = eventsOf(lenient);
  if (strict.problem === null) same(repaired, certain, 'lenient events');
  else same(repaired.slice(0, certain.length), certain, 'lenient events before the problem');
  same(isText && repaired.includes('\\u0000'), false, 'NUL bytes in the names of a text format');
  same(strict.repaired, 0, 'repairs of a strict reader');
  same(
    lenient.repaired > 0 || lenient.problem !== null,
    strict.problem !== null,
    'whether something is wrong',
  );
}

/** As the reader's window holds them: what was in the window before still lies behind the last bytes. */
function eventsAmidStaleBytes(format: Format, input: Uint8Array, stale: Uint8Array): string {
  const trace = new MemoryTrace();
  const decoder = format.decoder({ names: trace.names, lenient: false });
  const window = Buffer.concat([input, stale]);
  const batch = new EventBatch(100);
  let problem = false;
  for (let at = 0, progressed = true; progressed && !problem; ) {
    let next = at;
    try {
      next = decoder.decode(window, at, input.length, true, batch);
    } catch {
      problem = true;
    }
    progressed = next > at || batch.length > 0;
    at = next;
    for (let i = 0; i < batch.length; i++) {
      trace.push(batch.thread[i], batch.op[i] as Op, batch.operand[i], batch.location[i]);
    }
    batch.advance();
  }
  return textOf(trace);
}

/** Compares what two ways of cutting the same bytes gave. */
function agree(inWindows: Decoded, whole: Decoded, input: Uint8Array): void {
  same(eventsOf(inWindows), eventsOf(whole), 'events');
  same(JSON.stringify(inWindows.positions), JSON.stringify(whole.positions), 'positions');
  // Not what was found: a window may hold only a part of it.
  const said = ({ problem }: Decoded) =>
    JSON.stringify([problem?.summary, problem?.position, problem?.expected]);
  same(said(inWindows), said(whole), 'problem');
  same(inWindows.repaired, whole.repaired, 'repairs');
  sensible(whole, input);
}

/** What came out is in proportion to what went in, and messages can be shown. */
function sensible({ trace, problem }: Decoded, input: Uint8Array): void {
  const { threads, locks, variables, labels, locations } = trace.names;
  let nameBytes = 0;
  for (const table of [threads, locks, variables, labels, locations]) {
    for (let id = 0; id < table.size; id++) nameBytes += table.byteLength(id);
  }
  // RapidBin spells out numbers; a chunk of `.trk` may hold 65536 events that are all alike, and pack the names of five tables.
  same(nameBytes <= 5 * MAX_NAME_GROWTH * input.length, true, 'names that fit into the input');
  same(trace.length <= 65536 * input.length, true, 'events that fit into the input');
  if (problem === null) return;
  const { line, column, byte } = problem.position;
  same((line ?? 1) > 0 && (column ?? 1) > 0 && (byte ?? 0) <= input.length, true, 'a position in the input');
  same(line !== undefined || byte !== undefined, true, 'a position');
  same(/[\x00-\x1f\x7f-\x9f]/.test(problem.describe()), false, 'control characters in a message');
}

function eventsOf({ trace }: Decoded): string {
  return textOf(trace);
}

function textOf(trace: MemoryTrace): string {
  let text = '';
  for (const event of trace.events()) text += `${JSON.stringify(event)}\n`;
  return text;
}

/** As `expect(…).toBe(…)`, which is too slow for millions of calls. */
function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) expect(actual, what).toBe(expected);
}
