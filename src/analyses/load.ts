import type { AnalysisDescription, ForkJoin } from './analysis.ts';
import { selectedNames } from './selection.ts';

/**
 * Where each analysis lives, in the order of the registry. The command line loads only what it runs: all of them
 * take longer to load than a small trace to check.
 */
const MODULES: ReadonlyMap<string, () => Promise<AnalysisDescription>> = new Map([
  ['regiontrack', async () => (await import('./regiontrack/index.ts')).regiontrack],
  ['atomsanitizer', async () => (await import('./atomsanitizer/index.ts')).atomsanitizer],
  ['aerodrome', async () => (await import('./aerodrome/index.ts')).aerodrome],
  ['aerodrome-basic', async () => (await import('./aerodrome-basic/index.ts')).aerodromeBasic],
  ['velodrome', async () => (await import('./velodrome/index.ts')).velodrome],
  ['doublechecker', async () => (await import('./doublechecker/index.ts')).doublechecker],
  ['fasttrack', async () => (await import('./fasttrack/index.ts')).fasttrack],
  ['eraser', async () => (await import('./eraser/index.ts')).eraser],
  ['goodlock', async () => (await import('./goodlock/index.ts')).goodlock],
  ['sidetrack', async () => (await import('./sidetrack/index.ts')).sidetrack],
  ['commit-node-conflict', async () => (await import('./commit-node/index.ts')).commitNodeConflict],
  ['commit-node-view', async () => (await import('./commit-node/index.ts')).commitNodeView],
  ['reduction', async () => (await import('./reduction/index.ts')).reduction],
  ['atomizer', async () => (await import('./atomizer/index.ts')).atomizer],
  ['block', async () => (await import('./block/index.ts')).block],
  ['count', async () => (await import('./count/index.ts')).count],
  ['empty', async () => (await import('./empty/index.ts')).empty],
]);

/** As `analysesNamed` of the registry, but loads nothing that is not named. */
export function loadAnalyses(list: string, forkJoin: ForkJoin): Promise<AnalysisDescription[]> {
  const names = selectedNames(list, forkJoin, [...MODULES.keys()]);
  return Promise.all(names.map((name) => (MODULES.get(name) as () => Promise<AnalysisDescription>)()));
}
