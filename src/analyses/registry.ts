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
import { selectedNames } from './selection.ts';
import { sidetrack } from './sidetrack/index.ts';
import { velodrome } from './velodrome/index.ts';

/**
 * Every analysis, in the order in which `trackside analyses` lists them. Adding one is one line here and one in
 * `load.ts`.
 */
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

/** Turns `--analysis a,b` into descriptions. */
export function analysesNamed(list: string, forkJoin: ForkJoin = 'edge'): AnalysisDescription[] {
  const names = selectedNames(
    list,
    forkJoin,
    ANALYSES.map(({ name }) => name),
  );
  return names.map(
    (name) => ANALYSES.find((description) => description.name === name) as AnalysisDescription,
  );
}
