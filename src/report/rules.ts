import type { ViolationKind } from '../analyses/analysis.ts';
import type { ResultKind, Severity, ViolationResult } from '../check/result.ts';

/** A kind of problem, for tools that explain and configure problems by kind. */
export interface Rule {
  /** A pattern of docs/explanation/semantics.md, or a kind of violation where there is no pattern. */
  id: string;
  name: string;
  severity: Severity;
  summary: string;
  /** What to change in the program. */
  fix: string;
  /** All that can be done about it. */
  help: string;
}

/** What a rule is made of: what to do beside changing the program goes without saying where commands are named. */
interface RuleParts extends Omit<Rule, 'help'> {
  advice: string;
}

const TOGETHER = 'Make the whole block one critical section, or re-check what it read before it acts on it.';
const EXCLUDE = 'If the block is not meant to be atomic, leave it out with --exclude.';
const CONFIRM = 'Run check with --confirm to look for a schedule that shows it.';

/** By pattern: what was seen in the trace. */
const PATTERNS: readonly RuleParts[] = [
  {
    id: 'lost-update',
    name: 'LostUpdate',
    severity: 'error',
    summary:
      'An atomic block read a variable, another thread wrote it, and the block wrote it as if nothing had happened.',
    fix: TOGETHER,
    advice: EXCLUDE,
  },
  {
    id: 'overwritten-before-read',
    name: 'OverwrittenBeforeRead',
    severity: 'error',
    summary:
      'An atomic block wrote a variable, another thread wrote it, and the block read back what it had not written.',
    fix: TOGETHER,
    advice: EXCLUDE,
  },
  {
    id: 'overwritten-twice',
    name: 'OverwrittenTwice',
    severity: 'warning',
    summary: 'Between two writes of an atomic block to a variable, another thread wrote it.',
    fix: TOGETHER,
    advice: EXCLUDE,
  },
  {
    id: 'unrepeatable-read',
    name: 'UnrepeatableRead',
    severity: 'warning',
    summary: 'Between two reads of a variable in an atomic block, another thread wrote it.',
    fix: 'Read it once and keep the value, or make the block one critical section.',
    advice: EXCLUDE,
  },
  {
    id: 'intermediate-value-seen',
    name: 'IntermediateValueSeen',
    severity: 'warning',
    summary:
      'Another thread read a variable between two writes of an atomic block: a value that was not meant to be seen.',
    fix: 'Compute the value first and write it once, or make the block one critical section.',
    advice: EXCLUDE,
  },
  {
    id: 'multi-variable-cycle',
    name: 'MultiVariableCycle',
    severity: 'warning',
    summary:
      'What other threads did has to come both before and after an atomic block, by conflicts on several variables or locks.',
    fix: 'Protect what belongs together by one lock that is held for the whole block.',
    advice: EXCLUDE,
  },
];

/** By kind: what has no pattern, and what other schedules would do. */
const KINDS: Readonly<Record<ResultKind, RuleParts>> = {
  transaction: {
    id: 'transaction',
    name: 'AtomicBlockViolated',
    severity: 'warning',
    summary: 'An atomic block was interleaved with other threads in a way that no serial order explains.',
    fix: TOGETHER,
    advice: EXCLUDE,
  },
  trace: {
    id: 'trace',
    name: 'NotSerializable',
    severity: 'warning',
    summary: 'The transactions of the trace cannot be put in any order that gives the same result.',
    fix: 'Look at the conflicts along the cycle, and keep one of them from happening inside of a block.',
    advice: EXCLUDE,
  },
  before: predicted('before', 'BrokenInAnotherScheduleBefore'),
  in: predicted('in', 'BrokenInAnotherScheduleIn'),
  after: predicted('after', 'BrokenInAnotherScheduleAfter'),
  conflict: {
    id: 'conflict',
    name: 'NotConflictSerializable',
    severity: 'warning',
    summary:
      'The units of the program can be interleaved in a way that is not conflict-equivalent to any serial order.',
    fix: TOGETHER,
    advice: CONFIRM,
  },
  view: {
    id: 'view',
    name: 'NotViewSerializable',
    severity: 'warning',
    summary:
      'The units of the program can be interleaved in a way that no serial order has the same view as.',
    fix: TOGETHER,
    advice: CONFIRM,
  },
  reduction: {
    id: 'reduction',
    name: 'NotReducible',
    severity: 'warning',
    summary: 'The block does not follow a pattern of locking that guarantees atomicity.',
    fix: 'Take all locks before the first access that needs them and release none before the last.',
    advice: EXCLUDE,
  },
  block: {
    id: 'block',
    name: 'UnserializableAccesses',
    severity: 'warning',
    summary:
      'Another access can come between two accesses of a block in a way that no serial order explains.',
    fix: TOGETHER,
    advice: CONFIRM,
  },
  race: {
    id: 'race',
    name: 'DataRace',
    severity: 'warning',
    summary: 'Two threads access a variable, at least one of them writes, and nothing orders them.',
    fix: 'Protect every access to the variable by the same lock.',
    advice: '',
  },
  deadlock: {
    id: 'deadlock',
    name: 'PotentialDeadlock',
    severity: 'warning',
    summary: 'Threads take locks in an order in which each can wait for the next.',
    fix: 'Take the locks in the same order everywhere.',
    advice: '',
  },
  failure: {
    id: 'failure',
    name: 'FailsInAnotherOrder',
    severity: 'error',
    summary: 'The program fails in one order of its tasks and not in another.',
    fix: 'Run it in that order again, and look at the first thing that goes wrong.',
    advice: '',
  },
};

function predicted(id: ViolationKind, name: string): RuleParts {
  return {
    id,
    name,
    severity: 'warning',
    summary: 'In another schedule of the same program, an atomic block would be broken by another thread.',
    fix: TOGETHER,
    advice: CONFIRM,
  };
}

export const RULES: readonly Rule[] = [...PATTERNS, ...Object.values(KINDS)].map(({ advice, ...rule }) => ({
  ...rule,
  help: `${rule.fix} ${advice}`.trim(),
}));

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

export function ruleOf({ kind, pattern }: ViolationResult): Rule {
  return BY_ID.get(pattern ?? kind) ?? (BY_ID.get(kind) as Rule);
}
