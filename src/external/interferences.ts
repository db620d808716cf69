import type { AnalysisResult, EventResult, InterferenceResult, ViolationResult } from '../check/result.ts';
import { Accesses } from '../explain/accesses.ts';
import { type PatternName, type Severity, severityOf } from '../explain/pattern.ts';
import type { EventFact } from '../explain/witness.ts';
import { TraceReader } from '../formats/read.ts';
import type { EventBatch } from '../trace/batch.ts';
import { locationText } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { accessKind, isAccess, MNEMONICS, Op } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';

/*
 * An analysis reports a block at the first event that violates it. Where locks are used, that is an acquire, which says
 * nothing of the data: that comes after it. So the blocks are looked at once more, to their ends, for the worst that
 * happened to what they read and wrote.
 */

/** So many blocks of one label are looked at; the others look the same. */
const MOST_PER_LABEL = 25;

/** So many of a block's reads of one variable are remembered. */
const MOST_LOOKS = 8;

/** So much of a name is in a sentence. */
const NAME = 80;

/** An access of a watched block. */
interface OwnFact extends EventFact {
  /** Whether its thread held a lock. */
  isLocked: boolean;
}

interface FoundInterference {
  pattern: PatternName;
  first: EventFact;
  between: EventFact;
  last: EventFact;
  severity: Severity;
}

/** A block directly inside of a watched one. */
interface InnerBlock {
  label: number;
  begin: number;
  end: number;
}

/** One violated block while the trace passes by. */
class WatchedBlock {
  readonly violation: ViolationResult;
  readonly variables = new Map<number, Accesses>();
  /** By variable: reads of it by the block after others had changed it. */
  readonly looks = new Map<number, EventFact[]>();
  /** By variable: what the block has read once more, now under a lock; it harms nothing unless it was no check. */
  readonly secondLooks = new Map<number, FoundInterference>();
  worst: FoundInterference | null = null;
  /** Whether there was an interference that `isHarmless` excuses. */
  isExcused = false;
  readonly #inner: InnerBlock[] = [];

  constructor(violation: ViolationResult) {
    this.violation = violation;
  }

  beginInner(label: number, begin: number): void {
    this.#inner.push({ label, begin, end: Number.POSITIVE_INFINITY });
  }

  endInner(end: number): void {
    const last = this.#inner.at(-1);
    if (last !== undefined) last.end = end;
  }

  /** Whether two accesses are in two calls of one function, or in two rounds of its loop: what is repeated may be meant to be several steps. */
  isRepeated(first: number, last: number): boolean {
    const [one, other] = [this.#innerAt(first), this.#innerAt(last)];
    return one !== undefined && other !== undefined && one !== other && one.label === other.label;
  }

  #innerAt(event: number): InnerBlock | undefined {
    let [low, high] = [0, this.#inner.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#inner[middle].begin <= event) low = middle + 1;
      else high = middle;
    }
    const inner = this.#inner[low - 1];
    return inner !== undefined && event <= inner.end ? inner : undefined;
  }
}

/** The results with each violated block judged by the worst interference in all of it. */
export async function judgedByAccesses(
  results: readonly AnalysisResult[],
  trace: string,
  knowledge: Knowledge = {},
): Promise<AnalysisResult[]> {
  const judged: AnalysisResult[] = [];
  for (const result of results) {
    if (result.predictive || result.violations.length === 0) {
      judged.push(result);
      continue;
    }
    const violations = await judgedIn(trace, result.violations, knowledge);
    const verdict = violations.length === 0 && result.verdict === 'violation' ? 'ok' : result.verdict;
    judged.push({ ...result, violations, verdict });
  }
  return judged;
}

/** What whoever recorded the trace knows of its accesses. */
export interface Knowledge {
  /** Whether the last access did not go by what the first one saw. */
  isHarmless?: (first: EventResult, last: EventResult) => boolean;
  /** Whether the block looked at a variable once more, before it wrote, to find out whether what it had seen still holds. */
  isLookedAtAgain?: (read: EventResult, write: EventResult) => boolean;
  /** Whether one who has looked without a lock, and looks again under one, does so to find out whether it still holds. */
  isSecondLook?: (first: EventResult, again: EventResult) => boolean;
  /** Whether nobody can say if the last access goes by the first. */
  isDoubtful?: (first: EventResult, last: EventResult) => boolean;
}

/** The same for facts. */
type KnowledgeOfFacts = Record<keyof Knowledge, (one: EventFact, other: EventFact) => boolean>;

async function judgedIn(
  trace: string,
  violations: readonly ViolationResult[],
  knowledge: Knowledge,
): Promise<ViolationResult[]> {
  const reader = await TraceReader.open(trace, { lenient: true });
  const result = (fact: EventFact) => eventResult(fact, reader.names);
  const known = (name: keyof Knowledge) => (one: EventFact, other: EventFact) =>
    knowledge[name]?.(result(one), result(other)) ?? false;
  const search = new InterferenceSearch(violations, {
    isHarmless: known('isHarmless'),
    isLookedAtAgain: known('isLookedAtAgain'),
    isSecondLook: known('isSecondLook'),
    isDoubtful: known('isDoubtful'),
  });
  for await (const batch of reader.batches()) search.look(batch);
  const judged: ViolationResult[] = [];
  const byLabel = new Map<string, ViolationResult>();
  for (const violation of violations) {
    const label = violation.block?.label;
    const known = label === undefined ? undefined : byLabel.get(label);
    if (violation.kind === 'transaction' && label !== undefined && !search.looksAt(violation)) {
      // Where none of those that were looked at is left, this one is excused with them.
      if (known !== undefined) known.alike = (known.alike ?? 0) + 1;
      continue;
    }
    if (search.isExcused(violation)) continue;
    const found = search.worstOf(violation);
    const one = found === null ? { ...violation } : judgedBy(violation, found, reader.names);
    if (label !== undefined && known === undefined) byLabel.set(label, one);
    judged.push(one);
  }
  return innermost(judged);
}

/** What violates blocks within each other is told once, of the innermost; the others are `around` it. */
function innermost(violations: readonly ViolationResult[]): ViolationResult[] {
  const told = new Map<string, ViolationResult>();
  const outer = new Set<ViolationResult>();
  for (const violation of [...violations].sort((a, b) => beginOf(b) - beginOf(a))) {
    const { block, interference } = violation;
    if (!interference || block === null) continue;
    const accesses = `${interference.first.event} ${interference.last.event}`;
    const inner = told.get(accesses);
    if (inner === undefined) told.set(accesses, violation);
    else {
      inner.around = [...(inner.around ?? []), block];
      outer.add(violation);
    }
  }
  return violations.filter((violation) => !outer.has(violation));
}

function beginOf({ block }: ViolationResult): number {
  return block?.begin ?? 0;
}

/** Follows violated blocks through the trace, and what others do to the variables that they have accessed. */
class InterferenceSearch {
  readonly #byBegin = new Map<number, WatchedBlock>();
  readonly #byViolation = new Map<ViolationResult, WatchedBlock>();
  /** Per thread: its open blocks, watched or not, outermost first. */
  readonly #open: (WatchedBlock | null)[][] = [];
  /** Per variable: the open watched blocks that have accessed it. */
  readonly #interested = new Map<number, Set<WatchedBlock>>();

  /** Per thread: how many locks it holds. */
  readonly #locks: number[] = [];
  readonly #knowledge: KnowledgeOfFacts;

  constructor(violations: readonly ViolationResult[], knowledge: KnowledgeOfFacts) {
    this.#knowledge = knowledge;
    const labels = new Map<string, number>();
    for (const violation of violations) {
      const { block, kind } = violation;
      if (block === null || kind !== 'transaction') continue;
      const count = labels.get(block.label) ?? 0;
      labels.set(block.label, count + 1);
      if (count >= MOST_PER_LABEL) continue;
      const watched = new WatchedBlock(violation);
      this.#byBegin.set(block.begin, watched);
      this.#byViolation.set(violation, watched);
    }
  }

  /** Whether the block is one of the first of its label. */
  looksAt(violation: ViolationResult): boolean {
    return this.#byViolation.has(violation);
  }

  /** Whether all that happened to its variables is excused. */
  isExcused(violation: ViolationResult): boolean {
    const block = this.#byViolation.get(violation);
    return block !== undefined && block.worst === null && block.isExcused;
  }

  worstOf(violation: ViolationResult): FoundInterference | null {
    return this.#byViolation.get(violation)?.worst ?? null;
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      const thread = batch.thread[i];
      if (isAccess(op)) this.#access(batch, i);
      else if (op === Op.acquire) this.#locks[thread] = (this.#locks[thread] ?? 0) + 1;
      else if (op === Op.release) this.#locks[thread] = Math.max(0, (this.#locks[thread] ?? 0) - 1);
      else if (op === Op.begin) {
        this.#open[thread] ??= [];
        this.#open[thread].at(-1)?.beginInner(batch.operand[i], batch.firstEvent + i);
        this.#open[thread].push(this.#byBegin.get(batch.firstEvent + i) ?? null);
      } else if (op === Op.end) {
        this.#end(this.#open[thread]?.pop() ?? null);
        this.#open[thread]?.at(-1)?.endInner(batch.firstEvent + i);
      }
    }
  }

  #end(block: WatchedBlock | null): void {
    if (block === null) return;
    for (const variable of block.variables.keys()) {
      const interested = this.#interested.get(variable);
      interested?.delete(block);
      if (interested?.size === 0) this.#interested.delete(variable);
    }
    block.variables.clear();
    block.looks.clear();
    if (block.secondLooks.size > 0) block.isExcused = true;
    block.secondLooks.clear();
  }

  #access(batch: EventBatch, i: number): void {
    const variable = batch.operand[i];
    const thread = batch.thread[i];
    const own = this.#open[thread]?.filter((block) => block !== null) ?? [];
    const interested = this.#interested.get(variable);
    if (own.length === 0 && interested === undefined) return;
    const fact: OwnFact = {
      isLocked: (this.#locks[thread] ?? 0) > 0,
      event: batch.firstEvent + i,
      thread,
      op: batch.op[i] as EventFact['op'],
      operand: variable,
      location: batch.location[i],
      block: null,
      transaction: 0,
    };
    const kind = accessKind(fact.op) as Op;
    for (const block of interested ?? []) {
      const accesses = block.variables.get(variable) as Accesses;
      if (!own.includes(block) && accesses.isOpening(kind)) accesses.open(fact);
    }
    for (const block of own) this.#ownAccess(block, variable, kind, fact);
  }

  #ownAccess(block: WatchedBlock, variable: number, kind: Op, fact: OwnFact): void {
    let accesses = block.variables.get(variable);
    if (accesses === undefined) {
      accesses = new Accesses();
      block.variables.set(variable, accesses);
      const interested = this.#interested.get(variable) ?? new Set();
      this.#interested.set(variable, interested.add(block));
    }
    const completed = accesses.completed(kind);
    if (kind !== Op.read) this.#judgeSecondLook(block, variable, fact);
    if (completed !== null) {
      const looks = block.looks.get(variable) ?? [];
      if (completed.pattern === 'unrepeatable-read')
        block.looks.set(variable, [...looks.slice(1 - MOST_LOOKS), fact]);
      const { isHarmless, isLookedAtAgain, isSecondLook, isDoubtful } = this.#knowledge;
      const isUnderLockNow = fact.isLocked && !(completed.first as OwnFact).isLocked;
      if (
        completed.pattern === 'unrepeatable-read' &&
        isUnderLockNow &&
        isSecondLook(completed.first, fact)
      ) {
        block.secondLooks.set(variable, {
          ...completed,
          last: fact,
          severity: severityOf(completed.pattern),
        });
      } else if (
        isHarmless(completed.first, fact) ||
        (completed.pattern === 'lost-update' && looks.some((look) => isLookedAtAgain(look, fact)))
      ) {
        block.isExcused = true;
        // It has looked at what is there now: what it had seen before counts no longer.
        accesses = new Accesses();
        block.variables.set(variable, accesses);
      } else {
        const isRepeated = block.isRepeated(completed.first.event, fact.event);
        const isMild = isRepeated || isDoubtful(completed.first, fact);
        worsen(block, {
          ...completed,
          last: fact,
          severity: isMild ? 'warning' : severityOf(completed.pattern),
        });
      }
    }
    accesses.setOwn(kind, fact);
  }

  /** Whoever writes after a second look that was no check, but a part of the writing, has gone by the first one. */
  #judgeSecondLook(block: WatchedBlock, variable: number, write: EventFact): void {
    const look = block.secondLooks.get(variable);
    if (look === undefined) return;
    block.secondLooks.delete(variable);
    if (this.#knowledge.isLookedAtAgain(look.last, write)) block.isExcused = true;
    else worsen(block, look);
  }
}

function worsen(block: WatchedBlock, found: FoundInterference): void {
  if (block.worst === null || (found.severity === 'error' && block.worst.severity !== 'error'))
    block.worst = found;
}

function eventResult({ event, thread, op, operand, location }: EventFact, names: TraceNames): EventResult {
  return {
    event,
    thread: names.threads.text(thread),
    op: MNEMONICS[op],
    operand: names.variables.text(operand),
    kind: 'variable',
    location: locationText(names.locations, location),
  };
}

function judgedBy(
  violation: ViolationResult,
  { pattern, first, between, last, severity }: FoundInterference,
  names: TraceNames,
): ViolationResult {
  const result = (fact: EventFact) => eventResult(fact, names);
  const interference = { first: result(first), between: result(between), last: result(last) };
  return {
    ...violation,
    severity,
    pattern,
    interference,
    // These three conflict with each other, so that they are a cycle by themselves, and the one that counts.
    cycle: [
      {
        from: { ...interference.first, transaction: null },
        to: { ...interference.between, transaction: null },
      },
      {
        from: { ...interference.between, transaction: null },
        to: { ...interference.last, transaction: null },
      },
    ],
    message: sentence(violation, interference, names.variables.text(first.operand)),
  };
}

function sentence(
  { block, thread }: ViolationResult,
  { first, between, last }: InterferenceResult,
  variable: string,
): string {
  const [did, came, then] = [first, between, last].map(({ op }) => verb(op));
  const again = did === then ? ' again' : '';
  const at = ({ location }: EventResult) => (location === null ? '' : ` (${printable(location, NAME)})`);
  return `${printable(block?.label ?? '', NAME)} (thread ${printable(thread, NAME)}) is not atomic: it ${did} ${printable(variable, NAME)}${at(first)} and ${then} it${again}${at(last)}, and thread ${printable(between.thread, NAME)} ${came} it in between${at(between)}`;
}

function verb(op: string): string {
  const [letter] = op.replace(/^v/, '');
  return letter === 'r' ? 'read' : letter === 'w' ? 'wrote' : 'changed';
}
