import { SCHEDULES, type ScheduleOptions } from '../trace/schedule-options.ts';

/** In the order of `SCHEDULES`, then by seed; what was run without a schedule comes first. */
export function compareSchedules(a: ScheduleOptions | undefined, b: ScheduleOptions | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return SCHEDULES.indexOf(a.kind) - SCHEDULES.indexOf(b.kind) || a.seed - b.seed;
}

/** `random, seed 7`. */
export function scheduleWords({ kind, seed }: ScheduleOptions): string {
  return `${kind}, seed ${seed}`;
}

/** The options of a command that runs a program in this order. */
export function scheduleArguments(schedule: ScheduleOptions | null | undefined): string[] {
  return schedule ? ['--schedule', schedule.kind, '--seed', String(schedule.seed)] : [];
}
