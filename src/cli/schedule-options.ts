import { Option } from 'commander';
import { scheduleArguments } from '../check/schedules.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import {
  MOST_SEED,
  newSchedule,
  SCHEDULES,
  type ScheduleKind,
  type ScheduleOptions,
  SEEDED_SCHEDULES,
} from '../trace/schedule-options.ts';
import { unknownName } from '../trace/unknown-name.ts';
import { countOf } from './options.ts';

/** Options of commands that may run a program in an order of their own. */
export interface ScheduleCommandOptions {
  schedule?: ScheduleKind;
  seed?: number;
}

const KINDS =
  'provoke (hold tasks back where others may break them), random, pct (by priorities), steady (hold nothing, but run the same way each time)';

export function scheduleOption(): Option {
  return new Option('--schedule <kind>', `the order in which tasks go on: ${KINDS}`).argParser(scheduleKind);
}

/** For a command that runs a program many times. */
export function schedulesOption(): Option {
  return new Option('--schedule <kinds>', `orders to take in turn, separated by commas: ${KINDS}`)
    .default(SEEDED_SCHEDULES, SEEDED_SCHEDULES.join(','))
    .argParser((text) => [...new Set(text.split(',').map(scheduleKind))]);
}

export const SEED_WORDS = 'what makes an order the same again; chosen, and said, if it is not given';

export function seedOption(description: string): Option {
  return new Option('--seed <number>', description).argParser(seedOf);
}

function scheduleKind(text: string): ScheduleKind {
  const kind = SCHEDULES.find((each) => each === text);
  if (kind === undefined) throw unknownName('schedule', text, SCHEDULES);
  return kind;
}

function seedOf(text: string): number {
  const seed = countOf('--seed', text);
  if (seed <= MOST_SEED) return seed;
  throw new InputProblem('--seed is too large', { found: quoted(text), expected: `at most ${MOST_SEED}` });
}

/** The schedule that is asked for. A seed that nobody has named is said, as the program may never end. */
export function chosenSchedule(
  { schedule, seed }: ScheduleCommandOptions,
  { quiet }: { quiet: boolean },
): ScheduleOptions | null {
  if (schedule === undefined) {
    if (seed === undefined) return null;
    throw new InputProblem('--seed is of a schedule', {
      found: 'no --schedule',
      expected: `--schedule random --seed ${seed}, for example`,
    });
  }
  if (seed !== undefined) return { kind: schedule, seed };
  const chosen = newSchedule(schedule);
  if (!quiet) process.stderr.write(`trackside: running with ${scheduleArguments(chosen).join(' ')}\n`);
  return chosen;
}
