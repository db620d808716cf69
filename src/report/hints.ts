import { operationText } from '../check/operation-text.ts';
import type { ConflictResult, EventResult, ViolationResult } from '../check/result.ts';
import { quoted } from '../trace/printable.ts';
import { isLocking, isRead, type Origin, threadWord } from './event-words.ts';
import { programFix, programWhy } from './program-hints.ts';
import { ruleOf } from './rules.ts';

/** What a hint is made from. */
export type Hinted = Omit<ViolationResult, 'confirmation'>;

/** Why something is wrong, and what to change. */
export interface Hint {
  /** Null where the message says all there is to say. */
  why: string | null;
  fix: string;
}

const NAME = 40;

/** What to say about a violation to somebody who has to do something about it. Everything is safe to print. */
export function hintFor(violation: Hinted, origin?: Origin): Hint {
  const hint = hintForTrace(violation, origin);
  if (origin !== 'program') return hint;
  return { why: programWhy(violation) ?? hint.why, fix: programFix(violation) ?? hint.fix };
}

function hintForTrace(violation: Hinted, origin: Origin): Hint {
  const { pattern, interference, kind } = violation;
  if (kind === 'transaction' || kind === 'trace') {
    if (interference !== null) {
      const words = wordsOf(interference.first, interference.between, interference.last);
      const told = TOLD.get(pattern ?? '');
      if (told !== undefined) return told(words);
    } else if (violation.cycle.length > 0) {
      return cycleHint(violation, `other ${threadWord(origin)}s`);
    }
  }
  return { why: null, fix: ruleOf(violation).fix };
}

interface Words {
  /** The variable, the thread of the block, and the other one. */
  variable: string;
  own: string;
  other: string;
  first: number;
  between: number;
  last: number;
}

function wordsOf(first: EventResult, between: EventResult, last: EventResult): Words {
  return {
    variable: quoted(first.operand, NAME),
    own: quoted(first.thread, NAME),
    other: quoted(between.thread, NAME),
    first: first.event,
    between: between.event,
    last: last.event,
  };
}

const TOLD: ReadonlyMap<string, (words: Words) => Hint> = new Map([
  [
    'lost-update',
    ({ variable, own, other, first, between, last }: Words): Hint => ({
      why: `${own} writes ${variable} (event ${last}) based on a stale read (event ${first}): ${other} changed it in between (event ${between}). Either that change is lost, or ${own} acts on a check that no longer holds (check-then-act).`,
      fix: `Hold one lock from event ${first} to event ${last}; a lock for each access alone does not help. Or use one atomic operation, such as compare-and-set, or read ${variable} again right before writing it and start over if it has changed.`,
    }),
  ],
  [
    'overwritten-before-read',
    ({ variable, own, other, first, between, last }: Words): Hint => ({
      why: `${own} reads ${variable} (event ${last}) as if it still held what it wrote (event ${first}), but ${other} wrote it in between (event ${between}): it goes on with a value that is not its own.`,
      fix: `Keep the value in a variable of its own instead of reading it back, or hold one lock from event ${first} to event ${last}.`,
    }),
  ],
  [
    'overwritten-twice',
    ({ variable, own, other, first, between, last }: Words): Hint => ({
      why: `${own} writes ${variable} twice (events ${first} and ${last}), and what ${other} wrote in between (event ${between}) is lost, or was computed from half of what the block does.`,
      fix: `Write ${variable} once, at the end, or hold one lock from event ${first} to event ${last}.`,
    }),
  ],
  [
    'unrepeatable-read',
    ({ variable, own, other, first, between, last }: Words): Hint => ({
      why: `${own} reads ${variable} twice (events ${first} and ${last}) and may see two values, as ${other} changed it in between (event ${between}): a non-repeatable read. What was decided by the first need not fit the second.`,
      fix: `Read ${variable} once and keep the value, or hold one lock from event ${first} to event ${last}.`,
    }),
  ],
  [
    'intermediate-value-seen',
    ({ variable, own, other, first, between, last }: Words): Hint => ({
      why: `${other} reads ${variable} (event ${between}) between two writes of the block (events ${first} and ${last}): a value that ${own} has not finished with, a dirty read.`,
      fix: `Compute the value first and write ${variable} once, or hold one lock from event ${first} to event ${last} and let ${other} take the same lock to read.`,
    }),
  ],
]);

function cycleHint({ thread, block, cycle }: Hinted, otherThreads: string): Hint {
  const own = block === null ? 'each block' : `block ${quoted(block.label, NAME)}`;
  const fix = `Protect what belongs together by one lock that is held for the whole of ${own}, or make it two blocks if its parts need not happen together.`;
  if (isWriteSkew(cycle)) {
    const [one, two] = cycle;
    return {
      why: `Each of the two writes what the other has read before: ${quoted(one.from.operand, NAME)} and ${quoted(two.from.operand, NAME)}. Each decides by a value that the other changes, so that both together may break what each alone keeps (write skew).`,
      fix: 'Let both take the same lock before they read and keep it until they have written.',
    };
  }
  const { from: left } = cycle[0];
  const { to: returned } = cycle[cycle.length - 1];
  if (cycle.every(({ from, to }) => isLocking(from) && isLocking(to)) && left.thread === thread) {
    const others = new Set(cycle.flatMap(({ from, to }) => [from.thread, to.thread]));
    others.delete(thread);
    const [other] = others;
    const who = others.size === 1 ? quoted(other, NAME) : `${others.size} ${otherThreads}`;
    const [given, taken] = [left, returned].map(({ operand }) => quoted(operand, NAME));
    const [what, which] = given === taken ? ['it again', 'it'] : [taken, 'both'];
    return {
      why: `${own} gives up ${given} (event ${left.event}) and takes ${what} later (event ${returned.event}), and ${who} had ${which} in between: what the block does before and what it does after are not one step.`,
      fix,
    };
  }
  return {
    why:
      block === null
        ? 'Follow the arrows: each says which of two blocks has to come first, and they lead in a circle, so that there is no order in which the blocks could have run one after the other.'
        : `Follow the arrows: what ${otherThreads} did has to come after one part of ${own} and before another, so that there is no order in which it could have run alone.`,
    fix,
  };
}

/** Two transactions, each of which writes what the other has read. */
function isWriteSkew(cycle: readonly ConflictResult[]): boolean {
  return (
    cycle.length === 2 &&
    cycle.every(({ from, to }) => isRead(from) && !isRead(to)) &&
    operationText(cycle[0].from) !== operationText(cycle[1].from)
  );
}
