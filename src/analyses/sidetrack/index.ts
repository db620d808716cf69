import type { AnalysisDescription } from '../analysis.ts';
import { SideTrack } from './sidetrack.ts';

export { type WitnessOrder, witnessOrder, witnessSchedule } from './witness.ts';

export const sidetrack: AnalysisDescription = {
  name: 'sidetrack',
  summary: 'predicts blocks that another schedule would violate, from locks acquired twice in a block',
  promise:
    'does not decide serializability; in a program without data races, whose threads do the same in the other schedule, each block it blames is violated by some schedule; each label is blamed once as before, in and after; it may miss some',
  source: 'SideTrack (Yi, Sadowski, Flanagan, PADTAD 2009), §3, figure 6',
  predictive: true,
  assumes: ['race-freedom'],
  create: (context) => new SideTrack(context),
};
