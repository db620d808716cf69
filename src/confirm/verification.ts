import { dispatch } from '../analyses/dispatch.ts';
import { regiontrack } from '../analyses/regiontrack/index.ts';
import { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import { accessKind, Op } from '../trace/operation.ts';
import { InputProblem } from '../trace/problem.ts';
import { WellFormedness } from '../trace/wellformed.ts';
import type { RecordedTrace } from './recorded-trace.ts';

/** The events of a schedule as a trace. */
export function scheduledBatch(trace: RecordedTrace, events: readonly number[]): EventBatch {
  const batch = new EventBatch(Math.max(events.length, 1));
  for (const event of events)
    batch.push(trace.thread[event], trace.op[event], trace.operand[event], trace.location[event], 0);
  return batch;
}

/** Whether the schedule is a well-formed trace. The search makes no other; this does not take its word for it. */
export function isWellFormed(
  trace: RecordedTrace,
  events: readonly number[],
  names: TraceNames,
): EventBatch | null {
  const batch = scheduledBatch(trace, events);
  try {
    new WellFormedness(names, { lenient: false }).check(batch);
    return batch;
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    return null;
  }
}

/** Whether the schedule is well-formed and the exact checker says that it violates the block. */
export function violates(
  trace: RecordedTrace,
  events: readonly number[],
  begin: number,
  names: TraceNames,
): boolean {
  const batch = isWellFormed(trace, events, names);
  if (batch === null) return false;
  const place = events.indexOf(begin) + 1;
  let isViolated = false;
  const analysis = regiontrack.create({
    forkJoin: 'edge',
    report: ({ kind, block }) => {
      if (kind === 'transaction' && block?.begin === place) isViolated = true;
    },
  });
  dispatch(batch, analysis);
  analysis.finish(batch.length);
  return isViolated;
}

/**
 * The reads of a schedule, but for its last event, that may find another value than in the trace: the last write before
 * them is another, or the updates since then are others. The order of updates makes no difference, as they commute.
 */
export function changedReads(trace: RecordedTrace, events: readonly number[]): number[] {
  let known = observedValues.get(trace);
  if (known === undefined) {
    known = valuesRead(
      trace,
      Array.from({ length: trace.length }, (_, i) => i + 1),
    );
    observedValues.set(trace, known);
  }
  const observed = known;
  const found = valuesRead(trace, events.slice(0, -1));
  return [...found.keys()].filter((read) => found.get(read) !== observed.get(read));
}

/** What the reads of a trace found in it. */
const observedValues = new WeakMap<RecordedTrace, Map<number, string>>();

/** What each read finds when events take place in this order: the same text for the same writes and updates. */
function valuesRead(trace: RecordedTrace, events: readonly number[]): Map<number, string> {
  const found = new Map<number, string>();
  const variables = new Map<number, FoundValue>();
  for (const event of events) {
    const kind = accessKind(trace.op[event]);
    if (kind === Op.skip) continue;
    const variable = trace.operand[event];
    const value = variables.get(variable) ?? { write: 0, updates: 0, first: 0, second: 0 };
    if (kind === Op.read) {
      found.set(event, `${value.write} ${value.updates} ${value.first} ${value.second}`);
    } else if (kind === Op.write) {
      variables.set(variable, { write: event, updates: 0, first: 0, second: 0 });
    } else {
      variables.set(variable, {
        write: value.write,
        updates: value.updates + 1,
        first: value.first ^ mixed(event, 0x9e3779b1),
        second: (value.second + mixed(event, 0x85ebca6b)) | 0,
      });
    }
  }
  return found;
}

/** A write, and the updates since: how many, and two sums over them in which their order makes no difference. */
interface FoundValue {
  write: number;
  updates: number;
  first: number;
  second: number;
}

function mixed(event: number, factor: number): number {
  let hash = Math.imul(event ^ (event >>> 15), factor);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
