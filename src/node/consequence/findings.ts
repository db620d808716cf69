import type {
  BlockResult,
  FindingFacts,
  InterferenceResult,
  Severity,
  ViolationResult,
} from '../../check/result.ts';
import { severityOf } from '../../explain/pattern.ts';
import { TraceReader } from '../../formats/read.ts';
import { MNEMONICS, type Mnemonic, Op } from '../../trace/operation.ts';
import { isSharedMemory } from '../shared-memory-names.ts';
import { type Consequence, judge } from './consequence.ts';
import { findingFacts } from './finding-facts.ts';
import { type FoundInterference, InterferenceSearch } from './interferences.ts';
import { VariableFactsSearch } from './variable-facts.ts';

/** What is wrong with a block of a program. */
export interface Finding {
  /** As the check reported it; the rest says it better, where more was found. */
  violation: ViolationResult;
  severity: Severity;
  pattern: string | null;
  /** Null where the pattern says all there is. */
  consequence: Consequence | null;
  interference: InterferenceResult | null;
  /** Null where there is no interference. */
  facts: FindingFacts | null;
  /** The blocks around it that the same accesses violate, innermost first. */
  around: readonly BlockResult[];
  /** How many more blocks of this label were violated and not looked at. */
  alike: number;
}

/** Whether the trace may lack its end has been decided by whoever checked it. */
const AGAIN = { lenient: true };

const TELLING: ReadonlySet<Mnemonic> = new Set([
  MNEMONICS[Op.send],
  MNEMONICS[Op.notify],
  MNEMONICS[Op.fork],
]);

/** One way in which a block was violated, judged. */
interface JudgedInterference extends FoundInterference {
  severity: Severity;
  consequence: Consequence | null;
  facts: FindingFacts;
}

/**
 * Turns the violations of a program's trace into what its author has to know: the innermost block that two accesses
 * violate is blamed for them, blocks around it are listed with it, and a block is judged by the worst that happened to
 * it. `absent` names the variables that held nothing before they were first written, as the runtime says.
 */
export async function findings(
  trace: string,
  violations: readonly ViolationResult[],
  absent: ReadonlySet<string>,
): Promise<Finding[]> {
  if (violations.length === 0) return [];
  const found = await interferencesIn(trace, violations);
  const judged = await judgedIn(trace, found, absent);
  const claimed = new Map<string, BlockResult[]>();
  const byBlock = new Map<ViolationResult, Finding | null>();
  // Of blocks that lie within each other, the innermost one began last.
  const innermostFirst = [...judged].sort(([a], [b]) => beginOf(b) - beginOf(a));
  for (const [violation, interferences] of innermostFirst) {
    const harmful = interferences.filter((interference) => !isWatching(interference));
    const own = harmful.filter((interference) => !claimed.has(keyOf(interference)));
    for (const interference of harmful) claim(claimed, interference, violation.block as BlockResult);
    const isOwn = interferences.length === 0 ? !isAnswered(violation) : own.length > 0;
    byBlock.set(violation, isOwn ? finding(violation, own, claimed) : null);
  }
  const all: Finding[] = [];
  const byLabel = new Map<string | undefined, Finding>();
  for (const violation of violations) {
    const label = violation.block?.label;
    const known = byBlock.get(violation);
    if (known === null) continue;
    if (known === undefined && violation.kind === 'transaction') {
      const alike = byLabel.get(label);
      if (alike !== undefined) alike.alike++;
      continue;
    }
    const found = known ?? finding(violation, [], claimed);
    if (!byLabel.has(label)) byLabel.set(label, found);
    all.push(found);
  }
  return all;
}

/**
 * Whether the block has told somebody else something, and only what came of that has come back to it. To ask a worker and
 * to wait for its answer is what the block does, and not what was done to it.
 */
function isAnswered({ cycle }: ViolationResult): boolean {
  return cycle.length > 0 && TELLING.has(cycle[0].from.op);
}

/** Whether the block has only looked once more at something that it expects others to change: `Atomics.load` says so. */
function isWatching({ pattern, first, last }: FoundInterference): boolean {
  const look = MNEMONICS[Op.volatileRead];
  return pattern === 'unrepeatable-read' && first.op === look && last.op === look;
}

function beginOf({ block }: ViolationResult): number {
  return block?.begin ?? 0;
}

function keyOf({ first, last }: InterferenceResult): string {
  return `${first.event} ${last.event}`;
}

/** Notes that a block is violated by these accesses; the arrays are shared with findings, which end up with all. */
function claim(
  claimed: Map<string, BlockResult[]>,
  interference: InterferenceResult,
  block: BlockResult,
): void {
  const key = keyOf(interference);
  const blocks = claimed.get(key);
  if (blocks === undefined) claimed.set(key, []);
  else blocks.push(block);
}

function finding(
  violation: ViolationResult,
  own: readonly JudgedInterference[],
  claimed: ReadonlyMap<string, BlockResult[]>,
): Finding {
  const worst = worstOf(own);
  if (worst === null) {
    const { severity, pattern, interference } = violation;
    return {
      violation,
      severity,
      pattern,
      consequence: null,
      interference,
      facts: null,
      around: [],
      alike: 0,
    };
  }
  const { severity, pattern, consequence, facts, first, between, last } = worst;
  const around = claimed.get(keyOf(worst)) ?? [];
  return {
    violation,
    severity,
    pattern,
    consequence,
    interference: { first, between, last },
    facts,
    around,
    alike: 0,
  };
}

/** Errors before warnings, lost updates before duplicate work, and then what came first. */
function worstOf(interferences: readonly JudgedInterference[]): JudgedInterference | null {
  const rank = ({ severity, consequence }: JudgedInterference) =>
    (severity === 'error' ? 0 : 2) + (consequence === null ? 0 : 1);
  let worst: JudgedInterference | null = null;
  for (const other of interferences)
    if (
      worst === null ||
      rank(other) < rank(worst) ||
      (rank(other) === rank(worst) && other.last.event < worst.last.event)
    )
      worst = other;
  return worst;
}

async function interferencesIn(
  trace: string,
  violations: readonly ViolationResult[],
): Promise<Map<ViolationResult, FoundInterference[]>> {
  const reader = await TraceReader.open(trace, AGAIN);
  const search = new InterferenceSearch(reader.names, violations);
  for await (const batch of reader.batches()) search.look(batch);
  return new Map(search.results());
}

async function judgedIn(
  trace: string,
  found: ReadonlyMap<ViolationResult, FoundInterference[]>,
  absent: ReadonlySet<string>,
): Promise<Map<ViolationResult, JudgedInterference[]>> {
  const variables = new Set([...found.values()].flat().map(({ variable }) => variable));
  const reader = await TraceReader.open(trace, AGAIN);
  const search = new VariableFactsSearch(reader.names, variables, absent);
  for await (const batch of reader.batches()) search.look(batch);
  // It brings a parser, which takes longer to load than most programs to check.
  const { SourceText } = await import('./source-text.ts');
  const source = new SourceText();
  const judged = new Map<ViolationResult, JudgedInterference[]>();
  for (const [violation, interferences] of found)
    judged.set(
      violation,
      interferences.map((interference) => {
        const { pattern, variable, isConnected } = interference;
        const sharedSince = isSharedMemory(variable) ? beginOf(violation) : null;
        const facts = { ...search.facts(variable), source, sharedSince };
        const judgement = judge(pattern, severityOf(pattern), interference, facts, isConnected);
        return { ...interference, ...judgement, facts: findingFacts(interference, facts) };
      }),
    );
  return judged;
}
