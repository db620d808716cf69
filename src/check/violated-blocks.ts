import type { ViolationResult } from './result.ts';

/** How many violated blocks these violations stand for: each for itself, and for those that are like it and not listed. */
export function violatedBlocks(violations: readonly Pick<ViolationResult, 'alike'>[]): number {
  return violations.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0);
}
