import type { AnalysisDescription } from '../analysis.ts';
import { Reduction } from './reduction.ts';

export const reduction: AnalysisDescription = {
  name: 'reduction',
  summary:
    'finds transactions that need not be atomic in every schedule, because their steps do not all move together',
  promise:
    'does not decide serializability of the observed trace; if it reports nothing and no schedule deadlocks, every schedule of the same events is conflict-serializable. May cry wolf: a transaction that is reported may be atomic all the same. Reports each such transaction once, when the trace is over, with its commit point and the step that comes too late',
  source:
    'Wang and Stoller, "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs" (2005), §6.1',
  predictive: true,
  assumes: ['no-deadlock'],
  create: (context) => new Reduction(context),
};
