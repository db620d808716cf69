import type { EventBatch } from '../trace/batch.ts';

/**
 * What an analysis is. Everything is an integer: ids of threads, variables, locks and labels are dense and
 * start at 0, `event` is the number of the event in the trace and starts at 1.
 *
 * An analysis is shown a well-formed trace: re-entrant acquires and blocks that the specification leaves out
 * are already gone (their numbers stay unused). It keeps no reference to anything outside, reads no file and
 * prints nothing.
 */
export interface EventHandlers {
  read(thread: number, variable: number, event: number): void;
  write(thread: number, variable: number, event: number): void;
  /** A commuting update; conflicts with reads and writes, not with other updates. */
  update(thread: number, variable: number, event: number): void;
  acquire(thread: number, lock: number, event: number): void;
  release(thread: number, lock: number, event: number): void;
  fork(thread: number, child: number, event: number): void;
  join(thread: number, child: number, event: number): void;
  /** What a thread did before it arrives happens before what others do who leave the same round after it. */
  arrive(thread: number, barrier: number, event: number): void;
  leave(thread: number, barrier: number, event: number): void;
  /**
   * What a thread did before it sends happens before what follows a later receipt through the same channel, a
   * message or a condition; nothing else is ordered by them.
   */
  send(thread: number, channel: number, event: number): void;
  receive(thread: number, channel: number, event: number): void;
  /** Blocks nest; the analysis is told about every one and keeps count itself. */
  begin(thread: number, label: number, event: number): void;
  end(thread: number, label: number, event: number): void;
  /* Accesses that synchronise. They conflict as others do; who has no handlers for them is shown plain accesses. */
  volatileRead?(thread: number, variable: number, event: number): void;
  volatileWrite?(thread: number, variable: number, event: number): void;
  volatileUpdate?(thread: number, variable: number, event: number): void;
}

export interface Foresight {
  /**
   * Called with a run of events before the handlers are called for each of them, to have what these need fetched
   * from memory. It changes nothing.
   */
  foresee(batch: EventBatch, from: number, to: number): void;
}

export interface Skimming {
  /** Whether it looks through this batch by itself: then only those events are shown that `skim` names. */
  takeIn(batch: EventBatch): boolean;
  /** Deals with the events from index `from` on; returns the index of the first that is to be shown, or their number. */
  skim(from: number): number;
}

export interface Analysis extends EventHandlers, Partial<Foresight>, Partial<Skimming> {
  /**
   * Nobody accesses the variable any more, and its number is going to be that of another one. Where an analysis does not
   * know how to forget, numbers are not used again.
   */
  forgetVariable?(variable: number): void;
  /** The same for what has a number of a lock: a monitor, or what others wait for. */
  forgetLock?(lock: number): void;
  /** Whether it knows how to forget threads. */
  readonly canForgetThreads?: boolean;
  /** Whether what a thread did, which does nothing more, may have a part in what is still to be found. */
  needsThread?(thread: number): boolean;
  /** The threads do nothing more and are not needed, and their numbers are going to be those of other threads. */
  forgetThreads?(threads: readonly number[]): void;
  /** The trace is over: blocks still open end here. Called once, with the number of the last event. */
  finish(lastEvent: number): void;
  /** What was found out about the trace as a whole; asked for after `finish`. */
  outcome(): Outcome;
}

export interface Outcome {
  /** Whether the observed trace is serializable; null where the analysis does not decide it. */
  serializable: boolean | null;
  /** The event at which the analysis knew that it is not; see each analysis for whether it is the first. */
  firstEvent: number | null;
  /** Figures about the run itself, such as clocks joined or nodes alive, by name. */
  statistics: Readonly<Record<string, number>>;
  /** Sentences that a reader must see to know what the verdict is worth: what was not looked at, and why. */
  notes?: readonly string[];
}

/** A block of the trace, as an analysis knows it. */
export interface BlockFact {
  label: number;
  /** The number of its begin event, which identifies it. */
  begin: number;
  /** How many open blocks of its thread it lies in: 0 for a transaction. */
  depth: number;
}

/** Two conflicting events, the earlier one first. */
export interface ConflictFact {
  from: number;
  to: number;
}

/**
 * What is wrong. `transaction`: `block` is not serializable by itself. `trace`: the observed trace is not, and
 * `block` may be null. `before`, `in`, `after`: another schedule would violate `block` (SideTrack). `conflict`,
 * `view`: the units may be interleaved in a way that is not equivalent to any serial one (commit nodes).
 * `reduction`: the block does not follow a reducible pattern. `block`: two accesses of a block with one between
 * them that no serial order explains. `race`, `deadlock`: what those words say.
 */
export type ViolationKind =
  | 'transaction'
  | 'trace'
  | 'before'
  | 'in'
  | 'after'
  | 'conflict'
  | 'view'
  | 'reduction'
  | 'block'
  | 'race'
  | 'deadlock';

/** An event that a report has to name, and why: `first access`, `culprit acquire`, `end of the window`. */
export interface RelatedEvent {
  event: number;
  role: string;
}

/** A violation as data: event numbers and ids, no text. */
export interface ViolationFact {
  kind: ViolationKind;
  /** The event at which it was noticed. */
  event: number;
  thread: number;
  block: BlockFact | null;
  /** The conflicts along the cycle if the analysis knows them; `explain` finds them otherwise. */
  cycle?: readonly ConflictFact[];
  /** Events that tell the story where there is no cycle of conflicts, in the order of the trace. */
  related?: readonly RelatedEvent[];
}

export type ViolationSink = (violation: ViolationFact) => void;

/** How forks and joins inside a block count (SEMANTICS: `--fork-join`). */
export type ForkJoin = 'edge' | 'boundary' | 'family';

export interface AnalysisContext {
  report: ViolationSink;
  forkJoin: ForkJoin;
}

/** What has to hold in every schedule for a verdict about other schedules to be worth what it promises. */
export type Assumption = 'race-freedom' | 'no-deadlock';

/** An entry of the registry: what users are told about an analysis, and how to make one. */
export interface AnalysisDescription {
  name: string;
  /** One line: what it does. */
  summary: string;
  /** What it promises about its verdict, its event and its blame. */
  promise: string;
  /** The paper and section it comes from; null for the two measuring tools. */
  source: string | null;
  /** Whether it speaks of other schedules than the observed one. */
  predictive?: boolean;
  /** What it takes for granted; reports say so, and whether it was checked. */
  assumes?: readonly Assumption[];
  create(context: AnalysisContext): Analysis;
}
