import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { printEvents } from './notation.ts';
import { shrink } from './shrink.ts';

/** What is wrong with what an analysis says about a trace; null if nothing is. */
export type Complaint = (events: readonly NamedEvent[]) => string | null;

/** How many random traces a test goes through: TRACKSIDE_FUZZ_RUNS, or as many as usual if that is more. */
export function fuzzRuns(usual: number): number {
  return Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0), usual);
}

/** Whether tests that go through every small trace take the larger scopes: TRACKSIDE_FUZZ_SCOPES=larger, as `fuzz.mjs scopes` sets it. */
export const TAKES_LARGER_SCOPES = process.env.TRACKSIDE_FUZZ_SCOPES === 'larger';

/** Where random traces start: TRACKSIDE_FUZZ_SEED. */
export const FUZZ_SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

/** Throws, with the smallest trace that shows it, if there is a complaint about one of `traces`. */
export function hasNoComplaint(traces: Iterable<readonly NamedEvent[]>, complaintAbout: Complaint): void {
  for (const events of traces) {
    if (safely(complaintAbout, events) === null) continue;
    const smallest = shrink([...events], (candidate) => safely(complaintAbout, candidate) !== null);
    throw new Error(
      `${safely(complaintAbout, smallest)}\non:       ${printEvents(smallest)}\nfound on: ${printEvents(events)}`,
    );
  }
}

/** An analysis that throws is as wrong as one that says something else. */
function safely(complaintAbout: Complaint, events: readonly NamedEvent[]): string | null {
  try {
    return complaintAbout(events);
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.stack : error}`;
  }
}

/** `make(FUZZ_SEED)`, `make(FUZZ_SEED + 1)`, … */
export function* seeded<T>(runs: number, make: (seed: number) => T): Generator<T> {
  for (let k = 0; k < runs; k++) yield make(FUZZ_SEED + k);
}
