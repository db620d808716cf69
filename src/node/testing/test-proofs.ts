import type { AnalysisResult, ProofResult, ViolationResult } from '../../check/result.ts';
import { proofsOf, withProofs } from '../../prove/proofs.ts';
import { encountersIn } from '../../prove/rivals.ts';
import type { ScheduleOptions } from '../../trace/schedule-options.ts';
import type { RunnerCommand, TestPlace } from './runner-command.ts';
import { NotRunAgain, TestRuns } from './test-runs.ts';

/** Seconds: the runner waits meanwhile, and takes a process for dead that does not answer for a minute. */
const BUDGET = 25;

export interface TestProofRequest {
  command: RunnerCommand;
  test: TestPlace;
  folder: string;
  schedule: ScheduleOptions | null;
  /** So many violations are proved: those that the message shows. */
  most: number;
  /** What is violated in another run. */
  check(spool: string): Promise<readonly ViolationResult[]>;
}

/**
 * The result with proofs. A test may have been one of many in its process; the runs that are compared with each other are
 * those of this test alone, and a violation is looked up in the first of them.
 */
export async function provedInTest(
  result: AnalysisResult,
  request: TestProofRequest,
): Promise<AnalysisResult> {
  const shown = result.violations.slice(0, request.most);
  const proofs = new Map<ViolationResult, ProofResult>();
  try {
    const runs = new TestRuns(request.command, request.test, request.folder, request.schedule);
    const observed = await runs.observed();
    const found = await request.check(observed.spool);
    const again = new Map(shown.map((violation) => [violation, sameAs(violation, found)]));
    const violations = [...new Set(again.values())].filter((violation) => violation !== null);
    const proved = await proofsOf(violations, {
      encounters: await encountersIn(observed.spool, violations),
      observed: observed.execution.outcome,
      execute: (turns) => runs.execute(turns),
      budget: BUDGET,
      subject: 'test',
    });
    for (const [violation, same] of again) {
      const proof = same === null ? notPossible(NOT_AGAIN) : proved.get(same);
      if (proof !== undefined) proofs.set(violation, proof);
    }
  } catch (error) {
    if (!(error instanceof NotRunAgain)) throw error;
    for (const violation of shown) proofs.set(violation, notPossible(error.message));
  }
  return withProofs(result, proofs);
}

const NOT_AGAIN = 'run alone, it did not show this violation';

function notPossible(reason: string): ProofResult {
  return {
    verdict: 'not-possible',
    message: `not proved: the test cannot be run again (${reason})`,
    differences: [],
  };
}

/** The same violation in another run, where tasks and objects may have other numbers. */
function sameAs(violation: ViolationResult, others: readonly ViolationResult[]): ViolationResult | null {
  const alike = others.filter((other) => other.block?.label === violation.block?.label);
  const places = placesOf(violation);
  return (
    alike.find((other) => placesOf(other) === places) ??
    alike.find((other) => other.pattern === violation.pattern) ??
    null
  );
}

function placesOf({ interference }: ViolationResult): string {
  if (interference === null) return '';
  const { first, between, last } = interference;
  return JSON.stringify([first, between, last].map(({ location }) => location));
}
