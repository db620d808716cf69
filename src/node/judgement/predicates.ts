import { EventFlag } from '../../trace/facts.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import { type Access, isChange } from './access.ts';
import { type Case, changeAtOnce, isActedUponAtOnce, isForeign } from './case.ts';
import type { SiteKnowledge } from './sites.ts';

/* What the rules ask about a case. Which answer leads to which verdict is in rules.ts. */

export const isAct = ({ pattern }: Case) => pattern === 'lost-update';
export const isReadBack = ({ pattern }: Case) => pattern === 'overwritten-before-read';
export const hasFlag = ({ flags }: Access, flag: number) => (flags & flag) !== 0;

/**
 * Whether something is thrown away because of what was seen of it before: `send(queue.slice())`, and later `queue.length = 0`. Who has
 * looked at it again right before that knows what it takes.
 */
export function isRemovedUnseen(it: Case): boolean {
  const { first, last, relation, sites, isSeenAgain } = it;
  if (relation !== 'none' || isSeenAgain || first.thread !== last.thread) return false;
  if (sites.has(first, SiteBit.mention | SiteBit.receiver)) return false;
  // Whoever only asks whether there is a file has seen nothing of what is in it.
  const isRemoval = hasFlag(last, EventFlag.removes) && !hasFlag(first, EventFlag.presence);
  return (isRemoval || sites.has(last, SiteBit.removal | SiteBit.empty)) && !isActedUponAtOnce(it);
}

/**
 * Whether it was decided by what was read before that something is added, though the block has looked at it since, for another
 * purpose: `if (users.some(isKnown)) return; await check(); users.push({ id: users.length })`. For a block, the runtime has told such an
 * update from one that nothing was read for; a task of the event loop is none.
 */
export function isDecidedBefore({ relation, fresh, isHandler }: Case): boolean {
  return relation === 'control' && (fresh.isData || isHandler) && !fresh.isDecision;
}

/** Kinds of variables that a program has in its memory. */
const IN_MEMORY: ReadonlySet<string> = new Set([
  ...['property', 'private', 'binding', 'entry', 'element', 'size', 'keys'],
]);

/**
 * Whether a package does it for itself. Files, rows of a database, and what functions of the program keep, it reads and
 * writes for the program.
 */
export function isInPackage({ blockLocation, last, sites, variable }: Case): boolean {
  const isInMemory = IN_MEMORY.has(variable.facts.kind ?? 'property');
  return isInMemory && sites.isOfPackage(blockLocation) && sites.isOfPackage(last.location);
}

/** Whether others have done nothing but to put more into it. */
export function isAddedTo(it: Case): boolean {
  const { first, between, last, history, sites } = it;
  return history
    .filter((access) => access === between || (isChange(access) && isForeign(it, access)))
    .filter(({ event }) => event > first.event && event < last.event)
    .every((access) =>
      access.inside === null
        ? sites.has(access, SiteBit.adds)
        : access.letter === 'u' && !sites.has(access, SiteBit.removal),
    );
}

/**
 * Whether the block has got hold of the present value and put an empty container in its place: `const all = queue; queue = []`. If
 * others have emptied it meanwhile, it takes nothing.
 */
export function isTakenWhole({ isSeenAgain, last, sites }: Case): boolean {
  return isSeenAgain && sites.has(last, SiteBit.container);
}

/** Whether others have put something into a list that the block had looked at, and that it empties without another look. */
export function isThrownAwayUnseen(it: Case): boolean {
  const { first, last, history, isSeenAgain, sites } = it;
  if (isSeenAgain || !sites.has(last, SiteBit.empty | SiteBit.removal)) return false;
  return history.some(
    (access) =>
      access.ofLength === true &&
      access.letter === 'u' &&
      access.event > first.event &&
      isForeign(it, access) &&
      !sites.has(access, SiteBit.removal | SiteBit.move),
  );
}

/** Whether what is first in a list is taken away, while others have only put more behind what the block had seen in it. */
export function isBehindFirst(it: Case): boolean {
  const { first, last, history, variable, sites } = it;
  if (variable.facts.list !== true || !sites.has(last, SiteBit.front)) return false;
  return history
    .filter((access) => isChange(access) && isForeign(it, access))
    .filter(({ event }) => event > first.event && event < last.event)
    .every(
      (access) =>
        access.inside === null &&
        access.letter === 'u' &&
        !sites.has(access, SiteBit.removal | SiteBit.move | SiteBit.constant),
    );
}

/** Whether something was taken out of a list, and something is put into it: what else is there does not matter to that. */
export function isPutBack({ first, last, sites, variable, history }: Case): boolean {
  if (variable.facts.kind !== 'size' || !sites.has(first, SiteBit.removal)) return false;
  const isTaken = history.some(
    (access) => isChange(access) && access.run === first.run && access.location === first.location,
  );
  return isTaken && !sites.has(last, SiteBit.removal | SiteBit.move | SiteBit.constant);
}

/** Whether the new value is made of what is there by now. */
export function isMadeOfPresent({ fresh, last, sites }: Case): boolean {
  return fresh.isData || sites.has(last, SiteBit.ownChange | SiteBit.stepUp | SiteBit.stepDown);
}

/**
 * Whether the block has acted at once upon what it read, and now takes that back, from what is there by now. What goes in the same
 * direction again is decided by the old look.
 */
export function isCompensation(it: Case): boolean {
  const { last, relation } = it;
  if (relation !== 'control' || !isMadeOfPresent(it)) return false;
  const done = changeAtOnce(it);
  if (done === undefined || !done.families.includes(it.block) || done.location === last.location)
    return false;
  return step(it, done) === 0 || step(it, done) !== step(it, last);
}

/**
 * Whether the block was woken by the task that has left the variable so. What it has looked at itself since then is a reason of its own,
 * if it adds to that.
 */
export function isHandedOver({ first, last, block, history, sites }: Case): boolean {
  if (!hasFlag(last, EventFlag.handOff)) return false;
  if (!sites.has(last, SiteBit.stepUp | SiteBit.stepDown)) return true;
  return history.some(
    ({ letter, event, families, location }) =>
      letter === 'r' &&
      event > first.event &&
      event < last.event &&
      families.includes(block) &&
      location !== last.location,
  );
}

/** Whether the block has left nothing in it, as by `delete`: it cannot take what it finds there later for its own. */
export function isTakenAway({ first, sites, variable }: Case): boolean {
  return (
    variable.facts.kind !== 'size' && variable.facts.kind !== 'keys' && sites.has(first, SiteBit.removal)
  );
}

/**
 * Whether both worked on a list under locks, and not under the same one. If others take one of these locks, they are locks of
 * different things, all of which are in the list.
 */
export function isLockedApart({ first, between, last, variable, isSharedLock }: Case): boolean {
  if (variable.facts.kind !== 'size' && variable.facts.kind !== 'keys') return false;
  const own = first.locks.filter((lock) => last.locks.includes(lock));
  if (own.length === 0 || between.locks.length === 0) return false;
  return !own.some((lock) => between.locks.includes(lock)) && [...own, ...between.locks].some(isSharedLock);
}

/** Whether the block has come to the same place again, where it goes by what it reads now. */
export function isNextRound({ first, last, sites }: Case): boolean {
  if (first.location !== last.location) return false;
  const isOneCall = first.activation === last.activation && sites.has(last, SiteBit.inAsync);
  return isOneCall || !sites.has(last, SiteBit.calledAgain);
}

/** Whether the variable stands for more of a table than rows that can be told apart. */
export function isWholeTable({ variable }: Case): boolean {
  return variable.facts.kind === 'table' || variable.facts.kind === 'part';
}

/**
 * Whether nobody knows whether one of the changes had to do with what was read. Two tasks that run the same statement after the
 * same look have the same in mind.
 */
export function isPerhapsOfOthers({ between, last }: Case): boolean {
  const isPerhaps = hasFlag(between, EventFlag.perhaps) || hasFlag(last, EventFlag.perhaps);
  return isPerhaps && between.location !== last.location;
}

/**
 * Whether it is not known that the other task came between. Two changes by tasks that both had looked before are wrong in either
 * order.
 */
export function isUnordered({ first, between, last, history, startedIn }: Case): boolean {
  const isAmong = ({ letter }: Access, access: Access) =>
    hasFlag(access, letter === 'r' ? EventFlag.amongReads : EventFlag.amongChanges);
  if (isAmong(first, between)) return true;
  // What the statement itself had looked at before is only known as the other change has come since.
  if (hasFlag(first, EventFlag.part)) return false;
  if (!isAmong(between, last)) return false;
  // A block may ask the store by tasks that it starts for that, or look itself and go on in a callback.
  const isOfOther = between.startedIn !== 0 && between.startedIn !== startedIn;
  const hasLooked = (access: Access) =>
    access.letter === 'r' &&
    access.event < between.event &&
    (access.thread === between.thread ||
      (isOfOther && [access.startedIn, access.activation].includes(between.startedIn)));
  return !(first.letter === 'r' && isChange(last) && history.some(hasLooked));
}

/** Whether the variable is in a store. */
export function isStored({ variable }: Case): boolean {
  return isStoredKind(variable.facts.kind);
}

export function isStoredKind(kind: string | undefined): boolean {
  return STORED.has(kind ?? '');
}

const STORED: ReadonlySet<string> = new Set([
  'row',
  'column',
  'predicate',
  'absent',
  'part',
  'table',
  'key',
  'field',
  'document',
]);

/**
 * Whether nobody's change is lost, and there is more room than the block saw. Threads that count by `a[i]++` lose what others
 * count meanwhile, in whatever direction.
 */
export function isEased(it: Case): boolean {
  const { first, last, history, variable } = it;
  if (variable.facts.kind === 'memory' && last.letter === 'w') return false;
  const own = step(it, last);
  const others = history.filter(
    (access) =>
      isChange(access) &&
      access.event > first.event &&
      access.event < last.event &&
      access.thread !== last.thread,
  );
  return own !== 0 && others.every((access) => step(it, access) === -own);
}

function step({ sites }: Case, access: Access): number {
  if (sites.has(access, SiteBit.stepUp)) return 1;
  return sites.has(access, SiteBit.stepDown) ? -1 : 0;
}

/** Whether the block was in the middle of writing a file, which empties it first. */
export function isTorn({ last, variable }: Case): boolean {
  return variable.facts.kind === 'file' && hasFlag(last, EventFlag.completes);
}

/** Whether the block has acted upon what it read on something else, and others have changed what it read since. */
export function isStaleElsewhere(it: Case): boolean {
  const { pattern, first, between, last, relation, sites } = it;
  if (pattern === 'unrepeatable-read') {
    // Whoever compares what is there now with what it had read finds out.
    const isFoundOut = sites.has(last, SiteBit.compared) && sites.areUsedTogether(first, last);
    const isOther = isFoundOut || isNextRound(it) || sites.has(first, SiteBit.compared | SiteBit.mention);
    return !isOther && !isOnlyGrown(it) && it.isActedUponElsewhere();
  }
  if (pattern !== 'multi-variable-cycle') return false;
  return first.letter === 'r' && isChange(between) && isPartOfChange(it, last) && relation !== 'none';
}

/** Whether it is a list to which others have only added something since: what was in it when it was read is still there. */
function isOnlyGrown(it: Case): boolean {
  if (it.variable.facts.kind !== 'size') return false;
  const changes = it.history.filter(
    (access) => isChange(access) && isForeign(it, access) && access.event > it.first.event,
  );
  return changes.every(
    ({ letter, location }) => letter === 'u' && !it.sites.has({ location }, SiteBit.removal),
  );
}

/** Whether it is a change, or the read that belongs to one: `seats.delete(seat)`. */
function isPartOfChange({ sites }: Case, access: Access): boolean {
  const changing = SiteBit.removal | SiteBit.stepUp | SiteBit.stepDown | SiteBit.ownChange;
  return isChange(access) || sites.has(access, changing);
}

/** Whether both are in one function that is not meant to be atomic. */
export function isUnmeant(first: Access, last: Access, sites: SiteKnowledge): boolean {
  return (
    (first.excludedIn !== 0 && first.excludedIn === last.excludedIn) ||
    (sites.has(first, SiteBit.unmeant) && sites.has(last, SiteBit.unmeant))
  );
}

/**
 * Whether each call sets the variable before it looks at it: the one that has read its own value, and the one that acts. If the
 * act is made of that value, then the other task must not have looked either: otherwise it has built upon it.
 */
export function isOwnValue({ first, between, last, relation, history }: Case): boolean {
  const value = history.findLast((access) => isChange(access) && access.event < first.event);
  if (value === undefined || !areOfOneCall(value, first) || !isBlind(first, history)) return false;
  if (history.find((access) => areOfOneCall(access, last)) !== last) return false;
  return relation !== 'data' || isBlind(between, history);
}

/** Whether the call had written the variable before it read it, if it did. */
function isBlind(access: Access, history: readonly Access[]): boolean {
  return history.find((other) => areOfOneCall(other, access))?.letter === 'w';
}

function areOfOneCall(one: Access, other: Access): boolean {
  return one.thread === other.thread && one.activation === other.activation && one.activation !== 0;
}

/** Whether there was nothing in it until the other task put something there. */
export function isMadeByOther({ between, history, variable }: Case): boolean {
  if (variable.facts.absent !== true) return false;
  return !history.some((access) => isChange(access) && access.event < between.event);
}

/** Whether both tasks had seen that there is nothing, and the other one's write was the first. */
export function isDuplicate(it: Case): boolean {
  const { between, history } = it;
  return (
    isMadeByOther(it) &&
    history.some(
      ({ letter, thread, event }) => letter === 'r' && thread === between.thread && event < between.event,
    )
  );
}

/**
 * Whether the block compares what is there, to find out whether it is still the one who wrote it; or has done so right before, with
 * what it had found at this place: `do { saved = latest; await save(saved) } while (saved !== latest)`.
 */
export function isCheckedOnReturn({ block, between, last, history, sites }: Case): boolean {
  if (sites.has(last, SiteBit.compared)) return true;
  const isLook = ({ letter, event, run, families }: Access) =>
    letter === 'r' && event > between.event && run === last.run && families.includes(block);
  return history.some(
    (access) => isLook(access) && sites.has(access, SiteBit.compared) && sites.areUsedTogether(access, last),
  );
}

/** Whether the task that came between had read what the block wrote: a queue that workers share, a list added to. */
export function isBuiltUpon(it: Case): boolean {
  const { first, between, last, history } = it;
  return (
    between.letter === 'u' ||
    it.sites.has(between, SiteBit.ownChange) ||
    // `queue.shift()` takes what it finds, and who looks through the queue does not look for its own.
    (last.isOfAll === true && it.sites.has(between, SiteBit.move)) ||
    (between.seen.get(first.thread) ?? -1) >= first.event ||
    // It has added to the value, whatever that was.
    first.letter === 'u' ||
    history.some(
      ({ event, thread, letter }) =>
        letter === 'r' && thread === between.thread && event > first.event && event < between.event,
    )
  );
}

/** Whether the variable is one by which tasks tell each other something: `running = false` is meant to be seen. */
export function isSignal({ history, sites }: Case): boolean {
  const changes = history.filter(isChange);
  return changes.length > 0 && changes.every((access) => sites.has(access, SiteBit.flag));
}
