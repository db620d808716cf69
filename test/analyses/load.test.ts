import { describe, expect, it } from 'vitest';
import { loadAnalyses } from '../../src/analyses/load.ts';
import { ANALYSES, analysesNamed } from '../../src/analyses/registry.ts';

describe('Analyses loaded by name', () => {
  it.each(ANALYSES.map(({ name }) => name))('%s is the one of the registry', async (name) => {
    expect(await loadAnalyses(name, 'edge')).toEqual(analysesNamed(name));
  });

  it.each(['edge', 'family'] as const)('are all that the registry calls all, under %s', async (forkJoin) => {
    expect(await loadAnalyses('all', forkJoin)).toEqual(analysesNamed('all', forkJoin));
  });
});
