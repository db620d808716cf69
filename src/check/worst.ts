import type { AnalysisResult, Severity } from './result.ts';

/** The worst of what results have to report; null if that is nothing. */
export function worstOf(results: readonly AnalysisResult[]): Severity | null {
  const isError = ({ violations }: AnalysisResult) => violations.some(({ severity }) => severity === 'error');
  if (results.some(isError)) return 'error';
  const found = results.filter(isViolation);
  if (found.length === 0) return null;
  const areNotes = found.every(
    ({ violations }) => violations.length > 0 && violations.every(({ severity }) => severity === 'note'),
  );
  return areNotes ? 'note' : 'warning';
}

/** Whether a result has something to report: with a baseline, only what that does not know. */
export function isViolation({ verdict, violations, known = 0 }: AnalysisResult): boolean {
  return verdict === 'violation' && (violations.length > 0 || known === 0);
}
