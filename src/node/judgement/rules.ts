import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import { isChange } from './access.ts';
import { type Case, isActedUponAtOnce } from './case.ts';
import { EXAMPLES, type RuleExample } from './examples/index.ts';
import {
  hasFlag,
  isAct,
  isAddedTo,
  isBuiltUpon,
  isCompensation,
  isDecidedBefore,
  isDuplicate,
  isEased,
  isInPackage,
  isLockedApart,
  isMadeByOther,
  isNextRound,
  isPartOfChange,
  isPerhapsOfOthers,
  isPutBack,
  isReadBack,
  isRemovedUnseen,
  isSignal,
  isStored,
  isTorn,
  isUnmeant,
  isUnordered,
  isWholeTable,
} from './predicates.ts';

/** `none`: this is no interference at all, and nothing is said. */
export type Verdict = 'error' | 'warning' | 'note' | 'none';

/** What came of a violation, where the pattern does not say it. */
export type Consequence = 'duplicate-work' | 'built-upon' | 'looked-again';

/** A row of the table; examples/ has the programs that show it. */
interface Row {
  /** As in `because`, in the JSON report. */
  name: string;
  verdict: Verdict;
  applies(it: Case): boolean;
  /** For whoever reads the report: one sentence, in the past, about what was found. */
  because: string;
  consequence?: Consequence;
  /** For a rule about databases: its programs, in test/stores, the one in which it decides and the nearest in which it must not. */
  inStores?: readonly [example: string, twin: string];
}

export interface Rule extends Row, Partial<RuleExample> {}

/**
 * The principle: an act is stale if it depends on something that another task has changed since it was read, and that was not
 * looked at again. Everything in front of `stale-act` is an exception from it. The first rule that applies decides.
 */
const ROWS: readonly Row[] = [
  // ---- No interference -----------------------------------------------------------------------------------------------
  {
    name: 'own-variable',
    verdict: 'none',
    applies: ({ isOwnVariable }) => isOwnVariable,
    because: 'the variable is a local one of this very call, and only its own callbacks have touched it',
  },
  {
    name: 'watched',
    verdict: 'none',
    applies: ({ pattern, first, last }) =>
      pattern === 'unrepeatable-read' && first.op === Op.volatileRead && last.op === Op.volatileRead,
    because: 'it was only looked at once more, by Atomics, which expects others to change it',
  },

  {
    name: 'not-meant',
    verdict: 'none',
    applies: ({ first, last, sites }) => isUnmeant(first, last, sites),
    because: 'both accesses are in a function that is not meant to be atomic, as an option or a comment says',
  },

  {
    name: 'order-unknown',
    verdict: 'note',
    applies: isUnordered,
    because: 'the store has done both at about the same time, and nothing tells which of them came first',
    inStores: ['postgresql/replies-held-back.mjs', 'postgresql/reply-to-a-stale-read-held-back.mjs'],
  },

  // ---- Acts upon what was read -------------------------------------------------------------------------------------
  {
    name: 'hand-off',
    verdict: 'note',
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.handOff),
    because: 'the task that changed it has woken this one to go on with what it left there',
  },
  {
    name: 'shared-result',
    verdict: 'note',
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.sharedResult),
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
    applies: (it) => isAct(it) && hasFlag(it.last, EventFlag.failure),
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
    applies: (it) => isAct(it) && hasFlag(it.first, EventFlag.unseen) && it.relation !== 'data',
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
    name: 'removed-unseen',
    verdict: 'error',
    applies: (it) => isAct(it) && isRemovedUnseen(it),
    because:
      'it was taken away or emptied after others had changed it, as if it were still what was read before',
  },
  {
    name: 'independent',
    verdict: 'note',
    applies: (it) => isAct(it) && it.relation === 'none',
    because: 'neither what was written nor whether it was depends on what was read before',
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
    applies: (it) => isAct(it) && it.sites.has(it.last, SiteBit.constant) && isActedUponAtOnce(it),
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

  // ---- Reading back what was written ---------------------------------------------------------------------------------
  {
    name: 'built-upon',
    verdict: 'note',
    applies: (it) => isReadBack(it) && isBuiltUpon(it),
    because: 'the other task had looked at what the block wrote, and went on from there',
    consequence: 'built-upon',
  },
  {
    name: 'signal',
    verdict: 'note',
    applies: (it) => isReadBack(it) && isSignal(it),
    because: 'it is a flag by which tasks tell each other something',
  },
  {
    name: 'checked-on-return',
    verdict: 'note',
    applies: (it) => isReadBack(it) && it.sites.has(it.last, SiteBit.compared),
    because: 'the block compares it, to find out whether it is still the one who wrote it',
  },
  {
    name: 'perhaps-overwritten',
    verdict: 'warning',
    applies: (it) =>
      isReadBack(it) &&
      isInPackage(it) &&
      (!it.sites.areInOneFunction(it.first, it.last) || it.sites.has(it.first, SiteBit.instance)),
    because:
      'a package has written it in one function, or as a new one of its kind, and reads it in another, and another task has written it in between',
  },
  {
    name: 'overwritten',
    verdict: 'error',
    applies: (it) => isReadBack(it) && !isWholeTable(it),
    because: 'the block reads back what it has written, and gets what another task has put there',
  },

  {
    name: 'caught-by-constraint',
    verdict: 'warning',
    applies: (it) => it.pattern === 'unrepeatable-read' && hasFlag(it.last, EventFlag.refused),
    because:
      'two tasks found it missing and both went on to make it, and the constraint has caught the second',
    inStores: ['sqlite/caught-by-the-constraint.mjs', 'sqlite/found-missing-and-inserted-twice.mjs'],
  },

  // ---- Everything else ------------------------------------------------------------------------------------------------
  {
    name: 'tried-again',
    verdict: 'note',
    applies: (it) =>
      it.pattern === 'unrepeatable-read' &&
      (hasFlag(it.first, EventFlag.rechecked) ||
        hasFlag(it.last, EventFlag.rechecked) ||
        (isStored(it) && it.first.location === it.last.location)),
    because: 'it was looked at again by the condition of a write, or by the same statement, to try again',
    inStores: ['sqlite/stock-guarded-by-where.mjs', 'sqlite/stock-checked-and-decremented-unguarded.mjs'],
  },
  {
    name: 'mixed-reads',
    verdict: 'warning',
    applies: (it) =>
      it.pattern === 'unrepeatable-read' &&
      it.sites.meet(it.first, it.last) &&
      !isNextRound(it) &&
      !it.sites.has(it.last, SiteBit.compared) &&
      !it.sites.has(it.first, SiteBit.compared),
    because: 'it was read twice, had changed meanwhile, and both values decide together what is done',
  },
  {
    name: 'read-again',
    verdict: 'note',
    applies: ({ pattern }) => pattern === 'unrepeatable-read',
    because: 'it was read twice and had changed meanwhile, but nothing was done by the first',
  },
  {
    name: 'torn-write',
    verdict: 'error',
    applies: (it) =>
      (it.pattern === 'intermediate-value-seen' || it.pattern === 'overwritten-twice') && isTorn(it),
    because: 'another task came to the file while it was being written, when only a part of it was there',
  },
  {
    name: 'torn-content',
    verdict: 'warning',
    applies: ({ pattern, variable }) =>
      pattern === 'intermediate-value-seen' && variable.facts.kind === 'file',
    because: 'another task read the file while it was being written in several steps',
  },
  {
    name: 'seen-between',
    verdict: 'note',
    applies: ({ pattern }) => pattern === 'intermediate-value-seen',
    because: 'another task saw a value that the block replaced later, as with a flag that guards something',
  },
  {
    name: 'overwritten-twice',
    verdict: 'note',
    applies: ({ pattern }) => pattern === 'overwritten-twice',
    because: 'both have written it without having looked, and the last one wins',
  },
  {
    name: 'stale-elsewhere',
    verdict: 'warning',
    applies: (it) =>
      it.first.letter === 'r' &&
      isChange(it.between) &&
      isPartOfChange(it, it.last) &&
      it.relation !== 'none',
    because:
      'what was written depends on something else that was read before, and another task has changed that since',
  },
  {
    name: 'several-variables',
    verdict: 'note',
    applies: () => true,
    because:
      'no variable by itself shows it, only several together, and nothing was done by what has changed',
  },
];

export const RULES: readonly Rule[] = ROWS.map((row) => ({ ...row, ...EXAMPLES[row.name] }));

export function ruleFor(it: Case): Rule {
  const rule = RULES.find(({ applies }) => applies(it));
  if (rule === undefined) throw new Error(`no rule for ${it.pattern}`);
  return rule;
}
