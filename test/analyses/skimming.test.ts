import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../src/analyses/aerodrome/index.ts';
import type { AnalysisDescription, Outcome, ViolationFact } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { BATCH_CAPACITY, EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { judge } from '../oracle/oracle.ts';
import { FUZZ_SEED, fuzzRuns, hasNoComplaint, seeded } from '../support/comparing.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { together } from '../support/together.ts';

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

interface Said {
  violations: ViolationFact[];
  outcome: Outcome;
  /** How many events were left to its handlers. */
  shown: number;
}

function saidOf(description: AnalysisDescription, batches: readonly EventBatch[], isSkimming: boolean): Said {
  const violations: ViolationFact[] = [];
  const analysis = description.create({
    forkJoin: 'edge',
    report: (violation) => violations.push(violation),
  });
  let shown = 0;
  const { skim } = analysis;
  // Without this, it is shown every event: the reference.
  if (!isSkimming) Object.defineProperty(analysis, 'takeIn', { value: undefined });
  for (const batch of batches) {
    analysis.skim = (from) => {
      const next = skim!.call(analysis, from);
      if (next < batch.length) shown++;
      return next;
    };
    dispatch(batch, analysis);
  }
  analysis.finish(batches.reduce((events, batch) => events + batch.length, 0));
  return { violations, outcome: analysis.outcome(), shown };
}

/** Those who come after many at once count as one, if they are shown at all. */
function comparable({ violations, outcome }: Said): string {
  const { joins, ...counted } = outcome.statistics;
  return JSON.stringify({ violations, outcome: { ...outcome, statistics: counted } });
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

const SKIMMING = [regiontrack, atomsanitizer, aerodrome];

describe('events that tell an analysis nothing new', () => {
  const runs = fuzzRuns(200) / 10;
  const timeout = 60_000 + runs * 400;
  function* traces() {
    yield* seeded(runs, randomTrace);
    for (const trace of seeded(runs / 10, longTrace)) yield [...trace.events()];
  }

  it.each(SKIMMING)(
    '$name says the same of random traces without being shown them',
    { timeout },
    (description) => {
      let [all, shown] = [0, 0];
      hasNoComplaint(traces(), (events) => {
        const batches = batchesOf(MemoryTrace.of(events));
        const skimmed = saidOf(description, batches, true);
        all += events.length;
        shown += skimmed.shown;
        const [actual, expected] = [skimmed, saidOf(description, batches, false)].map(comparable);
        return actual === expected ? null : `it says ${actual}\nand plainly ${expected}`;
      });
      expect(shown).toBeLessThan(all / 2);
    },
  );
});

describe('many random traces in one, as compiled code sees them', () => {
  const runs = fuzzRuns(400);
  const timeout = 60_000 + runs * 10;

  /** From 2 to 25 random traces, each of them once; `cut` says up to where each of them goes. */
  function* groups(cut: (events: readonly NamedEvent[], isLast: boolean) => readonly NamedEvent[]) {
    const random = new Random(FUZZ_SEED);
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + runs; ) {
      const size = random.between(2, 25);
      const parts = Array.from({ length: size }, (_, k) => cut(randomTrace(seed + k), k === size - 1));
      yield together(parts, random);
      seed += size;
    }
  }

  /** Throws, with a small trace, if there is a complaint; and if more than half of the events are shown to the analysis. */
  function holdsOn(
    description: AnalysisDescription,
    traces: Iterable<readonly NamedEvent[]>,
    complaintAbout: (said: Said, events: readonly NamedEvent[]) => string | null,
  ): void {
    let [all, shown] = [0, 0];
    hasNoComplaint(traces, (events) => {
      const said = saidOf(description, batchesOf(MemoryTrace.of(events)), true);
      all += events.length;
      shown += said.shown;
      return complaintAbout(said, events);
    });
    expect(shown).toBeLessThan(all / 2);
  }

  it(`regiontrack finds the violated blocks of all (${runs} traces)`, { timeout }, () => {
    const ascending = (list: number[]) => JSON.stringify(list.sort((a, b) => a - b));
    holdsOn(
      regiontrack,
      groups((trace) => trace),
      ({ violations, outcome }, events) => {
        const { violatedBlocks, firstEvent } = judge(events);
        const found = ascending(violations.flatMap(({ block }) => (block === null ? [] : [block.begin])));
        if (found !== ascending(violatedBlocks)) return `${violatedBlocks} are violated, found are ${found}`;
        return outcome.firstEvent === firstEvent
          ? null
          : `the first event is ${firstEvent}, not ${outcome.firstEvent}`;
      },
    );
  });

  it.each([atomsanitizer, aerodrome])(
    `$name finds the first cycle (${runs} traces)`,
    { timeout },
    (description) => {
      // All but the last end before the event that closes their first cycle.
      const cut = (events: readonly NamedEvent[], isLast: boolean) =>
        isLast ? events : events.slice(0, (judge(events).firstEvent ?? Number.POSITIVE_INFINITY) - 1);
      holdsOn(description, groups(cut), ({ outcome }, events) => {
        const { firstEvent } = judge(events);
        const isRight =
          description === atomsanitizer || firstEvent === null || outcome.firstEvent === null
            ? outcome.firstEvent === firstEvent
            : outcome.firstEvent >= firstEvent;
        return isRight ? null : `the first event is ${firstEvent}, not ${outcome.firstEvent}`;
      });
    },
  );
});
