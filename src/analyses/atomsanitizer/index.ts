import type { AnalysisDescription } from '../analysis.ts';
import { FirstCycle } from '../shared/first-cycle.ts';

/**
 * The order of transactions itself, kept up to date at every conflict: see `transaction-order.ts`. Nothing is
 * copied per variable or lock but who accessed it last, and in which transaction.
 */
export const atomsanitizer: AnalysisDescription = {
  name: 'atomsanitizer',
  summary: 'decides whether the trace is serializable, with the least work per event',
  promise:
    'exact verdict on the trace; reports one violation, at the first event that makes the trace non-serializable, and names the transaction that closes the cycle there, which need not be violated itself',
  source: 'Tunç, Dong, Pavlogiannis, "Fast Atomicity Monitoring" (arXiv 2604.11369)',
  create: (context) => new FirstCycle('transaction', context),
};
