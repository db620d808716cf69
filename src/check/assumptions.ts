import type { Assumption } from '../analyses/analysis.ts';
import type { AnalysisRun, TraceCheck } from './check.ts';
import type { AssumptionResult } from './result.ts';

/** How each assumption is called, which analysis checks it, and what that one finds. */
const CHECKS: Readonly<Record<Assumption, { words: string; checkedBy: string; one: string; many: string }>> =
  {
    'race-freedom': { words: 'race freedom', checkedBy: 'fasttrack', one: 'race', many: 'races' },
    'no-deadlock': {
      words: 'that no schedule deadlocks',
      checkedBy: 'goodlock',
      one: 'potential deadlock',
      many: 'potential deadlocks',
    },
  };

/** What an analysis takes for granted, beside what the analyses that ran in the same pass know about it. */
export function assumptionsOf(run: AnalysisRun, check: TraceCheck): AssumptionResult[] {
  return (run.description.assumes ?? []).map((assumes) => {
    const { words, checkedBy, one, many } = CHECKS[assumes];
    const checker = check.runs.find(({ description }) => description.name === checkedBy);
    const found = checker === undefined ? null : checker.violations.length;
    // What was found in a part of the trace is broken, but what was not found there may be further on.
    const isKnown = found !== null && (found > 0 || check.complete);
    const what = !isKnown
      ? `run ${checkedBy} ${checker === undefined ? '' : 'on the whole trace '}to check it`
      : `${checkedBy} found ${found === 0 ? `no ${one}` : `${found} ${found === 1 ? one : many}`}`;
    return {
      assumes,
      checkedBy,
      found: isKnown ? found : null,
      message: `this verdict assumes ${words}; ${what}`,
    };
  });
}
