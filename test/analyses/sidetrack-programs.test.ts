import { describe, expect, it } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import { sidetrack, witnessOrder, witnessSchedule } from '../../src/analyses/sidetrack/index.ts';
import type { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { figure6 } from '../oracle/figure6.ts';
import { violatedBlocksOf } from '../oracle/oracle.ts';
import { isGuarded, Schedules } from '../oracle/schedules.ts';
import { FUZZ_SEED, fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { guardedTrace } from '../support/guarded-programs.ts';
import { printEvents } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { firstProblem } from '../support/well-formed.ts';

/* SideTrack never cries wolf: whatever it predicts, some other schedule of the program shows. */

const SEED = FUZZ_SEED;
const RUNS = fuzzRuns(800);
const timeout = 180_000 + RUNS * 5;

/** What is wrong with a schedule that is to show the prediction: the numbers of its events; or null. */
function complaintAboutWitness(
  schedule: readonly number[],
  events: readonly NamedEvent[],
  { block }: ViolationFact,
  forkJoin: ForkJoin,
): string | null {
  const witness = schedule.map((event) => events[event - 1]);
  const problem = firstProblem(witness);
  if (problem !== null) return `the witness ${printEvents(witness)} is not well-formed: ${problem}`;
  const isViolated = violatedBlocksOf(witness, forkJoin).some(
    ({ begin, depth }) => schedule[begin - 1] === block!.begin && depth === block!.depth,
  );
  return isViolated ? null : `the witness ${printEvents(witness)} does not violate the block`;
}

/** Whether each thread does in the schedule what it does in the trace, as far as it goes. */
function keepsThreads(schedule: readonly number[], events: readonly NamedEvent[]): boolean {
  const threads = new Set(events.map(({ thread }) => thread));
  return [...threads].every((thread) => {
    const own = schedule.filter((event) => events[event - 1].thread === thread);
    const observed = events.flatMap((event, i) => (event.thread === thread ? [i + 1] : []));
    return own.every((event, i) => event === observed[i]);
  });
}

/** The batches as an analysis is shown them. */
function* shownBatches(observed: MemoryTrace): Generator<EventBatch> {
  const wellFormedness = new WellFormedness(observed.names, { lenient: false });
  for (const batch of observed.copies()) {
    wellFormedness.check(batch);
    yield batch;
  }
}

/** What is wrong with one of the predictions for a trace of a guarded program, or null if all are true. */
function wolf(
  events: readonly NamedEvent[],
  predictions: ViolationFact[],
  forkJoin: ForkJoin,
): string | null {
  if (predictions.length === 0) return null;
  const observed = MemoryTrace.of(events);
  const schedules = new Schedules(events);
  for (const prediction of predictions) {
    const complaint = complaintAbout(prediction, observed, events, schedules, forkJoin);
    if (complaint !== null) return `${complaint}\n${JSON.stringify(prediction)}`;
  }
  return null;
}

function complaintAbout(
  prediction: ViolationFact,
  observed: MemoryTrace,
  events: readonly NamedEvent[],
  schedules: Schedules,
  forkJoin: ForkJoin,
): string | null {
  const order = witnessOrder(prediction);
  if (order === null) return 'it does not say what the witness looks like';
  // Where forks and joins cut blocks, only the constructed witness is looked at.
  if (forkJoin === 'edge') {
    const lock = events[order.firstAcquire - 1].operand;
    const found = schedules.find({ block: prediction.block!.begin, lock });
    if (found === null) return 'no feasible schedule violates the block';
    const complaint = complaintAboutWitness(found, events, prediction, forkJoin);
    if (complaint !== null) return complaint;
  }
  const built = witnessSchedule(() => shownBatches(observed), order);
  if (built === null) return 'no witness could be built';
  if (!keepsThreads(built, events)) return 'a thread does something else in the witness';
  const { firstAcquire, firstRelease, culpritAcquire, culpritRelease, secondAcquire } = order;
  const places = [firstAcquire, firstRelease, culpritAcquire, culpritRelease, secondAcquire].map((event) =>
    built.indexOf(event),
  );
  if (places.some((place, i) => place < 0 || (i > 0 && place < places[i - 1])))
    return 'the witness does not have the order that it should have';
  return complaintAboutWitness(built, events, prediction, forkJoin);
}

/** Throws, with the smallest trace that shows it, if something untrue is predicted for one of the traces. */
function criesNoWolf(
  traces: Iterable<{ events: readonly NamedEvent[]; origin: string }>,
  forkJoin: ForkJoin = 'edge',
): number {
  const predictionsFor = (events: readonly NamedEvent[]) =>
    run(sidetrack, MemoryTrace.of(events), { forkJoin }).violations;
  const complaint = (events: readonly NamedEvent[]) => wolf(events, predictionsFor(events), forkJoin);
  let count = 0;
  for (const { events, origin } of traces) {
    const predictions = predictionsFor(events);
    count += predictions.length;
    if (wolf(events, predictions, forkJoin) === null) continue;
    const smallest = shrink([...events], (other) => isGuarded(other) && complaint(other) !== null);
    throw new Error(
      `${origin} (--fork-join ${forkJoin})\n  ${printEvents(smallest)}\n${complaint(smallest)}`,
    );
  }
  return count;
}

function* guardedTraces(runs: number) {
  for (let k = 0; k < runs; k++)
    yield { events: guardedTrace(SEED + k), origin: `guardedTrace(${SEED + k})` };
}

function* tracesIn(scope: Scope) {
  for (const events of allTraces(scope)) {
    // Only its last event can be new in what is predicted, if it is one on a lock.
    const { op } = events[events.length - 1];
    if (op === Op.acquire || op === Op.release) yield { events, origin: JSON.stringify(scope) };
  }
}

const SMALL_SCOPES: readonly Scope[] = [
  { events: 7, threads: 2, variables: 0, locks: 1 },
  { events: 6, threads: 2, variables: 0, locks: 1, depth: 2 },
  { events: 7, threads: 2, variables: 0, locks: 1, forkJoin: true },
];

/** For long runs. */
const LARGER_SCOPES: readonly Scope[] = [
  { events: 10, threads: 2, variables: 0, locks: 1 },
  { events: 8, threads: 3, variables: 0, locks: 1, depth: 2 },
  { events: 8, threads: 2, variables: 0, locks: 2 },
  { events: 8, threads: 2, variables: 0, locks: 1, forkJoin: true },
];

describe('SideTrack never cries wolf', () => {
  it(`on ${RUNS} random programs from seed ${SEED}`, { timeout }, () => {
    const predictions = criesNoWolf(guardedTraces(RUNS));
    expect(predictions).toBeGreaterThan(RUNS / 10);
  });

  it('on random programs where forks and joins are boundaries', { timeout }, () => {
    expect(criesNoWolf(guardedTraces(RUNS / 4), 'boundary')).toBeGreaterThan(0);
  });

  it('on every small trace', { timeout: 3_600_000 }, () => {
    for (const scope of TAKES_LARGER_SCOPES ? LARGER_SCOPES : SMALL_SCOPES) criesNoWolf(tracesIn(scope));
  });
});

describe('SideTrack and the rules of figure 6', () => {
  /**
   * Whether nothing is acquired or joined while a lock is held, blocks do not nest, locks are given back, and there
   * is no barrier, message or volatile access, of which the figure knows nothing.
   */
  function isPlain(events: readonly NamedEvent[]): boolean {
    const held = new Map<string, string>();
    const open = new Set<string>();
    for (const { thread, op, operand } of events) {
      if (op === Op.acquire || op === Op.join) if (held.has(thread)) return false;
      if (op === Op.arrive || op >= Op.volatileRead) return false;
      if (op === Op.acquire) held.set(thread, operand);
      if (op === Op.release) held.delete(thread);
      if (op === Op.begin && open.has(thread)) return false;
      if (op === Op.begin) open.add(thread);
      if (op === Op.end) open.delete(thread);
    }
    return held.size === 0;
  }

  it('agree on what happens after the window, and it finds no less in and before it', { timeout }, () => {
    let plain = 0;
    hasNoComplaint(seeded(RUNS, guardedTrace), (events) => {
      // What is left of a trace that is made smaller has to be one of a program, too.
      if (!isPlain(events) || !isGuarded(events)) return null;
      plain++;
      const observed = MemoryTrace.of(events);
      const found = run(sidetrack, observed).violations.map(
        ({ kind, block }) => `${kind} ${observed.names.labels.text(block!.label)}`,
      );
      const errors = [...figure6(events)];
      expect(found).toEqual(expect.arrayContaining(errors));
      const after = (error: string) => error.startsWith('after');
      expect(found.filter(after).sort()).toEqual(errors.filter(after).sort());
      return null;
    });
    expect(plain).toBeGreaterThan(RUNS / 10);
  });
});
