import type { AnalysisDescription } from '../analysis.ts';
import { Velodrome, type VelodromeOptions } from './velodrome.ts';

const USUAL: VelodromeOptions = { merging: true, compactAbove: 1024 };

/** Velodrome with other options than usual: to measure what merging saves, or to test compaction. */
export function velodromeWith(options: Partial<VelodromeOptions>): AnalysisDescription {
  return {
    name: 'velodrome',
    summary:
      'the graph of transactions, with garbage collection; blames a transaction when the cycle proves it',
    promise:
      'exact verdict on the trace, at the first event that proves it; every block it blames is violated, nested ones included, but it may miss some',
    source: 'Velodrome (PLDI 2008), §3 and §4, Figure 4',
    create: (context) => new Velodrome(context, { ...USUAL, ...options }),
  };
}

export const velodrome: AnalysisDescription = velodromeWith({});
