/** Which of the orders that are possible anyway a program is made to run in; see docs/scheduling.md. */
export const SCHEDULES = ['provoke', 'random', 'pct'] as const;

export type ScheduleKind = (typeof SCHEDULES)[number];

export interface ScheduleOptions {
  kind: ScheduleKind;
  /** A whole number from 0 to `MOST_SEED`; the same one gives the same order again. */
  seed: number;
}

/** Seeds are 32 bits. */
export const MOST_SEED = 0xffff_ffff;
