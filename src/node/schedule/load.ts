import type { ScheduleOptions } from '../../trace/schedule-options.ts';
import type { MakeSchedule } from '../runtime/scheduling.ts';
import { ownRequire } from '../support/own-require.ts';
import type * as Schedules from './schedule.ts';

/** Most programs have no schedule, and need none of its code. */
export function loadSchedule(options: ScheduleOptions | null): MakeSchedule | null {
  if (options === null) return null;
  const { Schedule } = ownRequire('./schedule.cjs') as typeof Schedules;
  return (thread, recorder, handOver) => new Schedule(options, thread, recorder, handOver);
}
