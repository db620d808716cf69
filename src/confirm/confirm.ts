import type { ViolationFact } from '../analyses/analysis.ts';
import { witnessOrder, witnessSchedule } from '../analyses/sidetrack/index.ts';
import type { TraceNames } from '../trace/names.ts';
import { Op } from '../trace/operation.ts';
import { type Confirmation, type NoSchedule, type Schedule, USUAL_BUDGET } from './confirmation.ts';
import { observedViolations } from './observed.ts';
import { Prefix } from './prefix.ts';
import type { RecordedTrace } from './recorded-trace.ts';
import { ScheduleSearch } from './schedule-search.ts';
import { blockStretch, intruders, type Stretch } from './target.ts';
import { changedReads, isWellFormed, scheduledBatch, violates } from './verification.ts';

/** Which part of that may be spent on one prediction, and on one search for it. */
const FOR_A_PREDICTION = 0.06;
const FOR_A_SEARCH = 0.02;
/** Preparing so many events counts as looking at a state. */
const EVENTS_PER_STATE = 20;

/** Whether every read finds what it found in the trace: in the schedule, and at least in what comes before the block. */
interface WhatReadsFind {
  same: boolean;
  sameBefore: boolean;
}

/** First schedules in which every read finds what it found, then others. */
const WHAT_READS_FIND: readonly WhatReadsFind[] = [
  { same: true, sameBefore: true },
  { same: false, sameBefore: true },
  { same: false, sameBefore: false },
];

/** Looks for schedules that show what was predicted; docs/explanation/confirm.md says which schedules count. */
export class Confirmer {
  readonly #trace: RecordedTrace;
  readonly #names: TraceNames;
  readonly #budget: number;
  #states = 0;
  #observed: Map<number, number> | null = null;

  constructor(trace: RecordedTrace, names: TraceNames, budget = USUAL_BUDGET) {
    this.#trace = trace;
    this.#names = names;
    this.#budget = budget;
  }

  confirm(violation: ViolationFact): Confirmation {
    const { block, kind, related = [] } = violation;
    const events = related.map(({ event }) => event);
    if (block !== null) events.push(block.begin);
    if (events.some((event) => event > this.#trace.length)) return without('too-far');
    if (kind === 'race') return this.#race(violation);
    if (kind === 'deadlock') return this.#deadlock(violation);
    if (block === null || this.#trace.op[block.begin] !== Op.begin) return without('nothing-named');
    const found = this.#anyBlock(violation, blockStretch(this.#trace, block.begin));
    return found.schedule === null ? this.#asObserved(block.begin, found) : found;
  }

  /** What can be said when there are too many predictions to look into all of them. */
  withoutSearch({ kind, block }: ViolationFact): Confirmation {
    const otherwise = without('too-many');
    if (block === null || kind === 'race' || kind === 'deadlock') return otherwise;
    return this.#asObserved(block.begin, otherwise);
  }

  #anyBlock(violation: ViolationFact, stretch: Stretch): Confirmation {
    if (this.#states >= this.#budget) return without('too-many');
    const found = this.#block(violation, stretch);
    this.#states += found.states;
    return found.schedule === null ? this.#bySections(violation, stretch, found) : found;
  }

  /** The observed schedule is one of those that count, too. */
  #asObserved(begin: number, otherwise: Confirmation): Confirmation {
    this.#observed ??= observedViolations(this.#trace);
    const observedAt = this.#observed.get(begin);
    return observedAt === undefined ? otherwise : { ...otherwise, observedAt, reason: null };
  }

  #block(violation: ViolationFact, block: Stretch): Confirmation {
    const groups = intruders(this.#trace, block, violation);
    const most = Math.ceil(this.#budget * FOR_A_PREDICTION);
    let states = 0;
    let isExhausted = true;
    for (const reads of WHAT_READS_FIND) {
      for (const group of groups) {
        for (const readyFirst of [true, false]) {
          if (states >= most) return without('too-many-states', states);
          const found = this.#search(block, group, reads, readyFirst, most - states);
          if (found === null) continue;
          states += found.effort;
          isExhausted &&= found.isExhausted;
          if (found.events === null) continue;
          const events = [...found.prefix, ...found.events];
          if (!violates(this.#trace, events, block.first, this.#names)) continue;
          const changed = changedReads(this.#trace, events);
          const schedule = { events, prefix: found.prefix.length, changedReads: changed };
          return shownBy(schedule, states);
        }
      }
    }
    return without(isExhausted ? 'none-found' : 'too-many-states', states);
  }

  /**
   * The way of the proof that SideTrack is sound: one section of a lock is moved, and all else stays as it was.
   * That needs no search, however long the trace, but keeps all of what came before.
   */
  #bySections(violation: ViolationFact, block: Stretch, otherwise: Confirmation): Confirmation {
    const trace = this.#trace;
    const order = witnessOrder(violation);
    if (order === null) return otherwise;
    const observed = Array.from({ length: trace.length }, (_, i) => i + 1);
    const moved = witnessSchedule(() => [scheduledBatch(trace, observed)], order);
    const events = moved?.filter((event) => trace.op[event] !== Op.skip) ?? [];
    if (events.length === 0 || !violates(trace, events, block.first, this.#names)) return otherwise;
    const prefix = events.findIndex((event, i) => i > 0 && event < events[i - 1]);
    const schedule = {
      events,
      prefix: Math.min(prefix < 0 ? events.length : prefix, events.indexOf(block.first)),
      changedReads: changedReads(trace, events),
    };
    return shownBy(schedule, otherwise.states);
  }

  /**
   * One search. With `readyFirst`, what others do that the block and the intruders need is done beforehand as far
   * as it can be, which leaves less to be put in order; it is null if that makes no difference.
   */
  #search(
    block: Stretch,
    group: readonly Stretch[],
    { same: sameReads, sameBefore }: WhatReadsFind,
    readyFirst: boolean,
    budget: number,
  ) {
    const trace = this.#trace;
    const before = trace.position[block.first];
    /** The block must not have begun. */
    const isEarly = (prefix: Prefix) => prefix.count(block.thread) <= before;
    let prefix = new Prefix(trace, sameBefore);
    prefix.includeBefore(block.first);
    if (!isEarly(prefix)) return null;
    for (const unit of group) {
      const extended = new Prefix(trace, sameBefore, prefix);
      extended.includeBefore(unit.first);
      if (isEarly(extended)) prefix = extended;
    }
    const limits = new Prefix(trace, sameReads, prefix);
    limits.include(block.last);
    for (const unit of group) limits.include(unit.last);
    if (readyFirst) {
      const taking = new Set([block.thread, ...group.map(({ thread }) => thread)]);
      let isReady = false;
      for (const thread of limits.threads()) {
        if (taking.has(thread) || limits.count(thread) === prefix.count(thread)) continue;
        const extended = new Prefix(trace, sameBefore, prefix);
        extended.include(trace.program(thread)[limits.count(thread) - 1]);
        if ([...taking].some((own) => extended.count(own) > prefix.count(own))) continue;
        prefix = extended;
        isReady = true;
      }
      if (!isReady) return null;
    }
    const states = Math.min(budget, Math.ceil(this.#budget * FOR_A_SEARCH));
    const result = new ScheduleSearch(trace, block, prefix, limits, { sameReads, states }).run();
    // What is run beforehand costs something, too: less for each event than a state.
    const effort = result.states + Math.ceil(limits.size / EVENTS_PER_STATE);
    return { ...result, effort, prefix: result.events === null ? [] : prefix.events() };
  }

  /** Both accesses at once: what has to come before them, and then one after the other. */
  #race({ related = [] }: ViolationFact): Confirmation {
    const later = related.at(-1)?.event ?? 0;
    for (const sameReads of [true, false]) {
      for (const { event } of related) {
        const schedule = this.#adjacent(event, later, sameReads);
        if (schedule !== null) return shownBy(schedule, 1);
      }
    }
    return without(related.length < 2 ? 'nothing-named' : 'none-found', 1);
  }

  #adjacent(earlier: number, later: number, sameReads: boolean): Schedule | null {
    const trace = this.#trace;
    if (trace.thread[earlier] === trace.thread[later]) return null;
    const prefix = new Prefix(trace, sameReads);
    prefix.includeBefore(earlier);
    prefix.includeBefore(later);
    if (prefix.has(earlier) || prefix.has(later)) return null;
    const before = prefix.events();
    const events = [...before, earlier, later];
    if (isWellFormed(trace, events, this.#names) === null) return null;
    // What the two accesses find does not matter: they race.
    const changed = changedReads(trace, events.slice(0, -1));
    return { events, prefix: before.length, changedReads: changed };
  }

  /** Every thread is where it wants the next lock, and each of these locks is held by another of the threads. */
  #deadlock({ related = [] }: ViolationFact): Confirmation {
    const trace = this.#trace;
    const wanted = new Map<number, number>();
    for (const { event } of related) wanted.set(trace.thread[event], event);
    if (wanted.size < 2) return without('nothing-named');
    const prefix = new Prefix(trace, true);
    for (const event of wanted.values()) prefix.includeBefore(event);
    const events = prefix.events();
    const holders = new Map<number, number>();
    for (const event of events) {
      if (trace.op[event] === Op.acquire) holders.set(trace.operand[event], trace.thread[event]);
      if (trace.op[event] === Op.release) holders.delete(trace.operand[event]);
    }
    const isStuck = [...wanted].every(([thread, event]) => {
      const holder = holders.get(trace.operand[event]);
      return !prefix.has(event) && holder !== undefined && holder !== thread && wanted.has(holder);
    });
    if (!isStuck || isWellFormed(trace, events, this.#names) === null) return without('none-found', 1);
    return shownBy({ events, prefix: events.length, changedReads: [] }, 1);
  }
}

function shownBy(schedule: Schedule, states: number): Confirmation {
  return { schedule, observedAt: null, reason: null, states };
}

function without(reason: NoSchedule, states = 0): Confirmation {
  return { schedule: null, observedAt: null, reason, states };
}
