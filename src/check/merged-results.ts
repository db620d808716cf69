import { createHash } from 'node:crypto';
import { printable, quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import {
  type AnalysisResult,
  type CheckReport,
  type KnownViolation,
  RUN_OUTCOMES,
  type RunResult,
  type Shard,
  type Tool,
} from './result.ts';
import { compareSchedules } from './schedules.ts';
import { shardsOf } from './shard.ts';

/*
 * One document out of many. Every part of it is joined by an operation that does not care about order, grouping or
 * repetition: a union, an intersection, or the least or greatest by some order. So is the whole: shards can be
 * merged as they come in, in a tree, or twice.
 */

export interface SavedReport {
  /** For messages. */
  file: string;
  report: CheckReport;
}

/** What to do about different results of one analysis on one trace. */
export type ConflictHandling = 'refuse' | 'keep';

export function mergeReports(saved: readonly SavedReport[], conflicts: ConflictHandling): CheckReport {
  const reports = saved.map(({ report }) => report);
  const shards = mergedShards(reports);
  const runs = mergedRuns(reports);
  const fixed = commonlyFixed(reports);
  return {
    tool: newestTool(reports),
    ...(shards.length === 0 ? {} : { shards }),
    results: mergedResults(saved, conflicts),
    ...(runs.length === 0 ? {} : { runs }),
    ...(fixed === null ? {} : { fixed }),
  };
}

function newestTool(reports: readonly CheckReport[]): Tool {
  return reports
    .map(({ tool }) => tool)
    .reduce((a, b) => (compareVersions(a.version, b.version) < 0 ? b : a));
}

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** 0.10.0 is newer than 0.9.0; never equal unless the same. */
export function compareVersions(a: string, b: string): number {
  return NUMERIC.compare(a, b) || compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function mergedShards(reports: readonly CheckReport[]): Shard[] {
  const distinct = new Map<string, Shard>();
  for (const shard of reports.flatMap(shardsOf)) {
    const { index, of, corpus } = shard;
    distinct.set(JSON.stringify([index, of, corpus]), shard);
  }
  return [...distinct.values()].sort(
    (a, b) => compareTexts(a.corpus ?? '', b.corpus ?? '') || a.of - b.of || a.index - b.index,
  );
}

/** All runs, each once. Of one that came out differently when it was done again, the worse outcome counts. */
function mergedRuns(reports: readonly CheckReport[]): RunResult[] {
  const distinct = new Map<string, RunResult>();
  const rank = ({ outcome }: RunResult) => RUN_OUTCOMES.indexOf(outcome);
  for (const run of reports.flatMap(({ runs = [] }) => runs)) {
    const key = JSON.stringify([run.trace, run.schedule.kind, run.schedule.seed]);
    const same = distinct.get(key);
    if (same === undefined || rank(same) < rank(run)) distinct.set(key, run);
  }
  return [...distinct.values()].sort(
    (a, b) => compareTexts(a.trace, b.trace) || compareSchedules(a.schedule, b.schedule),
  );
}

/**
 * What every document says is gone. One that says nothing of it, such as that of a shard, may have found it; null if
 * there is one.
 */
function commonlyFixed(reports: readonly CheckReport[]): KnownViolation[] | null {
  const byFingerprint = new Map<string, KnownViolation[]>();
  for (const { fixed } of reports) {
    if (fixed === undefined) return null;
    const inThis = new Map(fixed.map((known) => [known.fingerprint, known]));
    for (const [fingerprint, known] of inThis) {
      const others = byFingerprint.get(fingerprint);
      if (others === undefined) byFingerprint.set(fingerprint, [known]);
      else others.push(known);
    }
  }
  return [...byFingerprint]
    .filter(([, claims]) => claims.length === reports.length)
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([, claims]) => claims.reduce((a, b) => (compareTexts(canonical(a), canonical(b)) <= 0 ? a : b)));
}

interface SavedResult {
  file: string;
  result: AnalysisResult;
}

function mergedResults(saved: readonly SavedReport[], conflicts: ConflictHandling): AnalysisResult[] {
  const groups = new Map<string, SavedResult[]>();
  for (const { file, report } of saved) {
    for (const result of report.results) {
      const { trace, analysis, schedule } = result;
      const key = JSON.stringify([trace, analysis, schedule?.kind, schedule?.seed]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ file, result }]);
      else group.push({ file, result });
    }
  }
  const distinct = [...groups.values()].map(distinctResults);
  // A program may do something else when it is run again, and both is what was seen.
  const contradictory = distinct.filter(
    ([{ result }, ...others]) => others.length > 0 && result.origin !== 'program',
  );
  if (contradictory.length > 0 && conflicts === 'refuse') throw conflictProblem(contradictory);
  return distinct
    .flatMap((variants) => variants.map(({ result }, rank) => ({ result, rank })))
    .sort(
      (a, b) =>
        compareTexts(a.result.trace, b.result.trace) ||
        compareSchedules(a.result.schedule, b.result.schedule) ||
        // What belongs together stays together: the analyses of one run, then those of the next.
        a.rank - b.rank ||
        compareTexts(a.result.analysis, b.result.analysis),
    )
    .map(({ result }) => result);
}

/** Results of one analysis on one trace, each different one once. */
function distinctResults(group: readonly SavedResult[]): readonly SavedResult[] {
  if (group.length === 1) return group;
  const variants = new Map<string, SavedResult>();
  for (const saved of group) {
    const content = contentDigest(saved.result);
    const same = variants.get(content);
    if (same === undefined || compareMeasured(saved.result, same.result) < 0) variants.set(content, saved);
  }
  return [...variants].sort(([a], [b]) => compareTexts(a, b)).map(([, variant]) => variant);
}

/** What differs between two runs of the same check on the same trace, and so does not tell results apart. */
const MEASURED: ReadonlySet<string> = new Set(['milliseconds', 'allocatedBytes']);

function contentDigest(result: AnalysisResult): string {
  const { violations, ...rest } = result;
  const hash = createHash('sha256');
  hash.update(
    canonical(
      Object.entries(rest)
        .filter(([name]) => !MEASURED.has(name))
        .sort(byName),
    ),
  );
  // One by one: a million of them make a text longer than any string may be.
  for (const violation of violations) hash.update(`\n${canonical(violation)}`);
  return hash.digest('hex');
}

/** Which of two equal results was measured to be the cheaper one; noise only ever adds. */
function compareMeasured(a: AnalysisResult, b: AnalysisResult): number {
  return (
    a.milliseconds.total - b.milliseconds.total ||
    a.milliseconds.analysis - b.milliseconds.analysis ||
    (a.allocatedBytes ?? -1) - (b.allocatedBytes ?? -1)
  );
}

/** JSON that does not depend on the order of fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(byName))
      : part,
  );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

function conflictProblem(contradictory: readonly (readonly SavedResult[])[]): InputProblem {
  const [[a, b]] = contradictory;
  const { trace, analysis } = a.result;
  const more = contradictory.length === 1 ? '' : ` (one of ${contradictory.length} conflicts)`;
  const where = a.file === b.file ? `twice in ${a.file}` : `in ${a.file} and in ${b.file}`;
  return new InputProblem(
    `the results of ${printable(analysis)} on ${quoted(trace)} are different ${where}${more}`,
    {
      found: `other values of ${differences(a.result, b.result)}`,
      expected: 'one file without the outdated results, or --conflicts keep to keep both',
    },
  );
}

function differences(a: AnalysisResult, b: AnalysisResult): string {
  const [inA, inB] = [a, b].map((result) => new Map<string, unknown>(Object.entries(result)));
  const names = [...new Set([...inA.keys(), ...inB.keys()])].filter(
    (name) => !MEASURED.has(name) && !same(inA.get(name), inB.get(name)),
  );
  return printable(names.join(', '));
}

function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return canonical([a]) === canonical([b]);
  return a.length === b.length && a.every((item, i) => canonical([item]) === canonical([b[i]]));
}
