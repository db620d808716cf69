import type { AnalysisDescription } from '../analysis.ts';
import { CommitNode } from './commit-node.ts';
import { ConflictEdges } from './inter-edges.ts';
import { ViewEdges } from './view-edges.ts';

const promise = (equivalence: string) =>
  `finds every block that another schedule could tear apart, given the same events and assuming that each thread does the same in it; what it passes is atomic in the sense of ${equivalence} equivalence; exact for two transactions, while a report about more may have no schedule that shows it`;

const source =
  'Wang and Stoller, "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs"';

export const commitNodeConflict: AnalysisDescription = {
  name: 'commit-node-conflict',
  summary: 'finds blocks that other schedules could tear apart: conflicts in an order of no serial schedule',
  promise: promise('conflict'),
  source: `${source}, Theorems 4.1 to 4.3`,
  predictive: true,
  assumes: ['race-freedom', 'no-deadlock'],
  create: (context) => new CommitNode(context, () => new ConflictEdges()),
};

export const commitNodeView: AnalysisDescription = {
  name: 'commit-node-view',
  summary: 'finds blocks that other schedules could tear apart: values read or left by no serial schedule',
  promise: promise('view'),
  source: `${source}, Theorems 4.4 to 4.6`,
  predictive: true,
  assumes: ['race-freedom', 'no-deadlock'],
  create: (context) => new CommitNode(context, () => new ViewEdges()),
};
