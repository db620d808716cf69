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
 * The reads of a schedule, but for its last event, that may find another value than in the trace: the last write
 * before them is another, or the updates since then are others or in another order.
 */
export function changedReads(trace: RecordedTrace, events: readonly number[]): number[] {
  const last = new Map<number, number>();
  /** The updates that found something else, and all that came after them. */
  const changed = new Set<number>();
  const reads: number[] = [];
  const end = events.length - 1;
  for (let i = 0; i < end; i++) {
    const event = events[i];
    const kind = accessKind(trace.op[event]);
    const variable = trace.operand[event];
    if (kind === Op.skip) continue;
    const before = last.get(variable) ?? 0;
    if (kind !== Op.write && (before !== trace.writer[event] || changed.has(before))) {
      if (kind === Op.read) reads.push(event);
      else changed.add(event);
    }
    if (kind !== Op.read) last.set(variable, event);
  }
  return reads;
}
