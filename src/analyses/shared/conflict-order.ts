/** What many events know together, so that coming after all of them takes one step instead of one for each. */
export interface Together {
  /** Adds what `thread` did at `time`. */
  add(thread: number, time: number): void;
  /** It is not needed any more. */
  drop(): void;
}

/**
 * What `AccessGroups` and `LockTable` need of the relation that they feed with conflicts. Events are known by
 * their thread and its local time.
 */
export interface ConflictOrder {
  /** The local time of a thread that acts; it may have changed after calls of `conflict`. */
  now(thread: number, event: number): number;
  /** What `from` did at `time` conflicts with what `to` does now. */
  conflict(from: number, time: number, to: number, event: number): void;
  /** Whether what `thread` did at `time` can still have a part in a violation; if not, it never will. */
  matters(thread: number, time: number): boolean;
  /** Whether it is easily seen that what `thread` did at `time` does not matter; compiled code sees it, too. */
  isPast(thread: number, time: number): boolean;
  /** Whether what `thread` did at `time` cannot be replaced by the sources it is after. */
  isRunning(thread: number, time: number): boolean;
  /** Starts a new list of sources. */
  clearSources(): void;
  /** Adds to the list the sources that stand for a finished event or a source, and returns its length. */
  gatherSources(thread: number, time: number): number;
  sourceThread(index: number): number;
  sourceTime(index: number): number;
  /** To gather what many events know; null where events are followed one by one. */
  gather?(): Together | null;
  /**
   * All events that were gathered, but for those of `to`, conflict with what `to` does now. False if they must be shown one by one,
   * and nothing was done.
   */
  conflictWithAll?(together: Together, to: number, event: number): boolean;
}
