import type { Activation } from './activation.ts';
import type { Idle } from './idle-tasks.ts';
import type { LockRecord } from './lock-record.ts';
import type { Span } from './overlap.ts';

/** What is known of a task. A waiting one has a place for its fork in the log, but has done nothing so far. */
export const WAITING = 0;
export const RUNNING = 1;
export const ENDED = 2;

/* Whether it is in the trace (`overlap.ts`): known when the first entry of it leaves the log. */
export const UNDECIDED = 0;
export const KEPT = 1;
export const LEFT_OUT = 2;

/** The number of a task among the threads of the trace; apart from the task, as it may be needed for long after that is over. */
export class TaskThread {
  /** -1 once it is that of another task. */
  id: number;
  /** Whether the join of the task has left the log: the number is kept only as long as somebody needs it. */
  isLeaving = false;
  /** Whether the garbage collector tells when nobody can go on with the task. */
  isWatched = false;

  constructor(id: number) {
    this.id = id;
  }
}

/** A thread of the trace. */
export class Task {
  /** What its name begins with: the label of its function, or how it came to be. */
  readonly kind: string;
  /** The activation that it was forked for; null for one that only forks others. */
  root: Activation | null = null;
  state: typeof WAITING | typeof RUNNING | typeof ENDED = WAITING;
  /** The place in the log that becomes its fork; -1 if nobody forks it. */
  forkedAt = -1;
  /** The locks that it has acquired; it may have released them since. */
  locks: LockRecord[] | null = null;
  /** Whether somebody has joined it, or is going to in the log. */
  isJoined = false;
  /** What it is in the trace; null until an event of it has left the log. */
  thread: TaskThread | null = null;
  /** How many blocks of it have begun in the trace. */
  begins = 0;
  /** Its innermost blocks, in which nothing has happened so far: they get their begins with what happens first in them. */
  unbegun: Activation[] | null = null;
  /** The event that came next in the trace when the last of them was called. */
  unbegunFrom = 0;
  /** The last time that its promise was one of several which were combined (`promises.ts`). */
  combinedIn = 0;
  /** Its name in the trace; null until it has one. */
  name: string | null = null;
  /** For what another process is asked for: what it is known by there. */
  call: string | null = null;
  /** The call of another process that it works for. */
  adoptedBy: string | null = null;
  /** Of a callback that has done nothing but give callbacks away: see `idle-tasks.ts`. */
  idle: Idle | null = null;
  /** What all of it is a part of; null if it is in the trace in any case. */
  span: Span | null = null;
  /** The span that is not over before this has been called, of a callback. */
  held: Span | null = null;
  /** The one that does not last so long, but after which it may be called. */
  later: Span | null = null;
  /** Who has forked it, or for whom that was done, until its fate is known. */
  forkedBy: Activation | null = null;
  /** Whether it may be part of a cycle. */
  isNeeded = false;
  fate: typeof UNDECIDED | typeof KEPT | typeof LEFT_OUT = UNDECIDED;

  constructor(kind: string) {
    this.kind = kind;
  }
}

/** Stands for any task that is over, where it is enough to know that it is no other. */
export const SOME_ENDED = new Task('');
SOME_ENDED.state = ENDED;
