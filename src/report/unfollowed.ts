import type { AnalysisResult } from '../check/result.ts';
import { printable } from '../trace/printable.ts';

const NAME = 60;

/** Which stores a result says nothing about, and why; null if there are none. */
export function unfollowedSentence({ unfollowed }: Pick<AnalysisResult, 'unfollowed'>): string | null {
  if (unfollowed === undefined || unfollowed.length === 0) return null;
  const [them, they] = unfollowed.length === 1 ? ['it', 'it stores'] : ['them', 'they store'];
  const names = unfollowed.map((name) => printable(name, NAME)).join(', ');
  return `Not followed: ${names}. Trackside has no adapter for ${them}, so violations in what ${they} go unseen.`;
}
