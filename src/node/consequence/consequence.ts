import type { InterferenceResult, Severity } from '../../check/result.ts';
import type { PatternName } from '../../explain/pattern.ts';

/** An access to the variable of an interference. */
export interface VariableAccess {
  event: number;
  thread: string;
  op: 'r' | 'w' | 'u';
  location: string | null;
}

/**
 * What came of a violation, for a program rather than a trace. The patterns of SEMANTICS stay what they are; these say
 * more where more is known.
 *
 * - `duplicate-work`: two tasks found something missing, and both made it.
 * - `built-upon`: another task changed what the block had written, but had looked at it first.
 * - `looked-again`: the block looked at the variable again before it wrote, so that nobody's change is lost.
 */
export type Consequence = 'duplicate-work' | 'built-upon' | 'looked-again';

export interface Judgement {
  severity: Severity;
  /** Null where the pattern says all there is. */
  consequence: Consequence | null;
}

/** What is known of the variable of a violation. */
export interface VariableFacts {
  /** All accesses between those of the interference, and before; in the order of the trace. */
  accesses: readonly VariableAccess[];
  /** Whether there was nothing in the variable before its first write. */
  wasAbsent: boolean;
}

/** How bad an interference is for the program in which it happened. */
export function judge(
  pattern: PatternName,
  severity: Severity,
  interference: InterferenceResult,
  facts: VariableFacts,
): Judgement {
  if (pattern === 'overwritten-before-read' && isBuiltUpon(interference, facts))
    return { severity: 'warning', consequence: 'built-upon' };
  if (pattern !== 'lost-update') return { severity, consequence: null };
  if (hasLookedAgain(interference, facts)) return { severity: 'warning', consequence: 'looked-again' };
  if (isDuplicate(interference, facts)) return { severity, consequence: 'duplicate-work' };
  return { severity, consequence: null };
}

/** Whether the task that came between had read what the block wrote: a queue that workers share, a list added to. */
function isBuiltUpon({ first, between }: InterferenceResult, { accesses }: VariableFacts): boolean {
  return (
    between.op.startsWith('u(') ||
    accesses.some(
      ({ event, thread, op }) =>
        op === 'r' && thread === between.thread && event > first.event && event < between.event,
    )
  );
}

/** Whether the block read the variable after the last change by another task, other than by writing it. */
function hasLookedAgain({ last }: InterferenceResult, { accesses }: VariableFacts): boolean {
  let looked = false;
  for (const { event, thread, op, location } of accesses) {
    if (event >= last.event) break;
    if (thread !== last.thread) {
      if (op !== 'r') looked = false;
      // `stock--` reads too, but does not look at what it was decided by.
    } else if (op === 'r' && location !== last.location) {
      looked = true;
    }
  }
  return looked && changedBefore(last, accesses);
}

function changedBefore(last: InterferenceResult['last'], accesses: readonly VariableAccess[]): boolean {
  return accesses.some(({ event, thread, op }) => event < last.event && thread !== last.thread && op !== 'r');
}

/** Whether both tasks had seen that there is nothing, and the other one's write was the first. */
function isDuplicate({ between, last }: InterferenceResult, { accesses, wasAbsent }: VariableFacts): boolean {
  if (!wasAbsent) return false;
  const writes = accesses.filter(({ op, event }) => op !== 'r' && event < last.event);
  if (writes.some(({ event }) => event < between.event)) return false;
  return accesses.some(
    ({ event, thread, op }) => op === 'r' && thread === between.thread && event < between.event,
  );
}
