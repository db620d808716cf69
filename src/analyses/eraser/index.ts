import type { AnalysisDescription } from '../analysis.ts';
import { Eraser } from './eraser.ts';

export const eraser: AnalysisDescription = {
  name: 'eraser',
  summary: 'finds shared variables that no lock protects at every access',
  promise:
    'does not decide serializability; reports a variable once, when no lock was held at all its accesses since a second thread came to it and one of them writes. May cry wolf: it knows nothing of fork, join, barriers and data handed over. May miss what a thread does while it is the only one',
  source: 'Savage et al., "Eraser: A Dynamic Data Race Detector for Multithreaded Programs" (TOCS 1997), §2',
  predictive: true,
  create: (context) => new Eraser(context),
};
