import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import { type Access, isChange } from './access.ts';
import { type Case, isActedUponAtOnce, isForeign } from './case.ts';
import { EXAMPLES, type RuleExample } from './examples.ts';

/** `none`: this is no interference at all, and nothing is said. */
export type Verdict = 'error' | 'warning' | 'note' | 'none';

/** What came of a violation, where the pattern does not say it. */
export type Consequence = 'duplicate-work' | 'built-upon' | 'looked-again';

/** A row of the table; examples.ts has the programs that show it. */
interface Row {
  /** As in `because`, in the JSON report. */
  name: string;
  verdict: Verdict;
  applies(it: Case): boolean;
  /** For whoever reads the report: one sentence, in the past, about what was found. */
  because: string;
  consequence?: Consequence;
}

/** Rules about databases have their programs with the tests of those. */
export interface Rule extends Row, Partial<RuleExample> {}

const isAct = ({ pattern }: Case) => pattern === 'lost-update';
const isReadBack = ({ pattern }: Case) => pattern === 'overwritten-before-read';
const hasFlag = ({ flags }: Access, flag: number) => (flags & flag) !== 0;

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
    applies: ({ first, last, sites }) =>
      (first.excludedIn !== 0 && first.excludedIn === last.excludedIn) ||
      (sites.has(first, SiteBit.unmeant) && sites.has(last, SiteBit.unmeant)),
    because: 'both accesses are in a function that is not meant to be atomic, as an option or a comment says',
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
      it.sites.has(it.last, SiteBit.removal) &&
      it.variable.facts.kind !== 'element',
    because:
      'it was taken away after the block was over that had decided so, and after others had put something there',
  },
  {
    name: 'perhaps-stale',
    verdict: 'warning',
    applies: (it) => isAct(it) && it.relation === 'maybe' && isInPackage(it),
    because:
      'another task has changed what was read before, and what a function of a package has written may depend on that, or not',
  },
  {
    name: 'duplicate-work',
    verdict: 'error',
    applies: (it) => isAct(it) && isDuplicate(it),
    because: 'two tasks found it missing, and both made it',
    consequence: 'duplicate-work',
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

/**
 * Whether something is thrown away because of what was seen of it before: `send(queue.slice())`, and later `queue.length = 0`. Who has
 * looked at it again right before that knows what it takes.
 */
function isRemovedUnseen(it: Case): boolean {
  const { first, last, relation, sites, isSeenAgain } = it;
  if (relation !== 'none' || isSeenAgain || first.thread !== last.thread) return false;
  if (sites.has(first, SiteBit.mention | SiteBit.receiver)) return false;
  return sites.has(last, SiteBit.removal | SiteBit.empty) && !isActedUponAtOnce(it);
}

/**
 * Whether it was decided by what was read before that something is added, though the block has looked at it since, for another
 * purpose: `if (users.some(isKnown)) return; await check(); users.push({ id: users.length })`.
 */
function isDecidedBefore({ relation, fresh }: Case): boolean {
  return relation === 'control' && fresh.isData && !fresh.isDecision;
}

/** Kinds of variables that a program has in its memory. */
const IN_MEMORY: ReadonlySet<string> = new Set([
  ...['property', 'private', 'binding', 'entry', 'element', 'size', 'keys'],
]);

/** Whether a package does it for itself. Files, and rows of a database, it reads and writes for the program. */
function isInPackage({ blockLocation, sites, variable }: Case): boolean {
  return IN_MEMORY.has(variable.facts.kind ?? 'property') && sites.isOfPackage(blockLocation);
}

/** Whether others have done nothing but to put more into it. */
function isAddedTo(it: Case): boolean {
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

/** Whether the block has come to the same place again, where it goes by what it reads now. */
function isNextRound({ first, last, sites }: Case): boolean {
  if (first.location !== last.location) return false;
  const isOneCall = first.activation === last.activation && sites.has(last, SiteBit.inAsync);
  return isOneCall || !sites.has(last, SiteBit.calledAgain);
}

/** Whether the variable stands for more of a table than rows that can be told apart. */
function isWholeTable({ variable }: Case): boolean {
  return variable.facts.kind === 'table' || variable.facts.kind === 'part';
}

/** Whether the variable is in a store. */
function isStored({ variable }: Case): boolean {
  return STORED.has(variable.facts.kind ?? '');
}

const STORED: ReadonlySet<string> = new Set([
  'row',
  'column',
  'predicate',
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
function isEased(it: Case): boolean {
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
function isTorn({ last, variable }: Case): boolean {
  return variable.facts.kind === 'file' && hasFlag(last, EventFlag.completes);
}

/** Whether it is a change, or the read that belongs to one: `seats.delete(seat)`. */
function isPartOfChange({ sites }: Case, access: Access): boolean {
  const changing = SiteBit.removal | SiteBit.stepUp | SiteBit.stepDown | SiteBit.ownChange;
  return isChange(access) || sites.has(access, changing);
}

/** Whether both tasks had seen that there is nothing, and the other one's write was the first. */
function isDuplicate(it: Case): boolean {
  const { between, history, variable } = it;
  if (variable.facts.absent !== true) return false;
  if (history.some((access) => isChange(access) && access.event < between.event)) return false;
  return history.some(
    ({ letter, thread, event }) => letter === 'r' && thread === between.thread && event < between.event,
  );
}

/** Whether the task that came between had read what the block wrote: a queue that workers share, a list added to. */
function isBuiltUpon(it: Case): boolean {
  const { first, between, history } = it;
  return (
    between.letter === 'u' ||
    it.sites.has(between, SiteBit.ownChange) ||
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
function isSignal({ history, sites }: Case): boolean {
  const changes = history.filter(isChange);
  return changes.length > 0 && changes.every((access) => sites.has(access, SiteBit.flag));
}
