import type { Analysis, ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import { dispatch } from '../analyses/dispatch.ts';
import { regiontrack } from '../analyses/regiontrack/index.ts';
import { BoundaryAtForkAndJoin } from '../spec/boundary.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, namedLocation } from '../trace/location.ts';
import { MemoryTrace } from '../trace/memory-trace.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { InputProblem } from '../trace/problem.ts';
import { WellFormedness } from '../trace/wellformed.ts';
import type { Neighbourhoods, Unit } from './neighbourhood.ts';
import type { SeenEvent, Subtrace, Witness } from './witness.ts';

/** So many events are looked at while one sub-trace is made smaller. */
const MOST_STEPS = 2_000_000;
/** Names that are longer together make no trace that could be mailed. */
const MOST_BYTES = 100_000;

/**
 * The smallest part of a trace that shows what a witness shows, found by leaving out what can be left out (delta
 * debugging) and asking the exact checker each time; null if there is none that is short enough.
 *
 * It starts from the witness and not from the whole trace: two events that conflict do so whatever lies between
 * them, so that the events of a cycle, with the blocks and sections that they are in, are a violation by themselves.
 */
export function smallestSubtrace(
  witness: Witness,
  neighbourhoods: Neighbourhoods,
  names: TraceNames,
  forkJoin: ForkJoin,
): Subtrace | null {
  // A cycle of transactions knows no families.
  const meaning = !witness.increasing && forkJoin === 'family' ? 'edge' : forkJoin;
  let steps = 0;
  const attempt = (units: readonly Unit[]): Shown | null => {
    const chosen = neighbourhoods.closed(units.flatMap(({ events }) => events));
    steps += chosen.length;
    return shown(chosen, witness, names, meaning);
  };
  let units = neighbourhoods.unitsOf(witness);
  if (bytesOf(units, names) > MOST_BYTES) return null;
  let best = attempt(units);
  if (best === null) return null;
  for (let size = Math.ceil(units.length / 2), changed = false; ; ) {
    for (let i = units.length; i > 0 && steps < MOST_STEPS; i -= size) {
      const dropped = units.slice(Math.max(0, i - size), i);
      if (dropped.some(({ isNeeded }) => isNeeded)) continue;
      const rest = units.filter((unit) => !dropped.includes(unit));
      const smaller = attempt(rest);
      if (smaller === null) continue;
      units = rest;
      best = smaller;
      changed = true;
    }
    if (steps >= MOST_STEPS) return { ...best, minimal: false };
    // One by one until nothing can be left out: leaving out one may be what makes another superfluous.
    if (size === 1 && !changed) return { ...best, minimal: true };
    size = Math.ceil(size / 2);
    changed = false;
  }
}

type Shown = Omit<Subtrace, 'minimal'>;

/** The events as a trace of their own, if it is well-formed and the exact checker finds the violation in it. */
function shown(
  chosen: readonly SeenEvent[],
  { increasing, block }: Witness,
  names: TraceNames,
  forkJoin: ForkJoin,
): Shown | null {
  const trace = traceOf(chosen, names);
  const begin = chosen.findIndex(({ event }) => event === block.begin) + 1;
  const found: ViolationFact[] = [];
  const analysis = checkerFor(forkJoin, (violation) => found.push(violation));
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  try {
    for (const batch of trace.copies()) {
      wellFormedness.check(batch);
      dispatch(batch, analysis);
    }
  } catch (error) {
    if (error instanceof InputProblem) return null;
    throw error;
  }
  analysis.finish(trace.length);
  const violated = found.find(({ kind, block }) => kind === 'transaction' && block?.begin === begin);
  const event = increasing ? violated?.event : analysis.outcome().firstEvent;
  return event == null ? null : { events: chosen.map((seen) => seen.event), trace, event };
}

function checkerFor(forkJoin: ForkJoin, report: (violation: ViolationFact) => void): Analysis {
  const analysis = regiontrack.create({ forkJoin, report });
  return forkJoin === 'boundary' ? new BoundaryAtForkAndJoin(analysis) : analysis;
}

/** With names of its own: those of a large trace are many, and each check makes room for all. */
function traceOf(chosen: readonly SeenEvent[], names: TraceNames): MemoryTrace {
  const trace = new MemoryTrace();
  const copied = (from: NameTable, to: NameTable, id: number) => to.intern(from.bytes(id));
  for (const { thread, op, operand, location } of chosen) {
    const place =
      location === NO_LOCATION || isNumericLocation(location)
        ? location
        : namedLocation(copied(names.locations, trace.names.locations, locationNameId(location)));
    trace.push(
      copied(names.threads, trace.names.threads, thread),
      op,
      copied(names.operandTable(op), trace.names.operandTable(op), operand),
      place,
    );
  }
  return trace;
}

function bytesOf(units: readonly Unit[], names: TraceNames): number {
  let bytes = 0;
  for (const { events } of units) {
    for (const { thread, op, operand, location } of events) {
      bytes += names.threads.byteLength(thread) + names.operandTable(op).byteLength(operand);
      if (location !== NO_LOCATION && !isNumericLocation(location))
        bytes += names.locations.byteLength(locationNameId(location));
    }
  }
  return bytes;
}
