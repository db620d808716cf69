import type { AnalysisDescription, ViolationFact } from '../../src/analyses/analysis.ts';
import { Confirmer } from '../../src/confirm/confirm.ts';
import type { Confirmation } from '../../src/confirm/confirmation.ts';
import { RecordedTrace } from '../../src/confirm/recorded-trace.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { run } from '../support/run.ts';

export interface Attempt {
  violation: ViolationFact;
  confirmation: Confirmation;
}

/** What becomes of each violation that an analysis finds in a trace. */
export function attempts(analysis: AnalysisDescription, events: readonly NamedEvent[]): Attempt[] {
  const trace = MemoryTrace.of(events);
  const recorded = new RecordedTrace(events.length);
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  for (const batch of trace.copies()) {
    wellFormedness.check(batch);
    recorded.add(batch);
  }
  const confirmer = new Confirmer(recorded, trace.names);
  return run(analysis, trace).violations.map((violation) => ({
    violation,
    confirmation: confirmer.confirm(violation),
  }));
}
