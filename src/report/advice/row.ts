import type { EventResult, FindingFacts, ViolationResult } from '../../check/result.ts';
import { printableEnd, quoted } from '../../trace/printable.ts';
import type { Origin } from '../event-words.ts';

/*
 * Advice is a table: each row says for which findings it is meant, by what is known of them, and what to say. The first
 * row that fits is taken.
 */

/** A finding that advice is asked for. */
export type Advised = Omit<ViolationResult, 'confirmation'>;

/** A finding, with what rows go by. */
export interface Case {
  violation: Advised;
  of: AdviceRow['of'];
  /** `rww` where the block read, another wrote, and the block wrote: `r`, `w` and `u` as in STD. Empty without interference. */
  accesses: string;
  facts: Partial<FindingFacts>;
}

/** What the sentences of a row are made of. All of it is safe to print. */
export interface Words {
  /** The variable, the thread of the block, and the other one. */
  variable: string;
  own: string;
  other: string;
  /** Numbers of the events, and their places. */
  first: number;
  between: number;
  last: number;
  firstPlace: string;
  lastPlace: string;
  /** Where something is awaited between the first and the last; empty where that is not known. */
  awaits: readonly string[];
  /** `calls of 'transfer'`. */
  calls: string;
  /** The variable as it may stand in code, `fallback` where its name is none. */
  code(fallback: string): string;
}

export interface AdviceRow {
  /** In JSON and tests: a few words with hyphens. */
  name: string;
  /** Of what it speaks: of tasks of a program that was run, or of threads of a trace. */
  of: 'program' | 'trace';
  applies(one: Case): boolean;
  /** Left out where the message says all there is to say. */
  why?(words: Words): string;
  fix(words: Words): string;
  /** How the fix looks in code: lines that run as they are, once `slow` and the like are there (test/report/advice). */
  sketch?(words: Words): readonly string[];
}

const NAME = 40;
const PLACE = 60;
/** A path of names, which may stand in code. */
/** Behind the name of a variable in a scope stands where it was declared. */
const DECLARED_AT = / \([^()]*\)(?:~\d+)?$/;
const CODE = /^[A-Za-z_$][\w$]*(?:\.#?[A-Za-z_$][\w$]*)*$/;

export function caseOf(violation: Advised, origin: Origin): Case {
  const { interference, facts = {} } = violation;
  const events = interference === null ? [] : [interference.first, interference.between, interference.last];
  return {
    violation,
    of: origin === 'program' ? 'program' : 'trace',
    accesses: events.map(({ op }) => op.replace('v', '')).join(''),
    facts,
  };
}

/** Null where there is no interference to speak of. */
export function wordsOf({ interference, block, facts }: Advised): Words | null {
  if (interference === null) return null;
  const { first, between, last } = interference;
  const variable = first.operand;
  const code = facts?.variable === 'binding' ? variable.replace(DECLARED_AT, '') : variable;
  return {
    variable: quoted(variable, NAME),
    own: quoted(first.thread, NAME),
    other: quoted(between.thread, NAME),
    first: first.event,
    between: between.event,
    last: last.event,
    firstPlace: place(first),
    lastPlace: place(last),
    awaits: (facts?.awaits ?? []).map((location) => printableEnd(location, PLACE)),
    calls: callsOf(block),
    code: (fallback) => (CODE.test(code) && code.length <= NAME ? code : fallback),
  };
}

export function callsOf(block: Advised['block']): string {
  return block === null ? 'such blocks' : `calls of ${quoted(block.label, NAME)}`;
}

function place({ location, event }: EventResult): string {
  return location === null ? `event ${event}` : printableEnd(location, PLACE);
}
