import { dispatch } from '../analyses/dispatch.ts';
import { regiontrack } from '../analyses/regiontrack/index.ts';
import type { RecordedTrace } from './recorded-trace.ts';
import { scheduledBatch } from './verification.ts';

/** By the begin of each block that the observed schedule itself violates, the event at which it does. */
export function observedViolations(trace: RecordedTrace): Map<number, number> {
  const violated = new Map<number, number>();
  const analysis = regiontrack.create({
    forkJoin: 'edge',
    report: ({ kind, block, event }) => {
      if (kind === 'transaction' && block !== null) violated.set(block.begin, event);
    },
  });
  const all = Array.from({ length: trace.length }, (_, i) => i + 1);
  dispatch(scheduledBatch(trace, all), analysis);
  analysis.finish(trace.length);
  return violated;
}
