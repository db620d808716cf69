import type { ForkJoin } from '../analyses/analysis.ts';
import type { AnalysisResult, EventResult } from '../check/result.ts';
import { withoutLocksAlone, withViolations } from '../external/data-conflicts.ts';
import { judgedByAccesses } from '../external/interferences.ts';
import { TraceReader } from '../formats/read.ts';
import type { Specification } from '../spec/specification.ts';
import { NativeNames } from './names.ts';

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
  const judged = await judgedByAccesses(learned, trace, {
    isHarmless: isSwap,
    isLookedAtAgain: (read, write) => isCheck(names, read, write),
  });
  const aboutData = await withoutLocksAlone(judged, trace, options);
  return aboutData.map((result) => inWordsOf(names, result));
}

/** `n += 1` reads what it writes, in one line; a check whether something is still so has a line of its own. */
function isCheck(names: NativeNames, read: EventResult, write: EventResult): boolean {
  const [from, to] = [read, write].map(({ location }) => names.readable(location ?? ''));
  return from !== to;
}

/** Every name of the trace; they are all known at its end only. */
export async function namesOf(trace: string): Promise<NativeNames> {
  const reader = await TraceReader.open(trace, { lenient: true });
  for await (const _batch of reader.batches()) {
    // Only for the names.
  }
  return new NativeNames(reader.names.locations);
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
