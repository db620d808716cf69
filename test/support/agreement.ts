import type { AnalysisDescription, ForkJoin } from '../../src/analyses/analysis.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { transactionsOnCycles } from '../oracle/definitions.ts';
import { type Judgement, judgeOrdered, OrderedTrace } from '../oracle/oracle.ts';
import { allTraces, type Scope } from './exhaustive.ts';
import { printEvents } from './notation.ts';
import { randomTrace } from './random-traces.ts';
import { type RunResult, run } from './run.ts';
import { shrink } from './shrink.ts';

/** What an analysis promises about every well-formed trace, in the terms of the definitions. */
export interface Promised {
  /** `exact`: `serializable` is what the definitions say, and something is reported exactly when it is false. */
  verdict: 'exact' | 'none';
  /** Whether `firstEvent` is the first event at which the trace is not serializable, or that or a later one. */
  firstEvent: 'exact' | 'or-later' | 'none';
  /**
   * Of the blocks it reports as not serializable by themselves: are they all that are, or only such that are? Or does it
   * report all that are, and none that is not on a cycle?
   */
  violated: 'exact' | 'subset' | 'all-and-on-cycles' | 'none';
  /** Against which blocks those are held; nested ones included unless told otherwise. */
  violatedAmong?: 'blocks' | 'transactions';
  /** The meanings of fork and join for which all this holds; `edge` and `boundary` unless told otherwise. */
  forkJoin?: readonly ForkJoin[];
}

/** A trace and what the definitions say about it, worked out once for all analyses that are held against it. */
class JudgedTrace {
  readonly events: readonly NamedEvent[];
  readonly trace: MemoryTrace;
  readonly #ordered: OrderedTrace;
  readonly #judged = new Map<ForkJoin, ReturnType<typeof judgeOrdered>>();

  constructor(events: readonly NamedEvent[]) {
    this.events = events;
    this.trace = MemoryTrace.of(events);
    this.#ordered = new OrderedTrace(events);
  }

  by(forkJoin: ForkJoin): ReturnType<typeof judgeOrdered> {
    let judged = this.#judged.get(forkJoin);
    if (judged === undefined) {
      judged = judgeOrdered(this.#ordered, forkJoin);
      this.#judged.set(forkJoin, judged);
    }
    return judged;
  }
}

/** What the analysis says otherwise than the definitions, or null when it keeps its promise on this trace. */
export function disagreement(
  description: AnalysisDescription,
  promised: Promised,
  events: readonly NamedEvent[],
  forkJoin: ForkJoin = 'edge',
): string | null {
  return complaintAbout(description, promised, new JudgedTrace(events), forkJoin);
}

function complaintAbout(
  description: AnalysisDescription,
  promised: Promised,
  judged: JudgedTrace,
  forkJoin: ForkJoin,
): string | null {
  const { events, trace } = judged;
  const { judgement } = judged.by(forkJoin);
  let result: RunResult;
  try {
    result = run(description, trace, { forkJoin });
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.stack : error}`;
  }
  const complaint =
    complaintAboutVerdict(promised, judgement, result) ??
    complaintAboutEvent(promised, judgement, result, events.length) ??
    complaintAboutBlocks(promised, result, judged, forkJoin);
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
  result: RunResult,
  judged: JudgedTrace,
  forkJoin: ForkJoin,
): string | null {
  const misses = promised.violated === 'exact' || promised.violated === 'all-and-on-cycles';
  if (result.violations.length === 0 && !misses) return null;
  const { names } = judged.trace;
  const { blocks, violated } = judged.by(forkJoin);
  const nameOfAll = new Set(blocks.map(nameOf));
  const blamed = new Set<string>();
  for (const { kind, block } of result.violations) {
    if (block === null) {
      if (kind === 'transaction') return 'it blames a transaction without saying which';
      continue;
    }
    const name = nameOf(block);
    if (!nameOfAll.has(name)) return `it names the block ${name}, which is not there`;
    const begin = judged.events[block.begin - 1];
    if (begin.op === Op.begin && names.labels.text(block.label) !== begin.operand)
      return `it calls the block ${name} by a label that is not its own`;
    if (kind === 'transaction' || promised.violated === 'all-and-on-cycles') blamed.add(name);
  }
  if (promised.violated === 'none') return null;
  const expected = violated
    .filter((block) => promised.violatedAmong !== 'transactions' || block.depth === 0)
    .map(nameOf);
  const wrong = [...blamed].filter((name) => !expected.includes(name));
  if (wrong.length > 0) {
    if (promised.violated !== 'all-and-on-cycles')
      return `it blames the block ${wrong[0]}, which is serializable by itself`;
    const onCycles = transactionsOnCycles(judged.events, forkJoin === 'boundary').map(nameOf);
    const apart = wrong.find((name) => !onCycles.includes(name));
    if (apart !== undefined) return `it names the block ${apart}, which is on no cycle`;
  }
  const missed = expected.filter((name) => !blamed.has(name));
  if (misses && missed.length > 0) return `it does not blame the block ${missed[0]}, which is violated`;
  return null;
}

/** Where forks and joins are boundaries, pieces of nested blocks start at one number and differ in depth. */
function nameOf({ begin, depth }: { begin: number; depth: number }): string {
  return `that begins at ${begin} within ${depth} others`;
}

/** An analysis and what it promises. */
export interface Promising {
  description: AnalysisDescription;
  promised: Promised;
}

interface Given {
  events: readonly NamedEvent[];
  origin: string;
}

/** Throws, with the smallest trace that shows it, if the analysis breaks its promise on one of `traces`. */
export function agreesOn(
  traces: Iterable<Given>,
  description: AnalysisDescription,
  promised: Promised,
  forkJoin: ForkJoin = 'edge',
): void {
  allAgreeOn(traces, [{ description, promised }], [forkJoin]);
}

/** The same for several analyses and meanings of fork and join, so that a trace is made and ordered once for all. */
export function allAgreeOn(
  traces: Iterable<Given>,
  analyses: readonly Promising[],
  modes: readonly ForkJoin[],
): void {
  for (const given of traces) {
    const judged = new JudgedTrace(given.events);
    for (const forkJoin of modes)
      for (const { description, promised } of analyses)
        if (
          modesOf(promised).includes(forkJoin) &&
          complaintAbout(description, promised, judged, forkJoin) !== null
        )
          throw brokenPromise(given, description, promised, forkJoin);
  }
}

function brokenPromise(
  { events, origin }: Given,
  description: AnalysisDescription,
  promised: Promised,
  forkJoin: ForkJoin,
): Error {
  const complaint = (candidate: readonly NamedEvent[]) =>
    disagreement(description, promised, candidate, forkJoin);
  const smallest = shrink([...events], (candidate) => complaint(candidate) !== null);
  return new Error(
    [
      `${description.name} breaks its promise (--fork-join ${forkJoin}, ${origin}):`,
      `  ${printEvents(smallest)}`,
      complaint(smallest),
      `found on: ${printEvents(events)}`,
    ].join('\n'),
  );
}

export function* randomTraces(runs: number, seed: number) {
  for (let k = 0; k < runs; k++) yield { events: randomTrace(seed + k), origin: `randomTrace(${seed + k})` };
}

export function* tracesIn(scope: Scope) {
  for (const events of allTraces(scope)) yield { events, origin: `allTraces(${JSON.stringify(scope)})` };
}

/** The meanings of fork and join for which the promise holds. */
export function modesOf(promised: Promised): readonly ForkJoin[] {
  return promised.forkJoin ?? ['edge', 'boundary'];
}
