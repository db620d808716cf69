import type { AnalysisDescription, ForkJoin, ViolationFact } from '../analyses/analysis.ts';
import type { ReadOptions } from '../formats/read.ts';
import { excludingLine } from '../spec/specification.ts';
import { checkTrace } from './check.ts';
import type { PreparedTrace, PrepareOptions } from './prepared-trace.ts';

export interface RefineOptions extends PrepareOptions {
  analysis: AnalysisDescription;
  forkJoin: ForkJoin;
  /** One pass that also counts violated blocks inside others, instead of a pass per round. */
  onePass: boolean;
  onProgress?: (events: number, trace: PreparedTrace) => void;
  onRound?: (round: Round) => void;
}

/** A trace to refine on. One that cannot be read twice leaves a copy of itself for the rounds after the first. */
export interface RefineInput {
  path: string;
  copy: { path: string; readOptions: ReadOptions } | null;
}

/** One check of all traces, and what it took out of the specification. */
export interface Round {
  violations: number;
  /** Labels that this round found violated, in the order in which they were found. */
  excluded: string[];
}

export interface Refinement {
  rounds: Round[];
  /** Labels of blocks that are not atomic, over all rounds. */
  excluded: string[];
  /** All labels that the traces have. */
  labels: ReadonlySet<string>;
  /** Whether the traces are serializable under the last specification checked; null if that is not known. */
  serializable: boolean | null;
}

/**
 * Finds the atomicity specification that traces satisfy (RegionTrack §5.3): check, leave out the labels of
 * violated transactions, and check again until nothing is violated any more. A violated block inside another
 * only counts once those around it are left out, which is what takes several rounds; whether a block is
 * violated, though, does not depend on which other blocks there are, so an analysis that blames nested blocks
 * gives the same answer in one pass.
 */
export async function refine(inputs: readonly RefineInput[], options: RefineOptions): Promise<Refinement> {
  const labels = new Set<string>();
  const refinement: Refinement = { rounds: [], excluded: [], labels, serializable: null };
  for (;;) {
    const { round, serializable } = await checkAll(inputs, options, labels, refinement.rounds.length === 0);
    refinement.serializable = serializable;
    for (const label of round.excluded) {
      options.specification.excludeExactly(label);
      refinement.excluded.push(label);
    }
    refinement.rounds.push(round);
    options.onRound?.(round);
    if (round.excluded.length === 0 || options.onePass) break;
  }
  // In one pass, what was checked is not yet what remains after taking labels out.
  if (options.onePass && refinement.excluded.length > 0) refinement.serializable = null;
  return refinement;
}

async function checkAll(
  inputs: readonly RefineInput[],
  options: RefineOptions,
  labels: Set<string>,
  firstRound: boolean,
): Promise<{ round: Round; serializable: boolean | null }> {
  const excluded = new Set<string>();
  let violations = 0;
  let serializable: boolean | null = true;
  for (const { path, copy } of inputs) {
    const check = await checkTrace(firstRound ? path : (copy?.path ?? path), {
      ...options,
      ...(firstRound ? copy?.readOptions : {}),
      analyses: [options.analysis],
      first: false,
    });
    if (check.problem !== null) throw check.problem;
    if (check.trace === null) throw new Error(`${path} was neither read nor refused`);
    const [run] = check.runs;
    const table = check.trace.names.labels;
    for (let id = 0; id < table.size; id++) labels.add(table.text(id));
    for (const violation of run.violations) {
      if (!counts(violation, options.onePass)) continue;
      violations++;
      excluded.add(table.text(violation.block.label));
    }
    const verdict = run.analysis.outcome().serializable;
    serializable = verdict === null || serializable === null ? null : verdict && serializable;
  }
  return { round: { violations, excluded: [...excluded] }, serializable };
}

function counts(
  violation: ViolationFact,
  onePass: boolean,
): violation is ViolationFact & { block: NonNullable<ViolationFact['block']> } {
  return (
    violation.kind === 'transaction' && violation.block !== null && (onePass || violation.block.depth === 0)
  );
}

/** The specification as a file for `--spec`. */
export function specificationFile({ excluded, labels }: Refinement, comment: readonly string[]): string {
  const sorted = [...labels].sort();
  const lines = excluded.map((label) => excludingLine(label, sorted));
  return [...comment.map((line) => `# ${line}`), ...lines, ''].join('\n');
}
