import type { AnalysisDescription } from '../analysis.ts';
import { DoubleChecker } from './doublechecker.ts';

export const doublechecker: AnalysisDescription = {
  name: 'doublechecker',
  summary: 'coarse conflicts first, then a precise replay of the transactions that they tie together',
  promise:
    'exact verdict on the trace, once it has ended; reports the transactions that complete a cycle: all that are violated, and some that are serializable by themselves',
  source: 'DoubleChecker (PLDI 2014), as described in RegionTrack (TOSEM 2020), §3 and §5.3',
  create: (context) => new DoubleChecker(context),
};
