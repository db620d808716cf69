import type { ForkJoin } from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import { knowsFamilies } from '../analyses/selection.ts';
import type { PipelineOptions } from '../check/pipeline.ts';
import { recordedLanguage } from '../check/recorded-program.ts';
import type { TraceInput } from '../formats/inputs.ts';
import { specificationFrom } from '../spec/specification.ts';
import { type SpecificationOptions, specificationParts } from './options.ts';

interface Given extends SpecificationOptions {
  analysis: string;
  format: string;
  forkJoin: ForkJoin;
  confirm: boolean;
  notes?: boolean;
}

type Recorded = Pick<PipelineOptions, 'analyses' | 'forkJoin' | 'origin' | 'judge' | 'specification'>;

/**
 * What is different for a trace that was recorded of a program: it is checked and judged as `trackside run` or `java` does, so that both
 * find the same. Null for any other trace, and for one that cannot be read twice.
 */
export async function optionsForRecorded(
  { path, rereadable, problem }: TraceInput,
  options: Given,
  isForkJoinGiven: boolean,
): Promise<Recorded | null> {
  // Schedules are looked for by the plain meaning of the trace.
  if (!rereadable || problem !== null || options.confirm) return null;
  const language = await recordedLanguage(path, options.format);
  if (language === null) return null;
  if (language === 'java') return optionsForJava(options, isForkJoinGiven);
  const forkJoin = isForkJoinGiven ? options.forkJoin : 'family';
  const { programResults } = await import('../node/judgement/program-results.ts');
  // What is left out by name is silenced; what is only not asked for may still break what is.
  const parts = await specificationParts(options);
  const leftOut = specificationFrom({ ...parts, only: [] });
  const watched = specificationFrom(parts);
  return {
    forkJoin,
    analyses: await loadAnalyses(options.analysis, forkJoin),
    origin: 'program',
    specification: watched,
    judge: (found, trace) =>
      programResults(found, trace, {
        withNotes: options.notes === true,
        isMeant: (label) => leftOut.isAtomic(label),
        isWatched: (label) => watched.isAtomic(label),
      }),
  };
}

async function optionsForJava(options: Given, isForkJoinGiven: boolean): Promise<Recorded> {
  const forkJoin = isForkJoinGiven || !knowsFamilies(options.analysis) ? options.forkJoin : 'family';
  const { javaResults } = await import('../external/java-judgement.ts');
  const specification = specificationFrom(await specificationParts(options));
  return {
    forkJoin,
    analyses: await loadAnalyses(options.analysis, forkJoin),
    specification,
    judge: (found, trace) => javaResults(found, trace, { specification, forkJoin }),
  };
}
