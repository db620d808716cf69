import type { BlockFact, ViolationFact } from '../analyses/analysis.ts';
import type { MemoryTrace } from '../trace/memory-trace.ts';
import type { Op } from '../trace/operation.ts';
import type { PatternName, Severity } from './pattern.ts';

/** What an event did, as ids; reporters turn them into text. */
export interface SeenEvent {
  event: number;
  thread: number;
  op: Exclude<Op, typeof Op.skip>;
  /** An id in the table that the operation's operand kind names. */
  operand: number;
  /** See `trace/location.ts`. */
  location: number;
}

/** One event of a witness. */
export interface EventFact extends SeenEvent {
  /** The outermost block that the event is in; null for an event outside every block. */
  block: BlockFact | null;
  /** Tells the transactions of one thread apart and grows along the thread. It means nothing else. */
  transaction: number;
}

/** Two conflicting events, the earlier one first. */
export interface Conflict {
  from: EventFact;
  to: EventFact;
}

/** Two accesses of a block to a variable, and the access of another thread that came between them. */
export interface Interference {
  pattern: PatternName;
  first: EventFact;
  between: EventFact;
  last: EventFact;
}

/** What shows that a violation is one. */
export interface Witness {
  /**
   * The conflicts along the cycle; each one leads on from where the one before it arrived, and the last one
   * arrives where the first one left.
   *
   * If it is `increasing`, it is a happens-before path that leaves the block and comes back to it: each conflict
   * leaves a thread at the event at which the one before it arrived, or later. Otherwise it is a cycle of
   * transactions: each conflict leaves the transaction in which the one before it arrived, possibly from an
   * earlier event, and two transactions that follow each other in one thread are linked by one event of each.
   */
  cycle: readonly Conflict[];
  increasing: boolean;
  pattern: PatternName;
  severity: Severity;
  /** The accesses that give the pattern its name; null for a `multi-variable-cycle`. */
  interference: Interference | null;
  /** The block that the cycle starts from and comes back to: the violated one, or that of its transaction. */
  block: BlockFact;
  /** The thread of that block, which need not be the one in which the violation was noticed. */
  thread: number;
  /** The blocks around it that were open at its begin, outermost first, up to a hundred. */
  enclosing: readonly BlockFact[];
}

/** An event that an analysis named itself, and its part in the story. */
export interface StoryEvent {
  role: string;
  seen: SeenEvent;
}

/** The smallest part of a trace that still shows a violation. */
export interface Subtrace {
  /** The number in the observed trace of each of its events, in order. */
  events: readonly number[];
  /** The events as a trace of its own, with names of its own. */
  trace: MemoryTrace;
  /** Where in that trace the violation is noticed. */
  event: number;
  /** Whether nothing more can be left out. */
  minimal: boolean;
}

/**
 * Why a violation has no witness: there were too many to explain or it would have taken too long, the trace has no cycle to
 * show for it, or nobody looked.
 */
export type Unexplained = 'limit' | 'no-cycle' | 'not-asked';

/** What is known about one violation after the second look. */
export interface Explanation {
  violation: ViolationFact;
  witness: Witness | null;
  unexplained: Unexplained | null;
  /** The events that the analysis named, in the order of the trace: of predictions there is no cycle to find. */
  story: readonly StoryEvent[];
  /** The pairs of events that the analysis of a prediction named, as a race does. */
  pairs: readonly { from: SeenEvent; to: SeenEvent }[];
  /** The witness's; without one, the worst of the same label, so that none looks milder for want of a witness. */
  severity: Severity;
  /** What begins the violated block: its begin, or the fork or join after which a piece of a block starts. */
  blockBegin: SeenEvent | null;
  /** The event that ends the violated block; null if it is open where the trace ends, or if there is none. */
  blockEnd: number | null;
  /** Null unless it was asked for, and where there is no witness. */
  subtrace: Subtrace | null;
}
