import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../src/analyses/aerodrome/index.ts';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { BATCH_CAPACITY, EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { FUZZ_SEED, fuzzRuns } from '../support/comparing.ts';
import { Random, randomTrace } from '../support/random-traces.ts';

/** Events that are none, to make a batch long enough for compiled code. */
const PADDING = 1024;

/** The trace in batches that compiled code takes; it has no more events than fit some of them. */
function batchesOf(trace: MemoryTrace): EventBatch[] {
  const wellFormedness = new WellFormedness(trace.names, { lenient: true });
  const batches: EventBatch[] = [];
  const room = BATCH_CAPACITY - PADDING;
  for (const copy of trace.copies()) {
    wellFormedness.check(copy);
    for (let from = 0; from < copy.length; from += room) {
      const batch = new EventBatch();
      batch.firstEvent = copy.firstEvent + from;
      for (let i = from; i < Math.min(copy.length, from + room); i++)
        batch.push(copy.thread[i], copy.op[i], copy.operand[i], copy.location[i], 0);
      for (let i = 0; i < PADDING; i++) batch.push(0, Op.skip, 0, 0, 0);
      batches.push(batch);
    }
  }
  return batches;
}

/** Everything that an analysis says, and how many events its handlers were shown. */
function saidOf(description: AnalysisDescription, batches: readonly EventBatch[], isSkimming: boolean) {
  const said: unknown[] = [];
  const analysis = description.create({ forkJoin: 'edge', report: (violation) => said.push(violation) });
  let shown = 0;
  const { read } = analysis;
  analysis.read = (thread, variable, event) => {
    shown++;
    read.call(analysis, thread, variable, event);
  };
  // Without this, it is shown every event: the reference.
  if (!isSkimming) Object.defineProperty(analysis, 'takeIn', { value: undefined });
  for (const batch of batches) dispatch(batch, analysis);
  analysis.finish(batches.reduce((events, batch) => events + batch.length, 0));
  const { statistics, ...outcome } = analysis.outcome();
  // Those who come after many at once count as one, if they are shown at all.
  const { joins, ...counted } = statistics;
  return { said: [...said, outcome, counted], shown };
}

/** A long trace with a few threads that meet at few variables; now and then in no order of transactions. */
function longTrace(seed: number): MemoryTrace {
  const random = new Random(seed);
  const trace = new MemoryTrace();
  const threads = random.between(2, random.oneIn(4) ? 70 : 9);
  const variables = random.between(1, 3000);
  const isOrderly = random.oneIn(2);
  const depth = new Array<number>(threads).fill(0);
  const ops = [Op.read, Op.read, Op.read, Op.write, Op.update];
  for (let t = 0; t < threads; t++) trace.names.threads.internText(`t${t}`);
  for (let v = 0; v < variables; v++) trace.names.variables.internText(`v${v}`);
  for (const table of [trace.names.labels, trace.names.locks])
    for (const name of 'abc') table.internText(name);
  let thread = 0;
  for (let n = random.between(2000, 9000); n > 0; n--) {
    if (random.oneIn(isOrderly ? 60 : 4)) {
      if (isOrderly) while (depth[thread] > 0) trace.push(thread, Op.end, --depth[thread]);
      thread = random.below(threads);
    }
    const choice = random.below(100);
    if (choice < 3 && depth[thread] < 3) trace.push(thread, Op.begin, depth[thread]++);
    else if (choice < 6 && depth[thread] > 0) trace.push(thread, Op.end, --depth[thread]);
    else if (choice < 10) {
      const lock = random.below(3);
      trace.push(thread, Op.acquire, lock);
      trace.push(thread, random.oneIn(3) ? Op.write : Op.read, random.below(variables));
      trace.push(thread, Op.release, lock);
    } else {
      const few = random.oneIn(2) ? Math.min(variables, 8) : variables;
      trace.push(thread, ops[random.below(ops.length)], random.below(few));
    }
  }
  return trace;
}

describe('events that tell an analysis nothing new', () => {
  const runs = fuzzRuns(20);
  const timeout = 60_000 + runs * 40;
  const traces = function* () {
    for (let k = FUZZ_SEED; k < FUZZ_SEED + runs; k++)
      yield { origin: `randomTrace(${k})`, batches: batchesOf(MemoryTrace.of(randomTrace(k))) };
    for (let k = FUZZ_SEED; k < FUZZ_SEED + runs / 10; k++)
      yield { origin: `longTrace(${k})`, batches: batchesOf(longTrace(k)) };
  };

  it.each([regiontrack, atomsanitizer, aerodrome])(
    '$name says the same without being shown them',
    { timeout },
    (description) => {
      let left = 0;
      for (const { batches, origin } of traces()) {
        const expected = saidOf(description, batches, false);
        const skimmed = saidOf(description, batches, true);
        expect(skimmed.said, origin).toEqual(expected.said);
        left += expected.shown - skimmed.shown;
      }
      expect(left).toBeGreaterThan(0);
    },
  );
});
