import type { AnalysisResult, EventResult } from '../check/result.ts';
import { doubtfulJudgedByAccesses } from './interferences.ts';
import { isAnotherLook } from './lines.ts';

/** The results of a Java program's trace, with errors only where nothing speaks for it that the block meant to do what it did. */
export async function judgedAsJava(
  results: readonly AnalysisResult[],
  trace: string,
): Promise<AnalysisResult[]> {
  return doubtfulJudgedByAccesses(results, trace, {
    isLookedAtAgain: (read, write) => isAnotherLook(read.location ?? '', write.location ?? ''),
    isDoubtful: mayWantToKnow,
    writesSettle: true,
    hasOverloads: true,
  });
}

/**
 * Who writes a variable and then reads it may rely on finding what it wrote; but not where the variable is made for others to write, or where
 * it takes a lock to look at it.
 */
function mayWantToKnow(first: EventResult, last: EventResult, isLockedAnew: boolean): boolean {
  const isReadBack = !/r$/.test(first.op) && /r$/.test(last.op);
  return isReadBack && (last.op === 'vr' || isLockedAnew);
}
