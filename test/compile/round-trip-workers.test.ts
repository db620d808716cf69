import { expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { temporaryFolder } from '../cli/run.ts';
import { events, printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { shrink } from '../support/shrink.ts';
import { asOfProgram, installIn } from './round-trip.ts';
import { ownEvents, pack, recordWorkers, workersDifference } from './round-trip-workers.ts';

/** `node scripts/fuzz.mjs programs` sets them. */
const RUNS = Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 40);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

const { path: folder } = temporaryFolder();
installIn(folder);

function random(seed: number): NamedEvent[] {
  return asOfProgram(randomTrace(seed, { barriers: 0 }));
}

function differenceAlone(trace: readonly NamedEvent[]): string | null {
  const { events } = pack([trace]);
  return workersDifference(events, recordWorkers(folder, events));
}

it(`gives ${RUNS} random traces from seed ${SEED} back`, { timeout: 60_000 + RUNS * 1000 }, () => {
  for (let first = 0; first < RUNS; ) {
    const traces = Array.from({ length: RUNS - first }, (_, k) => random(SEED + first + k));
    const { count, events } = pack(traces);
    const found = workersDifference(events, recordWorkers(folder, events));
    if (found !== null) throw new Error(smallest(traces.slice(0, count), SEED + first) ?? found);
    first += count;
  }
});

/** Which of some traces is not given back when it is alone, made as small as it can be. */
function smallest(traces: readonly (readonly NamedEvent[])[], seed: number): string | null {
  const k = traces.findIndex((trace) => differenceAlone(trace) !== null);
  if (k < 0) return null;
  const small = shrink(traces[k], (events) => differenceAlone(asOfProgram(events)) !== null);
  return [
    `the recording of the program with workers for randomTrace(${seed + k}) is another trace:`,
    `  ${printEvents(small)}`,
    differenceAlone(small),
  ].join('\n');
}
