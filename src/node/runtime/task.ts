import type { Activation } from './activation.ts';

/** What is known of a task. A waiting one has a place for its fork in the log, but has done nothing so far. */
export const WAITING = 0;
export const RUNNING = 1;
export const ENDED = 2;

/** A thread of the trace. */
export class Task {
  /** What its name begins with: the label of its function, or how it came to be. */
  readonly kind: string;
  /** The activation that it was forked for; null for one that only forks others. */
  root: Activation | null = null;
  state: typeof WAITING | typeof RUNNING | typeof ENDED = WAITING;
  /** The place in the log that becomes its fork; -1 if nobody forks it. */
  forkedAt = -1;
  /** Whether somebody has joined it, or is going to in the log. */
  isJoined = false;
  /** Its id in the trace; -1 until an event of it has left the log. */
  thread = -1;

  constructor(kind: string) {
    this.kind = kind;
  }
}
