import { expect } from 'vitest';
import type { AnalysisDescription, ForkJoin } from '../../../src/analyses/analysis.ts';
import { analysesNamed } from '../../../src/analyses/registry.ts';
import { judge } from '../../oracle/oracle.ts';
import { trace } from '../../support/notation.ts';
import { run } from '../../support/run.ts';

const EXACT = analysesNamed('regiontrack,atomsanitizer,aerodrome,aerodrome-basic,velodrome,doublechecker');

export function named(name: string): AnalysisDescription {
  return analysesNamed(name)[0];
}

/** What the definitions say, after making sure that every exact analysis says the same. */
export function serializable(notation: string, forkJoin: ForkJoin = 'edge'): boolean {
  const given = trace(notation);
  const truth = judge(given, { forkJoin }).serializable as boolean;
  for (const analysis of EXACT)
    expect(run(analysis, given, { forkJoin }).outcome.serializable, analysis.name).toBe(truth);
  return truth;
}

/** The labels of the blocks that are reported. */
export function blamed(name: string, notation: string, forkJoin: ForkJoin = 'edge'): string[] {
  const given = trace(notation);
  const { violations } = run(named(name), given, { forkJoin });
  return [...new Set(violations.map(({ block }) => given.names.labels.text(block!.label)))];
}

/** How much is reported. */
export function found(name: string, notation: string): number {
  return run(named(name), trace(notation)).violations.length;
}
