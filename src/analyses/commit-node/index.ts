import type { AnalysisDescription } from '../analysis.ts';
import { CommitNode } from './commit-node.ts';
import { ConflictEdges } from './inter-edges.ts';
import { ViewEdges } from './view-edges.ts';

const PAPER =
  'Wang and Stoller, "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs"';

function promise(equivalence: string): string {
  return `misses nothing: if no block is reported, every schedule of the same events that runs to its end is ${equivalence}-equivalent to one in which blocks run one at a time; exact if there are two transactions; may cry wolf where it takes more to tear a block apart`;
}

export const commitNodeConflict: AnalysisDescription = {
  name: 'commit-node-conflict',
  summary:
    'finds blocks that another schedule of the same events could tear apart, by the order of conflicts',
  promise: promise('conflict'),
  source: `${PAPER}, Theorems 4.1 to 4.3`,
  predictive: true,
  assumes: ['no-deadlock'],
  create: (context) => new CommitNode(context, () => new ConflictEdges()),
};

export const commitNodeView: AnalysisDescription = {
  name: 'commit-node-view',
  summary: 'finds blocks that another schedule of the same events could tear apart, by what is read and left',
  promise: promise('view'),
  source: `${PAPER}, Theorems 4.4 to 4.6`,
  predictive: true,
  assumes: ['no-deadlock'],
  create: (context) => new CommitNode(context, () => new ViewEdges()),
};
