import type { ForkJoin } from '../analyses/analysis.ts';
import type { AnalysisResult, EventResult, ViolationResult } from '../check/result.ts';
import type { Specification } from '../spec/specification.ts';
import { withoutLocksAlone, withViolations } from './data-conflicts.ts';
import { type Circumstances, doubtfulJudgedByAccesses } from './interferences.ts';
import { JavaCode } from './java-code.ts';
import { isAnotherLook } from './lines.ts';

/** What the location of a change says besides: that it finds out what is there, and that there is more or less of it afterwards. */
const SWAP = /, by compareAndSet$/;
const STEP = /, in one step$/;
const DIRECTION = /, one (more|less)(?=$|,)/;
const EMPTIED = /, none left(?=$|,)/;
/** That a sorted map has chosen the key; that nobody asks whether something was still there to be removed. */
const CHOSEN = /, chosen$/;
const UNASKED = /, unasked(?=$|,)/;
/** That what comes next goes by having changed it, whether it has or not. */
const CLAIMED = /, claimed$/;
/** That something is done for one number only. */
const EXACT = /, exactly$/;
/** That an iteration has come to it. */
const VISITED = /, one by one$/;
const REMARKS =
  /, (?:by compareAndSet|in one step|one more|one less|none left|chosen|unasked|claimed|exactly|one by one)(?=[,:;)]|$)/g;

/** What is done so many blocks further down is the business of those, and not of the one that is around them all. */
const FAR_DOWN = 3;

/** The results of a Java program's trace: what only locks say is left out. */
export async function javaResults(
  results: readonly AnalysisResult[],
  trace: string,
  circumstances: { specification: Specification; forkJoin: ForkJoin },
): Promise<AnalysisResult[]> {
  return withoutLocksAlone(await judgedAsJava(results, trace), trace, circumstances);
}

/** With errors only where nothing speaks for it that the block meant to do what it did. */
async function judgedAsJava(results: readonly AnalysisResult[], trace: string): Promise<AnalysisResult[]> {
  const code = new JavaCode();
  const judged = await doubtfulJudgedByAccesses(results.map(withOpenClaims), trace, {
    isLookedAtAgain: (read, write) => isChecked(read, write, code),
    isDoubtful: (first, last, at) => mayBeMeant(first, last, at, code),
    isOwnCode: (first, last, at) =>
      placeOf(first) !== placeOf(last) &&
      [first, last].every((access) => code.isInFunction(at, placeOf(access))),
    onSection: (section) => code.add(section),
    writesSettle: true,
    hasOverloads: true,
  });
  return judged.map((result) => {
    const { violations, ...rest } = withViolations(result, isNoWalk);
    return {
      ...rest,
      violations: violations.map((one) => withoutRemarks(foundAnother(takenTwice(one, code)))),
    };
  });
}

/** An iteration over a concurrent map never sees all that is in it at one moment: nobody relies on that. */
function isNoWalk({ interference, cycle }: ViolationResult): boolean {
  return !!interference || !cycle.some((edge) => [edge.from, edge.to].some(isVisit));
}

function isVisit({ location }: EventResult): boolean {
  return VISITED.test(location ?? '');
}

/** What may be an error by what the code says is to be looked at as errors are. */
function withOpenClaims(result: AnalysisResult): AnalysisResult {
  const violations = result.violations.map((one) =>
    isClaim(one) ? { ...one, severity: 'error' as const } : one,
  );
  return { ...result, violations };
}

/** Whether a block looks whether something is there, adds or removes it without asking if it still had to, and goes on. */
function isClaim({ interference }: ViolationResult): boolean {
  return /r$/.test(interference?.first.op ?? '') && CLAIMED.test(interference?.last.location ?? '');
}

/**
 * Who is told the first key, and removes it without asking whether it was there, may have what another thread has taken; and so does who
 * claims something by a look.
 */
function takenTwice(violation: ViolationResult, code: JavaCode): ViolationResult {
  const { interference } = violation;
  if (!interference) return violation;
  const { first, last } = interference;
  const isChosen = CHOSEN.test(first.location ?? '') && UNASKED.test(last.location ?? '');
  const isClaimed = isClaim(violation) && code.decides(placeOf(first), placeOf(last));
  return isChosen || isClaimed ? { ...violation, severity: 'error' } : violation;
}

/**
 * Who finds another value in what is made for others to write relies on nothing, also where the accesses are in pieces of work; but who counts
 * and then asks for one number, as the last one does, may be one of two who find it, or may never find it.
 */
function foundAnother(violation: ViolationResult): ViolationResult {
  const { interference } = violation;
  if (!interference || /r$/.test(interference.first.op) || interference.last.op !== 'vr') return violation;
  const { first, last } = interference;
  const isExact = directionOf(first.location ?? '') !== undefined && EXACT.test(last.location ?? '');
  return { ...violation, severity: isExact ? 'error' : 'warning' };
}

/** What locations say besides is for the judgement alone. */
function withoutRemarks(violation: ViolationResult): ViolationResult {
  const { cycle, interference, related, message } = violation;
  const plain = <E extends EventResult>(event: E): E =>
    event.location === null ? event : { ...event, location: placeOf(event) };
  return {
    ...violation,
    cycle: cycle.map(({ from, to }) => ({ from: plain(from), to: plain(to) })),
    interference: interference && {
      first: plain(interference.first),
      between: plain(interference.between),
      last: plain(interference.last),
    },
    related: related.map(plain),
    message: message.replace(REMARKS, ''),
  };
}

/** Whether a block has found out by a read whether it may go on and write. What reads in the course of a change does not. */
function isChecked(read: EventResult, write: EventResult, code: JavaCode): boolean {
  const [from, to] = [placeOf(read), placeOf(write)];
  if (isAnotherLook(from, to)) return true;
  const isOfChange = from === to && directionOf(read.location ?? '') === directionOf(write.location ?? '');
  return !isOfChange && code.decides(from, to);
}

function mayBeMeant(first: EventResult, last: EventResult, at: Circumstances, code: JavaCode): boolean {
  if (at.depth >= FAR_DOWN || code.isFar(at, placeOf(first)) || code.isFar(at, placeOf(last))) return true;
  if (/r$/.test(first.op))
    return knowsBetter(last, at) || isStillTrue(first, last, at, code) || isApart(first, last, at, code);
  // Who writes a variable and then reads it may rely on finding what it wrote; but not where the variable is made for others to
  // write, where it takes a lock to look at it, or where something that it calls adds to a collection, and something asks it later.
  if (!/r$/.test(last.op)) return false;
  const direction = directionOf(first.location ?? '');
  const isOther = isElsewhere(last, at) || !code.isIn(at, placeOf(last));
  const isAskedElsewhere = direction !== undefined && isOther;
  // Nor does who adds one more, and then another one, ask how many there are.
  const isAnother = direction !== undefined && directionOf(last.location ?? '') === direction;
  return last.op === 'vr' || at.isLockedAnew || isAskedElsewhere || isAnother;
}

/**
 * Whether a change does not go by what was read before, but by what it finds: a successful compare-and-set does; one that gives what was
 * there does so if it is not the block itself, as in `if (n.get() > 0) return n.getAndDecrement()`, but something that it calls.
 */
function knowsBetter(change: EventResult, at: Circumstances): boolean {
  const location = change.location ?? '';
  return SWAP.test(location) || (STEP.test(location) && isElsewhere(change, at));
}

/**
 * Whether a change has nothing to do with what was read before, and undoes nothing, as in `n++`. Where something that the block calls puts
 * something in or takes it out, what counts is whether it is called: `x = pool.borrow(); …; pool.giveBack(x)`.
 */
function isApart(read: EventResult, change: EventResult, at: Circumstances, code: JavaCode): boolean {
  if (!at.isReadAnew || EMPTIED.test(change.location ?? '')) return false;
  const isPut = directionOf(change.location ?? '') !== undefined && !code.isIn(at, placeOf(change));
  return code.goesBy(at, placeOf(read), placeOf(change), isPut) === false;
}

/** Whether it is not the block's own code. */
function isElsewhere(access: EventResult, { begin }: Circumstances): boolean {
  return fileOf(placeOf(access)) !== fileOf(begin ?? '');
}

/**
 * Who takes something out because there was something is right all the same if others have only put more in, and the other way round. But who
 * takes all out, after it has had a copy for something else, loses what they put in.
 */
function isStillTrue(read: EventResult, change: EventResult, at: Circumstances, code: JavaCode): boolean {
  const own = directionOf(change.location ?? '');
  const isOpposite = (other: string) => ![undefined, own].includes(directionOf(other));
  if (own === undefined || at.changesOfOthers?.every(isOpposite) !== true) return false;
  const isEmptied = EMPTIED.test(change.location ?? '');
  return !isEmptied || code.goesBy(at, placeOf(read), placeOf(change), true) !== false;
}

function directionOf(location: string): string | undefined {
  return DIRECTION.exec(location)?.[1];
}

/** Without what the location says besides. */
function placeOf({ location }: EventResult): string {
  return location?.replace(REMARKS, '') ?? '';
}

/** The file of `bank/Account.java:31`; the class of `bank.Account.pay`, where lines are not known. */
function fileOf(place: string): string {
  return place.replace(/(?::\d+|\.[^./:]*)$/, '');
}
