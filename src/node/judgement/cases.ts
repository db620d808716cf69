import type { EventResult } from '../../check/result.ts';
import { type PatternName, patternOf } from '../../explain/pattern.ts';
import { EventFlag, type TaskKind, type TraceFacts } from '../../trace/facts.ts';
import type { TraceNames } from '../../trace/names.ts';
import { MNEMONICS, Op } from '../../trace/operation.ts';
import { SiteBit } from '../../trace/site-facts.ts';
import { type Access, isChange } from './access.ts';
import { isForAnotherRound } from './another-round.ts';
import { CarriedValues } from './carried-values.ts';
import { type Case, type FreshLook, isForeign, isRealChange } from './case.ts';
import { decidedEarlier, type Found } from './decided-earlier.ts';
import { Elsewhere } from './elsewhere.ts';
import type { History, WatchedBlock } from './history.ts';
import { isStoredKind, isUnmeant } from './predicates.ts';
import { CERTAIN, ReadTime, type Relation, type SiteKnowledge } from './sites.ts';

/** So many are looked at for each block and variable. */
const MOST_PER_VARIABLE = 50;

/** Of accesses to one variable in one block, the latest so many are looked at. */
const MOST_LOOKED_AT = 400;

const STRENGTH: Readonly<Record<Relation, number>> = { data: 3, control: 2, maybe: 1, none: 0 };

const HANDLERS: ReadonlySet<TaskKind> = new Set(['callback', 'timeout', 'interval', 'immediate', 'tick']);

const NOT_FRESH: FreshLook = { isData: false, isDecision: false, isCompared: false };

interface StaleRead {
  first: Access;
  relation: Relation;
}

/** Finds, for a violated block, all the ways in which others have come between its accesses to one variable. */
export class CaseSearch {
  readonly #names: TraceNames;
  readonly #facts: TraceFacts;
  readonly #sites: SiteKnowledge;
  readonly #history: History;
  readonly #elsewhere: Elsewhere;
  readonly #carried: CarriedValues;

  constructor(names: TraceNames, facts: TraceFacts, sites: SiteKnowledge, history: History) {
    this.#names = names;
    this.#facts = facts;
    this.#sites = sites;
    this.#history = history;
    this.#elsewhere = new Elsewhere(sites, history);
    this.#carried = new CarriedValues(sites, history);
  }

  *of(block: WatchedBlock): Generator<Case> {
    for (const variable of block.variables) yield* this.#ofVariable(block, variable);
  }

  /** A block that no variable by itself shows to be violated: the cycle that the analysis has found. */
  *ofCycle(block: WatchedBlock): Generator<Case> {
    const { cycle } = block.violation;
    if (cycle.length === 0) return;
    const [first, between, last] = [cycle[0].from, cycle[0].to, cycle[cycle.length - 1].to].map(onCycle);
    yield {
      block: block.begin,
      thread: block.thread,
      startedIn: block.startedIn,
      blockLocation: block.violation.block?.location ?? null,
      pattern: 'multi-variable-cycle',
      first,
      between,
      last,
      relation: this.#sites.relation(last, first, block.violation.block?.location ?? null),
      fresh: NOT_FRESH,
      isDecidedEarlier: false,
      isSeenAgain: false,
      isOneStep: this.#isOneStep(block, cycle[0].to.event, cycle[cycle.length - 1].from.event),
      history: [],
      isHandler: block.isHandler,
      isOpen: last.event < block.end,
      isConnected: true,
      isOwnVariable: false,
      variable: { name: cycle[0].from.operand, facts: this.#isMemory(block) ? { kind: 'memory' } : {} },
      sites: this.#sites,
      taskKind: () => 'call',
      isReserved: () => false,
      isForAnotherRound: () => false,
      isActedUponElsewhere: () => false,
      isTold: () => false,
      isSharedLock: () => false,
    };
  }

  /** Whether two changes were made in one step, with nothing in between. */
  #isOneStep({ variables }: WatchedBlock, first: number, last: number): boolean {
    const steps = [first, last].map((event) => {
      for (const variable of variables) {
        const access = this.#history.accesses(variable).find((one) => one.event === event);
        if (access !== undefined) return isChange(access) ? access.run : null;
      }
      return null;
    });
    return steps[0] !== null && steps[0] === steps[1];
  }

  /** Whether the first and the last of the cycle are both in memory that threads share. */
  #isMemory({ violation: { cycle } }: WatchedBlock): boolean {
    return [cycle[0].from, cycle[cycle.length - 1].to].every(
      ({ operand }) => this.#facts.variables.get(operand)?.kind === 'memory',
    );
  }

  *#ofVariable(block: WatchedBlock, variable: number): Generator<Case> {
    const all = this.#history.accesses(variable);
    const place = { block: block.begin, thread: block.thread };
    if (!all.some((access) => isRealChange(access) && isForeign(place, access)) && !all.some(isChange))
      return;
    const found = new Set<string>();
    const { kind } = this.#variable(variable).facts;
    /** The family's own accesses so far, and whether others have come since the first of them. */
    const own: Access[] = [];
    const foreign: Access[] = [];
    for (const [index, access] of all.entries()) {
      if (access.event < block.begin) continue;
      if (access.original !== undefined && !access.families.includes(block.begin)) continue;
      if (isForeign(place, access) || isAfterwards(block, access)) {
        if (own.length > 0) foreign.push(access);
        continue;
      }
      if (!access.families.includes(block.begin) || access.inside !== null) continue;
      if (foreign.length > 0 && found.size < MOST_PER_VARIABLE)
        for (const pair of this.#pairs(block, own, foreign, access, kind)) {
          const { first, between, pattern, relation } = pair;
          const key = `${pattern} ${first.location} ${access.location} ${relation}`;
          if (found.has(key)) continue;
          found.add(key);
          yield {
            ...place,
            startedIn: block.startedIn,
            blockLocation: block.violation.block?.location ?? null,
            ...pair,
            last: access,
            history: all.slice(0, index + 1),
            isOneStep: false,
            isHandler: block.isHandler,
            isOpen: access.event < block.end,
            isConnected: this.#isConnected(block, pattern, first, access),
            isOwnVariable: this.#history.isOwn(variable, block),
            variable: this.#variable(variable),
            sites: this.#sites,
            taskKind: (of) => this.#facts.tasks.get(this.#names.threads.text(of.thread))?.kind ?? 'call',
            isReserved: () => this.#elsewhere.isReserved(block, variable, first, access),
            isForAnotherRound: () => isForAnotherRound(all, index, block.begin, first),
            isActedUponElsewhere: () => this.#elsewhere.isActedUpon(block, variable, own, first, between),
            isTold: () => this.#elsewhere.isTold(block, variable, own, pair, access),
            isSharedLock: (lock) => this.#history.locks.isShared(lock),
          };
        }
      own.push(access);
      if (own.length > 2 * MOST_LOOKED_AT) own.splice(0, MOST_LOOKED_AT);
      if (foreign.length > 2 * MOST_LOOKED_AT) foreign.splice(0, MOST_LOOKED_AT);
    }
  }

  *#pairs(
    block: WatchedBlock,
    own: readonly Access[],
    foreign: readonly Access[],
    last: Access,
    kind: string | undefined,
  ): Generator<Pick<Case, 'pattern' | Found>> {
    const isAbsence = kind === 'absent';
    if (isChange(last)) {
      const stale =
        (isStoredKind(kind)
          ? decidedEarlier(block, own, foreign, last, this.#history.order, this.#sites)
          : null) ?? (isAbsence ? null : this.#staleRead(block, own, foreign, last, kind === 'marked'));
      if (stale !== null) {
        yield { pattern: 'lost-update', ...stale };
        return;
      }
    }
    if (isAbsence || last.original !== undefined) return;
    const others = foreign.filter(({ inside, thread }) => inside === null && thread !== block.thread);
    const first = own.findLast(isRealChange) ?? null;
    const nothing = {
      relation: 'none',
      fresh: NOT_FRESH,
      isDecidedEarlier: false,
      isSeenAgain: false,
    } as const;
    if (first !== null) {
      const between = others.find((other) => other.event > first.event && conflicts(first, other, last));
      if (between !== undefined)
        yield { pattern: patternOf(first.op, between.op, last.op), first, between, ...nothing };
      if (between !== undefined && last.letter === 'r') return;
    }
    const read = own.findLast((access) => access.letter === 'r' && !access.isServed) ?? null;
    if (read === null || isChange(last)) return;
    const between = others.find((other) => other.event > read.event && isRealChange(other));
    if (between !== undefined)
      yield { pattern: patternOf(Op.read, between.op, last.op), first: read, between, ...nothing };
  }

  /**
   * The read on which an act depends most though others have changed the variable since. Of what is read in a loop, or in a
   * function that is called again and again, only the last time counts.
   */
  #staleRead(
    block: WatchedBlock,
    own: readonly Access[],
    foreign: readonly Access[],
    last: Access,
    isMarked: boolean,
  ): Pick<Case, Found> | null {
    const latest = new Map<string, Access>();
    const isOfLast = ofOneSide(block, last);
    // By what another process has read for itself, it goes there.
    const actOf = (read: Access) =>
      (read.original === undefined && isCalled(block, read) && last.original) || last;
    // A function that does not wait may have been called before its caller waited, and again after that.
    const earlier = new Map<string, Access>();
    for (const access of own)
      if (
        access.letter === 'r' &&
        isOfLast(access) &&
        this.#history.order.isOrdered(access, actOf(access), true)
      ) {
        const location = access.location ?? '';
        const before = latest.get(location);
        if (before?.isFirst && !access.isFirst) earlier.set(location, before);
        latest.set(location, access);
      }
    const unordered =
      latest.size === 0 ? own.filter((access) => access.letter === 'r' && isOfLast(access)) : [];
    const blockLocation = block.violation.block?.location ?? null;
    const isHandler = this.#isHandler(last);
    let worst: { first: Access; between: Access; relation: Relation } | null = null;
    const isFresh: { read: Access; relation: Relation; time: number }[] = [];
    for (const read of [...earlier.values(), ...latest.values(), ...unordered]) {
      // Whoever has looked for an element again moves those behind it as well, which it has not looked at.
      if (last.scannedAt?.has(read.location) && read.run !== last.run && this.#sites.has(last, SiteBit.move))
        continue;
      // Whoever names a variable by hand says that its accesses belong together.
      const between = foreign.find(
        (other) =>
          other.event > read.event && isRealChange(other) && (other.thread !== block.thread || !isHandler),
      );
      const isEarlier = earlier.get(read.location ?? '') === read;
      const time = isEarlier ? ReadTime.firstOfSeveral : timeOf(read, foreign);
      const direct = this.#sites.relation(actOf(read), read, blockLocation, time);
      const seen = CERTAIN.has(direct) ? direct : (this.#carried.relation(block, read, last) ?? direct);
      if (isEarlier && seen === 'none') continue;
      // What others have read for the block counts as far as it goes by their answer.
      if (read.isServed && seen !== 'data' && seen !== 'control') continue;
      const relation = isMarked && seen === 'none' ? 'maybe' : seen;
      if (between === undefined) isFresh.push({ read, relation, time });
      // What it has read for itself is judged where it has written for itself.
      else if (actOf(read) !== last) continue;
      else if (worst === null || this.#isWorse({ first: read, relation }, worst, last))
        worst = { first: read, between, relation };
    }
    if (worst === null) return null;
    const { first } = worst;
    const isMention = (read: Access) => this.#sites.has(read, SiteBit.mention);
    const isDecision = ({ read, relation, time }: (typeof isFresh)[number]) =>
      relation === 'control' ||
      relation === 'maybe' ||
      (relation === 'data' &&
        read.location !== first.location &&
        this.#sites.dependsBy(last, read, blockLocation, time).includes('decision'));
    const isLook = (read: Access) => !this.#sites.has(read, SiteBit.mention | SiteBit.receiver);
    return {
      ...worst,
      isDecidedEarlier: false,
      isSeenAgain: isFresh.some(({ read }) => read.location !== last.location && isLook(read)),
      fresh: {
        isData: isFresh.some(({ relation }) => relation === 'data'),
        isDecision: isFresh.some((look) => isDecision(look) && !isMention(look.read)),
        isCompared: isFresh.some(({ read }) => this.#sites.isCompared(last, first, read, blockLocation)),
      },
    };
  }

  #isWorse(a: StaleRead, b: StaleRead, last: Access): boolean {
    const difference = this.#weight(a, last) - this.#weight(b, last);
    return difference > 0 || (difference === 0 && a.first.event > b.first.event);
  }

  /**
   * What was looked at counts for more than what was only mentioned. Two accesses that are not meant to be atomic count for less
   * than what their caller surely goes by, and for more than what it may.
   */
  #weight({ first, relation }: StaleRead, last: Access): number {
    if (isUnmeant(first, last, this.#sites)) return 2 * STRENGTH.control - 0.5;
    const isLook = !this.#sites.has(first, SiteBit.mention | SiteBit.receiver);
    return 2 * STRENGTH[relation] + (isLook ? 1 : 0);
  }

  /**
   * A block that is over does not read back what it wrote, nor do handlers of events go by what others of them saw. But a
   * promise that nobody awaits may well go by what was seen.
   */
  #isConnected(block: WatchedBlock, pattern: PatternName, first: Access, last: Access): boolean {
    const isOpen = last.event < block.end;
    const isHandler = this.#isHandler(last);
    const isLeftBehind =
      !isOpen &&
      first.thread !== last.thread &&
      (pattern === 'overwritten-before-read' || (first.thread !== block.thread && isHandler));
    return !isLeftBehind && this.#history.order.isOrdered(first, last, isOpen);
  }

  /** Whether it is done by something that is called whenever it is time for that. */
  #isHandler({ thread }: Access): boolean {
    const kind = this.#facts.tasks.get(this.#names.threads.text(thread))?.kind ?? 'call';
    return HANDLERS.has(kind);
  }

  #variable(variable: number): Case['variable'] {
    const name = this.#names.variables.text(variable);
    return { name, facts: this.#facts.variables.get(name) ?? {} };
  }
}

/** Whether another process has made the access, for the block. */
function isCalled({ begin }: WatchedBlock, { call }: Access): boolean {
  return call !== undefined && call > begin;
}

/**
 * Which accesses can have to do with the last one: of what another process has done for the block, the block knows only what it has asked
 * for, and that process what it has done itself.
 */
function ofOneSide(block: WatchedBlock, last: Access): (access: Access) => boolean {
  const isInside = (access: Access) => isCalled(block, access) && access.original === undefined;
  if (isInside(last)) return (access) => isInside(access) && access.call === last.call;
  return (access) =>
    isInside(access) ? access.call === last.call : access.original === undefined || access.call !== last.call;
}

/** Whether it was read before its activation had waited, or after that. */
function timeOf(read: Access, foreign: readonly Access[]): number {
  if (read.isFirst) return ReadTime.first;
  const isBefore = ({ event }: Access) => event > read.activation && event < read.event;
  return read.activation > 0 && foreign.some(isBefore) ? ReadTime.later : ReadTime.unknown;
}

const LETTERS: ReadonlyMap<Op, Access['letter']> = new Map([
  [Op.write, 'w'],
  [Op.volatileWrite, 'w'],
  [Op.update, 'u'],
  [Op.volatileUpdate, 'u'],
]);

function onCycle({ event, op: mnemonic, location }: EventResult): Access {
  const op = Math.max(MNEMONICS.indexOf(mnemonic), 0) as Op;
  const letter = LETTERS.get(op) ?? 'r';
  return {
    event,
    thread: -1,
    op,
    letter,
    location,
    flags: 0,
    run: 0,
    activation: 0,
    startedIn: 0,
    within: null,
    isFirst: false,
    excludedIn: 0,
    locks: [],
    families: [],
    seen: new Map(),
    inside: null,
  };
}

/** Whether the task of a block has gone on with something else, while what the block has started may still act. */
function isAfterwards({ begin, end, thread }: WatchedBlock, access: Access): boolean {
  return access.thread === thread && access.event > end && !access.families.includes(begin);
}

/** Whether an access of somebody else conflicts with both of the block's own; one that changes nothing does with none. */
function conflicts(first: Access, between: Access, last: Access): boolean {
  const isLookOnly = between.letter === 'r' && (between.flags & EventFlag.presence) !== 0;
  if (isLookOnly && (last.flags & EventFlag.completes) !== 0) return false;
  if (between.letter === 'r') return isChange(first) && isChange(last);
  if (!isRealChange(between)) return false;
  const commute = (own: Access) => own.letter === 'u' && between.letter === 'u';
  return !commute(first) && !commute(last);
}
