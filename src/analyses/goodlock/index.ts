import type { AnalysisDescription } from '../analysis.ts';
import { GoodLock } from './goodlock.ts';

export const goodlock: AnalysisDescription = {
  name: 'goodlock',
  summary: 'finds locks that threads acquire in orders that may end in a deadlock',
  promise:
    'does not decide serializability; reports every cycle of locks, once, such that different threads, of which no fork, join, barrier or message orders the acquires, hold one lock of it and acquire the next, without a lock in common. May cry wolf: whether some schedule gets there may depend on what the trace does not show. Says so if there is too much to look at (truncated)',
  source:
    'Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs" (SPIN 2000); Agarwal, Wang and Stoller, "Detecting Potential Deadlocks with Static Analysis and Run-Time Monitoring" (PADTAD 2005)',
  predictive: true,
  create: (context) => new GoodLock(context),
};
