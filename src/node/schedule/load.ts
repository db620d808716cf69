import type { ScheduleOptions } from './options.ts';
import type { MakeSchedule } from './schedule.ts';

/** Most programs have no schedule, and need none of its code. */
export async function loadSchedule(options: ScheduleOptions): Promise<MakeSchedule> {
  const { Schedule } = await import('./schedule.ts');
  return (thread, recorder, handOver) => new Schedule(options, thread, recorder, handOver);
}
