import type { ViolationResult } from '../check/result.ts';
import { sourcePlace } from '../check/source-place.ts';
import type { ToldEvent } from './interleaving.ts';

/** The event whose line a reader should see first: the one that makes it wrong, else where it was noticed. */
export function primaryEvent(
  { event, thread, interference }: ViolationResult,
  events: readonly ToldEvent[],
): ToldEvent | null {
  const placed = events.filter(({ location }) => sourcePlace(location) !== null);
  return (
    placed.find((candidate) => candidate.event === interference?.last.event) ??
    placed.find((candidate) => candidate.event === event) ??
    placed.find((candidate) => candidate.thread === thread) ??
    placed[0] ??
    null
  );
}
