import type { Origin } from '../event-words.ts';
import { threadWord } from '../event-words.ts';
import { ruleOf } from '../rules.ts';
import { cycleAdvice } from './cycle-advice.ts';
import { DATABASE_ROWS } from './database-rows.ts';
import { DOCUMENT_ROWS } from './document-rows.ts';
import { FILE_ROWS } from './file-rows.ts';
import { MEMORY_ROWS } from './memory-rows.ts';
import { PROGRAM_ROWS } from './program-rows.ts';
import { type AdviceRow, type Advised, callsOf, caseOf, wordsOf } from './row.ts';
import { TRACE_ROWS } from './trace-rows.ts';

/** What to say to somebody who has to do something about a finding. Everything is safe to print. */
export interface Advice {
  /** Which advice it is: the row of the table, or the rule of the finding. */
  name: string;
  /** Why it is wrong; null where the message says all there is to say. */
  why: string | null;
  fix: string;
  /** How the fix looks in code; empty where words are enough. */
  sketch: readonly string[];
}

/** The first row that applies is taken: the special ones come first. */
export const ADVICE: readonly AdviceRow[] = [
  ...MEMORY_ROWS,
  ...DOCUMENT_ROWS,
  ...DATABASE_ROWS,
  ...FILE_ROWS,
  ...PROGRAM_ROWS,
  ...TRACE_ROWS,
];

export function adviceFor(violation: Advised, origin?: Origin): Advice {
  const words = wordsOf(violation);
  const one = caseOf(violation, origin);
  const row = words === null ? undefined : ADVICE.find(({ of, applies }) => of === one.of && applies(one));
  if (words !== null && row !== undefined) {
    const { name, why, fix, sketch } = row;
    return { name, why: why?.(words) ?? null, fix: fix(words), sketch: sketch?.(words) ?? [] };
  }
  const { id, fix } = ruleOf(violation);
  const isObserved = violation.kind === 'transaction' || violation.kind === 'trace';
  if (!isObserved || violation.cycle.length === 0 || words !== null)
    return { name: id, why: null, fix, sketch: [] };
  const told = cycleAdvice(violation, `other ${threadWord(origin)}s`);
  if (one.of === 'trace') return { name: id, ...told, sketch: [] };
  return {
    name: id,
    why: told.why,
    fix: `Look for the await in the middle: what has to happen together should stand before it, or after it. Or let ${callsOf(violation.block)} run one after the other: behind a mutex, or chained to the promise of the one before.`,
    sketch: [],
  };
}
