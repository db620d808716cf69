import type { AnalysisResult, EventResult, InterferenceResult, ViolationResult } from '../check/result.ts';
import type { EventFact } from '../explain/witness.ts';
import type { TraceSection } from '../formats/format.ts';
import { TraceReader } from '../formats/read.ts';
import { locationText } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import { InterferenceSearch } from './interference-search.ts';
import type { FoundInterference, OwnFact } from './watched-block.ts';

/*
 * An analysis reports a block at the first event that violates it. Where locks are used, that is an acquire, which says
 * nothing of the data: that comes after it. So the blocks are looked at once more, to their ends, for the worst that
 * happened to what they read and wrote.
 */

/** So many blocks of one label are looked at; the others look the same. */
export const MOST_PER_LABEL = 25;

/** How a location says that a thread did something there before to data of its own. */
const EARLIER = /, (read|written) there before$/;

/** So much of a name is in a sentence. */
const NAME = 80;

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
    const violations = innermost(await judgedIn(trace, result.violations, knowledge));
    const verdict = violations.length === 0 && result.verdict === 'violation' ? 'ok' : result.verdict;
    judged.push({ ...result, violations, verdict });
  }
  return judged;
}

export interface Circumstances {
  /** Whether the block has taken a lock for the last access since the first one. */
  isLockedAnew: boolean;
  /** The block, and where it begins; null if that is not known. */
  label: string;
  begin: string | null;
  /** Whether the block has read the variable after others had changed it, so that its own change does not undo theirs. */
  isReadAnew: boolean;
  /** Whether the block has looked at the variable before the first access, which changes it, to find out what to do. */
  isLookedAtBefore: boolean;
  /** Where others have changed the variable since the block did; null if they did so in too many places. */
  changesOfOthers: readonly string[] | null;
  /** Where the block has changed anything before, at some places at least. */
  changedAt: readonly string[];
  /** How many blocks inside of it each of the two accesses is in, at least. */
  depth: number;
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
  isDoubtful?: (first: EventResult, last: EventResult, at: Circumstances) => boolean;
  /** Whether both are in functions that stand in the block's own code, each at another place, whoever calls them. */
  isOwnCode?: (
    first: EventResult,
    last: EventResult,
    block: { label: string; begin: string | null },
  ) => boolean;
  /** Whether calls of one function one after the other that each change the data are steps of their own. */
  changesAreSteps?: boolean;
  /** Whether who has written a variable has done with what it had read of it: a second `n++` does not go by what the first one read. */
  writesSettle?: boolean;
  /** Whether different functions may have the same label. */
  hasOverloads?: boolean;
  /** So many blocks of one label are looked at. */
  mostPerLabel?: number;
  /** Where there are more: whether the block that begins there is one of those to be looked at first. */
  isLikely?: (begin: number) => boolean;
  /** Is shown the sections of the trace. */
  onSection?: (section: TraceSection) => void;
}

/**
 * The results with each violated block of which no interference is known, or an error, judged by the worst in all of it: the accesses
 * that violate it may not be in the trace themselves, and what looks like an error may be excused by what the block did after that. Such a
 * one is a warning, as nobody can be sure.
 */
export async function doubtfulJudgedByAccesses(
  results: readonly AnalysisResult[],
  trace: string,
  knowledge: Knowledge,
): Promise<AnalysisResult[]> {
  const isOpen = ({ kind, interference, severity }: ViolationResult) =>
    kind === 'transaction' && (!interference || severity === 'error');
  const judged: AnalysisResult[] = [];
  for (const result of results) {
    const open = result.predictive ? [] : result.violations.filter(isOpen);
    const mostPerLabel = open.length;
    const found = open.length === 0 ? [] : await judgedIn(trace, open, { ...knowledge, mostPerLabel });
    const byBegin = new Map(found.map((violation) => [beginOf(violation), violation]));
    const violations = result.violations.map((one) =>
      isOpen(one) ? (byBegin.get(beginOf(one)) ?? excused(one)) : one,
    );
    judged.push({ ...result, violations: result.predictive ? violations : innermost(violations) });
  }
  return judged;
}

function excused(violation: ViolationResult): ViolationResult {
  return violation.interference ? { ...violation, severity: 'warning' } : violation;
}

async function judgedIn(
  trace: string,
  violations: readonly ViolationResult[],
  knowledge: Knowledge,
): Promise<ViolationResult[]> {
  const reader = await TraceReader.open(trace, { lenient: true, onSection: knowledge.onSection });
  const result = (fact: EventFact) => eventResult(fact, reader.names);
  const known =
    (name: 'isHarmless' | 'isLookedAtAgain' | 'isSecondLook') => (one: EventFact, other: EventFact) =>
      knowledge[name]?.(result(one), result(other)) ?? false;
  const search = new InterferenceSearch(violations, {
    isHarmless: known('isHarmless'),
    isLookedAtAgain: known('isLookedAtAgain'),
    isSecondLook: known('isSecondLook'),
    isDoubtful: (one: OwnFact, other: OwnFact, block) =>
      knowledge.isDoubtful?.(result(one), result(other), {
        isLockedAnew: isLockedAnew(one, other),
        label: block.violation.block?.label ?? '',
        begin: block.violation.block?.location ?? null,
        isReadAnew: block.looks.has(other.operand),
        isLookedAtBefore: block
          .readsBefore(one)
          .some(
            (location) =>
              location === other.location ||
              knowledge.isLookedAtAgain?.(result({ ...one, location }), result(one)) === true,
          ),
        changesOfOthers:
          block
            .changesOfOthers(other.operand)
            ?.map((location) => locationText(reader.names.locations, location) ?? '') ?? null,
        changedAt: [...block.changedAt].map(
          (location) => locationText(reader.names.locations, location) ?? '',
        ),
        depth: Math.min(block.depthAt(one.event), block.depthAt(other.event)),
      }) ?? false,
    isOwnCode: (one, other, { violation: { block } }) =>
      knowledge.isOwnCode?.(result(one), result(other), {
        label: block?.label ?? '',
        begin: block?.location ?? null,
      }) ?? false,
    changesAreSteps: knowledge.changesAreSteps ?? false,
    writesSettle: knowledge.writesSettle ?? false,
    hasOverloads: knowledge.hasOverloads ?? false,
    earlierAccess: (location) => {
      const [, done] = EARLIER.exec(locationText(reader.names.locations, location) ?? '') ?? [];
      return done === 'read' || done === 'written' ? done : null;
    },
    variable: (id) => reader.names.variables.text(id),
    mostPerLabel: knowledge.mostPerLabel ?? MOST_PER_LABEL,
    isLikely: knowledge.isLikely ?? (() => true),
  });
  for await (const batch of reader.batches()) search.look(batch);
  search.end();
  const judged: ViolationResult[] = [];
  const byLabel = new Map<string, ViolationResult>();
  for (const violation of violations) {
    const label = violation.block?.label;
    const alike = label === undefined ? undefined : byLabel.get(label);
    if (violation.kind === 'transaction' && label !== undefined && !search.looksAt(violation)) {
      // Where none of those that were looked at is left, this one is excused with them.
      if (alike !== undefined) alike.alike = (alike.alike ?? 0) + 1;
      continue;
    }
    if (search.isExcused(violation)) continue;
    const found = search.worstOf(violation);
    const one = found === null ? unexplained(violation) : judgedBy(violation, found, reader.names);
    if (label !== undefined && alike === undefined) byLabel.set(label, one);
    judged.push(one);
  }
  return judged;
}

/** Of a block with nothing that happened to a single variable, what others of its label are does not tell how bad it is. */
function unexplained(violation: ViolationResult): ViolationResult {
  return violation.pattern === null ? { ...violation, severity: 'warning' } : { ...violation };
}

function isLockedAnew({ event }: OwnFact, { lockedAt }: OwnFact): boolean {
  return (lockedAt ?? 0) > event;
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

function eventResult({ event, thread, op, operand, location }: EventFact, names: TraceNames): EventResult {
  return {
    event,
    thread: names.threads.text(thread),
    op: MNEMONICS[op],
    operand: names.variables.text(operand),
    kind: 'variable',
    location: locationText(names.locations, location)?.replace(EARLIER, '') ?? null,
  };
}

function judgedBy(
  violation: ViolationResult,
  { pattern, first, between, last, severity, variable }: FoundInterference,
  names: TraceNames,
): ViolationResult {
  const result = (fact: EventFact) => ({ ...eventResult(fact, names), operand: variable });
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
    message: sentence(violation, interference, variable),
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
