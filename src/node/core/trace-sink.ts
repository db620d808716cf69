import type { EventBatch } from '../../trace/batch.ts';
import type { FactRecord } from '../../trace/facts.ts';

/** Sinks may look back so far, so that for so long no number comes to mean something else. */
export const LOOKED_BACK = 1 << 15;

/** Where events go. */
export interface TraceSink {
  /**
   * `sequences` holds, for each event, its place in the order of all isolates, or 0, `flags` what else is known of it
   * (`EventFlag`); all are used again after the call.
   */
  take(batch: EventBatch, sequences: Int32Array, flags: Uint16Array): void;
  /** Something is known of what comes, or has come. */
  noteFact?(fact: FactRecord): void;
  /** Somebody is going to look at what there is so far. */
  flush?(): void;
  /** Whether it still has use for what a thread did that is over. */
  needsThread(thread: number): boolean;
  /** The numbers are going to be those of other threads. */
  forgetThreads(threads: readonly number[]): void;
  needsVariable(variable: number): boolean;
  /** The number is going to be that of another variable. */
  forgetVariable(variable: number): void;
  /** The numbers are going to be those of other messages. */
  forgetMessages?(messages: readonly number[]): void;
  finish(lastEvent: number): void;
}
