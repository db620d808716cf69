import type { Analysis, AnalysisContext, AnalysisDescription } from '../analysis.ts';
import { FirstCycle } from '../shared/first-cycle.ts';
import { RegionTrack } from './regiontrack.ts';

export const regiontrack: AnalysisDescription = {
  name: 'regiontrack',
  summary: 'finds exactly the blocks that are not serializable by themselves, and the verdict on the trace',
  promise:
    'exact verdict and first event; reports every violated block, nested ones included, and no other, each at the event that refutes it; and once, blaming no block, a trace that is not serializable at an event that refutes none; with families, exactly the blocks whose families are violated',
  source: 'RegionTrack (Ma et al., TOSEM 2020), §4, Algorithms 1, 3 and 4',
  create: (context) => new RegionTrack(context),
};

/** RegionTrack's trace-only mode (§5.1, RT-trace): the verdict and the first event, and no blame. */
export function createTraceOnly(context: AnalysisContext): Analysis {
  return new FirstCycle('transaction', {
    ...context,
    report: ({ kind, event, thread }) => context.report({ kind, event, thread, block: null }),
  });
}
