import { Op } from '../../trace/operation.ts';
import { ACT_RULES } from './act-rules.ts';
import type { Case } from './case.ts';
import { EXAMPLES } from './examples/index.ts';
import { isUnmeant, isUnordered } from './predicates.ts';
import { READ_RULES } from './read-rules.ts';
import type { Row, Rule } from './rule.ts';

/** No interference at all. */
const NO_INTERFERENCE: readonly Row[] = [
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
];

/**
 * The principle: an act is stale if it depends on something that another task has changed since it was read, and that was not
 * looked at again. Everything in front of `stale-act` is an exception from it. The first rule that applies decides.
 */
export const RULES: readonly Rule[] = [...NO_INTERFERENCE, ...ACT_RULES, ...READ_RULES].map((row) => ({
  ...row,
  ...EXAMPLES[row.name],
}));

export function ruleFor(it: Case): Rule {
  const rule = RULES.find(({ applies }) => applies(it));
  if (rule === undefined) throw new Error(`no rule for ${it.pattern}`);
  return rule;
}
