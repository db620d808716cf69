import type { AnalysisResult, WhatIfResult } from '../check/result.ts';
import { differences, variablesOf } from '../prove/outcome.ts';
import type { Execution } from '../prove/proof.ts';
import { encountersIn } from '../prove/rivals.ts';
import type { ProgramCheck } from './program-check.ts';
import { Progress } from './progress.ts';
import type { ObservedRun, RepeatedRuns } from './repeated-runs.ts';
import { removeScratch } from './scratch.ts';

/** So many seconds may pass before no other violation is tried. */
const BUDGET = 60;

/** The progress that counts is that of the runs. */
const QUIET = Progress.silent();

/** What changes when calls of some blocks take turns; for each violation in turn, if no labels are given. */
export async function whatIfAtomic(
  labels: readonly string[],
  results: readonly AnalysisResult[],
  observed: ObservedRun,
  runs: RepeatedRuns,
  check: ProgramCheck,
): Promise<WhatIfResult[]> {
  const given = labels.filter((label) => label !== '');
  const cases = given.length > 0 ? [given] : await blocksThatMet(results, observed.spool);
  const until = performance.now() + BUDGET * 1000;
  const found: WhatIfResult[] = [];
  for (const blocks of cases) {
    if (runs.isInterrupted || (found.length > 0 && performance.now() > until)) break;
    const run = await runs.observed({ labels: blocks });
    const { outcome } = run.execution;
    const schedule = runs.schedule;
    const serial = await check.results({ spool: run.spool, code: outcome.code, schedule }, false, QUIET);
    await removeScratch(run.spool);
    if (runs.isInterrupted) break;
    found.push(compared(blocks, [results, observed.execution], [serial, run.execution]));
  }
  return found;
}

/** For each violation, the labels of the two calls; the same ones once. */
async function blocksThatMet(results: readonly AnalysisResult[], spool: string): Promise<string[][]> {
  const violations = results.flatMap((result) => result.violations);
  const { rivals } = await encountersIn(spool, violations);
  const met = [...rivals.values()];
  const blocks = met.map(({ own, other }) => [...new Set([own.label, other?.label ?? own.label])].sort());
  return [...new Map(blocks.map((each) => [JSON.stringify(each), each])).values()];
}

type Seen = [results: readonly AnalysisResult[], execution: Execution];

function compared(labels: readonly string[], [results, before]: Seen, [serial, after]: Seen): WhatIfResult {
  const [was, is] = [headlines(results), headlines(serial)];
  const variables = variablesOf(results.flatMap(({ violations }) => violations));
  return {
    labels,
    waited: after.waited,
    givenUp: after.isTimedOut ? 'the program did not end' : after.givenUp,
    gone: was.filter((words) => !is.includes(words)),
    appeared: is.filter((words) => !was.includes(words)),
    differences: differences(before.outcome, after.outcome, variables),
    milliseconds: { observed: before.milliseconds, serial: after.milliseconds },
  };
}

/** What is wrong with which block, without the tasks: those are not the same in another run. */
function headlines(results: readonly AnalysisResult[]): string[] {
  const said = results.flatMap(({ violations }) =>
    violations.map(
      ({ severity, block, pattern }) => `${severity}: ${block?.label ?? 'trace'} (${pattern ?? 'cycle'})`,
    ),
  );
  return [...new Set(said)];
}
