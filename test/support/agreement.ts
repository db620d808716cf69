import { describe, it } from 'vitest';
import type { AnalysisDescription, ForkJoin } from '../../src/analyses/analysis.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import type { TraceNames } from '../../src/trace/names.ts';
import { Op } from '../../src/trace/operation.ts';
import { blocksOf, type Judgement, judge, violatedBlocksOf } from '../oracle/oracle.ts';
import { examples } from './examples.ts';
import { allTraces, type Scope } from './exhaustive.ts';
import { print, printEvents } from './notation.ts';
import { randomTrace } from './random-traces.ts';
import { type RunResult, run } from './run.ts';
import { shrink } from './shrink.ts';

/** What an analysis promises about every well-formed trace, in the terms of the definitions. */
export interface Promised {
  /** `exact`: `serializable` is what the definitions say, and something is reported exactly when it is false. */
  verdict: 'exact' | 'none';
  /** Whether `firstEvent` is the first event at which the trace is not serializable, or that or a later one. */
  firstEvent: 'exact' | 'or-later' | 'none';
  /** Of the blocks it reports as not serializable by themselves: are they all that are, or only such that are? */
  violated: 'exact' | 'subset' | 'none';
  /** Against which blocks those are held; nested ones included unless told otherwise. */
  violatedAmong?: 'blocks' | 'transactions';
  /** The meanings of fork and join for which all this holds; `edge` and `boundary` unless told otherwise. */
  forkJoin?: readonly ForkJoin[];
}

/** What the analysis says otherwise than the definitions, or null when it keeps its promise on this trace. */
export function disagreement(
  description: AnalysisDescription,
  promised: Promised,
  events: readonly NamedEvent[],
  forkJoin: ForkJoin = 'edge',
): string | null {
  const judgement = judge(events, { forkJoin });
  const trace = MemoryTrace.of(events);
  let result: RunResult;
  try {
    result = run(description, trace, { forkJoin });
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.stack : error}`;
  }
  const complaint =
    complaintAboutVerdict(promised, judgement, result) ??
    complaintAboutEvent(promised, judgement, result, events.length) ??
    complaintAboutBlocks(promised, forkJoin, result, events, trace.names);
  if (complaint === null) return null;
  return [
    complaint,
    `the definitions say: ${JSON.stringify(judgement)}`,
    `${description.name} says: ${JSON.stringify(result.outcome)}`,
    ...result.violations.map((violation) => `  and reports ${JSON.stringify(violation)}`),
  ].join('\n');
}

function complaintAboutVerdict(promised: Promised, judgement: Judgement, result: RunResult): string | null {
  if (promised.verdict === 'none' || judgement.serializable === null) return null;
  const { serializable } = result.outcome;
  if (serializable !== judgement.serializable)
    return `serializable should be ${judgement.serializable} and is ${serializable}`;
  if (serializable && result.violations.length > 0) return 'it reports violations of a serializable trace';
  if (!serializable && result.violations.length === 0)
    return 'it reports no violation of a trace that has one';
  return null;
}

function complaintAboutEvent(
  promised: Promised,
  judgement: Judgement,
  result: RunResult,
  lastEvent: number,
): string | null {
  if (promised.firstEvent === 'none' || judgement.serializable === null) return null;
  const expected = judgement.firstEvent;
  const actual = result.outcome.firstEvent;
  if (promised.firstEvent === 'exact' || expected === null || actual === null) {
    if (actual !== expected) return `firstEvent should be ${expected} and is ${actual}`;
  } else if (actual < expected || actual > lastEvent) {
    return `firstEvent should be from ${expected} to ${lastEvent} and is ${actual}`;
  }
  if (expected === null) return null;
  const misplaced = result.violations.find(({ event }) => event < expected || event > lastEvent);
  return misplaced === undefined
    ? null
    : `it reports a violation at ${misplaced.event}, where there can be none`;
}

function complaintAboutBlocks(
  promised: Promised,
  forkJoin: ForkJoin,
  result: RunResult,
  events: readonly NamedEvent[],
  names: TraceNames,
): string | null {
  if (result.violations.length === 0 && promised.violated !== 'exact') return null;
  const existing = new Set(blocksOf(events, forkJoin).map(nameOf));
  const blamed = new Set<string>();
  for (const { kind, block } of result.violations) {
    if (block === null) {
      if (kind === 'transaction') return 'it blames a transaction without saying which';
      continue;
    }
    const name = nameOf(block);
    if (!existing.has(name)) return `it names the block ${name}, which is not there`;
    const begin = events[block.begin - 1];
    if (begin.op === Op.begin && names.labels.text(block.label) !== begin.operand)
      return `it calls the block ${name} by a label that is not its own`;
    if (kind === 'transaction') blamed.add(name);
  }
  if (promised.violated === 'none') return null;
  const violated = violatedBlocksOf(events, forkJoin)
    .filter((block) => promised.violatedAmong !== 'transactions' || block.depth === 0)
    .map(nameOf);
  for (const name of blamed)
    if (!violated.includes(name)) return `it blames the block ${name}, which is serializable by itself`;
  const missed = violated.filter((name) => !blamed.has(name));
  if (promised.violated === 'exact' && missed.length > 0)
    return `it does not blame the block ${missed[0]}, which is violated`;
  return null;
}

/** Where forks and joins are boundaries, pieces of nested blocks start at one number and differ in depth. */
function nameOf({ begin, depth }: { begin: number; depth: number }): string {
  return `that begins at ${begin} within ${depth} others`;
}

/** Throws, with the smallest trace that shows it, if the analysis breaks its promise on one of `traces`. */
export function agreesOn(
  traces: Iterable<{ events: readonly NamedEvent[]; origin: string }>,
  description: AnalysisDescription,
  promised: Promised,
  forkJoin: ForkJoin = 'edge',
): void {
  const complaint = (candidate: readonly NamedEvent[]) =>
    disagreement(description, promised, candidate, forkJoin);
  for (const { events, origin } of traces) {
    if (complaint(events) === null) continue;
    const smallest = shrink([...events], (candidate) => complaint(candidate) !== null);
    throw new Error(
      [
        `${description.name} breaks its promise (--fork-join ${forkJoin}, ${origin}):`,
        `  ${printEvents(smallest)}`,
        complaint(smallest),
        `found on: ${printEvents(events)}`,
      ].join('\n'),
    );
  }
}

export function* randomTraces(runs: number, seed: number) {
  for (let k = 0; k < runs; k++) yield { events: randomTrace(seed + k), origin: `randomTrace(${seed + k})` };
}

export function* tracesIn(scope: Scope) {
  for (const events of allTraces(scope)) yield { events, origin: `allTraces(${JSON.stringify(scope)})` };
}

/** Gone through in seconds, and enough for every kind of conflict, nesting and open end. */
const SMALL_SCOPES: readonly Scope[] = [
  { events: 6, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 5, threads: 2, variables: 1, accesses: [Op.write, Op.update] },
  { events: 6, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 6, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  { events: 7, threads: 2, variables: 0, locks: 1 },
  { events: 4, threads: 2, variables: 1, locks: 1, depth: 2, forkJoin: true },
];

/** For long runs. */
const LARGER_SCOPES: readonly Scope[] = [
  { events: 7, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 6, threads: 2, variables: 2, accesses: [Op.write, Op.update] },
  { events: 7, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 9, threads: 2, variables: 1, accesses: [Op.write] },
  { events: 5, threads: 2, variables: 1, locks: 1, depth: 2, forkJoin: true },
];

const LONG_RUNS = Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);
const USUAL_RUNS = 600;

/**
 * Defines the tests that hold an analysis against the definitions: on the examples, on every small trace and
 * on random ones. TRACKSIDE_FUZZ_RUNS sets how many random ones, TRACKSIDE_FUZZ_SEED where they start.
 */
export function describeAgreement(description: AnalysisDescription, promised: Promised): void {
  const runs = Math.max(LONG_RUNS, USUAL_RUNS);
  const timeout = 180_000 + runs * 5;
  describe.each(promised.forkJoin ?? (['edge', 'boundary'] as const))(
    `${description.name} and the definitions, --fork-join %s`,
    (forkJoin) => {
      it.each(examples())('agree on $name', ({ name, trace }) => {
        agreesOn(
          [{ events: [...trace.events()], origin: `${name}: ${print(trace)}` }],
          description,
          promised,
          forkJoin,
        );
      });

      it('agree on every small trace', { timeout }, () => {
        // Without forks and joins it makes no difference what they mean.
        for (const scope of LONG_RUNS > 0 ? LARGER_SCOPES : SMALL_SCOPES)
          if (forkJoin === 'edge' || scope.forkJoin === true)
            agreesOn(tracesIn(scope), description, promised, forkJoin);
      });

      it(`agree on ${runs} random traces from seed ${SEED}`, { timeout }, () => {
        agreesOn(randomTraces(runs, SEED), description, promised, forkJoin);
      });
    },
  );
}
