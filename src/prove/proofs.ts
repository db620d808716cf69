import type { AnalysisResult, ProofResult, ViolationResult } from '../check/result.ts';
import { type Outcome, variablesOf } from './outcome.ts';
import { type Execute, Interruption, prove, type Subject } from './proof.ts';
import type { Encounters } from './rivals.ts';

/** What proofs need besides the violations. */
export interface ProofContext {
  encounters: Encounters;
  /** What came of the run in which they were seen. */
  observed: Outcome;
  execute: Execute;
  /** Seconds after which no other violation is tried. */
  budget: number;
  onTry?: (index: number) => void;
  subject?: Subject;
}

function notTried(why: string): ProofResult {
  return { verdict: 'not-tried', message: `not tried: ${why}`, differences: [] };
}

/** A proof of each violation, as far as the budget goes. */
export async function proofsOf(
  violations: readonly ViolationResult[],
  { encounters, observed, execute, budget, onTry, subject }: ProofContext,
): Promise<Map<ViolationResult, ProofResult>> {
  const proofs = new Map<ViolationResult, ProofResult>();
  const provable = violations.filter((violation) => encounters.rivals.has(violation));
  try {
    const again = await execute(null);
    const until = performance.now() + budget * 1000;
    for (const [i, violation] of provable.entries()) {
      onTry?.(i);
      const met = encounters.rivals.get(violation)!;
      const variables = variablesOf([violation]);
      const proof =
        performance.now() > until
          ? notTried('the time for proofs was over (--budget)')
          : await prove(met, variables, encounters, observed, again.outcome, execute, subject);
      proofs.set(violation, proof);
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    for (const violation of provable)
      if (!proofs.has(violation)) proofs.set(violation, notTried('interrupted'));
  }
  return proofs;
}

/** The result with its proofs; what is proved is an error. */
export function withProofs(
  result: AnalysisResult,
  proofs: ReadonlyMap<ViolationResult, ProofResult>,
): AnalysisResult {
  return {
    ...result,
    violations: result.violations.map((violation) => {
      const proof = proofs.get(violation);
      if (proof === undefined) return violation;
      return { ...violation, proof, severity: proof.verdict === 'harmful' ? 'error' : violation.severity };
    }),
  };
}
