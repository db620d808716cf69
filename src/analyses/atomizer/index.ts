import type { AnalysisDescription } from '../analysis.ts';
import { Atomizer } from './atomizer.ts';

export const atomizer: AnalysisDescription = {
  name: 'atomizer',
  summary:
    'finds blocks that need not be atomic in every schedule, by locksets and reduction, while they run',
  promise:
    'does not decide serializability; reports each block, nested ones included, at the first step that comes after its commit point and should have come before. May cry wolf: it knows no order by fork, join, barrier and message, and a reported block may be atomic all the same. May miss what happens before it knows that threads share a variable or a lock',
  source:
    'Flanagan and Freund, "Atomizer: A Dynamic Atomicity Checker for Multithreaded Programs" (POPL 2004)',
  predictive: true,
  assumes: ['no-deadlock'],
  create: (context) => new Atomizer(context),
};
