/** Which of the orders that are possible anyway a program is made to run in; see docs/how-to/scheduling.md. */
export const SCHEDULES = ['provoke', 'random', 'pct', 'steady'] as const;

export type ScheduleKind = (typeof SCHEDULES)[number];

/** Those that give another order for each seed. */
export const SEEDED_SCHEDULES: readonly ScheduleKind[] = ['provoke', 'random', 'pct'];

export interface ScheduleOptions {
  kind: ScheduleKind;
  /** A whole number from 0 to `MOST_SEED`; the same one gives the same order again. */
  seed: number;
}

/** Seeds are 32 bits. */
export const MOST_SEED = 0xffff_ffff;

/** A seed of fewer digits is easier to say, and there are enough of them. */
const MOST_CHOSEN = 1_000_000;

/** A schedule for whoever has named no seed. */
export function newSchedule(kind: ScheduleKind): ScheduleOptions {
  // What `provoke` looks for does not depend on luck, so that the same command may as well do the same.
  return {
    kind,
    seed: kind === 'provoke' || kind === 'steady' ? USUAL_SEED : 1 + Math.floor(Math.random() * MOST_CHOSEN),
  };
}

export const USUAL_SEED = 1;

/** Nothing is held back, but each run is the same. */
export const STEADY: ScheduleOptions = { kind: 'steady', seed: 1 };
