import { expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { temporaryFolder } from '../cli/run.ts';
import { examples } from '../support/examples.ts';
import { events, printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { shrink } from '../support/shrink.ts';
import { asOfProgram, difference, installIn, ownEvents, recordings } from './round-trip.ts';

/** `node scripts/fuzz.mjs programs` sets them. */
const RUNS = Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 60);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

/** Programs in one process: to start it takes longer than to run one of them. */
const TOGETHER = 100;

const { path: folder } = temporaryFolder();
installIn(folder);

function randomTraceOfTasks(seed: number): NamedEvent[] {
  return asOfProgram(randomTrace(seed, { messages: 0 }));
}

function differenceAlone(events: readonly NamedEvent[]): string | null {
  const [recording] = recordings(folder, [events]);
  return difference(events, recording);
}

it(`gives ${RUNS} random traces from seed ${SEED} back`, { timeout: 180_000 + RUNS * 100 }, () => {
  for (let first = 0; first < RUNS; first += TOGETHER) {
    const count = Math.min(TOGETHER, RUNS - first);
    const traces = Array.from({ length: count }, (_, k) => randomTraceOfTasks(SEED + first + k));
    recordings(folder, traces).forEach((recording, k) => {
      const found = difference(traces[k], recording);
      if (found === null) return;
      const smallest = shrink(traces[k], (events) => differenceAlone(asOfProgram(events)) !== null);
      throw new Error(
        [
          `the recording of the program for randomTrace(${SEED + first + k}) is another trace:`,
          `  ${printEvents(smallest)}`,
          differenceAlone(smallest) ?? 'but not by itself',
          `found on: ${printEvents(traces[k])}: ${found}`,
        ].join('\n'),
      );
    });
  }
});

it('gives the examples back', () => {
  const traces = examples().map(({ trace }) => asOfProgram([...trace.events()]));
  const differences = recordings(folder, traces).map((recording, k) => difference(traces[k], recording));
  expect(differences).toEqual(traces.map(() => null));
});

it('keeps the names of variables, labels and locks', () => {
  const trace = events('t1: acq l, begin Bank.pay, w x, w "y z"; t2: r x, r "y z"; t1: end, rel l');
  const [recording] = recordings(folder, [trace]);
  expect(printEvents(ownEvents(recording))).toBe(
    't1: acq l, begin Bank.pay, w v.x, w "v[\\"y z\\"]"; t2: r v.x, r "v[\\"y z\\"]"; t1: end, rel l',
  );
});

it('gives an update back as a read and a write if its block has read the variable', () => {
  const [recording] = recordings(folder, [events('t1: begin A, r x, u x, end; t2: u x')]);
  expect(printEvents(ownEvents(recording))).toBe('t1: begin A, r v.x, r v.x, w v.x, end; t2: u v.x');
});
