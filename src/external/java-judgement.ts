import type { AnalysisResult, EventResult } from '../check/result.ts';
import { type Circumstances, doubtfulJudgedByAccesses } from './interferences.ts';
import { isAnotherLook } from './lines.ts';

/** How the location of an atomic variable's change that finds out what is there says so. */
const SWAP = /, by compareAndSet$/;
const STEP = /, in one step$/;

/** What is done so many blocks further down is the business of those, and not of the one that is around them all. */
const FAR_DOWN = 3;

/** The results of a Java program's trace, with errors only where nothing speaks for it that the block meant to do what it did. */
export async function judgedAsJava(
  results: readonly AnalysisResult[],
  trace: string,
): Promise<AnalysisResult[]> {
  return doubtfulJudgedByAccesses(results, trace, {
    isLookedAtAgain: (read, write) => isAnotherLook(placeOf(read), placeOf(write)),
    isDoubtful: mayBeMeant,
    writesSettle: true,
    hasOverloads: true,
  });
}

function mayBeMeant(first: EventResult, last: EventResult, at: Circumstances): boolean {
  if (at.depth >= FAR_DOWN) return true;
  if (/r$/.test(first.op)) return knowsBetter(last, at);
  // Who writes a variable and then reads it may rely on finding what it wrote; but not where the variable is made for others to
  // write, or where it takes a lock to look at it.
  return /r$/.test(last.op) && (last.op === 'vr' || at.isLockedAnew);
}

/**
 * Whether a change does not go by what was read before, but by what it finds: a successful compare-and-set does; one that gives what was
 * there does so if it is not the block itself, as in `if (n.get() > 0) return n.getAndDecrement()`, but something that it calls.
 */
function knowsBetter(change: EventResult, { begin }: Circumstances): boolean {
  const location = change.location ?? '';
  return SWAP.test(location) || (STEP.test(location) && fileOf(placeOf(change)) !== fileOf(begin ?? ''));
}

/** Without what the location says besides. */
function placeOf({ location }: EventResult): string {
  return location?.replace(SWAP, '').replace(STEP, '') ?? '';
}

/** The file of `bank/Account.java:31`; the class of `bank.Account.pay`, where lines are not known. */
function fileOf(place: string): string {
  return place.replace(/(?::\d+|\.[^./:]*)$/, '');
}
