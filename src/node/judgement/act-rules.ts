import { EventFlag } from '../../trace/facts.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import { isActedUponAtOnce } from './case.ts';
import {
  hasFlag,
  isAct,
  isAddedTo,
  isBehindFirst,
  isCompensation,
  isDecidedBefore,
  isDuplicate,
  isEased,
  isHandedOver,
  isInPackage,
  isLockedApart,
  isMadeByOther,
  isMadeOfPresent,
  isOwnValue,
  isPerhapsOfOthers,
  isPutBack,
  isRemovedUnseen,
  isTakenWhole,
  isThrownAwayUnseen,
  isWholeTable,
} from './predicates.ts';

import type { Row } from './rule.ts';

/** Acts upon what was read: what excuses them, and what they are if nothing does. The order matters. */
export const ACT_RULES: readonly Row[] = [
  {
    name: 'hand-off',
    verdict: 'note',
    applies: (it) => isAct(it) && isHandedOver(it),
    because: 'the task that changed it has woken this one to go on with what it left there',
  },
  {
    name: 'shared-result',
    verdict: 'note',
    applies: (it) =>
      isAct(it) &&
      hasFlag(it.last, EventFlag.sharedResult) &&
      (hasFlag(it.last, EventFlag.same) || it.relation !== 'data'),
    because: 'all of them had waited for the same promise, and each has put down what came of it',
  },
  {
    name: 'loaded-twice',
    verdict: 'note',
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.same) && it.sites.has(it.last, SiteBit.imported),
    because: 'both had waited for a module only, and have put down the same functions of it',
  },
  {
    name: 'same-failure',
    verdict: 'note',
    // A text that is made of the one before says more than that.
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.failure) && it.relation !== 'data',
    because: 'both say that something has failed, and nothing else',
  },
  {
    name: 'guarded-write',
    verdict: 'note',
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.guarded),
    because: 'the store writes it only if it has not changed since',
  },
  {
    name: 'unseen',
    verdict: 'note',
    applies: (it) =>
      isAct(it) &&
      hasFlag(it.first, EventFlag.unseen) &&
      (it.relation !== 'data' || hasFlag(it.last, EventFlag.apart)),
    because: 'it came with other columns of the row, and the program has not looked at it',
    inStores: ['sqlite/column-nobody-looked-at.mjs', 'sqlite/stock-decremented-in-memory.mjs'],
  },
  {
    name: 'unconnected',
    verdict: 'note',
    applies: ({ isConnected }) => !isConnected,
    because: 'the task that did the second thing cannot know of the first',
  },
  {
    name: 'commuting-update',
    verdict: 'note',
    applies: (it) => isAct(it) && it.last.letter === 'u' && !isDecidedBefore(it),
    because: 'it only adds to the value, whatever that is by now',
  },
  {
    name: 'whole-table',
    verdict: 'warning',
    applies: (it) => isAct(it) && isWholeTable(it),
    because:
      'the statement covered more than single rows of the table, so it is not known whether it covered those that changed',
    inStores: ['sqlite/rows-counted-by-a-pattern.mjs', 'sqlite/rows-of-one-event-counted.mjs'],
  },
  {
    name: 'perhaps-others',
    verdict: 'warning',
    applies: (it) => isAct(it) && isPerhapsOfOthers(it),
    because: 'it is not known whether the rows that were changed were among those that had been asked for',
    inStores: ['sqlite/rows-changed-that-nobody-has-seen.mjs', 'sqlite/on-call-by-name.mjs'],
  },
  {
    name: 'added-behind',
    verdict: 'note',
    applies: (it) => isAct(it) && isBehindFirst(it),
    because: 'it takes what is first in the list, and others had only put more behind what it has seen there',
  },
  {
    name: 'removed-unseen',
    verdict: 'error',
    applies: (it) => isAct(it) && isRemovedUnseen(it),
    because:
      'it was taken away or emptied after others had changed it, as if it were still what was read before',
  },
  {
    name: 'used-elsewhere',
    verdict: 'warning',
    applies: (it) => isAct(it) && it.relation === 'none' && it.isActedUponElsewhere(),
    because:
      'what was written here does not depend on what was read before, but something else does, and another task had changed that by then',
  },
  {
    name: 'independent',
    verdict: 'note',
    applies: (it) => isAct(it) && it.relation === 'none',
    because: 'neither what was written nor whether it was depends on what was read before',
  },
  {
    name: 'own-value',
    verdict: 'note',
    applies: (it) => isAct(it) && isOwnValue(it),
    because: 'each call sets it before it looks at it, whatever had been there',
  },
  {
    name: 'compared-again',
    verdict: 'note',
    applies: (it) => isAct(it) && it.fresh.isCompared,
    because: 'before it was written it was compared with what had been read, and was still the same',
    consequence: 'looked-again',
  },
  {
    name: 'looked-again',
    verdict: 'note',
    applies: (it) => isAct(it) && it.fresh.isDecision && it.relation !== 'data',
    because: 'it was looked at again before it was written, and that decided',
    consequence: 'looked-again',
  },
  {
    name: 'taken-at-once',
    verdict: 'note',
    // Nobody goes by the answer to a call that nobody has awaited.
    applies: (it) => isAct(it) && it.isOpen && it.sites.has(it.last, SiteBit.answered),
    because: 'taking it away says whether it was still there, and the program goes by that',
    consequence: 'looked-again',
  },
  {
    name: 'taken-whole',
    verdict: 'note',
    applies: (it) => isAct(it) && it.isOpen && it.relation === 'control' && isTakenWhole(it),
    because: 'the block took all that was in it by then, and left an empty one in its place',
    consequence: 'looked-again',
  },
  {
    name: 'put-back',
    verdict: 'note',
    applies: (it) => isAct(it) && isPutBack(it),
    because: 'the block had taken something out at once, and puts something in, whatever else is there',
  },
  {
    name: 'compensated',
    verdict: 'note',
    applies: (it) => isAct(it) && isCompensation(it),
    because: 'the block had acted at once upon what it read, and takes that back from what is there by now',
    consequence: 'looked-again',
  },
  {
    name: 'another-round',
    verdict: 'note',
    applies: (it) => isAct(it) && it.relation === 'control' && isMadeOfPresent(it) && it.isForAnotherRound(),
    because: 'the block went on to wait, looked again right after that, and acted upon that look in the end',
    consequence: 'looked-again',
  },
  {
    name: 'reserved',
    verdict: 'note',
    applies: (it) => isAct(it) && it.relation === 'control' && it.isReserved(),
    because:
      'the block had reserved its place at once, in something else that it looked at together with this',
  },
  {
    name: 'locked-apart',
    verdict: 'note',
    applies: (it) => isAct(it) && isLockedApart(it),
    because:
      'each of the two held a lock of its own, as for different things in one list, and others take these locks, too',
  },
  {
    name: 'kept',
    verdict: 'note',
    applies: (it) => isAct(it) && it.fresh.isData && isAddedTo(it),
    because: 'others had only added something to it, and it was changed as it was by then',
    consequence: 'looked-again',
  },
  {
    name: 'merged',
    verdict: 'warning',
    applies: (it) => isAct(it) && it.fresh.isData && it.sites.has(it.last, SiteBit.merge),
    because:
      'what others have changed is kept, but what was put beside it was worked out from the state before',
  },
  {
    name: 'reset',
    verdict: 'note',
    applies: (it) =>
      isAct(it) &&
      it.sites.has(it.last, SiteBit.constant) &&
      isActedUponAtOnce(it) &&
      !isThrownAwayUnseen(it),
    because: 'the block had acted at once upon what it read, and only sets it back in the end',
  },
  {
    name: 'eased',
    verdict: 'note',
    applies: (it) => isAct(it) && isEased(it),
    because: 'it counts in one direction, and others have only counted in the other since it looked',
  },
  {
    name: 'left-behind',
    verdict: 'error',
    // What is taken off the end of a list is whatever is there by then.
    applies: (it) =>
      isAct(it) &&
      !it.isOpen &&
      it.variable.facts.kind !== 'element' &&
      (it.sites.has(it.last, SiteBit.removal) || isMadeByOther(it)),
    because:
      'a call that nobody awaited did it after the block was over that had decided so, and after others had put something there',
  },
  {
    name: 'perhaps-stale',
    verdict: 'warning',
    applies: (it) => isAct(it) && it.relation === 'maybe' && isInPackage(it),
    because:
      'another task has changed what was read before, and what a function of a package has written may depend on that, or not',
  },
  {
    name: 'set-again',
    verdict: 'warning',
    // Two tasks that come to the same place after the same look have done the same work twice.
    applies: (it) =>
      isAct(it) &&
      it.relation === 'maybe' &&
      it.between.location !== it.last.location &&
      hasFlag(it.last, EventFlag.same) &&
      it.sites.has(it.last, SiteBit.constant | SiteBit.flag),
    because:
      'another task had already set it to the same, and whether this goes by what was read before is not known',
  },
  {
    name: 'made-anew',
    verdict: 'warning',
    applies: (it) =>
      isAct(it) && isDuplicate(it) && isInPackage(it) && it.sites.has(it.last, SiteBit.instance),
    because: 'two tasks found it missing, and a package has made a new one for each of them',
    consequence: 'duplicate-work',
  },
  {
    name: 'duplicate-work',
    verdict: 'error',
    applies: (it) => isAct(it) && isDuplicate(it),
    because: 'two tasks found it missing, and both made it',
    consequence: 'duplicate-work',
  },
  {
    name: 'decided-earlier',
    verdict: 'error',
    applies: (it) => isAct(it) && it.isDecidedEarlier,
    because:
      'one part of the block had decided by what it read, and another one has read it again only to add to it',
    inStores: ['sqlite/counted-after-the-limit-was-checked.mjs', 'sqlite/counted-and-checked-again.mjs'],
  },
  {
    name: 'stale-act',
    verdict: 'error',
    applies: isAct,
    because: 'what was written depends on what was read before, and another task has changed that since',
  },
];
