import { expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { temporaryFolder } from '../cli/run.ts';
import { events, printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { shrink } from '../support/shrink.ts';
import { asOfProgram, installIn } from './round-trip.ts';
import { ownEvents, pack, recordWorkers, workersDifference } from './round-trip-workers.ts';

/** `node scripts/fuzz.mjs programs` sets them; it takes a worker some tenths of a second to start. */
const RUNS = Math.ceil(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 36) / 3);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

const { path: folder } = temporaryFolder();
installIn(folder);

type Trace = readonly NamedEvent[];

function difference(trace: Trace): string | null {
  return workersDifference(trace, recordWorkers(folder, trace));
}

function giveBack(runs: number, together: number, make: (seed: number) => Trace): void {
  for (let first = 0; first < runs; ) {
    const seeds = Array.from({ length: Math.min(together, runs - first) }, (_, k) => SEED + first + k);
    const traces = seeds.map(make);
    const { count, events } = pack(traces);
    const found = difference(events);
    if (found !== null) throw new Error(smallest(traces.slice(0, count)) ?? found);
    first += count;
  }
}

/** Which of some traces is not given back when it is alone, made as small as it can be. */
function smallest(traces: readonly Trace[]): string | null {
  const differenceAlone = (trace: Trace) => difference(pack([trace]).events);
  const failing = traces.find((trace) => differenceAlone(trace) !== null);
  if (failing === undefined) return null;
  const small = shrink(failing, (events) => differenceAlone(events) !== null);
  return `of\n  ${printEvents(small)}\n${differenceAlone(small)}\nfound on ${printEvents(failing)}`;
}

const withForks = (seed: number) => randomTrace(seed);

function withoutForks(seed: number): Trace {
  return withForks(seed).filter(({ op }) => op !== Op.fork && op !== Op.join);
}

const FEW = Math.ceil(RUNS / 10);

it(`gives ${RUNS} random traces from seed ${SEED} back`, { timeout: 180_000 + RUNS * 1000 }, () => {
  giveBack(RUNS, 100, withoutForks);
});

it(`gives ${FEW} random traces with forks and joins back`, { timeout: 180_000 + FEW * 10_000 }, () => {
  giveBack(FEW, 10, withForks);
});

it('gives all operations back, by their names where there are any', () => {
  const trace = asOfProgram(
    events(`
      t1: begin Bank.pay, r x, fork t2; t2: begin B, w x; t3: acq l; t2: u y, end
      t3: vw x, rel l, send "a message", vr x; t1: receive "a message"; t3: notify c
      t1: wait c, join t2, w x, end, vu y; t3: fork t4; t4: w y; t1: join t4
    `),
  );
  const recording = recordWorkers(folder, trace);
  expect(workersDifference(trace, recording)).toBe(null);
  expect(namesIn(ownEvents(recording))).toEqual([
    ...[
      'B',
      'Bank.pay',
      'a message',
      'shared conditions[0]',
      'shared locks[0]',
      'shared v[0]',
      'shared v[1]',
    ],
    ...['t2', 't4'],
  ]);
});

it('does not end a block before its thread is joined by one that it has forked', () => {
  expect(difference(events('t1: begin A, w x, fork t2; t2: r x; t1: w x, end; t2: join t1, w x'))).toBe(null);
});

function namesIn(trace: Trace): string[] {
  return [...new Set(trace.map(({ operand }) => operand))].sort();
}
