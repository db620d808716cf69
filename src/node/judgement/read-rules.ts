import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import {
  hasFlag,
  isBuiltUpon,
  isCheckedOnReturn,
  isInPackage,
  isReadBack,
  isSignal,
  isStaleElsewhere,
  isStored,
  isTakenAway,
  isTorn,
  isWholeTable,
} from './predicates.ts';

import type { Row } from './rule.ts';

/** What was written is read back, what was read is read again, and everything else. The order matters. */
export const READ_RULES: readonly Row[] = [
  {
    name: 'built-upon',
    verdict: 'note',
    applies: (it) => isReadBack(it) && isBuiltUpon(it),
    because: 'the other task had looked at what the block wrote, and went on from there',
    consequence: 'built-upon',
  },
  {
    name: 'left-empty',
    verdict: 'none',
    applies: (it) => isReadBack(it) && it.isHandler && it.sites.has(it.first, SiteBit.empty),
    because:
      'a task of the event loop has left nothing there, and looks for what others have put there since',
  },
  {
    name: 'found-anew',
    verdict: 'note',
    applies: (it) => isReadBack(it) && isTakenAway(it),
    because: 'the block had taken it away, and finds what others have put there since',
    consequence: 'built-upon',
  },
  {
    name: 'told',
    verdict: 'note',
    applies: (it) => isReadBack(it) && it.isTold(),
    because: 'the other task has set a flag, by which the block has come to look at it once more',
    consequence: 'built-upon',
  },
  {
    name: 'own-state',
    verdict: 'note',
    applies: (it) => isReadBack(it) && it.sites.has(it.first, SiteBit.declared),
    because: 'the call has only made the variable, and others change it by a function that it gave them',
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
    applies: (it) => isReadBack(it) && isCheckedOnReturn(it),
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
    name: 'stale-elsewhere',
    verdict: 'warning',
    applies: (it) => isStaleElsewhere(it),
    because:
      'what was written depends on something else that was read before, and another task has changed that since',
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
    name: 'torn-snapshot',
    verdict: 'warning',
    // Whoever reads by Atomics expects others to change it.
    applies: ({ pattern, first, last, sites, variable, isOneStep }) =>
      pattern === 'multi-variable-cycle' &&
      (variable.facts.kind === 'memory' || isOneStep) &&
      first.op === Op.read &&
      last.op === Op.read &&
      sites.areUsedTogether(first, last),
    because: 'two values were read as they had never been together, and are used together',
  },
  {
    name: 'several-variables',
    verdict: 'note',
    applies: () => true,
    because:
      'no variable by itself shows it, only several together, and nothing was done by what has changed',
  },
];
