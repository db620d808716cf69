import type {
  BecauseResult,
  BlockResult,
  EventResult,
  FindingFacts,
  InterferenceResult,
  Severity,
  ViolationResult,
} from '../../check/result.ts';
import type { TraceSection } from '../../formats/format.ts';
import { TraceReader } from '../../formats/read.ts';
import { TraceFacts } from '../../trace/facts.ts';
import type { TraceNames } from '../../trace/names.ts';
import { MNEMONICS, type Mnemonic, Op } from '../../trace/operation.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import type { Access } from './access.ts';
import type { Case } from './case.ts';
import { CaseSearch } from './cases.ts';
import { findingFacts } from './finding-facts.ts';
import { History } from './history.ts';
import { type IsWatched, overlooked } from './overlooked.ts';
import type { Consequence, Rule } from './rule.ts';
import { ruleFor } from './rules.ts';
import { SiteKnowledge } from './sites.ts';

/** What is wrong with a block of a program. */
export interface Finding {
  /** As the check reported it; the rest says it better, where more was found. */
  violation: ViolationResult;
  severity: Severity;
  /** The rule that has decided. */
  because: BecauseResult | null;
  pattern: string | null;
  /** Null where the pattern says all there is. */
  consequence: Consequence | null;
  interference: InterferenceResult | null;
  /** What else is known of the interference. */
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

const SKEW = 'multi-variable-cycle';

/** Rules that say by themselves what was lost. */
const CERTAIN: ReadonlySet<string> = new Set(['removed-unseen', 'left-behind', 'overwritten']);

/** One way in which a block was violated, judged. */
interface JudgedInterference extends InterferenceResult {
  pattern: string;
  rule: Rule;
  facts: FindingFacts;
  /** Whether it is certain that the one access depends on the other. */
  isCertain: boolean;
}

/**
 * Turns the violations of a program's trace into what its author has to know: the innermost block that two accesses
 * violate is blamed for them, blocks around it are listed with it, and a block is judged by the worst that happened to
 * it.
 */
export async function findings(
  trace: string,
  known: readonly ViolationResult[],
  isMeant: (label: string) => boolean = () => true,
  isWatched: IsWatched = isMeant,
  from = 0,
): Promise<Finding[]> {
  const open = (onSection: (section: TraceSection) => void) =>
    TraceReader.open(trace, { ...AGAIN, onSection });
  const more = await overlooked(open, known, isWatched, from);
  const violations = [...known, ...more];
  if (violations.length === 0) return [];
  const isSkewed = (violation: ViolationResult) => violation.cycle.length > 0 && more.includes(violation);
  const judged = await judgedIn(trace, violations, isMeant, isSkewed);
  for (const violation of more) {
    const interferences = judged.get(violation) ?? [];
    // Where no analysis says that something is wrong, only what is certain counts.
    judged.set(
      violation,
      interferences.filter(
        ({ rule, pattern, isCertain }) =>
          isCertain && (rule.verdict === 'error' || (pattern === SKEW && rule.verdict === 'warning')),
      ),
    );
  }
  // What the event loop has called is told only if no block says it: it has no place of its own.
  const handlers = new Set(more.filter(({ block }) => block?.location === null));
  const claimed = new Map<string, BlockResult[]>();
  const byBlock = new Map<ViolationResult, Finding | null>();
  // Of blocks that lie within each other, the innermost one began last; what is no block comes after all that are.
  const rank = (violation: ViolationResult) => (handlers.has(violation) ? 1 : 0);
  const innermostFirst = [...judged].sort(([a], [b]) => rank(a) - rank(b) || beginOf(b) - beginOf(a));
  for (const [violation, interferences] of innermostFirst) {
    const told = interferences.filter(({ rule }) => rule.verdict !== 'none');
    const own = told.filter((interference) => !claimed.has(keyOf(interference)));
    if (!handlers.has(violation))
      for (const interference of told) claim(claimed, interference, violation.block as BlockResult);
    byBlock.set(violation, own.length > 0 ? finding(violation, own, claimed) : null);
  }
  const all: Finding[] = [];
  const byLabel = new Map<string | undefined, Finding>();
  for (const violation of violations) {
    const label = violation.block?.label;
    const judgedBlock = byBlock.get(violation);
    if (judgedBlock === null) continue;
    if (judgedBlock === undefined && violation.kind === 'transaction') {
      const alike = byLabel.get(label);
      if (alike !== undefined) alike.alike++;
      continue;
    }
    const found = judgedBlock ?? finding(violation, [], claimed);
    const before = byLabel.get(label);
    // One call of the function has shown more than a skew between two variables: it is the same mistake.
    if (before?.severity === 'error' && found.severity !== 'error' && isSkewed(violation)) {
      before.alike++;
      continue;
    }
    if (before === undefined) byLabel.set(label, found);
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
  // An analysis may have found something that is no block of the program's.
  if (worst === null)
    return { ...UNJUDGED, violation, severity: violation.severity, pattern: violation.pattern };
  const { rule, pattern, facts, first, between, last } = worst;
  return {
    violation,
    severity: rule.verdict as Severity,
    because: { rule: rule.name, sentence: rule.because },
    pattern,
    consequence: rule.consequence ?? null,
    interference: pattern === SKEW ? null : { first, between, last },
    facts,
    around: claimed.get(keyOf(worst)) ?? [],
    alike: 0,
  };
}

const UNJUDGED = { because: null, consequence: null, interference: null, facts: null, around: [], alike: 0 };

const RANKS = ['error', 'warning', 'note'];

/** What says most comes first. */
const PATTERNS = [
  'lost-update',
  'overwritten-before-read',
  'multi-variable-cycle',
  'unrepeatable-read',
  'overwritten-twice',
  'intermediate-value-seen',
];

/** What others than this program see, and what stays when it is over. */
const STORED: ReadonlySet<string> = new Set(['row', 'predicate', 'key']);

/** Errors before warnings before notes, what is in a store first, lost updates before duplicate work, and then what came first. */
function worstOf(interferences: readonly JudgedInterference[]): JudgedInterference | null {
  const rank = ({ rule, pattern, facts }: JudgedInterference) =>
    40 * RANKS.indexOf(rule.verdict) +
    (STORED.has(facts.variable) ? 0 : 20) +
    2 * PATTERNS.indexOf(pattern) +
    (rule.consequence === 'duplicate-work' ? 1 : 0);
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

async function judgedIn(
  trace: string,
  violations: readonly ViolationResult[],
  isMeant: (label: string) => boolean,
  isSkewed: (violation: ViolationResult) => boolean,
): Promise<Map<ViolationResult, JudgedInterference[]>> {
  const facts = new TraceFacts();
  const scouted = await historyOf(trace, violations, facts, null, isMeant);
  const sites = new SiteKnowledge(facts);
  const wanted = new Set<number>();
  for (const { variables } of scouted.history.blocks.values())
    for (const variable of variables) wanted.add(variable);
  const { names, history } = await historyOf(trace, violations, facts, wanted, isMeant, sites);
  const search = new CaseSearch(names, facts, sites, history);
  const judged = new Map<ViolationResult, JudgedInterference[]>();
  for (const block of history.blocks.values()) {
    const cases = [...search.of(block)];
    const { cycle } = block.violation;
    if ((cases.length === 0 || isSkewed(block.violation)) && cycle.length > 0 && !isAnswered(block.violation))
      cases.push(...search.ofCycle(block));
    judged.set(
      block.violation,
      cases.map((it) => judgedCase(names, facts, it)),
    );
  }
  return judged;
}

/** Reads the trace from its begin to its end; the facts are all there before the second time. */
async function historyOf(
  trace: string,
  violations: readonly ViolationResult[],
  facts: TraceFacts,
  wanted: ReadonlySet<number> | null,
  isMeant: (label: string) => boolean,
  sites?: SiteKnowledge,
): Promise<{ names: TraceNames; history: History }> {
  const onSection = (section: TraceSection) => {
    if (wanted === null) facts.addSection(section);
  };
  const reader = await TraceReader.open(trace, { ...AGAIN, onSection });
  const isKeyed = (location: string | null) => sites?.has({ location }, SiteBit.keyed) ?? false;
  const history = new History(reader.names, facts, violations, wanted, isMeant, isKeyed);
  for await (const batch of reader.batches()) history.look(batch);
  return { names: reader.names, history };
}

function judgedCase(names: TraceNames, { values, statements }: TraceFacts, it: Case): JudgedInterference {
  const { pattern, variable } = it;
  const rule = ruleFor(it);
  const facts = findingFacts(it);
  const isRow = facts.variable === 'row' || facts.variable === 'predicate';
  const statementAt = (location: string | null): { statement?: string } => {
    const statement = isRow ? (statements.get(location ?? '') ?? null) : null;
    return statement === null ? {} : { statement };
  };
  const result = ({ event, thread, op, location, inside }: Access): EventResult => ({
    event,
    // Those of a cycle over several variables have none: its witness is shown, and not they.
    thread: thread < 0 ? '' : names.threads.text(thread),
    op: MNEMONICS[op],
    operand: inside === null ? variable.name : names.variables.text(inside),
    kind: 'variable',
    location,
    ...(values.has(event) ? { value: values.get(event) as string } : {}),
    ...statementAt(location),
  });
  return {
    pattern,
    rule,
    facts,
    isCertain: it.relation === 'data' || it.relation === 'control' || CERTAIN.has(rule.name),
    first: result(it.first),
    between: result(it.between),
    last: result(it.last),
  };
}
