import type { EventResult, InterferenceResult, Severity } from '../../check/result.ts';
import type { PatternName } from '../../explain/pattern.ts';
import type { ReadUse } from '../instrument/read-uses.ts';
import type { SourceText } from './source-text.ts';

/** The names that the runtime gives to the tasks of callbacks. */
export const HANDLER: RegExp = /^(?:callback|immediate|interval|tick|timeout)#\d+$/;

/** An access to the variable of an interference. */
export interface VariableAccess {
  event: number;
  thread: string;
  op: 'r' | 'w' | 'u';
  location: string | null;
  /** Accesses with the same number were made by one thread while no other did anything. */
  run: number;
  /** For a change: the threads whose writes its thread had read in this run, each with the last of those writes. */
  seen: ReadonlyMap<string, number>;
  /** Which thread forked its thread, and at which event; null for the first one. */
  forked?: { by: string; at: number } | null;
  /** The threads that have led to its thread, the nearest first, as far as that matters. */
  starters?: readonly string[];
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
  /** What is known of the places. */
  source?: SourceText;
  /**
   * For memory that threads share: the event with which the block began. Between any two accesses of a thread, others may
   * come.
   */
  sharedSince?: number | null;
}

/** How bad an interference is for the program in which it happened; `isConnected` as in `FoundInterference`. */
export function judge(
  pattern: PatternName,
  severity: Severity,
  interference: InterferenceResult,
  facts: VariableFacts,
  isConnected = true,
): Judgement {
  // Nothing was done because of what has changed since, and nothing was expected to stay.
  if (!isConnected) return { severity: 'warning', consequence: null };
  if (pattern === 'overwritten-before-read' && isBuiltUpon(interference, facts))
    return { severity: 'warning', consequence: 'built-upon' };
  if (pattern === 'overwritten-before-read' && (isWrittenAgain(interference, facts) || isSignal(facts)))
    return { severity: 'warning', consequence: null };
  if (pattern !== 'lost-update') return { severity, consequence: null };
  // The front end calls a change an update only if nothing that the block read before can have gone stale.
  if (isUpdate(interference.last)) return { severity: 'warning', consequence: null };
  if (isReset(interference, facts)) return { severity: 'warning', consequence: null };
  if (isOwnValue(interference, facts) || isKeptByChange(interference, facts) || isEased(interference, facts))
    return { severity: 'warning', consequence: null };
  if (isMoved(interference, facts)) return { severity: 'warning', consequence: null };
  if (hasLookedAgain(interference, facts)) return { severity: 'warning', consequence: 'looked-again' };
  if (isDuplicate(interference, facts)) return { severity, consequence: 'duplicate-work' };
  return { severity, consequence: null };
}

/** How many there are in a container. */
const SIZE = /\.(?:length|size)$/;

/** Whether an access, as results have it, is a commuting update. */
function isUpdate({ op }: EventResult): boolean {
  return op === 'u' || op === 'vu';
}

/**
 * Whether the task that came between had read what the block wrote, there or elsewhere: a queue that workers share, a list
 * added to, whose parts belong together.
 */
function isBuiltUpon({ first, between }: InterferenceResult, { accesses, source }: VariableFacts): boolean {
  const change = accesses.find(({ event }) => event === between.event);
  return (
    isUpdate(between) ||
    source?.isOwnChange(between.location) === true ||
    // It has added to the value, whatever that was.
    isUpdate(first) ||
    // The block itself is over there, and only what it has started goes on.
    between.thread === first.thread ||
    (change?.seen.get(first.thread) ?? -1) >= first.event ||
    accesses.some(
      ({ event, thread, op }) =>
        op === 'r' && thread === between.thread && event > first.event && event < between.event,
    )
  );
}

/** Whether the variable is a flag by which tasks tell each other something: `running = false` is meant to be seen. */
function isSignal({ accesses, source }: VariableFacts): boolean {
  const changes = accesses.filter(({ op }) => op !== 'r');
  return changes.length > 0 && changes.every(({ location }) => source?.isFlag(location) === true);
}

/** Whether what is read in the end is not the other task's value, because the reader has written it once more. */
function isWrittenAgain({ last }: InterferenceResult, { accesses }: VariableFacts): boolean {
  return accesses.findLast(({ event, op }) => op !== 'r' && event < last.event)?.thread === last.thread;
}

/**
 * Whether the first read gave what the task had just written itself, as in a buffer that is filled and used at once. What a
 * thread has written to shared memory before the block began is not the block's own: `for (;;) count[0]++`.
 */
function isOwnValue({ first }: InterferenceResult, { accesses, sharedSince }: VariableFacts): boolean {
  const at = accesses.findIndex(({ event }) => event === first.event);
  const before = accesses[at - 1];
  return before?.op === 'w' && before.run === accesses[at].run && before.event > (sharedSince ?? 0);
}

/**
 * Whether others have only updated the variable, and the block's own change keeps that, as it reads and writes at once:
 * `queue.splice(0, sent)` does not lose what was pushed since. But a number that the block
 * counts after it has looked, as others do, is acted upon by a check that may no longer hold.
 */
function isKeptByChange({ first, last }: InterferenceResult, { accesses }: VariableFacts): boolean {
  if (!SIZE.test(last.operand)) return false;
  const at = accesses.findIndex(({ event }) => event === last.event);
  const before = accesses[at - 1];
  if (before?.op !== 'r' || before.thread !== last.thread || before.location !== last.location) return false;
  return !accesses.some(
    ({ event, op, thread }) =>
      op === 'w' && thread !== last.thread && event > first.event && event < last.event,
  );
}

/**
 * Whether the block counts in one direction, and others have counted in the other since it looked. Nobody's change is lost,
 * and there is more room than it saw: `if (waiting < most) { await …; waiting++ }` while others are done.
 */
function isEased(
  { first, last }: InterferenceResult,
  { accesses, source, sharedSince }: VariableFacts,
): boolean {
  // Threads that count by `a[i]++` lose what others count meanwhile, in whatever direction.
  if (sharedSince != null && last.op === 'w') return false;
  const own = source?.step(last.location) ?? 0;
  return (
    own !== 0 &&
    accesses.every(
      ({ event, thread, op, location }) =>
        op === 'r' ||
        thread === last.thread ||
        event < first.event ||
        event > last.event ||
        source?.step(location) === -own,
    )
  );
}

/**
 * Whether the block had changed the variable at once where it first read it, and writes a constant in the end, whatever was there:
 * `if (++failures > most) …`, and later `failures = 0`.
 */
function isReset(interference: InterferenceResult, { accesses, source }: VariableFacts): boolean {
  return source?.isConstant(interference.last.location) === true && isActedUponAtOnce(interference, accesses);
}

/** Whether another task of the block has moved an element along with others; it goes by the array, and not by that one. */
function isMoved({ first, last }: InterferenceResult, { source }: VariableFacts): boolean {
  return first.thread !== last.thread && last.operand.endsWith(']') && source?.isMove(last.location) === true;
}

/**
 * Whether the block read the variable after the last change by another task, other than by writing it, and can have gone by
 * that: not if it only told somebody, nor if what it writes is computed of what it had read before.
 */
function hasLookedAgain(interference: InterferenceResult, { accesses, source }: VariableFacts): boolean {
  const { first, last } = interference;
  const isSettled = isActedUponAtOnce(interference, accesses);
  // Another task of the block does not go by what was settled in the first.
  if (isSettled && first.thread !== last.thread) return true;
  const starter = accesses.find(({ event }) => event === last.event)?.forked ?? null;
  const isStale = !isSettled && source?.isMadeOf(last.location, first.location) === true;
  const isLook = (use: ReadUse) => use === 'test' || (use === 'value' && !isStale);
  let looked = false;
  for (const { event, thread, op, location, starters } of accesses) {
    if (event >= last.event) break;
    // A task goes by what the one that started it had seen, and by what callbacks see that try again until it is its turn.
    const isOwn =
      thread === last.thread ||
      (thread === starter?.by && event < starter.at) ||
      (HANDLER.test(thread) && isStartedBy(starters, [first.thread, last.thread]));
    if (!isOwn) {
      if (op !== 'r') looked = false;
      // `stock--` reads too, but does not look at what it was decided by; `queue.shift()` in a loop does.
    } else if (op === 'r' && (isSettled || location !== last.location || !hasColumn(location))) {
      looked ||= isSettled || isLook(source?.use(location) ?? 'test');
    }
  }
  return looked && changedBefore(last, accesses);
}

/** Accesses to files have a line only, on which there may be several. */
function hasColumn(location: string | null): boolean {
  return location !== null && /:\d+:\d+$/.test(location);
}

function isStartedBy(starters: readonly string[] | undefined, threads: readonly string[]): boolean {
  return starters?.some((starter) => threads.includes(starter)) === true;
}

/**
 * Whether the block changed the variable after it had first read it, before anybody else did; or had just updated it:
 * `waiting.push(job); if (waiting.length === 1) …`.
 */
function isActedUponAtOnce(
  { first, last }: InterferenceResult,
  accesses: readonly VariableAccess[],
): boolean {
  const at = accesses.findIndex(({ event }) => event === first.event);
  const before = accesses[at - 1];
  if (before?.op === 'u' && before.run === accesses[at].run) return true;
  const change = accesses.find(({ event, op }) => event > first.event && op !== 'r');
  return change !== undefined && change.thread === first.thread && change.event < last.event;
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
