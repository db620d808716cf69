import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { AnalysisResult, RunOutcome, ScheduleResult, Shard, ViolationResult } from '../check/result.ts';
import { duration } from '../report/layout.ts';
import { MOST_SEED, type ScheduleKind, type ScheduleOptions } from '../trace/schedule-options.ts';

/** The runs of an exploration: the kinds in turn, with one seed after the other. */
export interface ExplorationPlan {
  kinds: readonly ScheduleKind[];
  seed: number;
  runs: number;
}

export function plannedRuns({ kinds, seed, runs }: ExplorationPlan): ScheduleOptions[] {
  return Array.from({ length: runs }, (_, i) => ({
    kind: kinds[i % kinds.length],
    seed: (seed + Math.floor(i / kinds.length)) % (MOST_SEED + 1),
  }));
}

/** Neighbours stay together, so that every part has some of each kind. */
export function runsInShard<T>(runs: readonly T[], { index, of }: Shard): T[] {
  const bound = (part: number) => Math.floor((part * runs.length) / of);
  return runs.slice(bound(index - 1), bound(index));
}

/** What tells an exploration from another: parts of the same one are merged. */
export function explorationDigest(script: string, args: readonly string[], plan: ExplorationPlan): string {
  const { kinds, seed, runs } = plan;
  const facts = JSON.stringify([basename(script), args, kinds, seed, runs]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 16);
}

/** How a run ended. */
export interface RunEnd {
  code: number;
  isTimedOut: boolean;
  milliseconds: number;
  /** What an uncaught error says of itself. */
  error: string | null;
}

/** What is wrong with the end of a run, when the program without a schedule ended otherwise; null if nothing is. */
export function failureOf(end: RunEnd, plain: RunEnd): { outcome: RunOutcome; message: string } | null {
  if (end.isTimedOut) {
    if (plain.isTimedOut) return null;
    const message = `it had not ended after ${duration(end.milliseconds)}, and took ${duration(plain.milliseconds)} without a schedule`;
    return { outcome: 'timeout', message };
  }
  if (end.code === 0 || end.code === plain.code) return null;
  const otherwise = plain.isTimedOut ? 'it goes on' : `it ends with ${plain.code}`;
  const said = end.error === null ? '' : `: ${end.error}`;
  return {
    outcome: 'failure',
    message: `it ended with exit code ${end.code}, while without a schedule ${otherwise}${said}`,
  };
}

/** The name of what found a failure, in the place of that of an analysis. */
const ENDING = 'ending';

/** A failure as a result beside those of the analyses. */
export function failedResult(
  trace: string,
  schedule: ScheduleResult,
  message: string,
  milliseconds: number,
): AnalysisResult {
  const violation: ViolationResult = {
    kind: 'failure',
    severity: 'error',
    pattern: null,
    event: 0,
    thread: 'main',
    block: null,
    cycle: [],
    interference: null,
    related: [],
    message,
  };
  return {
    trace,
    origin: 'program',
    schedule,
    analysis: ENDING,
    verdict: 'violation',
    serializable: null,
    predictive: false,
    assumptions: [],
    firstEvent: null,
    events: 0,
    complete: true,
    violations: [violation],
    format: null,
    blocks: { checked: 0, leftOut: 0 },
    repairs: [],
    milliseconds: { analysis: 0, total: milliseconds },
    allocatedBytes: null,
    statistics: {},
  };
}
