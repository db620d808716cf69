import type { ForkJoin } from '../analyses/analysis.ts';
import type { AnalysisResult, EventResult, ViolationResult } from '../check/result.ts';
import { withoutLocksAlone, withViolations } from '../external/data-conflicts.ts';
import { type Circumstances, judgedByAccesses, MOST_PER_LABEL } from '../external/interferences.ts';
import { isAnotherLook } from '../external/lines.ts';
import { locationNames } from '../formats/trk/chunks.ts';
import type { Specification } from '../spec/specification.ts';
import { NativeNames } from './names.ts';
import { blocksWithRelatedData } from './related-data.ts';

export interface NativeJudgement {
  specification: Specification;
  forkJoin: ForkJoin;
}

/** The results of a native program's trace: judged by what happened to its data, in the words of its sources. */
export async function nativeResults(
  results: AnalysisResult[],
  trace: string,
  options: NativeJudgement,
): Promise<AnalysisResult[]> {
  if (results.every(({ violations }) => violations.length === 0)) return results;
  const names = await namesOf(trace);
  const learned = results.map((result) =>
    withViolations(result, ({ block }) => block === null || !names.guessed.has(block.label)),
  );
  const likely = await likelyBlocks(learned, trace);
  const judged = await judgedByAccesses(learned, trace, {
    isLikely: (begin) => likely === null || likely.has(begin),
    isHarmless: (first, last) => isSwap(first, last) || isFilled(names, first, last),
    isLookedAtAgain: (read, write) => isCheck(names, read, write),
    isSecondLook: () => true,
    changesAreSteps: true,
    isDoubtful: (first, last, at) =>
      last.location?.endsWith('?') === true ||
      isNextRound(first, last, at) ||
      isOwnEntry(names, first, last, at),
  });
  const aware = judged.map((result) => ({
    ...result,
    violations: result.violations.map((violation) => assigned(violation, names)),
  }));
  const aboutData = await withoutLocksAlone(aware, trace, options);
  return (await withRelatedData(aboutData, trace)).map((result) => inWordsOf(names, result));
}

/**
 * Of a function that locks twice, nearly every call may be in a cycle through its lock alone: where there are too many to look at,
 * those whose data others have touched come first. Null where all are looked at.
 */
async function likelyBlocks(
  results: readonly AnalysisResult[],
  trace: string,
): Promise<ReadonlySet<number> | null> {
  const byLabel = new Map<string, number[]>();
  for (const { predictive, violations } of results)
    for (const { block, kind } of predictive ? [] : violations)
      if (block !== null && kind === 'transaction') added(byLabel, block.label, block.begin);
  if ([...byLabel.values()].every((begins) => begins.length <= MOST_PER_LABEL)) return null;
  return blocksWithRelatedData(trace, new Set([...byLabel.values()].flat()));
}

function added(byLabel: Map<string, number[]>, label: string, begin: number): void {
  const begins = byLabel.get(label);
  if (begins === undefined) byLabel.set(label, [begin]);
  else begins.push(begin);
}

/** Leaves out what is only a cycle where no one else did anything to data that belongs together. */
async function withRelatedData(results: AnalysisResult[], trace: string): Promise<AnalysisResult[]> {
  const open = results.flatMap(({ predictive, violations }) =>
    predictive ? [] : violations.filter(isByCycle),
  );
  if (open.length === 0) return results;
  const related = await blocksWithRelatedData(trace, new Set(open.flatMap(beginsOf)));
  const isMeant = (violation: ViolationResult) =>
    !isByCycle(violation) || beginsOf(violation).some((begin) => related.has(begin));
  return results.map((result) => (result.predictive ? result : withViolations(result, isMeant)));
}

/** Whether no two accesses to one variable with another one between them are known that violate the block. */
function isByCycle({ kind, block, interference }: ViolationResult): boolean {
  return !interference && ((kind === 'transaction' && block !== null) || kind === 'trace');
}

/** The block, or those that cannot be put in any order where no single one is broken. */
function beginsOf({ block, cycle }: ViolationResult): number[] {
  if (block !== null) return [block.begin];
  return (cycle ?? []).flatMap(({ from, to }) =>
    [from, to].flatMap(({ transaction }) => transaction?.begin ?? []),
  );
}

/** Whether something was read only to find out whether it is still so. */
function isCheck(names: NativeNames, read: EventResult, write: EventResult): boolean {
  return isAnotherLook(names.readable(read.location ?? ''), names.readable(write.location ?? ''));
}

/**
 * `emplace` and the like look for themselves whether something is there. How many there are is another question. So does `erase`, but it may
 * be taken for granted that what was found is there.
 */
function isFilled({ calls }: NativeNames, first: EventResult, last: EventResult): boolean {
  const [before, now] = [first, last].map(({ location }) => calls.get(location ?? ''));
  return (
    (now === 'fills' && before !== 'counts') || (now === 'erases' && (before === 'fills' || before === now))
  );
}

/** Whoever has put something into a map looks for that, and takes it out; what others have put in or taken out beside it is theirs. */
function isOwnEntry(
  { calls }: NativeNames,
  first: EventResult,
  last: EventResult,
  at: Circumstances,
): boolean {
  const [before, now] = [first, last].map(({ location }) => calls.get(location ?? ''));
  const isLook = now === 'finds' && (before === 'fills' || before === 'erases');
  return (
    isLook ||
    (now === 'erases' && before === 'finds' && at.changedAt.some((place) => calls.get(place) === 'fills'))
  );
}

/** Whoever has found nothing, and then puts something in over whatever is there, looks for it, but does not go by that. */
function assigned(violation: ViolationResult, { calls }: NativeNames): ViolationResult {
  const { interference } = violation;
  const isBlind =
    calls.get(interference?.first.location ?? '') === 'finds' &&
    calls.get(interference?.last.location ?? '') === 'assigns';
  return isBlind ? { ...violation, severity: 'error' } : violation;
}

/** Whoever gives the lock back to do something, as loops of workers and events do, looks again at the top of the next round. */
function isNextRound(first: EventResult, last: EventResult, at: Circumstances): boolean {
  return first.op.endsWith('w') && last.op.endsWith('r') && at.isLockedAnew && at.isLookedAtBefore;
}

/** Every name of the trace; they are all known at its end only. */
export async function namesOf(trace: string): Promise<NativeNames> {
  return new NativeNames(await locationNames(trace));
}

function inWordsOf<Value>(names: NativeNames, value: Value): Value {
  if (typeof value === 'string') return names.readable(value) as Value;
  if (Array.isArray(value)) return value.map((part) => inWordsOf(names, part)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, inWordsOf(names, part)]),
  ) as Value;
}

/** Compare-and-swap changes nothing unless the value is the one that was read: what came between has not been lost. */
function isSwap(first: EventResult, last: EventResult): boolean {
  return first.op === 'vr' && last.op === 'vu' && last.location?.endsWith('!') === true;
}
