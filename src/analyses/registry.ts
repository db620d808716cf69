import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import type { AnalysisDescription } from './analysis.ts';

/** Every analysis, in the order in which `trackside analyses` lists them. Adding one is one line here. */
export const ANALYSES: readonly AnalysisDescription[] = [];

/** The two that find nothing: what reading costs, and what is in a trace. `all` does not include them. */
const MEASURING = new Set(['empty', 'count']);

/** Turns `--analysis a,b` into descriptions; `all` stands for every analysis that finds something. */
export function analysesNamed(list: string): AnalysisDescription[] {
  const chosen = new Set<AnalysisDescription>();
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === 'all') {
      for (const description of ANALYSES) if (!MEASURING.has(description.name)) chosen.add(description);
      continue;
    }
    const description = ANALYSES.find((candidate) => candidate.name === name);
    if (description === undefined) {
      throw new InputProblem(`unknown analysis ${quoted(name)}`, {
        expected: `all or some of ${ANALYSES.map((candidate) => candidate.name).join(', ')}`,
      });
    }
    chosen.add(description);
  }
  return [...chosen];
}
