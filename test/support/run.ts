import type { AnalysisDescription, ForkJoin, Outcome, ViolationFact } from '../../src/analyses/analysis.ts';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { BoundaryAtForkAndJoin } from '../../src/spec/boundary.ts';
import type { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';

export interface RunResult {
  outcome: Outcome;
  violations: ViolationFact[];
}

/** Runs one analysis over a trace, through the stages every trace goes through; throws if it is not well-formed. */
export function run(
  description: AnalysisDescription,
  trace: MemoryTrace,
  options: { forkJoin?: ForkJoin } = {},
): RunResult {
  const forkJoin = options.forkJoin ?? 'edge';
  const violations: ViolationFact[] = [];
  const created = description.create({ forkJoin, report: (violation) => violations.push(violation) });
  const analysis = forkJoin === 'boundary' ? new BoundaryAtForkAndJoin(created) : created;
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  for (const batch of trace.copies()) {
    wellFormedness.check(batch);
    dispatch(batch, analysis);
  }
  analysis.finish(trace.length);
  return { outcome: analysis.outcome(), violations };
}
