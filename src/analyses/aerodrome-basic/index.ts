import type { AnalysisDescription } from '../analysis.ts';
import { AeroDromeBasic } from './aerodrome-basic.ts';

export const aerodromeBasic: AnalysisDescription = {
  name: 'aerodrome-basic',
  summary:
    'vector clocks for every variable and thread, as plainly as published; slow, the reference for others',
  promise:
    'exact verdict on the trace; reports one violation, at the first event that proves it or later, and names the transaction in whose check it fell, which need not be violated itself',
  source: 'AeroDrome (ASPLOS 2020), Algorithm 1',
  create: (context) => new AeroDromeBasic(context),
};
