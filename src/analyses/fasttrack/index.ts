import type { AnalysisDescription } from '../analysis.ts';
import { FastTrack } from './fasttrack.ts';

export const fasttrack: AnalysisDescription = {
  name: 'fasttrack',
  summary:
    'finds data races: accesses that locks, forks, joins, barriers, messages and volatile variables leave unordered',
  promise:
    'does not decide serializability; reports a variable exactly when two of its accesses race in the observed trace, once, at the first access that races with an earlier one',
  source: 'Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection" (PLDI 2009)',
  predictive: true,
  create: (context) => new FastTrack(context),
};
