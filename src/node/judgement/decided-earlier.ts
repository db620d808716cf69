import type { Access } from './access.ts';
import { type Case, isRealChange } from './case.ts';
import type { WatchedBlock } from './history.ts';
import { phaseOf } from './phases.ts';
import type { SiteKnowledge } from './sites.ts';
import type { TaskOrder } from './task-order.ts';

/** What the search says of an interference. */
export type Found = 'first' | 'between' | 'relation' | 'fresh' | 'isDecidedEarlier' | 'isSeenAgain';

const ADDED_TO = { isData: true, isDecision: false, isCompared: false };

/**
 * A look by which an earlier phase of the block has decided, though the one that acts has looked again, for another purpose. Both have
 * looked at the same place, such as a helper.
 */
export function decidedEarlier(
  { begin, end, violation }: WatchedBlock,
  all: readonly Access[],
  foreign: readonly Access[],
  last: Access,
  order: TaskOrder,
  sites: SiteKnowledge,
): Pick<Case, Found> | null {
  const own = all.filter(({ letter, original }) => letter === 'r' && original === undefined);
  const again = own.at(-1);
  if (again === undefined || last.event > end || last.original !== undefined) return null;
  const phase = phaseOf(again, begin);
  if (phase === null || phase !== phaseOf(last, begin)) return null;
  const first = own.findLast(
    (read) => read.location === again.location && phaseOf(read, begin)?.location !== phase.location,
  );
  if (first === undefined || !order.isOrdered(first, last, true)) return null;
  const between = foreign.find((other) => other.event > first.event && isRealChange(other));
  if (between === undefined || between.event > again.event) return null;
  if (!sites.isDecidedInPhases(begin, violation.block?.location ?? null, first, again, last)) return null;
  return { first, between, relation: 'control', fresh: ADDED_TO, isDecidedEarlier: true, isSeenAgain: true };
}
