import type { Activation } from '../core/activation.ts';

/** What `Tasks` leaves to others. */
export interface TaskHooks {
  /** Something runs of which nobody has said what it is. */
  enterUnknown(): Activation;
  /** Ends a callback that is over, but whose end has not been noticed. */
  endStale(): void;
  /** The current task gets to know what has arrived from other isolates. */
  hear(): void;
  /** The log may be handed over. */
  segmentEnded(): void;
  /** Somebody looks at what is in the log: what was put off a moment ago belongs there. */
  logPutOff(): void;
  /** The same of what this activation has done from this entry on. */
  makeReads(entry: number, by: Activation): void;
}
