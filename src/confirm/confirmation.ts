/** How many states are looked at for all predictions on a trace, unless told otherwise. */
export const USUAL_BUDGET = 1_000_000;

/** What became of the attempt to show a prediction by a schedule. */
export type ConfirmationStatus = 'confirmed' | 'not-confirmed' | 'budget';

/** Why there is no schedule to show. */
export type NoSchedule =
  /** Everything was tried that was meant to be. */
  | 'none-found'
  /** The search was given up. */
  | 'too-many-states'
  /** The events lie beyond those that are kept. */
  | 'too-far'
  /** There were too many predictions. */
  | 'too-many'
  /** The analysis did not say which events it speaks of. */
  | 'nothing-named';

/** A schedule that shows what was predicted. */
export interface Schedule {
  /** The numbers of its events in the observed trace, in their new order. */
  events: readonly number[];
  /** How many of them, at the start, are in the order of the trace. */
  prefix: number;
  /** The reads that may find another value than they did, by their numbers in the observed trace. */
  changedReads: readonly number[];
}

export interface Confirmation {
  schedule: Schedule | null;
  /** The event at which the observed trace itself shows it, if it does and no other schedule was found. */
  observedAt: number | null;
  reason: NoSchedule | null;
  /** How many states were looked at. */
  states: number;
}

export function statusOf({ schedule, observedAt, reason }: Confirmation): ConfirmationStatus {
  if (schedule !== null || observedAt !== null) return 'confirmed';
  return reason === 'none-found' || reason === 'nothing-named' ? 'not-confirmed' : 'budget';
}
