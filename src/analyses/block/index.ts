import type { AnalysisDescription } from '../analysis.ts';
import { BlockBased } from './block.ts';

export const block: AnalysisDescription = {
  name: 'block',
  summary:
    'finds pairs of transactions that another schedule could interleave so that no serial order explains it',
  promise:
    'does not decide serializability of the observed trace; reports a pattern if two transactions alone have a schedule that is not view-serializable, and misses none for two, unless it says that it stopped at its limit. May cry wolf where schedules deadlock or sections of locks do not nest, or where other transactions repair what two broke; knows nothing of what takes three. Reports once for each label, variables, operations and locks, when the trace is over',
  source:
    'Wang and Stoller, "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs" (2005), §6.2',
  predictive: true,
  assumes: ['no-deadlock'],
  create: (context) => new BlockBased(context),
};
