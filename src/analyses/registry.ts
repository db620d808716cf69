import { InputProblem } from '../trace/problem.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { aerodrome } from './aerodrome/index.ts';
import { aerodromeBasic } from './aerodrome-basic/index.ts';
import type { AnalysisDescription, ForkJoin } from './analysis.ts';
import { atomizer } from './atomizer/index.ts';
import { atomsanitizer } from './atomsanitizer/index.ts';
import { block } from './block/index.ts';
import { commitNodeConflict, commitNodeView } from './commit-node/index.ts';
import { count } from './count/index.ts';
import { doublechecker } from './doublechecker/index.ts';
import { empty } from './empty/index.ts';
import { eraser } from './eraser/index.ts';
import { fasttrack } from './fasttrack/index.ts';
import { goodlock } from './goodlock/index.ts';
import { reduction } from './reduction/index.ts';
import { regiontrack } from './regiontrack/index.ts';
import { sidetrack } from './sidetrack/index.ts';
import { velodrome } from './velodrome/index.ts';

/** Every analysis, in the order in which `trackside analyses` lists them. Adding one is one line here. */
export const ANALYSES: readonly AnalysisDescription[] = [
  regiontrack,
  atomsanitizer,
  aerodrome,
  aerodromeBasic,
  velodrome,
  doublechecker,
  fasttrack,
  eraser,
  goodlock,
  sidetrack,
  commitNodeConflict,
  commitNodeView,
  reduction,
  atomizer,
  block,
  count,
  empty,
];

/** The two that find nothing: what reading costs, and what is in a trace. `all` does not include them. */
const MEASURING: ReadonlySet<string> = new Set(['empty', 'count']);

/** Those that know families of threads (SEMANTICS: `--fork-join family`), or to which they make no difference. */
const FAMILY: ReadonlySet<string> = new Set(['regiontrack', 'fasttrack', 'eraser', 'goodlock', ...MEASURING]);

/**
 * Turns `--analysis a,b` into descriptions; `all` stands for every analysis that finds something under this
 * reading of forks and joins.
 */
export function analysesNamed(list: string, forkJoin: ForkJoin = 'edge'): AnalysisDescription[] {
  const chosen = new Set<AnalysisDescription>();
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === 'all') {
      for (const description of ANALYSES)
        if (!MEASURING.has(description.name) && supports(description, forkJoin)) chosen.add(description);
    } else {
      chosen.add(analysisNamed(name, forkJoin));
    }
  }
  return [...chosen];
}

function analysisNamed(name: string, forkJoin: ForkJoin): AnalysisDescription {
  const description = ANALYSES.find((candidate) => candidate.name === name);
  if (description === undefined) {
    const names = ANALYSES.map((candidate) => candidate.name);
    throw unknownName('analysis', name, [...names, 'all'], `all or some of ${names.join(', ')}`);
  }
  if (!supports(description, forkJoin)) {
    throw new InputProblem(`the analysis '${name}' knows no families of threads`, {
      found: `--fork-join ${forkJoin}`,
      expected: `--fork-join edge or boundary, or one of ${[...FAMILY].join(', ')}`,
    });
  }
  return description;
}

function supports(description: AnalysisDescription, forkJoin: ForkJoin): boolean {
  return forkJoin !== 'family' || FAMILY.has(description.name);
}
